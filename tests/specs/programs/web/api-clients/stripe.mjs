import Stripe from 'stripe';
import { server, say } from './clients_server.mjs';
const { base, port, stop } = await server();
const t = say(base);
for (const [n, o] of [
  ['http', {}],
  ['fetch', { httpClient: Stripe.createFetchHttpClient() }],
]) {
  const s = new Stripe('sk_test_x', { host: '127.0.0.1', port, protocol: 'http', maxNetworkRetries: 0, telemetry: false, ...o });
  await t(n + ' create', async () => {
    const r = await s.customers.create({ email: 'a@b', metadata: { k: 'v' } });
    return [r.id, r.got, r.lastResponse.statusCode];
  });
  await t(n + ' list', async () => {
    const r = [];
    for await (const c of s.customers.list({ limit: 1 })) r.push(c.id);
    return r;
  });
  await t(n + ' card', () => s.charges.create({ amount: 1, currency: 'x' }));
  await t(n + ' refused', () =>
    new Stripe('k', { host: '127.0.0.1', port: 2, protocol: 'http', maxNetworkRetries: 0, ...o }).customers.list(),
  );
}
await t('hook async', async () => {
  const s = new Stripe('k');
  const payload = '{"id":"e","object":"event"}';
  const header = await s.webhooks.generateTestHeaderStringAsync({
    payload,
    secret: 'w',
    cryptoProvider: Stripe.createSubtleCryptoProvider(),
  });
  return (await s.webhooks.constructEventAsync(payload, header, 'w', undefined, Stripe.createSubtleCryptoProvider())).id;
});
stop();
