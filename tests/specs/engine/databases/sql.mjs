// RT.SQL with a real server: types in both directions, templates with rows, names, lists and fragments, transactions, prepared
// statements and their invalidation, the pool, cancellation, errors, rejected arguments.
const url = process.env.DATABASE_URL;
const sql = new RT.SQL(url, { max: 3 });
const print = (...values) => console.log(values.map((value) => (value === undefined ? 'undefined' : JSON.stringify(value))).join(' '));
const refused = async (work) => {
  try { print('not refused', await work()); } catch (error) { print(error.name, error.code, error.errno, error.message, error.constraint); }
};

print(await sql`select 1::int2 a, 2::int4 b, 3::int8 c, 1.5::float8 d, 1.25::numeric e, true f, 'x'::text g, '{"a":1}'::json h, '[1]'::jsonb i`);
print(await sql`select '2020-01-02'::date a, '2020-01-02 03:04:05.678'::timestamp b, '2020-01-02 03:04:05+02'::timestamptz c, '\\x0102'::bytea d, null e`);
print(await sql`select '{1,2}'::int4[] a, '{a,"b,c",NULL,"q\\"\\\\"}'::text[] b, '{{1,2},{3,4}}'::int[] c, 'a1b2c3d4-0000-0000-0000-000000000000'::uuid d, '1 day'::interval e`);
print(await sql`select ${1} a, ${'x'} b, ${true} c, ${null} d, ${2.5} e, ${new Uint8Array([1, 255])} f, ${{ q: 1 }}::json g, ${new Date(0)}::timestamptz h, ${[1, 2]}::int[] i`);
print(await sql`select ${sql.array([1, 2])} a, ${sql.array(['x', 'y"'], 'TEXT')} b, 2 = any(${sql.array([1, 2])}) c`);
print(typeof (await new RT.SQL(url, { bigint: true, max: 1 })`select 9007199254740993::int8 n`)[0].n);

await sql`create table users (id serial primary key, name text unique, n int)`.simple();
print(await sql`insert into users ${sql({ name: 'a', n: 1 })} returning *`);
print(await sql`insert into users ${sql([{ name: 'b', n: 2 }, { name: 'c', n: 3 }])} returning id`);
print((await sql`insert into users ${sql({ name: 'd', n: 4, other: 5 }, 'name', 'n')}`).count);
print(await sql`update users set ${sql({ name: 'aa' })} where id = ${1} returning name`);
print(await sql`select ${sql('name')} from ${sql('users')} where n in ${sql([1, 2])} ${true ? sql`order by n desc` : sql``}`);
print(await sql`select n, name from users order by n limit 2`.values());
const updated = await sql`update users set n = n`;
print(updated.count, updated.command, updated.length);
print(await sql`select 1 a; select 2 b`.simple(), await sql.unsafe('select $1::int + 1 as x', [41]));
print((await sql`select ${"'; drop table users; --"} as text`)[0].text);

print(await sql.begin(async (tx) => { await tx`insert into users (name, n) values ('t', 100)`; return tx`select count(*)::int c from users`; }));
await refused(() => sql.begin(async (tx) => { await tx`insert into users (name, n) values ('r', 101)`; throw new Error('back'); }));
await refused(() => sql.begin(async (tx) => { await tx`insert into users (name, n) values ('r', 102)`; await tx`insert into users (name) values ('aa')`; }));
print(await sql.begin(async (tx) => {
  await tx.savepoint(async (point) => { await point`insert into users (n) values (200)`; throw new Error('only this'); }).catch((error) => print(error.message));
  return [tx`select count(*)::int c from users where n >= 100`, tx`select 1 one`];
}));
{
  using mine = await sql.reserve();
  print((await mine`select 5 as five`)[0].five);
}
await refused(() => sql`selec 1`);
const own = await sql.reserve();
await own`set application_name = 'mine'`;
print(await own`show application_name`);
own.release();

// A statement whose columns change is prepared again.
const all = () => sql`select * from users where id = 1`;
await Promise.all([all(), all(), all()]);
await sql`alter table users add column more text default 'm'`;
print((await Promise.all([all(), all(), all()])).every(([row]) => row.more === 'm'));

print((await Promise.all(Array.from({ length: 50 }, (_, i) => sql`select ${i}::int i`))).map(([row]) => row.i).join() === Array.from({ length: 50 }, (_, i) => i).join());
const open = await sql`select count(*)::int c from pg_stat_activity where application_name in ('rt', 'mine') and datname = current_database()`;
print(open[0].c <= 4);
const slow = sql`select pg_sleep(60)`.execute();
const watching = setInterval(() => slow.cancel(), 20);
await refused(() => slow);
clearInterval(watching);
const never = sql`select 1`;
never.cancel();
await refused(() => never);

await refused(() => sql`select nope from users`);
await refused(() => sql`insert into users (name) values ('aa')`);
await refused(() => sql`begin`);
await refused(() => sql('users'));
await refused(() => sql`select ${() => {}}`);
await refused(() => sql`select ${'a\0b'}`);
print((await sql`select 'goes on' as it`)[0].it);
// The server ends connections: the next query opens a new one.
await sql`select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and application_name in ('rt', 'mine')`;
print((await sql`select 2 as two`)[0].two);
await sql.close();
await refused(() => sql`select 1`);
await refused(() => new RT.SQL(url.replace(':secret@', ':wrong@'))`select 1`);
await refused(() => new RT.SQL('postgres://rt@127.0.0.1:1/x')`select 1`);
await refused(async () => new RT.SQL('mysql://localhost/x'));
print((await RT.sql`select current_user as me`)[0].me, (await RT.postgres`select 1 as one`)[0].one);
print('an idle client keeps no program alive');
