// Properties of sockets and servers before, during and after a connection, after reconnecting, with a custom buffer,
// and with async listeners that reject.
const net = require('node:net');
const { once } = require('node:events');

(async () => {
  console.log(net.Socket.prototype.bytesWritten, net.Socket.prototype.bytesRead, new net.Socket().timeout);
  const server = net.createServer((socket) => socket.end('hello'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  const socket = net.connect({ port, host: '127.0.0.1' });
  console.log(socket._connecting, socket.connecting, socket.bufferSize);
  socket.write('ab');
  console.log(socket.bufferSize, socket.bytesWritten);
  socket.timeout = 0;
  socket.setTimeout(5000);
  console.log(socket.timeout);
  await once(socket, 'connect');
  socket.resume();
  const before = socket.remotePort;
  await once(socket, 'close');
  console.log(before === port, socket.remotePort === port, socket.bytesRead, socket.bytesWritten);
  socket.connect(port, '127.0.0.1');
  socket.write('abc');
  socket.end();
  await once(socket, 'close');
  console.log(socket.bytesRead, socket.bytesWritten);

  let buffers = 0;
  const sizes = [];
  const reader = net.connect({ port, host: '127.0.0.1', onread: { buffer: () => { buffers++; return new Uint8Array(2); }, callback: (count) => { sizes.push(count); return true; } } });
  await once(reader, 'close');
  console.log(buffers, sizes);
  for (const value of [0, -10]) {
    try { net.connect({ port, autoSelectFamilyAttemptTimeout: value }); } catch (error) { console.log(error.code); }
  }
  try { new net.Socket().setTypeOfService(NaN); } catch (error) { console.log(error.code); }
  server.close();

  const failing = net.createServer({ captureRejections: true }, async () => { throw new Error('of the listener'); });
  require('node:events').captureRejections = true;
  const other = net.createServer(async (each) => { each.on('error', (error) => console.log('reported to the socket:', error.message)); throw new Error('of the listener'); });
  other.listen(0, '127.0.0.1');
  await once(other, 'listening');
  const last = net.connect(other.address().port, '127.0.0.1');
  last.resume();
  await once(last, 'close');
  other.close();
  void failing;
})();
