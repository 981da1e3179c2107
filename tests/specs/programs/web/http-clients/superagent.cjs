const request = require('superagent');
(async () => {
  const { server, say } = await import('./clients_server.mjs');
  const { base, stop } = await server();
  const t = say(base);
  await t('get', () =>
    request
      .get(base + '/echo')
      .query({ a: 1 })
      .set('X-A', '1')
      .then((r) => r.body),
  );
  await t('post', () =>
    request
      .post(base + '/echo')
      .send({ a: 1 })
      .then((r) => r.body),
  );
  await t('form', () =>
    request
      .post(base + '/echo')
      .type('form')
      .send({ a: 1 })
      .then((r) => r.body),
  );
  await t('attach', () =>
    request
      .post(base + '/echo')
      .field('a', '1')
      .attach('f', Buffer.from('x'), 'n.txt')
      .then((r) => r.body),
  );
  await t('404', () => request.get(base + '/404'));
  await t('hop', () => request.get(base + '/hop').then((r) => [r.body, r.redirects]));
  await t('agent', async () => {
    const a = request.agent();
    await a.get(base + '/hop');
    return (await a.get(base + '/echo')).body.cookie;
  });
  await t('timeout', () => request.get(base + '/slow').timeout(50));
  await t('retry', () =>
    request
      .get(base + '/flaky')
      .retry(3)
      .then((r) => r.body),
  );
  await t('auth', () =>
    request
      .get(base + '/echo')
      .auth('u', 'p')
      .then((r) => r.body.auth),
  );
  await t('buffer', () =>
    request
      .get(base + '/big')
      .buffer(true)
      .parse(request.parse.image)
      .then((r) => r.body.length),
  );
  await t(
    'pipe',
    () =>
      new Promise((res, rej) => {
        const { PassThrough } = require('stream');
        const p = new PassThrough();
        let n = 0;
        p.on('data', (d) => (n += d.length)).on('end', () => res(n));
        request.get(base + '/big').pipe(p);
      }),
  );
  await t('cut', () => request.get(base + '/cut'));
  await t('refused', () => request.get('http://127.0.0.1:2'));
  await t('abort', () => {
    const r = request.get(base + '/slow');
    setTimeout(() => r.abort(), 20);
    return Promise.race([r, new Promise((s) => setTimeout(s, 100, 'aborted'))]);
  });
  stop();
})();
