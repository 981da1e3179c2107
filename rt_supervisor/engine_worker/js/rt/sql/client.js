'use strict';
// Owns: RT.SQL, RT.sql and RT.postgres: what a program calls to ask PostgreSQL, transactions with savepoints, and connections of its own.
// A client is a function: a template is a query, anything else in its parentheses a part of one.

const { AnyThen } = require('internal/any_kind');
const { PromiseAll, PromiseResolve } = require('internal/promises');
const {
  ArrayIsArray,
  ArraySome,
  ObjectDefineProperty,
  ObjectGetOwnPropertyDescriptor,
  ObjectSetPrototypeOf,
  ReflectOwnKeys,
  RegExpTest,
  StringReplaceAll,
  intact,
} = require('internal/primordials');
const { PostgresError, SQLError, failure } = require('rt/sql/errors');
const { optionsOf } = require('rt/sql/options');
const { Pool } = require('rt/sql/pool');
const { ArrayValue, Helper, Query } = require('rt/sql/query');

/** A function that makes queries, which `run(query)` carries out; it has the members of `members`. */
function clientOf(run, members, prototype) {
  const sql = (strings, ...values) => {
    if (ArrayIsArray(strings) && ArrayIsArray(strings.raw)) return new Query(run, strings, values);
    if (typeof strings === 'string' || (typeof strings === 'object' && strings !== null)) return new Helper(strings, values);
    throw failure('NOT_TAGGED_CALL', 'Query not called as a tagged template literal');
  };
  ObjectSetPrototypeOf(sql, prototype);
  const all = {
    unsafe: (text, values = []) => {
      const query = new Query(run, `${text}`, [...intact(values)]);
      return values.length === 0 ? query.simple() : query;
    },
    file: (path, values = []) => {
      const text = require('node/module/builtins').load('fs').promises.readFile(path, 'utf8');
      return AnyThen(text, (read) => all.unsafe(read, values));
    },
    array: (values, type = undefined) => new ArrayValue(values, type),
    notify: (channel, payload = '') => new Query(run, 'SELECT pg_notify($1, $2)', [channel, payload]),
    ...members,
  };
  for (const name of intact(ReflectOwnKeys(all))) {
    const descriptor = ObjectGetOwnPropertyDescriptor(all, name);
    ObjectDefineProperty(sql, name, { __proto__: null, ...descriptor, enumerable: true, configurable: true });
  }
  return sql;
}

const jobOf = (query) => {
  const { text, values } = query.built();
  const isSimple = query.isSimple;
  if (isSimple && values.length > 0) throw failure('SYNTAX_ERROR', 'A simple query takes no values');
  return { text, values, isSimple, mode: query.mode };
};

/** Queries over one connection, one after the other. */
function serially(connection) {
  let last = PromiseResolve();
  let isOver = false;
  const run = async (query) => {
    if (isOver) throw failure('CONNECTION_CLOSED', 'This connection has been given back');
    const job = jobOf(query);
    const before = last;
    let free;
    last = new Promise((resolve) => {
      free = resolve;
    });
    await before;
    try {
      if (query.cancelled) throw failure('QUERY_CANCELLED', 'Query cancelled');
      query.stop = () => connection.cancel();
      return await connection.run(job);
    } finally {
      free();
    }
  };
  return {
    run,
    command: (text) => run(new Query(run, text, []).simple()),
    end: () => {
      isOver = true;
      return last;
    },
  };
}

/** Carry out `work` between BEGIN and COMMIT, or ROLLBACK where it fails. */
async function transaction(connection, begin, commit, rollback, work) {
  const serial = serially(connection);
  let points = 0;
  const savepoint = async (name, body) => {
    if (typeof name === 'function') [name, body] = intact([undefined, name]);
    if (typeof body !== 'function') throw new TypeError('savepoint takes a function');
    const point = `"${StringReplaceAll(`${name ?? 's'}${points++}`, '"', '""')}"`;
    await serial.command(`SAVEPOINT ${point}`);
    try {
      const result = await settled(body(tx));
      await serial.command(`RELEASE SAVEPOINT ${point}`);
      return result;
    } catch (error) {
      await serial.command(`ROLLBACK TO SAVEPOINT ${point}`);
      throw error;
    }
  };
  const tx = clientOf(serial.run, { savepoint }, SQL.prototype);
  await serial.command(begin);
  let result;
  try {
    result = await settled(work(tx));
  } catch (error) {
    if (!connection.isGone) await serial.command(rollback);
    await serial.end();
    throw error;
  }
  await serial.command(commit);
  await serial.end();
  return result;
}
const settled = async (value) => {
  const result = await value;
  return ArrayIsArray(result) && ArraySome(result, (each) => each instanceof Query) ? PromiseAll(result) : result;
};

function checkedName(name) {
  if (typeof name !== 'string' || !RegExpTest(/^[\w.:-]+$/, name)) throw new TypeError('A distributed transaction needs a name');
  return name;
}

function SQL(first = undefined, second = undefined) {
  const options = optionsOf(first, second);
  const pool = new Pool(options);
  arguments[2]?.(pool);

  const run = async (query) => {
    const job = jobOf(query);
    if (options.max > 1 && RegExpTest(/^\s*(?:begin|start\s+transaction)\b/i, job.text))
      throw failure('UNSAFE_TRANSACTION', 'Only use sql.begin, sql.reserved or max: 1');
    const connection = await pool.acquire();
    try {
      if (query.cancelled) throw failure('QUERY_CANCELLED', 'Query cancelled');
      query.stop = () => connection.cancel();
      return await connection.run(job);
    } finally {
      query.stop = undefined;
      pool.release(connection);
    }
  };
  const within = async (begin, commit, rollback, work) => {
    if (typeof work !== 'function') throw new TypeError('A transaction takes a function');
    const connection = await pool.acquire();
    try {
      return await transaction(connection, begin, commit, rollback, work);
    } finally {
      pool.release(connection);
    }
  };
  const begin = (how, work) => {
    if (typeof how === 'function') [how, work] = intact(['', how]);
    return within(`BEGIN ${how}`, 'COMMIT', 'ROLLBACK', work);
  };
  const distributed = (name, work) => {
    const said = checkedName(name);
    return within('BEGIN', `PREPARE TRANSACTION '${said}'`, 'ROLLBACK', work);
  };
  const reserve = async () => {
    const connection = await pool.acquire();
    const serial = serially(connection);
    const release = async () => {
      await serial.end();
      pool.release(connection);
    };
    return clientOf(serial.run, { release, [Symbol.dispose]: release, [Symbol.asyncDispose]: release }, SQL.prototype);
  };
  const close = (settings) => pool.close(settings ?? {});
  const sql = clientOf(
    run,
    {
      options,
      connect: async () => {
        pool.release(await pool.acquire());
        return sql;
      },
      begin,
      transaction: begin,
      beginDistributed: distributed,
      distributed,
      commitDistributed: (name) => sql.unsafe(`COMMIT PREPARED '${checkedName(name)}'`),
      rollbackDistributed: (name) => sql.unsafe(`ROLLBACK PREPARED '${checkedName(name)}'`),
      reserve,
      flush() {},
      close,
      end: close,
    },
    SQL.prototype,
  );
  ObjectDefineProperty(sql, Symbol.asyncDispose, { __proto__: null, value: () => close(), configurable: true });
  return sql;
}
ObjectSetPrototypeOf(SQL.prototype, Function.prototype);
SQL.SQLError = SQLError;
SQL.PostgresError = PostgresError;

let shared;
let sharedPool;
const usual = () => (shared ??= SQL(undefined, undefined, (pool) => (sharedPool = pool)));

module.exports = {
  SQL,
  warm(failed, done) {
    usual();
    sharedPool.warm(failed, done);
  },
  get sql() {
    return usual();
  },
  get postgres() {
    return usual();
  },
};
