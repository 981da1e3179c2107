import { HttpsProxyAgent } from 'https-proxy-agent';
import { HttpProxyAgent } from 'http-proxy-agent';
import { SocksProxyAgent } from 'socks-proxy-agent';
import axios from 'axios';
import axiosRetry from 'axios-retry';
import redaxios from 'redaxios';
import mff from 'make-fetch-happen';
import makeFetchCookie from 'fetch-cookie';
import http from 'node:http';
import net from 'node:net';
import { once } from 'node:events';
import { server, say } from './clients_server.mjs';
const { base, port, stop } = await server();
const t = say(base);
const log = [];
const prox = http.createServer((q, r) => {
  log.push(q.method);
  const u = new URL(q.url);
  http
    .request({ host: u.hostname, port: u.port, path: u.pathname, method: q.method, headers: q.headers }, (x) => {
      r.writeHead(x.statusCode, x.headers);
      x.pipe(r);
    })
    .end();
});
prox.on('connect', (q, s) => {
  log.push('CONNECT');
  const [h, p] = q.url.split(':');
  const k = net.connect(p, h, () => {
    s.write('HTTP/1.1 200 OK\r\n\r\n');
    k.pipe(s).pipe(k);
  });
  k.on('error', () => s.destroy());
  s.on('error', () => k.destroy());
});
prox.listen(0, '127.0.0.1');
await once(prox, 'listening');
const px = `http://127.0.0.1:${prox.address().port}`;
const get = (o) =>
  new Promise((res, rej) =>
    http
      .get(base + '/echo', o, (r) => {
        let d = '';
        r.on('data', (c) => (d += c)).on('end', () => res([JSON.parse(d).m, log.splice(0)]));
      })
      .on('error', rej),
  );
await t('hpa', () => get({ agent: new HttpProxyAgent(px) }));
await t('hspa', () => get({ agent: new HttpsProxyAgent(px) }));
await t('refused', () => get({ agent: new HttpProxyAgent('http://127.0.0.1:2') }));
const socks = net.createServer((s) => {
  s.once('data', () => {
    s.write(Buffer.from([5, 0]));
    s.once('data', (d) => {
      const k = net.connect(port, '127.0.0.1', () => {
        s.write(Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0]));
        s.pipe(k).pipe(s);
      });
      k.on('error', () => {});
    });
  });
  s.on('error', () => {});
});
socks.listen(0, '127.0.0.1');
await once(socks, 'listening');
await t('socks', () => get({ agent: new SocksProxyAgent(`socks5://127.0.0.1:${socks.address().port}`) }));
const a = axios.create({ baseURL: base });
axiosRetry(a, { retries: 3, retryDelay: () => 5 });
await t('axios retry', async () => (await a.get('/flaky')).data);
for (const adapter of ['http', 'fetch']) {
  await t('axios ' + adapter, async () => (await a.post('/echo', { a: 1 }, { adapter, headers: { 'X-A': '1' } })).data);
  await t('axios form ' + adapter, async () => (await a.postForm('/echo', { a: 1, f: new Blob(['x']) }, { adapter })).data);
  await t('axios 404 ' + adapter, () => a.get('/404', { adapter }));
  await t('axios timeout ' + adapter, () => a.get('/slow', { adapter, timeout: 50, 'axios-retry': { retries: 0 } }));
  await t('axios abort ' + adapter, () =>
    a.get('/slow', { adapter, signal: AbortSignal.timeout(30), 'axios-retry': { retries: 0 } }),
  );
  await t('axios refused ' + adapter, () => axios.get('http://127.0.0.1:2', { adapter }));
  await t('axios prog ' + adapter, async () => {
    let n = 0;
    await a.get('/big', { adapter, onDownloadProgress: (e) => (n = e.loaded) });
    return n;
  });
  await t('axios stream ' + adapter, async () => {
    const r = await a.get('/big', { adapter, responseType: 'stream' });
    let n = 0;
    for await (const c of r.data) n += c.length;
    return n;
  });
  await t('axios max ' + adapter, () => a.get('/big', { adapter, maxContentLength: 1000 }));
}
await t('redaxios', async () => (await redaxios.post(base + '/echo', { a: 1 })).data);
await t('redaxios 404', () => redaxios.get(base + '/404').catch((e) => e.status));
const f = mff.defaults({ retry: { retries: 3, minTimeout: 5, maxTimeout: 10 } });
await t('mff', async () => (await f(base + '/flaky')).json());
await t('mff hop', async () => {
  const r = await f(base + '/hop');
  return [r.status, r.redirected];
});
const fc = makeFetchCookie(fetch);
await t('cookie', async () => {
  await fc(base + '/hop');
  return (await (await fc(base + '/echo')).json()).cookie;
});
prox.closeAllConnections();
prox.close();
socks.close();
stop();
setTimeout(() => process.exit(), 100);
