import { Server } from 'socket.io';
import { io } from 'socket.io-client';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { format } from 'node:util';

const log = (...values) => process.stdout.write(`${format(...values)}\n`);

const http = createServer();
const server = new Server(http, { cors: { origin: '*' } });
server.use((socket, next) => (socket.handshake.auth.token === 'bad' ? next(Object.assign(new Error('not allowed'), { data: { why: 'token' } })) : next()));
server.on('connection', (socket) => {
  socket.on('echo', (...values) => { const done = values.pop(); done(...values); });
  socket.on('join', async (room, done) => { await socket.join(room); done([...socket.rooms].length); });
  socket.on('say', (room, text) => socket.to(room).emit('said', text));
  socket.on('binary', (data) => socket.emit('binary', Buffer.concat([data, Buffer.from('!')]), { nested: [new Uint8Array([1, 2])] }));
  socket.on('disconnect', (reason) => log('[server]', reason));
  socket.onAny((name) => name === 'unknown' && socket.emit('any', name));
});
const space = server.of('/space');
space.on('connection', (socket) => socket.emit('welcome', socket.nsp.name, socket.handshake.query.q));
http.listen(0);
await once(http, 'listening');
const url = `http://localhost:${http.address().port}`;
const event = (socket, name) => new Promise((done) => socket.once(name, (...values) => done(values)));
for (const transports of [['polling'], ['websocket'], ['polling', 'websocket']]) {
  const one = io(url, { transports, forceNew: true, reconnection: false });
  const two = io(url, { transports, forceNew: true, reconnection: false });
  await Promise.all([event(one, 'connect'), event(two, 'connect')]);
  if (transports.length > 1 && one.io.engine.transport.name !== 'websocket') await new Promise((done) => one.io.engine.once('upgrade', done));
  log(transports.join(), one.connected, one.io.engine.transport.name);
  log(await one.emitWithAck('echo', 1, 'ü', { a: [null, true] }), await one.timeout(5000).emitWithAck('echo', 'ack'));
  log(await one.emitWithAck('join', 'room'), await two.emitWithAck('join', 'room'));
  const said = event(two, 'said'); one.emit('say', 'room', 'hello room'); log(await said);
  const binary = event(one, 'binary'); one.emit('binary', Buffer.from([104, 105])); log(await binary);
  const any = event(one, 'any'); one.emit('unknown'); log(await any);
  const toAll = Promise.all([event(one, 'news'), event(two, 'news')]); server.to('room').emit('news', 42); log(await toAll);
  log((await server.in('room').fetchSockets()).length);
  const gone = event(two, 'disconnect'); server.in(two.id).disconnectSockets(true); log((await gone)[0]);
  one.disconnect(); await new Promise((done) => setImmediate(done));
  while (server.engine.clientsCount) await new Promise((done) => setTimeout(done, 5));
}
const spaced = io(`${url}/space`, { query: { q: 'x' }, forceNew: true }); log(await event(spaced, 'welcome')); spaced.close();
const bad = io(url, { auth: { token: 'bad' }, forceNew: true, reconnection: false }); const [error] = await event(bad, 'connect_error'); log(error.message, error.data); bad.close();
const nowhere = io(`${url}/nowhere`, { forceNew: true, reconnection: false }); log((await event(nowhere, 'connect_error'))[0].message); nowhere.close();
const lost = io('http://127.0.0.1:1', { reconnection: false }); log((await event(lost, 'connect_error'))[0].message);
log((await (await fetch(`${url}/socket.io/?EIO=9&transport=polling`)).text()), (await fetch(`${url}/socket.io/socket.io.js`)).status);
await server.close(); log('closed');
