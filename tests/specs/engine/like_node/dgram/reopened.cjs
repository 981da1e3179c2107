// A socket receives its own messages even when it was opened, with a reused descriptor, while another socket's last
// message was handled.
const dgram = require('node:dgram');
const { once } = require('node:events');

(async () => {
  for (let round = 0; round < 4; round++) {
    const heard = Promise.withResolvers();
    const socket = dgram.createSocket('udp4', (message) => heard.resolve(String(message)));
    await once(socket.bind(0, '127.0.0.1'), 'listening');
    const sender = dgram.createSocket('udp4');
    await once(sender.bind(0, '127.0.0.1'), 'listening');
    sender.send(`message ${round}`, socket.address().port, '127.0.0.1');
    console.log(await heard.promise);
    sender.close();
    socket.close();
  }
})();
