'use strict';
// Owns: RT.SQL, RT.sql and RT.postgres: clients of PostgreSQL and their reserved connections. A client is a function: called as
// a template tag it creates a query, called with other arguments a fragment. Transactions and reserved connections are clients
// as well, with the members of their parent.

const { AnyThen } = require('internal/any_kind');
const {
  ArrayIsArray,
  ObjectDefineProperty,
  ObjectGetOwnPropertyDescriptor,
  ObjectSetPrototypeOf,
  ReflectOwnKeys,
  RegExpTest,
  intact,
} = require('internal/primordials');
const { codes } = require('internal/errors/errors');
const { PostgresError, SQLError, failure } = require('rt/sql/errors');
const { optionsOf } = require('rt/sql/options');
const { Pool } = require('rt/sql/pool');
const { ArrayValue, Helper, JSONValue, Query, jobOf } = require('rt/sql/query');
const { beginners, checkedName, noBeginners, serially } = require('rt/sql/transactions');

/** Creates a function that creates queries, which `run(query)` executes; it has the members of `members`. */
function clientOf(run, members, prototype) {
  // As in Bun, `new sql(url)` creates another client.
  const sql = function sql(strings, ...values) {
    if (new.target !== undefined) return new SQL(strings, values[0]);
    if (ArrayIsArray(strings) && ArrayIsArray(strings.raw)) return new Query(run, strings, values);
    if (typeof strings === 'string' || (typeof strings === 'object' && strings !== null)) return new Helper(strings, values);
    throw failure('NOT_TAGGED_CALL', 'Query not called as a tagged template literal');
  };
  ObjectSetPrototypeOf(sql, prototype);
  const all = {
    unsafe: (text, values = []) => {
      if (!ArrayIsArray(values)) throw new Error('values must be an array');
      const query = new Query(run, `${text}`, [...intact(values)]);
      return values.length === 0 ? query.simple() : query;
    },
    file: (path, values = []) => {
      const text = require('node/module/builtins').load('fs').promises.readFile(path, 'utf8');
      return AnyThen(text, (read) => all.unsafe(read, values));
    },
    array: (values, type = undefined) => {
      if (!ArrayIsArray(values)) throw new codes.ERR_INVALID_ARG_TYPE('values', 'Array', values);
      return new ArrayValue(values, type);
    },
    json: (value) => new JSONValue(value),
    notify: (channel, payload = undefined) => {
      const { checkedChannel, checkedPayload } = require('rt/sql/listening');
      return new Query(run, 'SELECT pg_notify($1, $2)', [checkedChannel(channel), checkedPayload(payload)]);
    },
    ...members,
  };
  for (const name of intact(ReflectOwnKeys(all))) {
    const descriptor = ObjectGetOwnPropertyDescriptor(all, name);
    ObjectDefineProperty(sql, name, { __proto__: null, ...descriptor, enumerable: true, configurable: true });
  }
  return sql;
}

function SQL(first = undefined, second = undefined) {
  const pool = new Pool(optionsOf(first, second));
  return clientOver(() => pool);
}

/** Creates the client of a pool; the pool is created on first use at the latest. */
function clientOver(pool) {
  const run = async (query) => {
    const job = jobOf(query);
    if (pool().options.max > 1 && RegExpTest(/^\s*(?:begin|start\s+transaction)\b/i, job.text))
      throw failure('UNSAFE_TRANSACTION', 'Only use sql.begin, sql.reserved or max: 1');
    const connection = await pool().acquire();
    try {
      if (query.cancelled) throw failure('QUERY_CANCELLED', 'Query cancelled');
      query.stop = () => connection.cancel();
      return await connection.run(job);
    } finally {
      query.stop = undefined;
      pool().release(connection);
    }
  };
  const use = async (job) => {
    const connection = await pool().acquire();
    try {
      return await job(connection);
    } finally {
      pool().release(connection);
    }
  };
  let listening;
  const common = {
    connect: async () => {
      pool().release(await pool().acquire());
      return sql;
    },
    commitDistributed: (name) => sql.unsafe(`COMMIT PREPARED '${checkedName(name)}'`),
    rollbackDistributed: (name) => sql.unsafe(`ROLLBACK PREPARED '${checkedName(name)}'`),
    reserve: async () => {
      const connection = await pool().acquire();
      const serial = serially(connection, ['CONNECTION_CLOSED', 'Connection closed']);
      let released;
      const release = () => (released ??= AnyThen(serial.end(), () => pool().release(connection)));
      const ends = { release, [Symbol.dispose]: release, [Symbol.asyncDispose]: release };
      const begins = beginners((job) => serial.lend(job), transactionOf);
      return clientHere(serial.run, { ...begins, ...ends });
    },
    listen: (channel, onnotify = undefined, onlisten = undefined) => {
      if (pool().isClosed) throw failure('CONNECTION_CLOSED', 'Connection closed');
      listening ??= new (require('rt/sql/listening').Listening)(pool().options);
      return listening.listen(channel, onnotify, onlisten);
    },
    flush() {},
    close: (settings = undefined) => {
      listening?.close();
      return pool().close(settings ?? {});
    },
    end: (settings = undefined) => common.close(settings),
  };
  const clientHere = (runs, members) => {
    const client = clientOf(runs, { ...common, ...members }, SQL.prototype);
    const get = () => pool().options;
    ObjectDefineProperty(client, 'options', { __proto__: null, get, enumerable: true, configurable: true });
    return client;
  };
  const transactionOf = (runs, savepoint) => clientHere(runs, { ...noBeginners, savepoint });
  const sql = clientHere(run, beginners(use, transactionOf));
  ObjectDefineProperty(sql, Symbol.asyncDispose, { __proto__: null, value: () => common.close(), configurable: true });
  return sql;
}
ObjectSetPrototypeOf(SQL.prototype, Function.prototype);
SQL.SQLError = SQLError;
SQL.PostgresError = PostgresError;

// The environment is read on first use, so that a program can set it before.
let shared;
let sharedPool;
const usualPool = () => (sharedPool ??= new Pool(optionsOf(undefined, undefined)));
const usual = () => (shared ??= clientOver(usualPool));

module.exports = {
  SQL,
  warm(onFailure, done) {
    usualPool().warm(onFailure, done);
  },
  get sql() {
    return usual();
  },
  get postgres() {
    return usual();
  },
};
