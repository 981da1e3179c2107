import ky from 'ky';
import { server, say } from './clients_server.mjs';
const { base, stop } = await server();
const t = say(base);
const api = ky.create({ prefixUrl: base, prefix: base, retry: { limit: 3, delay: () => 5 }, timeout: 500 });
await t('get', () => api.get('echo', { searchParams: { a: 1 } }).json());
await t('post', () => api.post('echo', { json: { a: 1 } }).json());
await t('flaky', () => api.get('flaky').json());
await t('404', () => api.get('404').json());
await t('timeout', () => api.get('slow', { retry: 0 }).json());
await t('bad', () => api.get('bad').json());
await t('form', () => {
  const f = new FormData();
  f.append('a', '1');
  return api.post('echo', { body: f }).json();
});
await t('progress', async () => {
  let n = 0;
  const b = await api
    .get('big', {
      onDownloadProgress: (p, c) => {
        n = p.transferredBytes;
      },
    })
    .arrayBuffer();
  return [n, b.byteLength];
});
await t('hooks', () =>
  api
    .get('echo', {
      hooks: { beforeRequest: [({ request, options } = {}) => {}], afterResponse: [() => new Response('{"mine":1}')] },
    })
    .json(),
);
await t('abort', () => {
  const c = new AbortController();
  setTimeout(() => c.abort(), 20);
  return api.get('slow', { signal: c.signal, retry: 0 }).json();
});
await t('hop', () => api.get('hop').json());
await t('refused', () => ky.get('http://127.0.0.1:2/', { retry: 0 }));
await t('upload', async () => {
  let n = 0;
  const r = await api
    .post('echo', {
      body: 'x'.repeat(100000),
      onUploadProgress: (p) => {
        n = p.transferredBytes;
      },
    })
    .json();
  return [n, r.b];
});
stop();
