// Writes that are not done when their socket is destroyed or reset end with an error, after 'error' and before 'close'.
const net = require('node:net');
const tls = require('node:tls');

const LARGE = Buffer.alloc(50_000_000);
const PIECES = [[LARGE], [LARGE, 'x'], ['x', LARGE, Buffer.from('y')]];

/** Runs `serve` for a connection on which `use` writes; logs what the client sees. */
const run = (name, serve, use, connect = net.connect) =>
  new Promise((resolve) => {
    let connection;
    const server = net.createServer((socket) => serve((connection = socket.on('error', () => {}))));
    server.listen(0, '127.0.0.1', () => {
      const socket = connect({ port: server.address().port, host: '127.0.0.1' });
      const log = (...words) => console.log(name, ...words);
      socket.on('error', ({ code, syscall }) => log('error', code, syscall));
      socket.on('close', (hadError) => {
        log('close', hadError, socket.destroyed);
        connection.destroy();
        server.close(resolve);
      });
      use(socket, (label) => (error) => log(label, error?.code, error?.syscall, error?.message));
    });
  });

(async () => {
  for (const pieces of PIECES) {
    await run(
      `destroyed ${pieces.length}`,
      (connection) => connection.pause(),
      (socket, ended) => {
        pieces.forEach((piece, index) => socket.write(piece, ended(index)));
        socket.once('connect', () => setImmediate(setImmediate, () => socket.destroy()));
      },
    );
  }
  await run(
    'ended',
    (connection) => connection.pause(),
    (socket, ended) => {
      socket.end(LARGE, ended('end'));
      socket.once('connect', () => setImmediate(setImmediate, () => socket.destroy()));
    },
  );
  for (const data of ['text', Buffer.alloc(70_000)]) {
    await run(
      `tls ${data.length}`,
      (connection) => connection.destroy(),
      (socket, ended) => socket.write(data, ended('write')),
      (options) => tls.connect({ ...options, rejectUnauthorized: false }),
    );
  }
})();
