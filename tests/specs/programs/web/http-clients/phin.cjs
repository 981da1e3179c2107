(async () => {
  const m = require('phin');
  const phin = m.phin ?? m.default ?? m;
  const { server, say } = await import('./clients_server.mjs');
  const { base, stop } = await server();
  const t = say(base);
  await t('get', async () => `${(await phin({ url: base + '/text' })).body}`);
  await t(
    'json',
    async () => (await phin({ url: base + '/echo', method: 'POST', data: { a: 1 }, body: undefined, parse: 'json' })).body,
  );
  await t('hop', async () => (await phin({ url: base + '/hop', followRedirects: true, parse: 'json' })).statusCode);
  await t('timeout', () => phin({ url: base + '/slow', timeout: 50 }));
  await t('refused', () => phin({ url: 'http://127.0.0.1:2' }));
  stop();
})();
