// Freed buffer memory is reused: a new buffer is zero-filled nonetheless, and buffers in use keep their contents.
const net = require('net');
const { hash } = require('crypto');

const SIZE = 65536;
const kept = [];
let dirty = 0;
for (let i = 0; i < 3000; i++) {
  const block = i % 2 ? Buffer.alloc(SIZE) : new Uint8Array(SIZE);
  if (block.some((byte) => byte !== 0)) dirty++;
  block.fill(i % 251 + 1);
  if (i % 100 === 0) kept.push([block, i % 251 + 1]);
}
console.log('dirty', dirty, 'changed', kept.filter(([block, byte]) => !block.every((each) => each === byte)).length);

// A stream whose reader retains some of the chunks.
const server = net.createServer((socket) => {
  const blocks = [];
  const seen = [];
  let size = 0;
  socket.on('data', (block) => {
    size += block.length;
    if (blocks.length < 64 && size % 7 < 4) {
      blocks.push(block);
      seen.push(hash('md5', block));
    }
  });
  socket.on('end', () => {
    console.log(size, blocks.every((block, i) => hash('md5', block) === seen[i]));
    server.close();
  });
}).listen(0, '127.0.0.1', () => {
  const socket = net.connect(server.address().port, '127.0.0.1', () => {
    let sent = 0;
    (function more() {
      while (sent < 2000) if (!socket.write(Buffer.alloc(SIZE, sent++ % 256))) return void socket.once('drain', more);
      socket.end();
    })();
  });
});
