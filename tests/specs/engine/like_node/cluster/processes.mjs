// A cluster whose workers share sockets. The processes run concurrently, so the lines are printed in alphabetical
// order.
import cluster from 'node:cluster';
import dgram from 'node:dgram';
import http from 'node:http';
import net from 'node:net';

const show = (value) => (value?.constructor?.name === 'Worker' ? `worker ${value.id}` : JSON.stringify(value)?.replace(/"(port|http|udp)":\d+/g, '"$1":0') ?? 'undefined');

function primary() {
  const lines = [];
  const log = (...values) => lines.push(values.map((value) => (typeof value === 'string' ? value : show(value))).join(' '));
  process.on('exit', () => { for (const line of lines.sort()) console.log(line); });
  log(Object.keys(cluster).sort(), cluster.isMaster, cluster.schedulingPolicy === cluster.SCHED_RR, cluster.worker);
  for (const name of ['fork', 'online', 'listening', 'disconnect', 'exit', 'message']) cluster.on(name, (...values) => log('cluster', name, ...values));
  cluster.once('setup', (settings) => log('setup', Object.keys(settings).sort()));
  cluster.setupPrimary({ args: ['x', 'y'] });
  log(cluster.settings.args, cluster.settings.silent);
  const first = cluster.fork({ WORD: 'said' });
  log(first.isConnected(), first.isDead(), first.exitedAfterDisconnect, first.state, Object.keys(first).sort(), Object.keys(cluster.workers));
  const second = cluster.fork();
  for (const worker of [first, second]) {
    for (const name of ['online', 'disconnect', 'exit']) worker.on(name, (...values) => log('worker', worker, name, ...values));
  }
  const ports = [];
  const found = {};
  const connect = (left) => {
    if (left === 0) {
      log('shared', Object.keys(found).sort(), Object.values(found));
      first.send({ what: 'disconnect' });
      second.send({ what: 'ports' });
      return;
    }
    net.connect(ports[0], '127.0.0.1').on('data', (data) => { found[data] = (found[data] ?? 0) + 1; }).on('close', () => connect(left - 1));
  };
  cluster.on('listening', (worker, address) => {
    if (address.addressType !== 4 || ports.push(address.port) !== 2) return;
    log('same port', ports[0] === ports[1]);
    connect(6);
  });
  let answers = 0;
  cluster.on('message', async (worker, message) => {
    if (message.http !== undefined) {
      log('http', await (await fetch(`http://127.0.0.1:${message.http}/`)).text());
      const socket = dgram.createSocket('udp4', (data) => {
        log('udp', String(data));
        socket.close();
        third();
      });
      socket.send('question', message.udp, '127.0.0.1');
    }
    if (message.exclusive) log('exclusive', ++answers);
  });
  const third = () => {
    second.kill();
    const worker = cluster.fork();
    worker.on('online', () => {
      worker.send({ what: 'exit' });
      worker.on('exit', () => cluster.disconnect(() => log('all gone', Object.keys(cluster.workers))));
    });
  };
}

function worker() {
  const { worker: self } = cluster;
  process.send({ started: self.id, args: process.argv.slice(2), word: process.env.WORD, unique: typeof process.env.NODE_UNIQUE_ID, is: [cluster.isWorker, cluster.isPrimary, self.isConnected()] });
  process.on('message', ({ what }) => {
    if (what === 'disconnect') self.disconnect();
    if (what === 'exit') process.exit(3);
    if (what !== 'ports') return;
    const server = http.createServer((request, response) => response.end(`from ${self.id}`)).listen(0, () => {
      const socket = dgram.createSocket('udp4', (data, { port, address }) => socket.send(`answer of ${self.id}`, port, address));
      socket.bind(0, '127.0.0.1', () => {
        net.createServer().listen({ port: 0, exclusive: true }, function listening() {
          process.send({ exclusive: true });
          this.close();
          process.send({ http: server.address().port, udp: socket.address().port });
        });
      });
    });
  });
  if (self.id < 3) net.createServer((socket) => socket.end(String(self.id))).listen(0, '127.0.0.1');
}

if (cluster.isPrimary) primary();
else worker();
