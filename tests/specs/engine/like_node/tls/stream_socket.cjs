// The net.Socket that TLSSocket wraps around a stream that is not a socket.
const { Duplex, PassThrough } = require('stream'), tls = require('tls'), net = require('net');
const J = new tls.TLSSocket(new PassThrough())._handle._parentWrap.constructor;
console.log(J.name, J.prototype instanceof net.Socket);
const [a, b] = require('stream').duplexPair();
const s = new J(a); console.log(s instanceof net.Socket, s.connecting, s.stream === a);
b.on('data', (c) => { console.log('b got', String(c)); b.end('back'); });
s.on('data', (c) => console.log('s got', String(c))).on('end', () => console.log('end')).on('close', () => console.log('close'));
s.write('there'); setImmediate(() => s.end());
