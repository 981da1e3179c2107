// Handles sent in a cluster, overloaded workers, and a socket path longer than the system allows.
const cluster = require('node:cluster');
const fs = require('node:fs');
const net = require('node:net');
const path = require('node:path');
const dgram = require('node:dgram');
const { once } = require('node:events');

const FOLDER = 'a-folder';
const NAME = 'x'.repeat(101 - FOLDER.length);

if (cluster.isPrimary) primary();
else worker();

async function primary() {
  cluster.schedulingPolicy = cluster.SCHED_RR;
  fs.mkdirSync(FOLDER);
  const one = cluster.fork({ ROLE: 'handles' });
  await once(one, 'online');
  const server = net.createServer({ pauseOnConnect: true }, (socket) => one.send('a socket', socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = net.connect(server.address().port, '127.0.0.1').setEncoding('utf8');
  client.write('over');
  one.on('message', (message, handle) => {
    console.log('primary', message, handle?.constructor.name);
    handle?.end(' and out');
  });
  let text = '';
  for await (const chunk of client) text += chunk;
  console.log(text);
  server.close();
  one.disconnect();
  await once(one, 'exit');

  const workers = [0, 1, 3].map((most) => cluster.fork({ ROLE: 'full', MOST: most }));
  const [{ port }] = (await Promise.all(workers.map((each) => once(each, 'listening'))))[0];
  const counts = workers.map(() => 0);
  const sockets = Array.from({ length: 4 }, () => net.connect(port, '127.0.0.1'));
  await new Promise((resolve) => {
    let left = 4;
    for (const [index, each] of workers.entries()) {
      each.on('message', () => {
        counts[index]++;
        if (--left === 0) resolve();
      });
    }
  });
  console.log(counts);
  for (const socket of sockets) socket.destroy();
  for (const each of workers) each.kill();
  await Promise.all(workers.map((each) => once(each, 'exit')));

  const long = cluster.fork({ ROLE: 'long' });
  long.on('message', (message) => console.log(message));
  await once(long, 'exit');
  console.log(fs.readdirSync(FOLDER));
}

function worker() {
  const { ROLE, MOST } = process.env;
  if (ROLE === 'handles') {
    process.on('message', (message, socket) => {
      socket.once('data', (data) => socket.write(data, () => process.send(message, socket)));
    });
  }
  if (ROLE === 'full') {
    const server = net.createServer(() => process.send('taken'));
    server.maxConnections = Number(MOST);
    server.listen(0, '127.0.0.1');
  }
  if (ROLE === 'long') {
    process.chdir(FOLDER);
    const server = net.createServer().listen(NAME, () => {
      process.send(`${fs.existsSync(NAME)} ${path.resolve(NAME).length > 100}`);
      // Sockets with `reusePort` need no primary.
      const options = { type: 'udp4', reusePort: true };
      const first = dgram.createSocket(options).bind(0, '127.0.0.1', () => {
        const second = dgram.createSocket(options).bind(first.address().port, '127.0.0.1', () => {
          process.send(`bound ${second.address().port === first.address().port}`);
          first.close();
          second.close();
          server.close(() => cluster.worker.disconnect());
        });
      });
    });
  }
}
