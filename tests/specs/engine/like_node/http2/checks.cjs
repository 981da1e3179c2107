// node:http2: invalid arguments and their errors, what requests and responses offer beyond those of node:http, and
// pending writes.
const http2 = require('node:http2');
const { inspect } = require('node:util');

const said = (name, work) => {
  try {
    console.log(name, work());
  } catch (error) {
    console.log(name, error.name, error.code, error.message);
  }
};
const shown = (value) => inspect(value).replace(/\s+/g, ' ');
process.on('warning', ({ name, message }) => console.log('warning', name, message));

for (const options of [null, 1, 'text', () => {}]) {
  if (typeof options !== 'function') said(`createServer ${shown(options)}`, () => typeof http2.createServer(options));
  said(`createSecureServer ${shown(options)}`, () => typeof http2.createSecureServer(options));
  if (typeof options !== 'function') said(`settings ${shown(options)}`, () => typeof http2.createServer({ settings: options }));
}
for (const [name, value] of [['initialWindowSize', 2 ** 31], ['maxHeaderSize', -1], ['maxHeaderListSize', 2 ** 32]]) // prettier-ignore
  said(name, () => http2.getPackedSettings({ [name]: value }));

const server = http2.createServer();
server.on('session', (session) => {
  for (const where of [0, -1, 1.1, 2 ** 32, Infinity, {}, [], true, 'abc:', { origin: '' }, { origin: 'null' }])
    said(`altsvc ${shown(where)}`, () => session.altsvc('clear', where));
  for (const what of [0, {}, null]) said(`altsvc of ${shown(what)}`, () => session.altsvc(what));
  for (const origin of [0, true, {}, 'foo://bar', 'no url', { origin: '' }]) said(`origin ${shown(origin)}`, () => session.origin(origin));
  for (const given of [['a'], [0, 'a'], [0, 0, 'a']]) said(`goaway ${shown(given)}`, () => session.goaway(...given));
  session.setLocalWindowSize(2 ** 20);
  console.log(session.state.effectiveLocalWindowSize, session.state.localWindowSize);
});
server.on('stream', (stream, headers) => {
  const path = headers[':path'];
  if (path === '/stream') {
    console.log(stream.endAfterHeaders, stream._writableState.decodeStrings, inspect(stream).slice(0, 14));
    for (const code of ['text', 1.01, -1, 2 ** 32]) said(`close ${code}`, () => stream.close(code));
    said('timeout', () => stream.setTimeout('100'));
    said('timeout callback', () => stream.setTimeout(0, {}));
    for (const given of [{ ':status': 101 }, { ':status': 201 }, { ':method': 'POST' }])
      said(`additional ${shown(given)}`, () => stream.additionalHeaders(given));
    said('push', () => stream.pushStream({ connection: 'x' }, {}, () => {}));
    said('push callback', () => stream.pushStream({}, {}, 'callback'));
    for (const [name, value] of [['offset', true], ['length', []], ['statCheck', 1]]) // prettier-ignore
      said(`file ${name}`, () => stream.respondWithFile(__filename, {}, { [name]: value }));
    said('file status', () => stream.respondWithFile(__filename, { ':status': 204 }));
    said('fd', () => stream.respondWithFD('fd'));
    stream.respond();
    said('file late', () => stream.respondWithFile(__filename));
    stream._writableState.highWaterMark = 20;
    console.log(stream.write('12345'), stream.write('1234567890123456789'), stream.write('ff', 'hex'));
    stream.end();
  }
});
server.on('request', (request, response) => {
  if (request.url !== '/request') return;
  const { socket } = request;
  console.log(request.complete, socket === response.socket, socket instanceof require('node:net').Socket, 'encrypted' in socket);
  for (const name of ['write', 'read', 'pause', 'resume']) said(`socket.${name}`, () => socket[name]);
  said('socket.write =', () => (socket.write = 1));
  console.log(socket.destroyed, socket.writable, socket.readable);
  response.statusMessage = 'fine';
  console.log(response.statusMessage === '');
  response.setHeader('Connection', 'x');
  console.log(response.hasHeader('connection'), response.sendDate);
  response.removeHeader('date');
  console.log(response.sendDate);
  for (const given of [['', 'a'], ['a'], ['a', null]]) said(`trailer ${shown(given)}`, () => response.setTrailer(...given));
  for (const hints of ['text', { link: 'bad' }, { link: '' }]) said(`hints ${shown(hints)}`, () => response.writeEarlyHints(hints));
  response.on('finish', () => {
    console.log('finish', response.socket, response.headersSent, response.writeHead(300) === response);
    said('late', () => response.setHeader('a', 'b'));
    said('late removal', () => response.removeHeader('a'));
  });
  response.on('close', () => console.log('response closed'));
  response.end('hello');
});

server.listen(0, () => {
  const client = http2.connect(`http://localhost:${server.address().port}`);
  client.on('goaway', () => {});
  client.on('connect', () => {
    for (const id of ['a', 0, 2 ** 32]) said(`id ${id}`, () => client.setNextStreamID(id));
    for (const [name, value] of [['endStream', 1], ['signal', 1]]) // prettier-ignore
      said(`option ${name}`, () => client.request({ ':method': 'CONNECT', ':authority': 'a' }, { [name]: value }));
    client.ping(new Uint16Array([1, 2, 3, 4]), (error, _, payload) => console.log(error, payload.buffer.byteLength, payload.length));
    const ask = (path, done) => {
      const stream = client.request({ ':path': path });
      let head;
      stream.on('response', (headers) => (head = [headers[':status'], stream.endAfterHeaders, headers.date === undefined]));
      let text = '';
      stream.on('data', (bytes) => (text += bytes.toString('latin1')));
            stream.on('close', () => {
        console.log(path, ...head, text, stream.rstCode);
        done();
      });
    };
    ask('/stream', () =>
      ask('/request', () => {
        process.exit();
      }),
    );
  });
});
