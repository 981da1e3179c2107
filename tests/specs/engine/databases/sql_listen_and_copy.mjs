// RT.SQL with a real server: notifications across a reconnection, COPY in both directions as streams, JSON for any column type,
// transactions and reserved connections as clients, edge cases of values, rejected options.
const url = process.env.DATABASE_URL;
const sql = new RT.SQL(url, { max: 3 });
const print = (...values) => console.log(values.map((value) => (value === undefined ? 'undefined' : JSON.stringify(value))).join(' '));
const refused = async (name, work) => {
  try { print(name, 'gives', (await work()) ?? null); } catch (error) { print(name, error.name, error.code, error.errno, error.message); }
};
const heard = [];
let wake = () => {};
const hears = (who) => (payload) => { heard.push(`${who}:${payload}`); wake(); };
const until = async (count) => { while (heard.length < count) await new Promise((resolve) => { wake = resolve; }); };
const takeAll = () => heard.splice(0).sort();

// --- listen and notify
let opened = 0;
const first = await sql.listen('news', hears('first'), () => { opened++; wake(); });
const second = await sql.listen('news', hears('second'));
const quoted = await sql.listen('Odd "name"', hears('odd'));
await sql.notify('news', 'one');
await sql.notify('Odd "name"');
await until(3);
print(opened, takeAll(), first.channel, Object.keys(first));
await second.unlisten();
await second.unlisten();
await sql.begin(async (tx) => { await tx.notify('news', 'inside'); print('before the commit', heard); });
await until(1);
print(takeAll());
// The server ends the connection: it is reestablished, with its channels.
await sql`select pg_terminate_backend(pid) from pg_stat_activity where query like 'LISTEN%' and pid <> pg_backend_pid()`;
while (opened < 2) await new Promise((resolve) => { wake = resolve; });
await sql.notify('news', 'again');
await sql.notify('Odd "name"', 'too');
await until(2);
print(opened, takeAll());
process.once('uncaughtException', (error) => { print('thrown by a listener', error.message); hears('uncaught')(''); });
const throwing = await sql.listen('throws', () => { throw new Error('mine'); });
await sql.notify('throws');
await until(1);
takeAll();
for (const each of [throwing, quoted, first]) await each.unlisten();
for (const [name, ...given] of [['listen'], ['listen', 'x'], ['listen', 5, () => {}], ['listen', 'x'.repeat(64), () => {}], ['listen', 'x', () => {}, 5], ['notify'], ['notify', ''], ['notify', 'x', {}], ['notify', 'x', 'y'.repeat(8000)]])
  await refused(`${name} ${given.length > 0 ? `${given[0]}`.slice(0, 5) : ''}`, async () => sql[name](...given));

// --- COPY
await sql`create table pairs (a int, b text)`;
{
  const query = sql`copy pairs from stdin`;
  const writer = query.writable().getWriter();
  await writer.write('1\tx\n2\t');
  await writer.write(new TextEncoder().encode('y\n'));
  await writer.close();
  print((await query).count, await sql`select * from pairs order by a`.values());
}
const read = async (stream) => { let text = ''; for await (const bytes of stream) text += Buffer.from(bytes); return text; };
print(await read(sql`copy pairs to stdout with csv`.readable()), await read(sql.unsafe('copy (select 1) to stdout').readable()));
{
  const big = 'z'.repeat(1000);
  const writer = sql`copy pairs from stdin`.writable().getWriter();
  for (let each = 0; each < 20; each++) await writer.write(`7\t${big}\n`.repeat(500));
  await writer.close();
  print((await read(sql`copy (select b from pairs where a = 7) to stdout`.readable())).length);
}
{
  const query = sql`copy (select repeat('z', 1000) from generate_series(1, 10000000)) to stdout`;
  const reader = query.readable().getReader();
  await reader.read();
  await reader.cancel();
  await refused('cancelled', () => query);
}
{
  const query = sql`copy pairs from stdin`;
  const writer = query.writable().getWriter();
  await writer.write('9\tz\n');
  await writer.abort(new Error('stop'));
  await refused('aborted', () => query);
  print((await sql`select count(*)::int n from pairs where a = 9`)[0].n);
}
const writing = (query, chunk) => async () => { const writer = query.writable().getWriter(); await writer.write(chunk); await writer.close(); };
await refused('a wrong row', writing(sql`copy pairs from stdin`, 'nonsense\n'));
await refused('a wrong chunk', writing(sql`copy pairs from stdin`, 5));
await refused('no table', writing(sql`copy nothing from stdin`, 'x'));
await refused('no COPY', writing(sql`select 1`, 'x'));
await refused('no COPY to read', () => read(sql`select 1`.readable()));
await refused('the other way', writing(sql`copy pairs to stdout`, 'x'));
await refused('the other way', () => read(sql`copy pairs from stdin`.readable()));
for (const make of [() => sql`copy pairs from stdin`, () => sql`copy (select 1) to stdout`]) for (const how of [(query) => query, (query) => query.simple()]) await refused('no stream', () => how(make()));
await refused('with values', () => read(sql`copy (select ${1}::int) to stdout`.readable()));
await refused('too late', async () => { const query = sql`select 1`; await query; return query.readable(); });
print(await sql.begin(async (tx) => { await writing(tx`copy pairs from stdin`, '3\tinside\n')(); return (await tx`select b from pairs where a = 3`)[0]; }));

// --- JSON, values at the edges, lists
print(await sql`select ${sql.json({ a: 1 })} a, ${sql.json('s')} b, ${sql.json([1])}::jsonb c, ${sql.json(null)} d, ${sql.json(undefined)} e`);
print(await sql`select ${2 ** 31} a, ${2 ** 53} b, ${2n ** 64n} c, ${new String('boxed')} d, ${new Float32Array([1])} e, ${new DataView(new ArrayBuffer(1))} f`);
print((await sql`select '0044-03-15 BC'::date a, '10000-01-01'::date b, '20000-01-01 10:00:00.5+00'::timestamptz c, '0001-01-01 00:00:00 BC'::timestamp d`)[0]);
print(await sql`select a from pairs where a in ${sql([])}`);
for (const value of [new Map(), new Set(), new Blob(['x'])]) await refused(value.constructor.name, () => sql`select ${value}`);
await refused('sql.array of none', () => sql`select ${sql.array(5)}`);
await refused('a wrong type', () => sql`select ${sql.array([1], 'x; drop')}`);
await refused('unsafe', async () => sql.unsafe('select 1', 5));
await refused('columns as a list', () => sql`insert into pairs ${sql({ a: 1 }, ['a'])}`);

// --- transactions and reserved connections are clients
await refused('begin within', () => sql.begin((tx) => tx.begin((inner) => inner`select 1`)));
await refused('begin with more', () => sql.begin('; drop', () => 1));
await refused('begin without work', () => sql.begin());
await refused('begin without work', () => sql.begin('read only'));
await refused('savepoint without work', () => sql.begin((tx) => tx.savepoint()));
await refused('read only', () => sql.begin('read only', (tx) => tx`insert into pairs values (1)`));
await refused('afterwards', async () => { let kept; await sql.begin((tx) => { kept = tx; }); return kept`select 1`; });
{
  const own = await sql.reserve();
  const both = await Promise.all([own.begin(async (tx) => { await tx`select pg_sleep(0.01)`; return (await tx`select 1 as inside`)[0]; }), own`select 2 as after`]);
  print(both);
  own.release();
  await refused('released', () => own`select 1`);
}
for (const options of [{ max: 0 }, { max: -1 }, { max: 'x' }, { idleTimeout: -1 }, { connectionTimeout: 'x' }, { maxLifetime: -1 }, { onconnect: 5 }, { onclose: 'x' }])
  await refused(JSON.stringify(options), async () => new RT.SQL(url, options).options.adapter);
await refused('sslmode', async () => new RT.SQL(`${url}?sslmode=some`));
const last = await sql.listen('last', () => {});
await sql.close();
await last.unlisten();
await refused('closed', async () => sql.listen('x', () => {}));
// --- the default client reads the environment on first use, and creates others
const usual = RT.sql;
process.env.DATABASE_URL = `${url}?application_name=late`;
print((await usual`select current_setting('application_name') as name`)[0].name, usual.options.database);
await using another = new usual(url, { max: 1 });
print((await another`select 1 as one`)[0].one, another === usual);
print('a client that listens no more keeps no program alive');
