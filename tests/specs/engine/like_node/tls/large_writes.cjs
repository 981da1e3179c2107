// Writes with sizes around those of a record and a block, one by one and corked, in both directions over TLS, and the
// timing of their callbacks.
const tls = require('node:tls');
const { createHash } = require('node:crypto');
const { key, cert } = require('../tls_identity.cjs');

const SIZES = [0, 1, 16383, 16384, 16385, 32768, 65535, 65536, 65537, 131072, 200001, 1048576, 5000000];
const bytes = (size) => Buffer.alloc(size, (at) => at).fill(size % 251);
const digest = (data) => createHash('sha256').update(data).digest('hex').slice(0, 16);

const server = tls.createServer({ key, cert }, (socket) => {
  const hash = createHash('sha256');
  let size = 0;
  socket.on('data', (chunk) => {
    size += chunk.length;
    hash.update(chunk);
  });
  socket.on('end', () => socket.end(Buffer.concat([Buffer.from(`${size} ${hash.digest('hex').slice(0, 16)}\n`), bytes(300000)])));
});
const ask = (label, write) =>
  new Promise((resolve) => {
    const socket = tls.connect({ port: server.address().port, host: '127.0.0.1', rejectUnauthorized: false }, () => write(socket));
    const parts = [];
    socket.on('data', (chunk) => parts.push(chunk));
    socket.on('close', () => {
      const all = Buffer.concat(parts);
      const line = all.indexOf(10);
      console.log(label, all.toString('latin1', 0, line), all.length - line - 1, digest(all.subarray(line + 1)));
      resolve();
    });
  });
server.listen(0, '127.0.0.1', async () => {
  for (const version of ['TLSv1.3', 'TLSv1.2']) {
    tls.DEFAULT_MAX_VERSION = version;
    for (const size of SIZES) await ask(`${version} ${size}`, (socket) => socket.end(bytes(size)));
    await ask(`${version} corked`, (socket) => {
      const called = [];
      socket.cork();
      for (const size of SIZES) socket.write(bytes(size), () => called.push(size));
      process.nextTick(() => {
        socket.uncork();
        socket.end(() => console.log('called', called.join()));
      });
    });
    await ask(`${version} many`, async (socket) => {
      for (let each = 0; each < 40; each++) if (!socket.write(bytes(40000 + each))) await new Promise((resolve) => socket.once('drain', resolve));
      console.log('written', socket.bytesWritten > 1600000);
      socket.end();
    });
  }
  server.close();
});
