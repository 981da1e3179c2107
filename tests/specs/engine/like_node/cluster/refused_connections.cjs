// A connection handed to a worker that closes its server before accepting it goes to another worker.
'use strict';
const cluster = require('node:cluster');
const fs = require('node:fs');
const net = require('node:net');

const CLIENTS = 6;

if (cluster.isPrimary) {
  const [busy, free] = ['busy', 'free'].map((name) => cluster.fork({ NAME: name }));
  let listening = 0;
  const answers = [];
  let closed = 0;
  const begin = (port) => {
    for (let count = 0; count < CLIENTS; count++) {
      const client = net.connect(port);
      client.on('data', (data) => answers.push(`${data}`));
      client.on('close', () => {
        // The idle worker has answered its connection: the busy one may continue.
        if (answers.length >= 2) fs.writeFileSync('wake', '');
        if (++closed < CLIENTS) return;
        console.log(answers.join());
        free.kill();
        busy.kill();
      });
    }
  };
  cluster.on('listening', (worker, { port }) => {
    if (++listening < 2) return;
    busy.send('wait');
    busy.on('message', () => begin(port));
  });
  cluster.on('exit', (worker) => console.log(worker.id > 0));
} else {
  const server = net.createServer((socket) => socket.end(process.env.NAME)).listen(0);
  process.on('message', () => {
    process.send('waiting', () => {
      while (!fs.existsSync('wake'));
      server.close();
    });
  });
}
