// Routes, results of handlers, files, ranges and conditions. The printed table was compared with Bun's.
import { writeFileSync } from 'node:fs';
const show = (label, value) => console.log(label, typeof value === 'string' ? value : JSON.stringify(value));
writeFileSync('f.txt', '0123456789'.repeat(10));
writeFileSync('e.txt', '');
const server = RT.serve({
  port: 0, development: false,
  routes: {
    '/static': new Response('static', { headers: { 'x-a': 'b' } }),
    '/tagged': new Response('tagged', { headers: { etag: '"mine"' } }),
    '/m': { GET: () => new Response('get'), POST: async (request) => new Response(`post ${await request.text()}`), PUT: new Response('put') },
    '/p/:a/x/:b': ({ params }) => Response.json(params),
    '/w/*': ({ url }) => new Response(`wild ${new URL(url).pathname}`),
    '/w/exact': () => new Response('exact'),
    '/w/off': false,
    '/f': new Response(RT.file('f.txt')), '/bf': RT.file('f.txt'), '/e': new Response(RT.file('e.txt')), '/missing': () => new Response(RT.file('nope.txt')),
    '/redirect': Response.redirect('/static', 302),
    '/throw': () => { throw new Error('boom'); }, '/reject': async () => { throw new Error('boom'); }, '/undefined': () => {},
    '/cookie': ({ cookies }) => {
      cookies.set('a', 'b');
      cookies.delete('z');
      return new Response(cookies.get('q') ?? 'none', { headers: { 'set-cookie': 'own=1' } });
    },
    '/204': () => new Response(null, { status: 204 }), '/205': () => new Response(null, { status: 205 }), '/304': () => new Response(null, { status: 304 }),
    '/stream': () => new Response(new ReadableStream({ async start(c) { c.enqueue('a'); await 1; c.enqueue(new Uint8Array([98])); c.close(); } })),
    '/direct': () => new Response(new ReadableStream({ type: 'direct', async pull(c) { c.write('d1'); await c.flush(); c.write(new Uint8Array([100, 50])); c.close(); } })),
    '/direct-late': () => new Response(new ReadableStream({ type: 'direct', async pull(c) { await 1; c.write('late'); } })),
    '/generator': () => new Response((async function* () { yield 'g1'; yield 'g2'; })()),
    '/breaks-first': () => new Response(new ReadableStream({ pull() { throw new Error('no'); } })),
    '/breaks-later': () => {
      let count = 0;
      return new Response(new ReadableStream({ pull(c) { if (count++ === 0) c.enqueue('x'.repeat(100_000)); else throw new Error('no'); } }));
    },
    '/json': () => Response.json({ a: 1 }), '/blob': () => new Response(new Blob(['bb'], { type: 'text/x' })), '/params': () => new Response(new URLSearchParams({ a: 'b c' })),
    '/bytes': () => new Response(new Uint8Array([1, 2])),
    '/used': () => { const used = new Response('x'); used.text(); return used; },
    '/status': () => new Response('s', { status: 418, statusText: 'Short and stout' }),
    '/length': () => new Response('abc', { headers: { 'content-length': '3' } }), '/chunked': () => new Response('abc', { headers: { 'transfer-encoding': 'chunked' } }),
    '/slice': () => new Response(RT.file('f.txt').slice(5, 10)),
    '/echo': async (request) => new Response(await request.arrayBuffer()), '/echo-stream': ({ body }) => new Response(body),
    '/ip': (request, own) => Response.json([own === server, typeof own.requestIP(request).port, own.pendingRequests]),
  },
  fetch(request, own) { return new Response(`fallback ${request.method} ${new URL(request.url).pathname} ${this === own && own === server}`); },
});
const base = `http://127.0.0.1:${server.port}`;
const hidden = new Set(['date', 'last-modified', 'keep-alive', 'connection']);
async function ask(path, init) {
  const label = [init?.method ?? 'GET', path, ...(init?.headers ? [JSON.stringify(init.headers)] : [])].join(' ');
  try {
    const answer = await fetch(base + path, { redirect: 'manual', ...init });
    const headers = [...answer.headers].filter(([name]) => !hidden.has(name)).map(([name, value]) => `${name}: ${name === 'etag' && value.startsWith('W/') ? 'W/…' : value}`);
    show(label, [answer.status, answer.statusText, headers.join('; '), (await answer.text()).slice(0, 40)]);
  } catch (error) {
    show(label, `fails ${error.code}`);
  }
}
const paths = [
  '/static', '/static?q', '/static/', '/m', '/p/1/x/2', '/p/a%20b/x/%2F', '/p//x/1', '/w', '/w/', '/w/a/b', '/w/exact', '/w/off', '/f', '/bf', '/e', '/missing', '/redirect', '/throw', '/reject',
  '/undefined', '/204', '/205', '/304', '/stream', '/direct', '/direct-late', '/generator', '/breaks-first', '/breaks-later', '/json', '/blob', '/params', '/bytes', '/used', '/status', '/length',
  '/chunked', '/slice', '/ip', '/other',
];
for (const path of paths) await ask(path);
for (const method of ['POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS', 'PATCH']) {
  for (const path of ['/m', '/static', '/f', '/stream']) await ask(path, { method, body: method === 'HEAD' ? undefined : 'data' });
}
await ask('/cookie', { headers: { cookie: 'q=1; z=2' } });
await ask('/cookie');
await ask('/echo', { method: 'POST', body: 'whole' });
await ask('/echo-stream', { method: 'POST', body: new ReadableStream({ start(c) { c.enqueue('in '); c.enqueue('pieces'); c.close(); } }) });
for (const range of ['bytes=0-4', 'bytes=5-', 'bytes=-3', 'bytes=200-', 'bytes=0-0,5-6', 'bytes=5-2', 'items=0-1', 'bytes=abc', 'bytes=0-1000', 'bytes=-0', 'bytes=-1000']) await ask('/f', { headers: { range } });
const { headers } = await fetch(`${base}/f`);
const [tag, modified] = [headers.get('etag'), headers.get('last-modified')];
const status = async (path, given) => (await fetch(base + path, { headers: given })).status;
const [past, future] = ['Thu, 01 Jan 1970 00:00:00 GMT', 'Thu, 01 Jan 2060 00:00:00 GMT'];
for (const [name, given] of Object.entries({
  same: { 'if-none-match': tag }, other: { 'if-none-match': '"other"' }, list: { 'if-none-match': `"other", ${tag}` }, any: { 'if-none-match': '*' }, since: { 'if-modified-since': modified },
  sincePast: { 'if-modified-since': past }, sinceFuture: { 'if-modified-since': future }, nonsense: { 'if-modified-since': 'x' }, tagWins: { 'if-none-match': '"other"', 'if-modified-since': future },
  unmodified: { 'if-unmodified-since': past }, unmodifiedYet: { 'if-unmodified-since': future }, match: { 'if-match': '"other"' }, matchAny: { 'if-match': '*' },
  ifRange: { range: 'bytes=0-1', 'if-range': modified }, ifRangeOther: { range: 'bytes=0-1', 'if-range': past },
})) show(name, await status('/f', given));
const fixed = (await fetch(`${base}/static`)).headers.get('etag');
show('fixed', [/^"[0-9a-f]{16}"$/.test(fixed), await status('/static', { 'if-none-match': fixed }), await status('/static', { 'if-none-match': '"x"' }), await status('/static', { 'if-match': '"x"' }), await status('/tagged', { 'if-none-match': '"mine"' })]);
show('server', [server.hostname, server.development, server.id, server.pendingRequests, server.protocol, server.url.href.replace(server.port, 'PORT')]);
server.reload({ fetch: () => new Response('reloaded'), routes: { '/n': new Response('new') } });
await ask('/n');
await ask('/static');
server.reload({ fetch: () => new Response('without routes') });
await ask('/n');
await server.stop(true);
await ask('/n');
