// Web sockets of RT.serve: messages, closing, topics, and violations of the frame format. Compared with Bun, except for the
// code of the close event after a violation: Bun reports 1006.
import { once } from 'node:events';
import net from 'node:net';
import { constants, deflateRawSync } from 'node:zlib';
const show = (...values) => console.log(...values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))));
const closings = new Map(); // path -> callbacks that wait for its end
const whenClosed = (path) => new Promise((resolve) => { closings.set(path, resolve); });
const does = {
  close: (ws) => ws.close(4001, 'bye'),
  terminate: (ws) => ws.terminate(),
  ping: (ws) => show('ping', [ws.ping('p'), ws.pong('q')]),
  kinds: (ws) => show('sent', [ws.sendText('st'), ws.sendBinary(new Uint8Array([1])), ws.send(new ArrayBuffer(3)), ws.getBufferedAmount()]),
  cork: (ws) => show('cork', ws.cork((own) => { own.send('c1'); own.send('c2'); return 5; })),
  subscribe: (ws) => { ws.subscribe('t'); ws.subscribe('u'); show('subscriptions', ws.subscriptions, ws.isSubscribed('t')); },
  unsubscribe: (ws) => { ws.unsubscribe('t'); show('unsubscribed', ws.isSubscribed('t')); },
  publish: (ws) => show('publish', [ws.publish('t', 'from a socket'), server.publish('t', 'from the server'), server.publish('none', 'x'), server.subscriberCount('t')]),
};
const server = RT.serve({
  port: 0,
  fetch(request, own) {
    const { pathname } = new URL(request.url);
    const headers = pathname === '/headers' ? { 'x-a': 'b', 'sec-websocket-protocol': 'two' } : undefined;
    if (pathname !== '/refused' && own.upgrade(request, { data: { pathname }, headers })) return undefined;
    return new Response('no', { status: 400 });
  },
  websocket: {
    maxPayloadLength: 1000, perMessageDeflate: true,
    open(ws) { show('open', ws.data.pathname, ws.readyState, typeof ws.remoteAddress, ws.binaryType); },
    message(ws, message) {
      if (Object.hasOwn(does, message)) {
        does[message](ws);
        ws.send('done');
        return;
      }
      show('message', typeof message === 'string' ? message : [message.constructor.name, ...message]);
      ws.send(message);
    },
    close(ws, code, reason) {
      show('closed', ws.data.pathname, code, reason, ws.readyState);
      closings.get(ws.data.pathname)?.();
    },
    ping(ws, data) { show('got ping', [...data]); },
    pong(ws, data) { show('got pong', [...data]); },
    drain() { show('drain'); },
  },
});
const address = `ws://127.0.0.1:${server.port}`;

/** A client; `next()` returns the next message, and finally the close event. */
function connect(path, protocols) {
  const socket = new WebSocket(address + path, protocols);
  socket.binaryType = 'arraybuffer';
  const came = [];
  let wake = () => {};
  const take = (item) => { came.push(item); wake(); };
  socket.onopen = () => take(['open', socket.protocol, socket.extensions]);
  socket.onmessage = ({ data }) => take(typeof data === 'string' ? data : [...new Uint8Array(data)]);
  socket.onerror = () => take('error');
  socket.onclose = ({ code, reason, wasClean }) => take(['close', code, reason, wasClean]);
  return { socket, async next() { while (came.length === 0) await new Promise((resolve) => { wake = resolve; }); return came.shift(); } };
}
async function session(path, work, protocols) {
  const over = whenClosed(path);
  const client = connect(path, protocols);
  const first = await client.next();
  show('client', path, first);
  if (first[0] === 'open') await work(client);
  let last = first;
  while (last[0] !== 'close') show(last = await client.next());
  if (first[0] === 'open') await over;
}

await session('/echo', async ({ socket, next }) => {
  socket.send('hi');
  socket.send(new Uint8Array([1, 2]));
  socket.send(new Blob(['bl']));
  socket.send('behind the blob');
  for (let i = 0; i < 4; i++) show(await next());
  socket.close(3000, 'done');
});
await session('/refused', () => {});
await session('/headers', ({ socket }) => socket.close(), ['one', 'two']);
await session('/one', ({ socket }) => socket.close(), 'one');
for (const name of ['close', 'terminate', 'ping', 'kinds', 'cork']) {
  await session(`/${name}`, async ({ socket, next }) => {
    socket.send(name);
    if (name === 'close' || name === 'terminate') return;
    for (let item; item !== 'done';) show(item = await next());
    if (name === 'ping') { socket.send('x'); show(await next()); }
    socket.close();
  });
}
await session('/topics', async ({ socket, next }) => {
  const other = connect('/other');
  await other.next();
  for (const [who, what] of [[other, 'subscribe'], [{ socket, next }, 'subscribe'], [{ socket, next }, 'publish']]) {
    who.socket.send(what);
    for (let item; item !== 'done';) show(item = await who.next());
  }
  show('other', await other.next(), await other.next());
  other.socket.send('unsubscribe');
  show(await other.next());
  show('left', server.subscriberCount('t'), server.subscriberCount('u'));
  const gone = whenClosed('/other');
  other.socket.close();
  await gone;
  show('left', server.subscriberCount('t'), server.subscriberCount('u'));
  socket.close();
});

// --- frames built by hand

const bytes = (...list) => Buffer.from(list);
function frame(opcode, payload, { isLast = true, isMasked = true, reserved = 0 } = {}) {
  const data = Buffer.from(payload);
  const head = [(isLast ? 0x80 : 0) | (reserved << 4) | opcode];
  const mask = isMasked ? [1, 2, 3, 4] : [];
  const bit = isMasked ? 0x80 : 0;
  if (data.length < 126) head.push(bit | data.length);
  else head.push(bit | 126, data.length >> 8, data.length & 255);
  return Buffer.concat([bytes(...head, ...mask), isMasked ? data.map((byte, index) => byte ^ mask[index % 4]) : data]);
}
const squeezed = (text) => deflateRawSync(text, { finishFlush: constants.Z_SYNC_FLUSH }).subarray(0, -4);
const CLOSE = frame(8, bytes(3, 0xe8));
async function byHand(name, frames, extensions) {
  const over = whenClosed(`/${name}`);
  const socket = net.connect(server.port, '127.0.0.1');
  socket.on('error', () => {});
  socket.write(`GET /${name} HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n${extensions ? `Sec-WebSocket-Extensions: ${extensions}\r\n` : ''}\r\n`);
  let got = Buffer.alloc(0);
  while (!got.includes('\r\n\r\n')) got = Buffer.concat([got, (await once(socket, 'data'))[0]]);
  const end = got.indexOf('\r\n\r\n');
  if (extensions) show('agreed', /extensions: (.*)/i.exec(got.subarray(0, end).toString())?.[1] ?? 'none');
  got = got.subarray(end + 4);
  socket.on('data', (more) => { got = Buffer.concat([got, more]); });
  for (const each of frames) socket.write(each);
  await Promise.all([once(socket, 'close'), over]);
  show('wire', name, got.toString('latin1').replace(/[^ -~]/g, (c) => `\\x${c.charCodeAt(0).toString(16).padStart(2, '0')}`));
}
await byHand('unmasked', [frame(1, 'hi', { isMasked: false })]);
await byHand('reserved', [frame(1, 'hi', { reserved: 4 })]);
await byHand('reserved-2', [frame(1, 'hi', { reserved: 2 })]);
await byHand('opcode', [frame(3, 'hi')]);
await byHand('control', [frame(11, '')]);
await byHand('ping-in-parts', [frame(9, 'x', { isLast: false })]);
await byHand('long-ping', [frame(9, 'x'.repeat(126))]);
await byHand('utf-8', [frame(1, bytes(0xff, 0xfe))]);
await byHand('nothing-to-continue', [frame(0, 'x')]);
await byHand('nested', [frame(1, 'a', { isLast: false }), frame(1, 'b')]);
await byHand('parts', [frame(1, 'a', { isLast: false }), frame(9, 'p'), frame(0, 'b', { isLast: false }), frame(0, 'c'), CLOSE]);
await byHand('character-in-parts', [frame(1, bytes(0xe2, 0x82), { isLast: false }), frame(0, bytes(0xac)), CLOSE]);
await byHand('byte-by-byte', [...[...frame(1, 'slow')].map((byte) => bytes(byte)), CLOSE]);
await byHand('too-big', [frame(2, Buffer.alloc(1001))]);
await byHand('too-big-in-parts', [frame(2, Buffer.alloc(600), { isLast: false }), frame(0, Buffer.alloc(600))]);
await byHand('endless', [bytes(0x82, 0xff, 0x80, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4)]);
await byHand('close-of-one-byte', [frame(8, bytes(3))]);
for (const code of [5, 999, 1005, 1006, 1015, 2999, 5000]) await byHand(`close-${code}`, [frame(8, bytes(code >> 8, code & 255))]);
await byHand('close-utf-8', [frame(8, bytes(3, 0xe8, 0xff))]);
await byHand('close-empty', [frame(8, '')]);
await byHand('after-close', [CLOSE, frame(1, 'late')]);
await byHand('squeezed', [frame(1, squeezed('hello'), { reserved: 4 }), CLOSE], 'permessage-deflate; client_max_window_bits');
await byHand('not-squeezed', [frame(1, 'hello'), CLOSE], 'permessage-deflate; server_max_window_bits=9');
await byHand('bomb', [frame(1, squeezed('\0'.repeat(500_000)), { reserved: 4 })], 'permessage-deflate');
await byHand('not-deflated', [frame(1, bytes(0xff, 0xff, 0xff, 0xff), { reserved: 4 })], 'permessage-deflate');
await byHand('squeezed-ping', [frame(9, 'x', { reserved: 4 })], 'permessage-deflate');
for (const headers of [{}, { upgrade: 'websocket' }, { upgrade: 'websocket', connection: 'upgrade', 'sec-websocket-key': 'x', 'sec-websocket-version': '13' }]) {
  show(headers, await fetch(`http://127.0.0.1:${server.port}/`, { headers }).then(({ status }) => status, ({ code }) => code));
}
show('left', server.pendingWebSockets);
await server.stop();

// An error that a handler throws goes to the error handler, if any; a rejection does not.
{
  const reported = [];
  process.on('unhandledRejection', ({ message }) => reported.push(`unhandled ${message}`));
  process.on('uncaughtException', ({ message }) => reported.push(`uncaught ${message}`));
  const talk = async (error) => {
    const failing = RT.serve({
      port: 0,
      fetch: (request, own) => (own.upgrade(request) ? undefined : new Response('no')),
      websocket: {
        error,
        open: () => { throw new Error('open'); },
        message(socket, message) {
          if (message === 'later') return Promise.reject(new Error('later'));
          if (message === 'now') throw new Error('now');
          socket.send(message);
        },
      },
    });
    const socket = new WebSocket(failing.url.href.replace('http', 'ws'));
    socket.addEventListener('open', () => ['now', 'later', 'still there'].forEach((message) => socket.send(message)));
    const { data } = await new Promise((resolve) => socket.addEventListener('message', resolve, { once: true }));
    reported.push(data);
    socket.close();
    await failing.stop(true);
  };
  await talk((failure, socket) => reported.push(`error ${failure.message} ${socket.readyState}`));
  await talk(undefined);
  show(reported);
}
