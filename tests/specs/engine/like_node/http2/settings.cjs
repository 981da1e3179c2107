// Unknown settings, the socket of a destroyed session, whitespace around field values, never-indexed fields, too many
// fields, paths that are not files, and listeners that reject.
const http2 = require('node:http2');
const fs = require('node:fs');
const { once, EventEmitter } = require('node:events');
const { duplexPair } = require('node:stream');
const { inspect } = require('node:util');

const print = (...values) => console.log(values.map((value) => inspect(value)).join(' '));

const attempt = (work) => {
  try {
    return work();
  } catch (error) {
    return `${error.name} ${error.code} ${error.message}`;
  }
};
const packed = (settings) => attempt(() => http2.getPackedSettings(settings).toString('hex'));
print(packed({ customSettings: { 9999: 301, 11: 1 }, enablePush: true }));
for (const custom of [{ 65536: 1 }, { '-1': 1 }, { a: 1 }, { 20: -1 }, { 20: 2 ** 32 }]) print(packed({ customSettings: custom }));
print(packed({ customSettings: Object.fromEntries(Array.from({ length: 11 }, (_, index) => [20 + index, 1])) }));
print(http2.getUnpackedSettings(Buffer.from('270f0000012d000200000064', 'hex')));
print(attempt(() => http2.createServer({ maxSessionInvalidFrames: -1 })));

const [ours] = duplexPair();
http2.performServerHandshake(ours);
print(attempt(() => http2.performServerHandshake(ours)));

EventEmitter.captureRejections = true;
const answers = {
  '/settings': (stream) => {
    const { localSettings, remoteSettings } = stream.session;
    print(localSettings.customSettings, remoteSettings.customSettings, stream.session.localSettings === localSettings);
    stream.respond();
    stream.end();
  },
  '/fields': (stream, headers) => {
    print(headers.plain, headers.before, headers.behind, headers[http2.sensitiveHeaders]);
    stream.respond({ cookie: 'short', 'set-cookie': 'a' });
    stream.end();
  },
  '/folder': (stream) => stream.respondWithFile('/', {}, { onError: ({ code }) => stream.respond({ code }) || stream.end() }),
  '/null': (stream) =>
    stream.respondWithFile('/dev/null', {}, { offset: 1, onError: ({ code }) => stream.respond({ code }) || stream.end() }),
  '/bad': (stream) => stream.on('error', ({ message }) => print('there', message)).respondWithFD(987),
  '/rejects': async () => {
    throw new Error('early');
  },
  '/rejects-late': async (stream) => {
    stream.on('error', ({ message }) => print('there', message));
    stream.respond();
    throw new Error('late');
  },
  '/closes': (stream) => stream.close(),
};
const server = http2.createServer({ remoteCustomSettings: [55], settings: { customSettings: { 1244: 456 } }, maxHeaderListPairs: 12 });
server.on('stream', (stream, headers) => answers[headers[':path']](stream, headers));
server.listen(0, '127.0.0.1', async () => {
  const client = http2.connect(`http://127.0.0.1:${server.address().port}`);
  client.settings({ customSettings: { 55: 12, 155: 144 } });
  await once(client, 'remoteSettings');
  await new Promise((resolve) => {
    client.ping(resolve);
  });
  const ask = (headers) =>
    new Promise((resolve) => {
      const said = [];
      const request = client.request(headers);
      request.on('response', ({ ':status': status, code, [http2.sensitiveHeaders]: secret }) => said.push(status, code, secret));
      request.on('error', ({ message }) => said.push(message));
      request.on('close', () => resolve(said));
      request.resume();
    });
  const fields = { plain: 'a', before: ' a', behind: 'a\t', authorization: 'x', cookie: 'short' };
  print('fields', await ask({ ':path': '/fields', ...fields }));
  for (const path of Object.keys(answers)) if (path !== '/fields') print(path, (await ask({ ':path': path })).at(-1));
  const many = Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`x-${index}`, '1']));
  print('many', await ask({ ':path': '/fields', ...many }));

  const { socket } = client;
  client.close();
  await once(client, 'close');
  for (const use of [() => socket.port, () => Object.getPrototypeOf(socket)]) print(attempt(use));
  const early = http2.connect(`http://127.0.0.1:${server.address().port}`);
  const request = early.request();
  early.close();
  const [{ code }] = await once(request, 'error');
  print('early', code);
  server.close();
  fs.closeSync(fs.openSync('/dev/null'));
});
