// Sockets, servers and UDP sockets sent between processes. The child's executable is $CHILD, so that either side may be
// Node.
const { fork } = require('node:child_process');
const { once } = require('node:events');
const net = require('node:net');
const dgram = require('node:dgram');

if (process.argv[2] === 'child') child();
else parent(process.argv[2] ?? 'json');

function child() {
  const report = (text, handle) => process.send({ reported: text }, handle);
  process.on('message', (message, handle) => {
    report(`child heard ${JSON.stringify(message)} ${handle?.constructor.name}`);
    if (message.what === 'socket') handle.once('data', (data) => handle.end(`child got ${data}`));
    if (message.what === 'idle') handle.resume();
    if (message.what === 'kept') handle.write('the child writes;', () => report('back', handle));
    if (message.what === 'server') {
      handle.on('connection', (socket) => {
        socket.end('served by the child');
        handle.close(() => report('child closed the server'));
      });
      report(`child listens ${handle.listening} ${handle.address().address}`);
    }
    if (message.what === 'udp') {
      handle.on('message', (data) => {
        handle.close(() => report(`child got ${data}`));
      });
      report(`child is bound ${handle.address().address} ${handle.type}`);
    }
    if (message.what === 'end') process.disconnect();
  });
}

async function parent(serialization) {
  const options = { execPath: process.env.CHILD || process.execPath, serialization };
  const child = fork(__filename, ['child'], options);
  const heard = [];
  let waiter;
  child.on('message', ({ reported }, handle) => {
    heard.push(reported);
    if (handle !== undefined) handle.end('the parent writes');
    waiter?.();
  });
  const until = async (start) => {
    while (!heard.some((text) => text.startsWith(start))) await new Promise((resolve) => (waiter = resolve));
  };
  const say = (word) => console.log(word, JSON.stringify(heard.splice(0)));

  for (const bad of [{}, 5, 'text', child, new (require('node:events'))()]) {
    try {
      child.send('x', bad);
    } catch (error) {
      console.log(error.name, error.code, error.message);
    }
  }
  for (const bad of [5, 'x', true]) {
    try {
      child.send('x', undefined, bad);
    } catch (error) {
      console.log(error.code, error.message);
    }
  }

  const server = net.createServer({ pauseOnConnect: true });
  const closed = new net.Socket();
  console.log('without a handle', child.send({ what: 'nothing' }, closed), child.send({ what: 'nothing' }, net.createServer()));
  await until('child heard {"what":"nothing"}');
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  const connect = async (text) => {
    const client = net.connect(port, '127.0.0.1').setEncoding('utf8');
    const [socket] = await once(server, 'connection');
    client.write(text);
    return { client, socket };
  };
  const all = async (client) => {
    let text = '';
    for await (const chunk of client) text += chunk;
    return text;
  };

  for (let round = 1; round <= 3; round++) {
    const { client, socket } = await connect(`hello ${round}`);
    const sent = new Promise((resolve) => child.send({ what: 'socket', round }, socket, resolve));
    child.send({ what: 'behind it' });
    console.log('handed over', socket._handle, socket.destroyed, child.send({ what: 'twice' }, socket));
    console.log(round, await sent, await all(client));
    await until('child heard {"what":"twice"}');
    say('order');
  }

  const { client, socket } = await connect('');
  child.send({ what: 'kept' }, socket, { keepOpen: true });
  await until('back');
  console.log('kept', socket._handle !== null, await all(client));
  socket.destroy();
  say('kept');

  const { client: open, socket: counted } = await connect('counted');
  const connections = () => new Promise((resolve) => server.getConnections((error, count) => resolve([error, count])));
  console.log('before', await connections());
  child.send({ what: 'idle' }, counted);
  await until('child heard {"what":"idle"}');
  console.log('connections', await connections());
  open.destroy();

  child.send({ what: 'server' }, server);
  await until('child listens');
  const ended = once(server.close(), 'close');
  console.log(await all(net.connect(port, '127.0.0.1').setEncoding('utf8')));
  await until('child closed');
  say('server');

  const udp = dgram.createSocket('udp4').bind(0, '127.0.0.1');
  await once(udp, 'listening');
  const place = udp.address().port;
  child.send({ what: 'udp' }, udp);
  await until('child is bound');
  await new Promise((resolve) => udp.close(resolve));
  const sender = dgram.createSocket('udp4');
  sender.send('a datagram', place, '127.0.0.1');
  await until('child got');
  sender.close();
  say('udp');

  child.send({ what: 'end' });
  console.log(await once(child, 'exit'), child.connected, server.listening);
  await ended;
  console.log('the parent closed the server');
}
