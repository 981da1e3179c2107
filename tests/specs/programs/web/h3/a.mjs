import {
  createApp,
  createRouter,
  eventHandler,
  toNodeListener,
  getQuery,
  readBody,
  getRouterParam,
  setCookie,
  parseCookies,
  createError,
  sendStream,
  sendRedirect,
  setResponseStatus,
  getRequestIP,
  getHeader,
  readMultipartFormData,
  createEventStream,
  proxyRequest,
  handleCors,
  defineWebSocketHandler,
} from 'h3';
import { createServer } from 'node:http';
import { log, ask } from './ask.mjs';
import { Readable } from 'node:stream';
const app = createApp({ debug: false, onError: (error, event) => log('onError', error.statusCode, event.path) });
const router = createRouter();
router
  .get(
    '/',
    eventHandler(() => ({ hello: 'h3' })),
  )
  .get(
    '/u/:id',
    eventHandler((e) => ({
      id: getRouterParam(e, 'id'),
      query: getQuery(e),
      ip: getRequestIP(e),
      ua: getHeader(e, 'x-a'),
    })),
  )
  .post(
    '/body',
    eventHandler(async (e) => ({ got: await readBody(e) })),
  )
  .get(
    '/cookie',
    eventHandler((e) => {
      setCookie(e, 'a', 'b', { httpOnly: true });
      return parseCookies(e);
    }),
  )
  .get(
    '/error',
    eventHandler(() => {
      throw createError({ statusCode: 409, statusMessage: 'Conflict here', data: { x: 1 } });
    }),
  )
  .get(
    '/stream',
    eventHandler((e) => sendStream(e, Readable.from(['s', 't']))),
  )
  .get(
    '/web',
    eventHandler(() => new Response('web', { status: 202, headers: { 'x-w': '1' } })),
  )
  .get(
    '/rs',
    eventHandler(
      () =>
        new ReadableStream({
          start(c) {
            c.enqueue(new TextEncoder().encode('rs'));
            c.close();
          },
        }),
    ),
  )
  .get(
    '/redirect',
    eventHandler((e) => sendRedirect(e, '/')),
  )
  .get(
    '/null',
    eventHandler((e) => {
      setResponseStatus(e, 204);
      return null;
    }),
  )
  .post(
    '/form',
    eventHandler(async (e) =>
      (await readMultipartFormData(e)).map((p) => [p.name, p.filename, p.type, String(p.data)]),
    ),
  )
  .get(
    '/events',
    eventHandler((e) => {
      const s = createEventStream(e);
      (async () => {
        await s.push('one');
        await s.push({ event: 'two', data: 'b' });
        await s.close();
      })();
      return s.send();
    }),
  )
  .get(
    '/proxy',
    eventHandler((e) => proxyRequest(e, `${base}/u/9?p=1`)),
  );
app.use(router);
const server = createServer(toNodeListener(app)).listen(0);
await new Promise((d) => server.on('listening', d));
const base = `http://localhost:${server.address().port}`;
for (const path of [
  '/',
  '/u/5?a=1&b=2&b=3',
  '/cookie',
  '/error',
  '/stream',
  '/web',
  '/rs',
  '/redirect',
  '/null',
  '/events',
  '/proxy',
  '/none',
])
  await ask(base, path, { headers: { 'x-a': 'ua', cookie: 'q=1' } });
await ask(base, '/body', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"x":[1]}' });
await ask(base, '/body', { method: 'POST', body: new URLSearchParams({ a: 'b' }) });
const form = new FormData();
form.set('f', new File(['data'], 'n.txt', { type: 'text/plain' }));
await ask(base, '/form', { method: 'POST', body: form });
await ask(base, '/', { method: 'PUT' });
server.close();
server.closeAllConnections();
