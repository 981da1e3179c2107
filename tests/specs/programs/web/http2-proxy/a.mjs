import proxy from 'http2-proxy';
import http from 'node:http';
import http2 from 'node:http2';
import { log, ask } from './ask.mjs';
import { once } from 'node:events';
const origin = http
  .createServer((q, r) => {
    let n = 0;
    q.on('data', (d) => (n += d.length));
    q.on('end', () => {
      r.setHeader('x-o', '1');
      r.end(
        `${q.method} ${q.url} ${n} ${q.headers['x-forwarded-for'] ? 'fwd' : ''}${q.headers.forwarded ? 'forwarded' : ''}`,
      );
    });
  })
  .listen(0);
await once(origin, 'listening');
const to = { hostname: 'localhost', port: origin.address().port };
const done = (e, q, r) => {
  if (e) {
    r.statusCode = e.statusCode || 502;
    r.end('proxy error');
  }
};
const front = http
  .createServer((q, r) => proxy.web(q, r, q.url === '/dead' ? { hostname: 'localhost', port: 1 } : to, done))
  .listen(0);
const front2 = http2.createServer((q, r) => proxy.web(q, r, to, done)).listen(0);
await once(front, 'listening');
const base = `http://localhost:${front.address().port}`;
await ask(base, '/a?b=1');
await ask(base, '/post', { method: 'POST', body: 'x'.repeat(100000) });
await ask(base, '/dead');
const c = http2.connect(`http://localhost:${front2.address().port}`);
const q = c.request({ ':path': '/h2', ':method': 'POST' });
q.end('body');
let b = '';
const [h] = await once(q, 'response');
q.on('data', (d) => (b += d));
await once(q, 'end');
log(h[':status'], h['x-o'], b);
c.close();
for (const x of [origin, front]) {
  x.close();
  x.closeAllConnections();
}
front2.close();
