// Further parts of node:sqlite: settings, iterators, functions, aggregates, changesets, the authorizer, tagged
// statements, limits, bytes, backup.
process.removeAllListeners('warning');
const { inspect } = require('node:util');
const { DatabaseSync, StatementSync, Session, constants, backup } = require('node:sqlite');
const say = (name, work) => {
  let said;
  try {
    said = inspect(work());
  } catch (error) {
    said = [error.name, error.code, error.message, error.errcode, error.errstr].join(' ; ');
  }
  console.log(name, said);
};
const db = new DatabaseSync(':memory:');
db.exec('create table t(a integer primary key, b)');
const insert = db.prepare('insert into t(b) values(?)');
say('run', () => insert.run(1));
for (const name of ['run', undefined, 'nope', {}]) say('stat', () => insert.stat(name));
say('stats reset', () => [insert.resetStats(), insert.stat('run')]);
for (const each of ['close', 'run', 'close', 'columns', 'resetStats']) say(`closed ${each}`, () => insert[each]());
say('disposed', () => insert[Symbol.dispose]());
say('its text', () => insert.sourceSQL);
for (const name of ['main', undefined, 'nope', 5]) say('serialize', () => db.serialize(name).length);
const bytes = db.serialize();
const copy = new DatabaseSync(':memory:');
say('deserialize', () => [copy.deserialize(bytes), copy.prepare('select * from t').all()]);
for (const args of [[5], [bytes, { dbName: 5 }], [bytes, 5], [bytes.buffer], [new Uint8Array(0)]]) {
  say('deserialize', () => copy.deserialize(...args));
}
say('no database', () => [copy.deserialize(new Uint8Array(3)), copy.prepare('select * from t').all()]);
for (const value of [5, undefined, false]) say('defensive', () => db.enableDefensive(value));
for (const value of [true, 5]) say('load', () => db.enableLoadExtension(value));
say('load', () => db.loadExtension('x'));
const loads = new DatabaseSync(':memory:', { allowExtension: true });
for (const value of ['/nope', 5]) say('load', () => loads.loadExtension(value));
for (const text of ['', '-- x', 'select 1; select 2']) say('text', () => db.prepare(text).all());
for (const options of [5, null, undefined]) say('options', () => db.prepare('select 1 a', options).get());
say('iterator', () => {
  const it = db.prepare('select 1 a').iterate();
  return [it.next(), it.next(), it.return(), it, it[Symbol.toStringTag]];
});
say('classes', () => new StatementSync());
say('classes', () => new Session());
say('classes', () => DatabaseSync());
say('receivers', () => DatabaseSync.prototype.exec.call({}, 'x'));
say('receivers', () => StatementSync.prototype.run.call({}));
say('shown', () => [db, db.prepare('select 1'), Object.keys(db), Object.keys(StatementSync.prototype)]);
const values = [true, false, undefined, -0, NaN, 2n ** 63n, new ArrayBuffer(2), 'a\0b', 'a\ud800b', new Date(0), Symbol(), () => {}, new Float32Array(1)];
for (const value of values) say('value', () => db.prepare('select ? a, typeof(?) b').get(value, value));
say('first', () => db.prepare('select ? a').get(() => {}));
say('places', () => db.prepare('select ? a, $b b, ? c').get({ b: 5 }, 1, 2));
say('places', () => db.prepare('select ? a, $b b, ? c').get(1, 2));
say('places', () => db.prepare('select ?2 a, ?1 b').get(1, 2));
say('places', () => db.prepare('select ?2 a, ?1 b').get({ 1: 5 }));
say('too many', () => db.prepare('select ? a').get(1, 2));
say('too many', () => db.prepare('select $a a').get({ a: 1 }, 2));
db.function('twice', (x) => x * 2);
db.function('many', { varargs: true }, (...all) => all.length);
db.function('large', { useBigIntArguments: true }, (x) => `${typeof x} ${x}`);
say('functions', () => db.prepare('select twice(2) a, many(1, 2, 3) b, large(5) c').get());
db.function('yes', () => true);
say('functions', () => db.prepare('select yes()').get());
db.function('closes', () => db.close());
say('functions', () => db.prepare('select closes()').get());
let again;
db.function('again', () => again.get());
again = db.prepare('select again()');
say('functions', () => again.get());
db.function('fails', () => {
  throw new RangeError('mine');
});
say('functions', () => db.exec('select fails()'));
db.aggregate('total', { start: 0, step: (sum, x) => sum + x, inverse: (sum, x) => sum - x, result: (sum) => `${sum}` });
say('aggregate', () => db.prepare('with n(x) as (values (1), (2), (3)) select total(x) t from n').get());
say('aggregate', () => db.prepare('with n(x) as (values (1), (2), (3)) select total(x) over (rows 1 preceding) t from n').all());
say('aggregate', () => db.aggregate('a'));
const asked = [];
db.setAuthorizer((...args) => {
  asked.push(args);
  return constants.SQLITE_OK;
});
say('authorizer', () => [db.prepare('select b from t').all(), asked]);
for (const answer of ['x', 3, 1]) {
  db.setAuthorizer(() => answer);
  say('authorizer', () => db.exec('select 1'));
}
db.setAuthorizer(null);
const sql = db.createTagStore(1);
say('tags', () => [sql.get`select ${1} a, ${'x'} b`, sql.all`select ${2} a, ${'y'} b`, sql.size, sql.capacity, sql]);
say('tags', () => sql.all`select ${{}}`);
for (const size of ['x', 0, -1]) say('tags', () => db.createTagStore(size));
const session = db.createSession();
db.exec("insert into t values (7, 'seven')");
const changes = session.changeset();
say('session', () => [changes.length, session.patchset().length, session.close(), session]);
say('session', () => session.changeset());
const other = new DatabaseSync(':memory:');
other.exec("create table t(a integer primary key, b); insert into t values (7, 'other')");
say('apply', () => [other.applyChangeset(changes), other.prepare('select * from t').all()]);
const replace = { onConflict: () => constants.SQLITE_CHANGESET_REPLACE };
say('apply', () => [other.applyChangeset(changes, replace), other.prepare('select * from t').all()]);
say('apply', () => other.applyChangeset(new Uint8Array([1, 2, 3])));
say('limits', () => ({ ...db.limits }));
for (const value of [-1, 'x', null, 1.5]) say('limits', () => (db.limits.column = value));
say('limits', () => [(db.limits.attach = 0), db.exec("attach ':memory:' as x")]);
db.limits.attach = Infinity;
say('limits', () => new DatabaseSync(':memory:', { limits: { length: -1 } }));
(async () => {
  const seen = [];
  const pages = await backup(db, 'copy.db', { rate: 1, progress: (each) => seen.push(each) });
  say('backup', () => [pages, seen, new DatabaseSync('copy.db', { readOnly: true }).prepare('select count(*) n from t').get()]);
  await backup(db, '/nonexistent/x').catch((error) => console.log(error.code, error.message, error.errcode));
  await backup(db, 'x.db', { source: 'nope' }).catch((error) => console.log(error.code, error.message));
  db.close();
  say('closed', () => [db.isOpen, db[Symbol.dispose]()]);
  for (const name of ['limits', 'isTransaction']) say('closed', () => db[name].length);
  say('again', () => [db.open(), db.isOpen, db.prepare('select 1 a').get()]);
})();
