import Koa from 'koa';
import { Readable } from 'node:stream';
import { once } from 'node:events';
import { format } from 'node:util';

const log = (...values) => process.stdout.write(`${format(...values)}\n`);

const app = new Koa({ proxy: true, keys: ['secret'] });
app.silent = true;
app.on('error', (error) => log('[error]', error.status, error.message));
const order = [];
app.use(async (ctx, next) => { order.push('in'); await next(); order.push('out'); ctx.set('X-Order', order.splice(0).join()); });
app.use(async (ctx, next) => { try { await next(); } catch (error) { if (!error.custom) throw error; ctx.status = 422; ctx.body = { custom: error.message }; } });
const routes = {
  '/': (ctx) => { ctx.body = 'hello'; },
  '/json': (ctx) => { ctx.body = { query: ctx.query, host: ctx.hostname, ip: ctx.ip, fresh: ctx.fresh, secure: ctx.secure }; },
  '/html': (ctx) => { ctx.body = '<p>x</p>'; },
  '/buffer': (ctx) => { ctx.body = Buffer.from('buffer'); ctx.type = 'png'; },
  '/stream': (ctx) => { ctx.body = Readable.from(['a', 'b', 'c']); },
  '/web': (ctx) => { ctx.body = new Response('web', { headers: { 'x-web': '1' } }); },
  '/blob': (ctx) => { ctx.body = new Blob(['blob'], { type: 'text/x' }); },
  '/null': (ctx) => { ctx.body = null; },
  '/status': (ctx) => { ctx.status = 304; },
  '/throw': (ctx) => ctx.throw(403, 'not you', { user: 1 }),
  '/assert': (ctx) => ctx.assert(ctx.get('x-key'), 401, 'a key is needed', { headers: { 'www-authenticate': 'Key' } }),
  '/error': () => { throw new Error('unexpected'); },
  '/custom': () => { throw Object.assign(new Error('mine'), { custom: true }); },
  '/redirect': (ctx) => ctx.redirect('/json?a=1'),
  '/cookie': (ctx) => { ctx.cookies.set('seen', 'yes', { signed: true, httpOnly: false }); ctx.body = String(ctx.cookies.get('seen', { signed: true })); },
  '/accepts': (ctx) => { ctx.body = [ctx.accepts('json', 'html'), ctx.acceptsLanguages('de', 'en'), ctx.acceptsEncodings('gzip', 'identity')]; },
  '/etag': (ctx) => { ctx.etag = 'v1'; ctx.status = 200; if (ctx.fresh) ctx.status = 304; else ctx.body = 'new'; },
  '/respond': (ctx) => { ctx.respond = false; ctx.res.end('by hand'); },
};
app.use((ctx) => routes[ctx.path]?.(ctx));
const server = app.listen(0);
await once(server, 'listening');
let cookies = '';
async function ask(path, headers = {}, method = 'GET') {
  const answer = await fetch(`http://localhost:${server.address().port}${path}`, { redirect: 'manual', method, headers });
  const shown = [...answer.headers].filter(([name]) => !['date', 'connection', 'keep-alive'].includes(name));
  log(method, path, answer.status, answer.statusText, JSON.stringify(shown), await answer.text());
  return answer;
}
for (const path of Object.keys(routes)) {
  const answer = await ask(path);
  if (path === '/cookie') cookies = answer.headers.getSetCookie().map((line) => line.split(';')[0]).join('; ');
}
await ask('/cookie', { cookie: cookies });
await ask('/cookie', { cookie: cookies.replace('yes', 'no') });
await ask('/json?x=1&x=2', { 'x-forwarded-for': '9.9.9.9', 'x-forwarded-proto': 'https', 'x-forwarded-host': 'example.org' });
await ask('/accepts', { accept: 'text/html', 'accept-language': 'de;q=0.5, en', 'accept-encoding': 'identity' });
await ask('/assert', { 'x-key': 'k' });
await ask('/etag', { 'if-none-match': '"v1"', 'cache-control': 'max-age=0' });
await ask('/missing');
await ask('/', {}, 'HEAD');
log(app, app.toJSON());
await new Promise((done) => server.close(done));
