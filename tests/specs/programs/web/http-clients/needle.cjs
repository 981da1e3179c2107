const needle = require('needle');
(async () => {
  const { server, say } = await import('./clients_server.mjs');
  const { base, stop } = await server();
  const t = say(base);
  await t('get', async () => (await needle('get', base + '/echo?a=1')).body);
  await t('post', async () => (await needle('post', base + '/echo', { a: 1, b: { c: 2 } })).body);
  await t('json', async () => (await needle('post', base + '/echo', { a: 1 }, { json: true })).body);
  await t(
    'multipart',
    async () =>
      (
        await needle(
          'post',
          base + '/echo',
          { f: { buffer: Buffer.from('x'), filename: 'n', content_type: 'a/b' } },
          { multipart: true },
        )
      ).body,
  );
  await t('follow', async () => (await needle('get', base + '/hop', { follow_max: 2 })).body.u);
  await t('404', async () => (await needle('get', base + '/404')).statusCode);
  await t('timeout', () => needle('get', base + '/slow', { response_timeout: 50 }));
  await t(
    'stream',
    () =>
      new Promise((res) => {
        let n = 0;
        const s = needle.get(base + '/big');
        s.on('readable', function () {
          let c;
          while ((c = this.read())) n += c.length;
        });
        s.on('done', () => res(n));
      }),
  );
  await t('gzip', async () => (await needle('get', base + '/text', { compressed: true })).body);
  await t('refused', () => needle('get', 'http://127.0.0.1:2'));
  await t('auth', async () => (await needle('get', base + '/echo', { username: 'u', password: 'p' })).body.auth);
  stop();
})();
