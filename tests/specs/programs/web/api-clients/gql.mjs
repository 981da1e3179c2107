import { GraphQLClient, gql, request, rawRequest } from 'graphql-request';
import { server, say } from './clients_server.mjs';
const { base, stop } = await server();
const t = say(base);
const c = new GraphQLClient(base + '/graphql', { headers: { a: '1' } });
await t('q', () =>
  c.request(
    gql`
      query ($n: Int) {
        hello(n: $n)
      }
    `,
    { n: 5 },
  ),
);
await t('raw', async () => {
  const r = await rawRequest(base + '/graphql', '{ hello }');
  return [r.status, r.data, r.headers.get('x-h')];
});
await t('fail', async () => {
  try {
    await request(base + '/graphql', '{ fail }');
  } catch (e) {
    return [e.name, e.response.errors, e.response.status];
  }
});
await t('all', () =>
  c
    .request('{ hello }')
    .then(async (a) => [a, await new GraphQLClient(base + '/graphql', { errorPolicy: 'all' }).request('{ fail }')]),
);
await t('abort', () => c.request({ document: '{ hello }', signal: AbortSignal.abort() }));
await t('refused', () => request('http://127.0.0.1:2/', '{ a }'));
stop();
