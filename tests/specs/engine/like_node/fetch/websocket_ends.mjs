// WebSocket failures: frames that a server must not send, close frames with every code, and invalid handshakes.
import http from 'node:http';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { format } from 'node:util';

const print = (...args) => process.stdout.write(`${format(...args)}\n`);
const frame = (opcode, body = '', { isLast = true, bits = 0, isMasked = false } = {}) => {
  const bytes = Buffer.from(body);
  return Buffer.concat([Buffer.from([opcode | bits | (isLast ? 0x80 : 0), bytes.length | (isMasked ? 0x80 : 0)]), Buffer.alloc(isMasked ? 4 : 0), bytes]);
};
const close = (code, reason = '') => frame(8, Buffer.concat([Buffer.from([code >> 8, code & 255]), Buffer.from(reason)]));
const frames = {
  'a text in pieces around a ping': [frame(1, 'a', { isLast: false }), frame(9, 'p'), frame(0, 'b')],
  'no UTF-8': [frame(1, [0xff])],
  'UTF-8 over two pieces': [frame(1, [0xe2, 0x82], { isLast: false }), frame(0, [0xac])],
  'a piece of nothing': [frame(0, 'x')],
  'a text within a text': [frame(1, 'a', { isLast: false }), frame(1, 'b')],
  'a bit that was not agreed': [frame(1, 'a', { bits: 0x40 })],
  'another bit': [frame(1, 'a', { bits: 0x10 })],
  'opcode 3': [frame(3)],
  'opcode 11': [frame(11)],
  'half a ping': [frame(9, 'a', { isLast: false })],
  'a mask': [frame(1, 'a', { isMasked: true })],
  'a length without end': [Buffer.from([0x82, 127, 0x10, 0, 0, 0, 0, 0, 0, 0])],
  'a message behind the end': [close(1000), frame(1, 'late')],
  'an end without code': [frame(8)],
  'half a code': [frame(8, [3])],
  'a reason that is no UTF-8': [frame(8, [3, 232, 0xff])],
  'nothing': [],
};
for (const code of [0, 999, 1000, 1001, 1004, 1005, 1006, 1007, 1011, 1014, 1015, 1016, 2999, 3000, 4999, 5000]) frames[`code ${code}`] = [close(code, 'why')];
const handshakes = ['', 'Upgrade: h2c', 'Upgrade: ', 'Connection: ', 'Connection: close', 'Sec-WebSocket-Accept: x', 'Sec-WebSocket-Accept: ', 'Sec-WebSocket-Protocol: other', 'Sec-WebSocket-Extensions: other'];

const server = http.createServer((request, response) => response.writeHead(401).end('no'));
let said; // the payload of the client's last close frame
server.on('upgrade', (request, socket) => {
  const wanted = JSON.parse(decodeURIComponent(request.url.slice(2)));
  const fields = { 'Upgrade': 'websocket', 'Connection': 'Upgrade', 'Sec-WebSocket-Accept': createHash('sha1').update(`${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64') };
  const [name, value] = (wanted.handshake ?? '').split(/: ?/);
  if (name) fields[name] = value;
  said = undefined;
  socket.on('error', () => {});
  socket.on('data', (bytes) => {
    if ((bytes[0] & 15) !== 8) return;
    const [start, mask] = [6, bytes.subarray(2, 6)];
    const body = bytes.subarray(start).map((byte, place) => byte ^ mask[place & 3]);
    said = body.length < 2 ? 'no code' : body.readUInt16BE(0);
    socket.end(frame(8, body.subarray(0, 2)));
  });
  socket.write(`HTTP/1.1 101 Yes\r\n${Object.entries(fields).filter(([, text]) => text).map(([key, text]) => `${key}: ${text}\r\n`).join('')}\r\n`);
  for (const each of frames[wanted.frames] ?? []) socket.write(each);
  if (wanted.frames === 'nothing') socket.end();
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const base = `ws://127.0.0.1:${server.address().port}/`;

async function reported(url, protocols, act) {
  const events = [];
  const socket = new WebSocket(url, protocols);
  const { promise, resolve } = Promise.withResolvers();
  for (const type of ['open', 'message', 'error', 'close'])
    socket.addEventListener(type, (event) => {
      events.push([type, ...(type === 'message' ? [event.data] : []), ...(type === 'close' ? [event.code, event.code === 1006 || event.reason, event.wasClean] : []), socket.readyState]);
      if (type === 'open' && act !== undefined) act(socket);
      if (type === 'close') setImmediate(resolve);
    });
  await promise;
  return [events, said];
}
const closeSoon = (socket) => setTimeout(() => socket.close(), 50);
for (const name in frames) print(name, ...(await reported(`${base}?${encodeURIComponent(JSON.stringify({ frames: name }))}`, undefined, closeSoon)));
for (const handshake of handshakes) print(handshake, ...(await reported(`${base}?${encodeURIComponent(JSON.stringify({ handshake }))}`, undefined, closeSoon)));
for (const protocols of [['other'], 'other', ['a'], []])
  print(protocols, ...(await reported(`${base}?${encodeURIComponent(JSON.stringify({ handshake: 'Sec-WebSocket-Protocol: other' }))}`, protocols, closeSoon)));
for (const given of [[], [1000], [1001], [3000, 'é'.repeat(61)], [3000, 'é'.repeat(62)], [4999], [5000], [undefined, 'why']])
  print(
    given.length,
    given[0],
    ...(await reported(`${base}?${encodeURIComponent('{}')}`, undefined, (socket) => {
      try {
        socket.close(...given);
        print(socket.readyState);
      } catch (error) {
        print(error.name, error.code, error.name === 'SyntaxError' ? error.message : '');
        socket.close();
      }
    })),
  );
for (const url of ['', '/a', 'ftp://a', 'ws://a/#f', 'ws://'])
  try {
    print(new WebSocket(url));
  } catch (error) {
    print(url, error.name, error.code);
  }
server.closeAllConnections();
server.close();
process.exit();
