import Fastify from 'fastify';
import { Readable, Writable } from 'node:stream';
import { format } from 'node:util';

const log = (...values) => process.stdout.write(`${format(...values)}\n`);

const lines = [];
const stream = new Writable({ write(chunk, encoding, done) { lines.push(String(chunk)); done(); } });
const app = Fastify({ logger: { level: 'info', stream, timestamp: false, base: null }, genReqId: (() => { let n = 0; return () => `r${++n}`; })() });
app.decorate('double', (n) => n * 2);
app.decorateRequest('user', null);
app.addHook('onRequest', async (request) => { request.user = request.headers['x-user'] ?? 'nobody'; });
app.addHook('preSerialization', async (request, reply, payload) => (payload.wrap ? { wrapped: true, value: payload.wrap } : payload));
app.addHook('onSend', async (request, reply, payload) => { reply.header('x-sent', typeof payload); return payload; });
app.addHook('onClose', async () => log('onClose'));
app.addContentTypeParser('text/csv', { parseAs: 'string' }, (request, body, done) => done(null, body.split(',')));
app.get('/', async () => ({ hello: 'world', double: app.double(21) }));
app.get('/typed/:id', {
  schema: {
    params: { type: 'object', properties: { id: { type: 'integer' } } },
    querystring: { type: 'object', properties: { tags: { type: 'array', items: { type: 'string' } }, on: { type: 'boolean', default: true } } },
    response: { 200: { type: 'object', properties: { id: { type: 'number' }, tags: { type: 'array', items: { type: 'string' } }, on: { type: 'boolean' }, when: { type: 'string', format: 'date-time' } } } },
  },
}, async (request) => ({ id: request.params.id, ...request.query, secret: 'never sent', when: new Date(0) }));
app.post('/body', { schema: { body: { type: 'object', required: ['name'], additionalProperties: false, properties: { name: { type: 'string', minLength: 2 }, age: { type: 'integer' } } } } }, async (request, reply) => reply.code(201).send(request.body));
app.post('/csv', async (request) => request.body);
app.get('/wrap', async () => ({ wrap: [1, 2] }));
app.get('/stream', (request, reply) => reply.type('text/plain').send(Readable.from(['one ', 'two ', 'three'])));
app.get('/buffer', (request, reply) => reply.send(Buffer.from('bytes')));
app.get('/web', () => new Response('a web response', { status: 202, headers: { 'x-web': 'yes' } }));
app.get('/error', async (request) => { request.log.warn({ user: request.user }, 'about to fail'); throw Object.assign(new Error('broken'), { statusCode: 409, code: 'E_BROKEN' }); });
app.get('/redirect', (request, reply) => reply.redirect('/', 303));
app.register(async (inner) => {
  inner.setErrorHandler((error, request, reply) => reply.code(400).send({ handled: error.message, user: request.user }));
  inner.setNotFoundHandler((request, reply) => reply.code(404).send({ inner: request.url }));
  inner.get('/fails', async () => { throw new Error('inner'); });
  inner.decorate('onlyHere', 1);
}, { prefix: '/inner' });
app.ready(() => log('ready', 'onlyHere' in app, app.hasRoute({ method: 'GET', url: '/typed/:id' })));

const base = await app.listen({ port: 0, host: '127.0.0.1' });
async function ask(path, options) {
  const answer = await fetch(base + path, { redirect: 'manual', ...options });
  const headers = [...answer.headers].filter(([name]) => !['date', 'connection', 'keep-alive'].includes(name));
  log(options?.method ?? 'GET', path, answer.status, JSON.stringify(headers), await answer.text());
}
const json = (body) => ({ method: 'POST', headers: { 'content-type': 'application/json' }, body });
await ask('/');
await ask('/typed/12?tags=a&tags=b');
await ask('/typed/x');
await ask('/body', json('{"name":"Ann","age":"7","extra":1}'));
await ask('/body', json('{"name":"A"}'));
await ask('/body', json('{}'));
await ask('/body', json('{'));
await ask('/body', json(''));
await ask('/body', json('{"__proto__":{"a":1},"name":"xx"}'));
await ask('/csv', { method: 'POST', headers: { 'content-type': 'text/csv' }, body: 'a,b,c' });
await ask('/csv', { method: 'POST', headers: { 'content-type': 'image/png' }, body: 'x' });
for (const path of ['/wrap', '/stream', '/buffer', '/web', '/error', '/redirect', '/inner/fails', '/inner/none', '/none', '/%zz']) await ask(path, { headers: { 'x-user': 'ann' } });
const injected = await app.inject({ method: 'POST', url: '/body', payload: { name: 'injected' }, headers: { 'x-user': 'test' } });
log('inject', injected.statusCode, injected.json(), injected.headers['content-type']);
log(app.printRoutes());
await app.close();
for (const line of lines) {
  const { res, req, err, responseTime, msg, ...rest } = JSON.parse(line);
  log(JSON.stringify({ ...rest, msg: msg.replace(/:\d+/, ''), ...(req && { req: `${req.method} ${req.url}` }), ...(res && { status: res.statusCode, timed: typeof responseTime }), ...(err && { err: `${err.type} ${err.message}` }) }));
}
try { app.get('/late', () => {}); } catch (error) { log(error.code, error.message); }
