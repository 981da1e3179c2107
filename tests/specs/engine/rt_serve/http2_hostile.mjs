// HTTP/2 clients that violate the protocol or exceed limits: each session ends with its error code, and the next one works.
import http2 from 'node:http2';
import net from 'node:net';
import { once } from 'node:events';
const server = http2.createServer({ settings: { maxConcurrentStreams: 10 } }, (request, response) => response.end('fine')).listen(0);
await once(server, 'listening');
const { port } = server.address();
const frame = (type, flags, id, payload = []) => Buffer.concat([Buffer.from([payload.length >> 16, (payload.length >> 8) & 255, payload.length & 255, type, flags, id >>> 24, (id >> 16) & 255, (id >> 8) & 255, id & 255]), Buffer.from(payload)]);
const SETTINGS = frame(4, 0, 0);
const GET = [0x82, 0x86, 0x84, 0x41, 1, 0x78]; // GET http / x
const plain = (name, value) => [0, name.length, ...Buffer.from(name), value.length, ...Buffer.from(value)];
const names = Object.fromEntries(Object.entries(http2.constants).filter(([name, value]) => /^NGHTTP2_[A-Z_]+$/.test(name) && !/SESSION|STATE|FLAG|SETTINGS_[^T]|DEFAULT|ERR_|SHIFT/.test(name) && value < 14).map(([name, value]) => [value, name.slice(8)]));

/** Returns the codes of the RST_STREAM and GOAWAY frames that arrive. */
async function send(pieces, { preface = true, greeting = [SETTINGS] } = {}) {
  const socket = net.connect(port, '127.0.0.1');
  let got = Buffer.alloc(0);
  socket.on('data', (bytes) => { got = Buffer.concat([got, bytes]); });
  socket.on('error', () => {});
  if (preface) socket.write('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
  for (const piece of [...greeting, ...pieces]) socket.write(piece);
  socket.end(frame(7, 0, 0, [0, 0, 0, 0, 0, 0, 0, 0])); // nothing follows
  await once(socket, 'close');
  const reported = [];
  for (let place = 0; place + 9 <= got.length;) {
    const size = got.readUIntBE(place, 3);
    const type = got[place + 3];
    if (type === 3) reported.push(`reset ${names[got.readUInt32BE(place + 9)]}`);
    if (type === 7) reported.push(`goaway ${names[got.readUInt32BE(place + 13)]}`);
    if (type === 1) reported.push('answer');
    place += 9 + size;
  }
  return reported.filter((each) => each !== 'goaway NO_ERROR').join(', ') || 'nothing';
}
const header = (fields, flags = 5, id = 1) => frame(1, flags, id, fields);
const cases = {
  'a request': [header(GET)],
  'no preface': [Buffer.from('GET / HTTP/1.1\r\n\r\n'.repeat(4))],
  'no settings': [header(GET)],
  'frame too large': [frame(0, 0, 1, Buffer.alloc(16385))],
  'data of no stream': [frame(0, 1, 0, [1])], 'data of an idle one': [frame(0, 1, 5, [1])],
  'headers of stream 0': [header(GET, 5, 0)], 'an even number': [header(GET, 5, 2)], 'a number again': [header(GET, 5, 3), header(GET, 5, 1)],
  'more padding than there is': [frame(1, 13, 1, [200, 0x82])], 'continuation of nothing': [frame(9, 4, 1, GET)],
  'another frame between': [frame(1, 1, 1, [0x82]), frame(6, 0, 0, Buffer.alloc(8))],
  'headers without end': [frame(1, 1, 1, GET), ...Array.from({ length: 100 }, () => frame(9, 0, 1, plain('a', 'b')))],
  'headers too large': [frame(1, 1, 1, GET), ...Array.from({ length: 6 }, () => frame(9, 0, 1, plain('a', 'b').concat(Array(16000).fill(0x82))))],
  'a bad index': [header([...GET, 0xff, 0x20])], 'a bad integer': [header([...GET, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1])], 'a bad code': [header([...GET, 0, 0x81, 0, 0])],
  'a text that ends early': [header([...GET, 0, 5, 97])], 'a table too large': [header([0x3f, 0xff, 0xff, 3, ...GET])],
  'upper case': [header([...GET, ...plain('A', 'b')])], 'connection header': [header([...GET, ...plain('connection', 'x')])], 'LF in a value': [header([...GET, ...plain('a', 'b\nc')])],
  'pseudo after others': [header([...plain('a', 'b'), ...GET])], 'pseudo twice': [header([...GET, 0x82])], 'unknown pseudo': [header([...GET, ...plain(':x', 'y')])], 'no path': [header([0x82, 0x86])],
  'status of a request': [header([...GET, 0x88])], 'length too small': [header([...GET, ...plain('content-length', '1')], 4), frame(0, 1, 1, [1, 2])],
  'length too large': [header([...GET, ...plain('content-length', '3')], 4), frame(0, 1, 1, [1])],
  'ping of 7': [frame(6, 0, 0, Buffer.alloc(7))], 'ping of a stream': [frame(6, 0, 1, Buffer.alloc(8))],
  'settings of 5': [frame(4, 0, 0, Buffer.alloc(5))], 'settings of a stream': [frame(4, 0, 1)], 'acknowledged with bytes': [frame(4, 1, 0, Buffer.alloc(6))],
  'window of settings': [frame(4, 0, 0, [0, 4, 0xff, 0xff, 0xff, 0xff])], 'frame size of settings': [frame(4, 0, 0, [0, 5, 0, 0, 0, 1])], 'push of 2': [frame(4, 0, 0, [0, 2, 0, 0, 0, 2])],
  'window of 0': [frame(8, 0, 0, [0, 0, 0, 0])], 'window too large': [frame(8, 0, 0, [0x7f, 0xff, 0xff, 0xff])], 'window of an idle one': [frame(8, 0, 7, [0, 0, 0, 1])], 'window of 3 bytes': [frame(8, 0, 0, [0, 0, 1])],
  'reset of an idle one': [frame(3, 0, 9, [0, 0, 0, 0])], 'a push of a client': [frame(5, 4, 1, [0, 0, 0, 2, ...GET])], 'goaway of 4': [frame(7, 0, 0, [0, 0, 0, 0])],
  'too many streams': Array.from({ length: 12 }, (_, index) => header(GET, 4, 1 + 2 * index)),
  'rapid resets': Array.from({ length: 3000 }, (_, index) => Buffer.concat([header(GET, 4, 1 + 2 * index), frame(3, 0, 1 + 2 * index, [0, 0, 0, 8])])),
  'empty data': [header([0x83, 0x86, 0x84, 0x41, 1, 0x78], 4), ...Array.from({ length: 1100 }, () => frame(0, 0, 1))],
  'an unknown frame': [frame(200, 255, 1, [1, 2, 3]), header(GET)],
};
for (const [name, pieces] of Object.entries(cases)) {
  const options = name === 'no preface' ? { preface: false, greeting: [] } : name === 'no settings' ? { greeting: [] } : {};
  const reported = [...new Set((await send(pieces, options)).split(', '))];
  console.log(name, '|', reported.join(', '));
}
// Cut at any byte.
const whole = Buffer.concat([Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), SETTINGS, header(GET, 4), frame(0, 1, 1, [1, 2, 3])]);
await Promise.all(Array.from({ length: whole.length * 2 }, async (_, index) => {
  const socket = net.connect(port, '127.0.0.1');
  socket.on('error', () => {}).resume();
  await new Promise((resolve) => { socket.write(whole.subarray(0, index >> 1), resolve); });
  socket[index % 2 ? 'destroy' : 'resetAndDestroy']();
  await once(socket, 'close');
}));
const client = http2.connect(`http://127.0.0.1:${port}`);
const stream = client.request({ ':path': '/' }).setEncoding('utf8');
let text = '';
for await (const chunk of stream) text += chunk;
console.log('after all of it', text);
client.close();
server.close();
