const { format } = require('node:util');
console.log = (...values) => process.stdout.write(`${format(...values)}\n`); // as Node prints values

const { open } = require('lmdb');
const fs = require('fs');
const d = fs.mkdtempSync('./lmdb-');
const db = open({ path: d });
(async () => {
  await db.put('a', { x: 1 });
  await db.transaction(() => {
    db.put('b', [1, 2, 3]);
  });
  console.log(db.get('a'), db.get('b'), [...db.getRange({}).map((e) => e.key)]);
  for (let i = 0; i < 1000; i++) db.put('k' + i, i);
  await db.flushed;
  console.log(db.getCount());
  await db.close();
  fs.rmSync(d, { recursive: true });
})();
