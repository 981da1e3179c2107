import Hapi from '@hapi/hapi';
import Inert from '@hapi/inert';
import { log, ask } from './ask.mjs';
import { Readable } from 'node:stream';
import fs from 'node:fs';
fs.mkdirSync('pub', { recursive: true });
fs.writeFileSync('pub/c.txt', 'hapi file');
const server = Hapi.server({ port: 0, host: 'localhost', routes: { cors: true, payload: { maxBytes: 1000 } } });
await server.register(Inert);
server.route([
  { method: 'GET', path: '/', handler: () => 'hello' },
  {
    method: 'GET',
    path: '/json/{id}/{rest*2}',
    handler: (request) => ({ params: request.params, query: request.query, ip: request.info.remoteAddress }),
  },
  {
    method: 'GET',
    path: '/stream',
    handler: () => Readable.from([Buffer.from('a'), Buffer.from('b')], { objectMode: false }),
  },
  {
    method: 'POST',
    path: '/echo',
    handler: (request, h) =>
      h
        .response(request.payload)
        .code(201)
        .header('x-kind', typeof request.payload)
        .state('seen', { a: 1 }, { encoding: 'base64json', isSecure: false }),
  },
  { method: 'GET', path: '/redirect', handler: (request, h) => h.redirect('/') },
  { method: 'GET', path: '/etag', handler: (request, h) => h.response('tagged').etag('v1') },
  {
    method: 'GET',
    path: '/throw',
    handler: () => {
      throw new Error('inner');
    },
  },
  { method: 'GET', path: '/file/{name*}', handler: { directory: { path: 'pub', etagMethod: false } } },
  { method: '*', path: '/any', handler: (request) => request.method },
]);
server.ext('onPreResponse', (request, h) => {
  if (!request.response.isBoom) request.response.header('x-pre', 'yes');
  return h.continue;
});
const events = [];
server.events.on('response', (request) =>
  events.push(`${request.method} ${request.path} ${request.response.statusCode}`),
);
await server.start();
const base = server.info.uri.replace(/\/$/, '');
for (const path of [
  '/',
  '/json/1/a/b?x=1&x=2',
  '/stream',
  '/redirect',
  '/etag',
  '/throw',
  '/file/c.txt',
  '/file/none',
  '/none',
])
  await ask(base, path);
await ask(base, '/etag', { headers: { 'if-none-match': '"v1"' } });
await ask(base, '/echo', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"a":1}' });
await ask(base, '/echo', { method: 'POST', body: 'text' });
await ask(base, '/echo', { method: 'POST', body: 'x'.repeat(2000) });
await ask(base, '/any', { method: 'DELETE', headers: { origin: 'http://x.example' } });
await ask(base, '/file/c.txt', { headers: { range: 'bytes=1-3' } });
const injected = await server.inject({ method: 'POST', url: '/echo', payload: { in: 'jected' } });
log(injected.statusCode, injected.result, injected.headers['x-pre']);
log(events.length);
await server.stop();
log(server.info.started > 0);
