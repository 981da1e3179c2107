const { format } = require('node:util');
console.log = (...values) => process.stdout.write(`${format(...values)}\n`); // as Node prints values

const { ClassicLevel } = require('classic-level');
const fs = require('fs');
const d = fs.mkdtempSync('./level-');
(async () => {
  const db = new ClassicLevel(d, { valueEncoding: 'json' });
  await db.put('a', { x: 1 });
  await db.batch([
    { type: 'put', key: 'b', value: 2 },
    { type: 'put', key: 'c', value: 3 },
  ]);
  console.log(await db.get('a'), await db.get('zz'));
  for await (const [k, v] of db.iterator()) console.log(k, v);
  const s = db.snapshot?.();
  await db.del('a');
  console.log(await db.keys().all());
  await s?.close();
  await db.close();
  await db.get('a').catch((e) => console.log(e.code));
  fs.rmSync(d, { recursive: true });
})();
