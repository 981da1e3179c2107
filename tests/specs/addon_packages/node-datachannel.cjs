const { format } = require('node:util');
console.log = (...values) => process.stdout.write(`${format(...values)}\n`); // as Node prints values

const nd = require('node-datachannel');
const a = new nd.PeerConnection('a', { iceServers: [] }),
  b = new nd.PeerConnection('b', { iceServers: [] });
a.onLocalDescription((s, t) => b.setRemoteDescription(s, t));
a.onLocalCandidate((c, m) => b.addRemoteCandidate(c, m));
b.onLocalDescription((s, t) => a.setRemoteDescription(s, t));
b.onLocalCandidate((c, m) => a.addRemoteCandidate(c, m));
b.onDataChannel((d) => {
  d.onMessage((m) => {
    console.log('b got', m);
    d.sendMessage('back');
  });
});
const d = a.createDataChannel('x');
d.onOpen(() => d.sendMessage('hello'));
d.onMessage((m) => {
  console.log('a got', m);
  d.close();
  a.close();
  b.close();
  nd.cleanup();
});
