// Text written to a socket in different encodings: the bytes that arrive, what the socket counts, and what an overridden _write
// receives.
const net = require('node:net');
const { once } = require('node:events');

const shown = (text) => (text.length > 200 ? [text.length, text.slice(0, 20), text.slice(-20)] : text);
let arrived;
const server = net.createServer((socket) => {
  let text = '';
  socket.setEncoding('latin1');
  socket.on('data', (chunk) => (text += chunk));
  socket.on('end', () => {
    arrived(JSON.stringify(shown(text)));
    socket.end();
  });
});

async function run(label, write) {
  const received = new Promise((resolve) => (arrived = resolve));
  const log = [];
  const socket = net.connect(server.address().port);
  await once(socket, 'connect');
  socket.resume();
  write(socket, (...values) => log.push(values.join(' ')));
  const text = await received;
  await once(socket, 'close');
  console.log(label, text, socket.bytesWritten, log.join(' | '));
}

server.listen(0, '127.0.0.1', async () => {
  await run('ASCII', (socket) => socket.end('plain'));
  await run('UTF-8 with a lone surrogate', (socket) => socket.end('é€😀\ud800x'));
  await run('Latin-1 of wide characters', (socket) => socket.end('é€x', 'latin1'));
  await run('encodings in turn', (socket) => {
    socket.write('ab', 'hex');
    socket.write('é', 'utf-8');
    socket.write('zz', 'UTF8');
    socket.write('é', 'binary');
    socket.write('é', 'ucs2');
    socket.end('YWI=', 'base64');
  });
  await run('corked', (socket) => {
    socket.cork();
    socket.write('a');
    socket.write('é');
    socket.write(Buffer.from('b'));
    socket.uncork();
    socket.end();
  });
  await run('more than fits', (socket, say) => {
    const text = 'é'.repeat(3e6);
    say(socket.write(text, () => say('written')), socket.writableLength, socket.bytesWritten);
    say(socket.write('tail'), socket.bytesWritten);
    socket.end();
  });
  await run('empty', (socket, say) => {
    socket.write('');
    socket.end('', () => say('ended'));
  });
  await run('default encoding', (socket) => {
    socket.setDefaultEncoding('latin1');
    socket.end('ü');
  });
  await run('overridden _write', (socket, say) => {
    socket._write = function (chunk, encoding, callback) {
      say(typeof chunk, encoding);
      net.Socket.prototype._write.call(this, chunk, encoding, callback);
    };
    socket.end('x');
  });
  await run('overridden _writeGeneric', (socket, say) => {
    socket._writeGeneric = function (isList, data, encoding, callback) {
      say(isList, typeof data, encoding);
      net.Socket.prototype._writeGeneric.call(this, isList, data, encoding, callback);
    };
    socket.end('x', 'latin1');
  });
  const early = net.connect(server.address().port, '127.0.0.1');
  const received = new Promise((resolve) => (arrived = resolve));
  early.write('early é');
  console.log('before the connection', early.bytesWritten, early.writableLength);
  early.end('é');
  early.resume();
  await once(early, 'close');
  console.log(await received, early.bytesWritten);
  server.close();
});
