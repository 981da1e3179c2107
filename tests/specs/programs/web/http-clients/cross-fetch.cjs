const fetch = require('cross-fetch');
(async () => {
  const { server, say } = await import('./clients_server.mjs');
  const { base, stop } = await server();
  const t = say(base);
  for (const [n, f, o] of [['cross', fetch, fetch]]) {
    await t(n + ' get', async () => (await f(base + '/echo?a=1')).json());
    await t(n + ' post', async () =>
      (await f(base + '/echo', { method: 'POST', body: new URLSearchParams({ a: '1' }), headers: { 'X-A': 'z' } })).json(),
    );
    await t(n + ' 404', async () => (await f(base + '/404')).status);
    await t(n + ' hop', async () => {
      const r = await f(base + '/hop');
      return [r.url, r.redirected];
    });
    await t(n + ' manual', async () => {
      const r = await f(base + '/hop', { redirect: 'manual' });
      return [r.status, r.headers.get('location')];
    });
    await t(n + ' error', () => f(base + '/hop', { redirect: 'error' }));
    await t(n + ' abort', () => {
      const c = new AbortController();
      setTimeout(() => c.abort(), 20);
      return f(base + '/slow', { signal: c.signal });
    });
    await t(n + ' stream', async () => {
      let k = 0;
      for await (const c of (await f(base + '/big')).body) k += c.length;
      return k;
    });
    if (n !== 'cross' && n !== 'nf2') await t(n + ' cut', async () => (await f(base + '/cut')).text());
    await t(n + ' bad', async () => (await f(base + '/bad')).json());
    await t(n + ' refused', () => f('http://127.0.0.1:2'));
    await t(n + ' up', async () =>
      (await f(base + '/echo', { method: 'POST', body: require('stream').Readable.from(['a', 'b']) })).json(),
    );
    await t(n + ' headers', () => [...new o.Headers({ a: '1', B: '2' })]);
    await t(n + ' clone', async () => {
      const r = await f(base + '/text');
      const c = r.clone();
      return Promise.all([r.text(), c.text()]);
    });
  }
  stop();
})();
