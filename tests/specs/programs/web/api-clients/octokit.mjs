import { Octokit } from '@octokit/rest';
import { server, say } from './clients_server.mjs';
const { base, stop } = await server();
const t = say(base);
const log = { debug() {}, info() {}, warn() {}, error() {} };
const o = new Octokit({ baseUrl: base, auth: 'tok', log });
await t('get', async () => {
  const r = await o.rest.repos.get({ owner: 'a', repo: 'b' });
  return [r.status, r.data, r.headers.etag];
});
await t('paginate', async () => (await o.paginate(o.rest.issues.listForRepo, { owner: 'a', repo: 'b' })).map((x) => x.number));
await t('404', () => o.rest.repos.get({ owner: 'a', repo: 'none' }));
await t('iter', async () => {
  const r = [];
  for await (const p of o.paginate.iterator(o.rest.issues.listForRepo, { owner: 'a', repo: 'b' })) r.push(p.data.length);
  return r;
});
await t('abort', () => o.request('GET /slow', { request: { signal: AbortSignal.timeout(30) } }));
stop();
