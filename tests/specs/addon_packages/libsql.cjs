const { format } = require('node:util');
console.log = (...values) => process.stdout.write(`${format(...values)}\n`); // as Node prints values

const { createClient } = require('@libsql/client');
(async () => {
  const c = createClient({ url: ':memory:' });
  await c.batch(['create table t(a integer,b text)', { sql: 'insert into t values(?,?)', args: [1, 'x'] }], 'write');
  const r = await c.execute('select * from t');
  console.log(r.columns, r.rows, r.rowsAffected);
  const tx = await c.transaction('write');
  await tx.execute("insert into t values(2,'y')");
  await tx.rollback();
  console.log((await c.execute('select count(*) n from t')).rows[0].n);
  await c.execute('select nope').catch((e) => console.log(e.code, e.message));
  c.close();
})();
