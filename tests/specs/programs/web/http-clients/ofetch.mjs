import { ofetch, FetchError } from 'ofetch';
import { server, say } from './clients_server.mjs';
const { base, stop } = await server();
const t = say(base);
await t('get', () => ofetch('/echo', { baseURL: base, query: { a: 1 } }));
await t('post', () => ofetch(base + '/echo', { method: 'POST', body: { a: 1 } }));
await t('404', () => ofetch(base + '/404'));
await t('flaky', () => ofetch(base + '/flaky', { retry: 3, retryDelay: 5 }));
await t('timeout', () => ofetch(base + '/slow', { timeout: 50, retry: 0 }));
await t('raw', async () => {
  const r = await ofetch.raw(base + '/text');
  return [r.status, r._data];
});
await t('refused', () => ofetch('http://127.0.0.1:2/', { retry: 0 }));
await t('stream', async () => {
  const s = await ofetch(base + '/text', { responseType: 'stream' });
  return new Response(s).text();
});
await t('blob', async () => (await ofetch(base + '/big', { responseType: 'blob' })).size);
stop();
