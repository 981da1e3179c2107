const { format } = require('node:util');
console.log = (...values) => process.stdout.write(`${format(...values)}\n`); // as Node prints values

const D = require('better-sqlite3');
const db = new D(':memory:');
db.pragma('journal_mode=WAL');
db.exec('create table t(a integer primary key,b text,c blob)');
const ins = db.prepare('insert into t(b,c) values(?,?)');
const tx = db.transaction((rows) => {
  for (const r of rows) ins.run(r, Buffer.from(r));
});
tx(['x', 'y', 'z']);
console.log(db.prepare('select * from t').all());
console.log(db.prepare('select count(*) n from t').pluck().get());
db.function('add2', (a, b) => a + b);
console.log(db.prepare('select add2(1,2) as s').get());
db.aggregate('addAll', { start: 0, step: (t, n) => t + n });
console.log(db.prepare('select addAll(a) s from t').get());
for (const r of db.prepare('select b from t').iterate()) console.log(r);
try {
  db.exec('select * from nope');
} catch (e) {
  console.log(e.name, e.code, e.message);
}
try {
  ins.run(1, 2, 3);
} catch (e) {
  console.log(e.name, e.message);
}
db.function('boom', () => {
  throw new Error('from js');
});
try {
  db.prepare('select boom()').get();
} catch (e) {
  console.log(e.message);
}
console.log(db.prepare('select 9007199254740993 as n').safeIntegers().get());
console.log(db.serialize().length);
db.close();
try {
  db.exec('x');
} catch (e) {
  console.log(e.message);
}
