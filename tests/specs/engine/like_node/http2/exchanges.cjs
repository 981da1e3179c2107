// HTTP/2 between a server and a client: streams, bodies in both directions, trailers, pushes, resets, pings, settings,
// the compatibility API, TLS with an HTTP/1 fallback, and invalid arguments.
const http2 = require('node:http2');
const https = require('node:https');
const fs = require('node:fs');
const { once } = require('node:events');
const { cert: CERT, key: KEY } = require('../tls_identity.cjs');

const show = (label, ...values) => console.log(label, ...values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))));
const without = ({ date, ...headers }) => headers;
const textOf = async (stream) => {
  let text = '';
  stream.setEncoding('utf8');
  for await (const chunk of stream) text += chunk;
  return text;
};
let serverSaw = () => {};
const failure = (run) => {
  try {
    return run();
  } catch ({ name, code, message }) {
    return `${name} ${code} ${message}`;
  }
};

function onStream(stream, headers, flags) {
  const path = headers[':path'];
  if (path === '/echo') {
    stream.respond({ ':status': 201, 'x-method': headers[':method'], 'x-cookie': headers.cookie, 'set-cookie': ['a=1', 'b=2'] });
    stream.pipe(stream);
  } else if (path === '/size') {
    let size = 0;
    stream.on('data', (chunk) => { size += chunk.length; });
    stream.on('end', () => stream.end(`${size}`));
  } else if (path === '/large') {
    stream.respond();
    const piece = Buffer.alloc(1 << 18, 'x');
    let count = 0;
    const more = () => {
      while (count < 16) {
        count++;
        if (!stream.write(piece)) return stream.once('drain', more);
      }
      return stream.end();
    };
    more();
  } else if (path === '/trailers') {
    stream.respond({ ':status': 200 }, { waitForTrailers: true });
    stream.on('wantTrailers', () => stream.sendTrailers({ 'x-sum': '42' }));
    stream.end('body');
  } else if (path === '/early') {
    stream.additionalHeaders({ ':status': 103, link: '</a>' });
    stream.respond({ ':status': 204 });
  } else if (path === '/push') {
    show('may push', stream.pushAllowed);
    stream.pushStream({ ':path': '/pushed' }, (error, pushed, given) => {
      show('pushed', error, given[':path'], given[':method'], pushed.id);
      show('nested', failure(() => pushed.pushStream({}, () => {})));
      pushed.respond({ ':status': 200, 'x-pushed': 'yes' });
      pushed.end('pushed body');
      stream.respond();
      stream.end('main body');
    });
  } else if (path === '/reset') {
    stream.on('error', () => {});
    stream.close(http2.constants.NGHTTP2_ENHANCE_YOUR_CALM);
  } else if (path === '/destroy') {
    stream.on('error', ({ message }) => show('server', message));
    stream.respond();
    stream.write('part');
    stream.destroy(new Error('of the server'));
  } else if (path === '/wait') {
    stream.on('close', () => serverSaw(`aborted ${stream.aborted} ${stream.rstCode}`));
    stream.respond();
    stream.write('begun');
  } else if (path === '/file') {
    stream.respondWithFile(__filename, { 'content-type': 'x/y' }, { offset: 3, length: 6 });
  } else if (path === '/no-file') {
    stream.respondWithFile('/nowhere/at/all', {}, { onError: ({ code }) => { stream.respond({ ':status': 404 }); stream.end(code); } });
  } else if (path === '/twice') {
    stream.respond();
    show('twice', failure(() => stream.respond()), failure(() => stream.additionalHeaders({ ':status': 103 })), failure(() => stream.sendTrailers({})));
    stream.end();
  } else if (path === '/wrong') {
    for (const given of [{ ':status': 99 }, { ':status': 101 }, { ':status': 700 }, { connection: 'close' }, { ':path': '/' }, { 'bad name': 'x' }, { 'content-type': ['a', 'b'] }]) show('wrong', given, failure(() => stream.respond(given)));
    stream.respond({ ':status': 200 });
    stream.end();
  } else {
    stream.respond({ ':status': 404 });
    stream.end();
  }
}

async function ask(session, headers, body, options) {
  const stream = session.request(headers, options);
  const events = [];
  for (const event of ['aborted', 'continue', 'close', 'error', 'end']) stream.on(event, (error) => events.push(error?.code ?? event));
  stream.on('headers', (given) => events.push(`headers ${given[':status']} ${given.link ?? ''}`));
  stream.on('trailers', (given) => events.push(`trailers ${given['x-sum']}`));
  let head;
  stream.on('response', (given) => { head = without(given); });
  if (body !== undefined) stream.end(body);
  let text = '';
  stream.on('data', (chunk) => { text += chunk; });
  await new Promise((resolve) => { stream.on('close', resolve); });
  show(headers[':path'], head ?? 'no head', text.length > 100 ? text.length : text, events, stream.rstCode);
}

async function streams(session) {
  await ask(session, { ':path': '/echo', ':method': 'POST', cookie: 'q=1' }, 'echo this');
  await ask(session, { ':path': '/echo', ':method': 'PUT' }, Buffer.alloc(3_000_000, 'y'));
  await ask(session, { ':path': '/size', ':method': 'POST' }, Buffer.alloc(1_000_000));
  for (const path of ['/large', '/trailers', '/early', '/reset', '/file', '/no-file', '/twice', '/wrong', '/missing']) await ask(session, { ':path': path });
  await ask(session, { ':path': '/destroy' });
  const many = await Promise.all(Array.from({ length: 150 }, async (_, index) => {
    const stream = session.request({ ':path': '/echo', ':method': 'POST' });
    stream.end(`${index}`.repeat(500));
    return (await textOf(stream)) === `${index}`.repeat(500);
  }));
  show('150 at once', many.every(Boolean));
  const waiting = session.request({ ':path': '/wait' });
  waiting.on('close', () => show('client: closed', waiting.rstCode));
  waiting.setEncoding('utf8');
  show('begun', (await once(waiting, 'data'))[0]);
  const seen = new Promise((resolve) => { serverSaw = resolve; });
  waiting.close(http2.constants.NGHTTP2_CANCEL);
  await once(waiting, 'close');
  show('server', await seen);
  const controller = new AbortController();
  const aborted = session.request({ ':path': '/wait' }, { signal: controller.signal });
  await once(aborted, 'response');
  const seenAgain = new Promise((resolve) => { serverSaw = resolve; });
  const problem = once(aborted, 'error');
  controller.abort();
  await problem.then(([{ name, code }]) => show('aborted', name, code), ({ name, code }) => show('thrown', name, code));
  show('server', await seenAgain);
  const pushed = once(session, 'stream');
  const main = session.request({ ':path': '/push' });
  const mainText = textOf(main);
  const [stream, requestHeaders] = await pushed;
  show('promised', requestHeaders[':path'], stream.id);
  const [head] = await once(stream, 'push');
  show('push', without(head), await textOf(stream), await mainText);
}

async function main() {
  const server = http2.createServer({ settings: { maxConcurrentStreams: 100 } });
  server.on('stream', onStream);
  server.on('session', (session) => session.on('error', () => {}));
  server.listen(0);
  await once(server, 'listening');
  const session = http2.connect(`http://localhost:${server.address().port}`);
  session.on('error', (error) => show('session', error.code));
  const [remote] = await once(session, 'remoteSettings');
  show('settings', remote, session.localSettings.initialWindowSize, session.type, session.encrypted, session.alpnProtocol, session.connecting);
  await streams(session);
  show('ping', await new Promise((resolve) => { session.ping(Buffer.from('12345678'), (error, ms, payload) => resolve([error, typeof ms, payload.toString()])); }));
  show('bad ping', failure(() => session.ping(Buffer.alloc(3), () => {})), failure(() => session.ping('x', () => {})));
  show('new settings', await new Promise((resolve) => { session.settings({ initialWindowSize: 100_000 }, (error, { initialWindowSize }) => resolve([error, initialWindowSize])); }));
  show('bad settings', failure(() => session.settings({ initialWindowSize: -1 })), failure(() => session.settings({ enablePush: 1 })));
  show('bad requests', ...[{ ':x': '1' }, { connection: 'close' }, { te: 'gzip' }, { ':method': 'CONNECT' }, { 'a b': 'c' }].map((headers) => failure(() => session.request(headers))));
  show('socket', failure(() => session.socket.write('x')), typeof session.socket.remotePort);
  await new Promise((resolve) => { session.close(resolve); });
  show('closed', session.closed, session.destroyed, (await new Promise((resolve) => { session.request().on('error', resolve); })).code);
  await new Promise((resolve) => { server.close(resolve); });

  // The compatibility API.
  const compat = http2.createServer(async (request, response) => {
    if (request.url === '/body') {
      let size = 0;
      for await (const chunk of request) size += chunk.length;
      response.setHeader('X-Size', size);
      response.statusCode = 202;
      show('request', request.method, request.httpVersion, request.authority.startsWith('localhost'), request.scheme, request.complete, Object.keys(request.headers).sort());
      show('response', response.getHeaderNames(), response.hasHeader('x-size'), response.headersSent, response.writableEnded);
      response.write('first ');
      response.end('last', () => show('ended', response.headersSent, response.finished));
    } else if (request.url === '/trailers') {
      response.setTrailer('x-sum', '1');
      response.writeHead(200, { 'content-type': 'text/x' });
      response.end('t');
    } else if (request.url === '/hints') {
      response.writeEarlyHints({ link: '</b>' });
      response.end();
    } else {
      show('refused', failure(() => response.setHeader(':status', 1)), failure(() => response.setHeader('a', undefined)), failure(() => { response.statusCode = 100; }), failure(() => response.setHeader('a b', 1)));
      response.end('x');
    }
  }).listen(0);
  await once(compat, 'listening');
  const client = http2.connect(`http://localhost:${compat.address().port}`);
  await ask(client, { ':path': '/body', ':method': 'POST', 'x-a': 'b' }, Buffer.alloc(200_000));
  await ask(client, { ':path': '/body', ':method': 'POST', expect: '100-continue' }, 'x');
  for (const path of ['/trailers', '/hints', '/other']) await ask(client, { ':path': path });
  client.destroy();
  await once(client, 'close');
  await new Promise((resolve) => { compat.close(resolve); });

  // TLS, and clients that support HTTP/1 only.
  for (const allowHTTP1 of [true, false]) {
    const secure = http2.createSecureServer({ key: KEY, cert: CERT, allowHTTP1 }, (request, response) => response.end(request.httpVersion)).listen(0);
    await once(secure, 'listening');
    const { port } = secure.address();
    const over = http2.connect(`https://localhost:${port}`, { rejectUnauthorized: false });
    await once(over, 'connect');
    show('secure', over.encrypted, over.alpnProtocol, await textOf(over.request({ ':path': '/' })));
    over.close();
    await once(over, 'close');
    const old = await new Promise((resolve) => {
      https.get({ port, rejectUnauthorized: false, agent: false }, async (response) => resolve(`${response.statusCode} ${await textOf(response)}`)).on('error', ({ code }) => resolve(code));
    });
    show('HTTP/1', allowHTTP1, allowHTTP1 ? old : typeof old);
    secure.close();
  }
  const nobody = http2.connect('http://localhost:1');
  const failed = nobody.request({});
  failed.on('error', ({ code }) => show('no stream', code));
  show('nobody', (await once(nobody, 'error').catch((error) => [error]))[0].code);
  show('protocol', failure(() => http2.connect('ftp://localhost')));
  show('packed', http2.getPackedSettings({ maxFrameSize: 20000, enablePush: false, maxHeaderListSize: 7 }).toString('hex'), http2.getUnpackedSettings(Buffer.from('000400000064', 'hex')), failure(() => http2.getUnpackedSettings(Buffer.alloc(5))));
}
main();
