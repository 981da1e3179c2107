// Cluster workers share their ticket keys: a session started with one worker resumes with another.
const { cert: CERT, key: KEY } = require('../tls_identity.cjs');
const cluster = require('node:cluster');
const tls = require('node:tls');

if (cluster.isWorker) {
  tls
    .createServer({ key: KEY, cert: CERT }, (socket) => {
      process.send({ reused: socket.isSessionReused() });
      socket.end('x');
    })
    .listen(0, '127.0.0.1', function listening() {
      process.send({ port: this.address().port });
    });
} else {
  const WORKERS = 3;
  const ports = [];
  const reused = [];
  let reported = () => {};
  const connection = (session) =>
    new Promise((resolve) => {
      let found;
      const socket = tls.connect({ port: ports[0], host: '127.0.0.1', rejectUnauthorized: false, session });
      socket.on('session', (each) => (found ??= each));
      socket.on('close', () => resolve(found));
      socket.resume();
    });
  const allTold = (count) =>
    new Promise((resolve) => {
      reported = () => reused.length >= count && resolve();
      reported();
    });
  const start = async () => {
    const session = await connection();
    for (let i = 0; i < 2 * WORKERS; i++) await connection(session);
    await allTold(1 + 2 * WORKERS);
    console.log(reused.filter((each) => !each).length, reused.filter(Boolean).length);
    for (const worker of Object.values(cluster.workers)) worker.kill();
  };
  for (let i = 0; i < WORKERS; i++) {
    cluster.fork().on('message', (message) => {
      if (message.port === undefined) {
        reused.push(message.reused);
        reported();
      } else if (ports.push(message.port) === WORKERS) start();
    });
  }
}
