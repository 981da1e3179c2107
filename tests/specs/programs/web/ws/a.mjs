import WebSocket, { WebSocketServer, createWebSocketStream } from 'ws';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { format } from 'node:util';

const log = (...values) => process.stdout.write(`${format(...values)}\n`);

const closed = [];
const http = createServer((request, response) => response.end('plain'));
const server = new WebSocketServer({ noServer: true, perMessageDeflate: { threshold: 10 }, handleProtocols: (names) => (names.has('chat') ? 'chat' : false), maxPayload: 100_000 });
http.on('upgrade', (request, socket, head) => {
  if (request.url === '/no') return socket.end('HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n');
  server.handleUpgrade(request, socket, head, (client) => server.emit('connection', client, request));
});
server.on('headers', (headers) => headers.push('X-Extra: yes'));
server.on('connection', (client, request) => {
  client.on('error', (error) => log('[server error]', error.code, error.message));
  client.on('ping', (data) => log('[server ping]', String(data)));
  client.on('close', (code, reason) => closed.push(`${request.url} ${code} ${reason}`));
  client.on('message', (data, isBinary) => {
    if (String(data) === 'all') for (const each of server.clients) each.send('to all');
    else if (String(data) === 'bye') client.close(4001, 'as you wish');
    else if (String(data) === 'terminate') client.terminate();
    else client.send(data, { binary: isBinary });
  });
});
http.listen(0);
await once(http, 'listening');
const url = `ws://localhost:${http.address().port}`;
const next = async (client) => { const [data, isBinary] = await once(client, 'message'); return [isBinary, data.length > 60 ? `${data.length} bytes` : String(data)]; };

const one = new WebSocket(`${url}/one`, ['chat', 'other'], { headers: { 'x-a': 'b' } });
const [[upgrade]] = await Promise.all([once(one, 'upgrade'), once(one, 'open')]);
log(upgrade.statusCode, upgrade.headers['x-extra'], upgrade.headers['sec-websocket-extensions']);
log(one.protocol, one.extensions, one.readyState === WebSocket.OPEN, server.clients.size);
for (const message of ['text ü', 'x'.repeat(70_000), Buffer.from([1, 2, 3]), new Uint16Array([65, 66]).buffer]) { one.send(message); log(await next(one)); }
one.send('frag', { fin: false }); one.send('ments', { fin: true }); log(await next(one));
one.ping('are you there'); log('pong', String((await once(one, 'pong'))[0]));
const two = new WebSocket(`${url}/two`, { perMessageDeflate: false });
await once(two, 'open');
log(two.protocol === '', two.extensions === '');
one.send('all'); log(await Promise.all([next(one), next(two)]));
two.send('bye'); const [code, reason] = await once(two, 'close'); log('close', code, String(reason), two.readyState === WebSocket.CLOSED);
const big = new WebSocket(`${url}/big`); await once(big, 'open'); big.send(Buffer.alloc(200_000)); log('too big', (await once(big, 'close'))[0]);
const cut = new WebSocket(`${url}/cut`); await once(cut, 'open'); cut.send('terminate'); log('terminated', (await once(cut, 'close'))[0]);
for (const path of ['/no']) log((await once(new WebSocket(url + path), 'error'))[0].message);
const refused = new WebSocket('ws://127.0.0.1:1'); log((await once(refused, 'error'))[0].code);
try { new WebSocket('ftp://x'); } catch (error) { log(error.name, error.message); }
try { new WebSocket(url).send('early'); } catch (error) { log(error.name, error.message); }
const events = new WebSocket(url + '/events'); events.binaryType = 'arraybuffer';
await new Promise((done) => {
  events.onopen = (event) => { log(event.type); events.send(Buffer.from('b')); };
  events.onmessage = ({ data, type }) => { log(type, data); events.close(); };
  events.onclose = ({ code, wasClean }) => { log('closed', code, wasClean); done(); };
});
const duplex = createWebSocketStream(new WebSocket(url + '/stream'), { encoding: 'utf8' });
duplex.write('through a stream'); log(await once(duplex, 'data')); duplex.end(); duplex.resume(); await once(duplex, 'close');
const native = new globalThis.WebSocket(url + '/native', 'chat');
await new Promise((done) => { native.onopen = () => native.send('global'); native.onmessage = ({ data }) => { log('global', data, native.protocol); native.close(1000, 'done'); }; native.onclose = ({ code, reason }) => { log(code, reason); done(); }; });
one.close(); await once(one, 'close');
for (const each of server.clients) each.terminate();
server.close(() => log('server closed', closed.sort())); http.close(); http.closeAllConnections();
