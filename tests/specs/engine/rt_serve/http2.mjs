// RT.serve over TLS with HTTP/2: every kind of response, bodies in both directions, aborts, HTTP/1 beside it, and without it.
import http2 from 'node:http2';
import https from 'node:https';
import identity from '../tls_identity.cjs';

const { cert: CERT, key: KEY } = identity;

const options = {
  port: 0,
  tls: { key: KEY, cert: CERT },
  routes: {
    '/fixed': new Response('fixed', { headers: { 'x-a': '1' } }),
    '/file': new Response(RT.file(import.meta.path)),
    '/ws': (request, server) => (server.upgrade(request) ? undefined : new Response('no upgrade', { status: 400 })),
  },
  async fetch(request, server) {
    switch (new URL(request.url).pathname) {
      case '/echo': return new Response(request.body, { headers: { 'x-type': `${request.headers.get('content-type')}` } });
      case '/text': return new Response(`${(await request.text()).length} ${request.method} ${request.headers.get('host') === server.url.host} ${server.requestIP(request) !== null}`);
      case '/stream': return new Response(new ReadableStream({ pull(controller) { for (let i = 0; i < 3; i++) controller.enqueue(`part ${i};`); controller.close(); } }));
      case '/throw': throw new Error('thrown');
      case '/slow': return new Promise((resolve) => { request.signal.addEventListener('abort', () => { console.log('the handler is told of the abort'); resolve(new Response('')); }); });
      default: return new Response('hi', { headers: [['set-cookie', 'a=1'], ['set-cookie', 'b=2']] });
    }
  },
  error: (error) => new Response(`answer to ${error.message}`, { status: 500 }),
  websocket: { message() {} },
};
const server = RT.serve(options);
const at = `https://localhost:${server.port}`;
const client = http2.connect(at, { rejectUnauthorized: false });
const ask = (headers, body) => new Promise((resolve) => {
  const stream = client.request(headers);
  let text = '';
  let answer;
  stream.setEncoding('utf8');
  stream.on('response', (fields) => { answer = { ...fields, date: typeof fields.date }; });
  stream.on('error', (error) => resolve(`error ${error.message}`));
  stream.on('data', (part) => { text += part; });
  stream.on('end', () => resolve(`${JSON.stringify(answer)} ${text.length > 200 ? text.length > 1000 : text}`));
  stream.end(body);
});
console.log(await ask({ ':path': '/' }));
console.log(await ask({ ':path': '/fixed' }));
console.log((await ask({ ':path': '/fixed', 'if-none-match': '"ecc0e14bf262e3c9"' })).slice(0, 14));
console.log((await ask({ ':path': '/file' })).endsWith('} true'), (await ask({ ':path': '/file', range: 'bytes=3-6' })).endsWith('RT.s'));
console.log(await ask({ ':path': '/echo', ':method': 'POST', 'content-type': 'text/plain' }, 'a body'));
console.log(await ask({ ':path': '/echo', ':method': 'POST' }, Buffer.alloc(1_000_000, 'a')));
console.log(await ask({ ':path': '/text', ':method': 'POST', 'content-length': '3' }, 'abc'));
console.log(await ask({ ':path': '/stream' }));
console.log(await ask({ ':path': '/throw' }));
console.log(await ask({ ':path': '/', ':method': 'HEAD' }));
console.log(await ask({ ':path': '/ws' }));
console.log((await Promise.all(Array.from({ length: 300 }, (_, i) => ask({ ':path': `/?${i}` })))).every((each) => each.endsWith('hi')));
const slow = client.request({ ':path': '/slow' });
slow.on('error', () => {});
while (server.pendingRequests === 0) await new Promise((resolve) => { setImmediate(resolve); });
slow.close(8);
while (server.pendingRequests > 0) await new Promise((resolve) => { setImmediate(resolve); });
const answer = await fetch(at, { tls: { rejectUnauthorized: false } });
console.log(answer.status, await answer.text());
await new Promise((resolve) => { https.get(at, { rejectUnauthorized: false }, (response) => { console.log('beside it', response.httpVersion); response.resume(); response.on('end', resolve); }); });
const closed = new Promise((resolve) => { client.on('close', resolve); });
await server.stop();
await closed;
console.log('stopped');

const old = RT.serve({ ...options, http2: false });
await new Promise((resolve) => { http2.connect(`https://localhost:${old.port}`, { rejectUnauthorized: false }).on('error', (error) => { console.log('refused:', error.code); resolve(); }); });
await old.stop(true);
process.exit();
