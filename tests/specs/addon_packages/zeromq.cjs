const { format } = require('node:util');
console.log = (...values) => process.stdout.write(`${format(...values)}\n`); // as Node prints values

const z = require('zeromq');
(async () => {
  const r = new z.Reply(),
    q = new z.Request();
  await r.bind('tcp://127.0.0.1:*');
  q.connect(r.lastEndpoint);
  (async () => {
    for await (const [m] of r) {
      await r.send('re:' + m);
    }
  })().catch((e) => console.log(e.message));
  await q.send('one');
  console.log(String((await q.receive())[0]));
  await q.send('two');
  console.log(String((await q.receive())[0]));
  console.log(z.version, Object.keys(z.capability));
  try {
    q.connect('bogus');
  } catch (e) {
    console.log(e.message, e.code);
  }
  const p = new z.Publisher(),
    s = new z.Subscriber();
  await p.bind('inproc://x');
  s.connect('inproc://x');
  s.subscribe('');
  await new Promise((r) => setTimeout(r, 100));
  await p.send(['t', 'm']);
  console.log((await s.receive()).map(String));
  for (const c of [r, q, p, s]) c.close();
})();
