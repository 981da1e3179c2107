'use strict';
// Owns: running queries serially on one connection, and transactions with savepoints.

const { PromiseAll, PromiseResolve } = require('internal/promises');
const { ArrayIsArray, ArraySome, RegExpTest, StringReplaceAll, intact } = require('internal/primordials');
const { codes } = require('internal/errors/errors');
const { failure } = require('rt/sql/errors');
const { Query, jobOf } = require('rt/sql/query');

/** `over` holds [code, text] of the error for queries made after the end. */
function serially(connection, over) {
  let last = PromiseResolve();
  let isOver = false;
  /** Runs `job` with exclusive use of the connection once it is free; later queries wait. */
  const lend = async (job) => {
    if (isOver) throw failure(over[0], over[1]);
    const before = last;
    let free;
    last = new Promise((resolve) => {
      free = resolve;
    });
    await before;
    try {
      return await job(connection);
    } finally {
      free();
    }
  };
  const run = async (query) => {
    if (isOver) throw failure(over[0], over[1]);
    const job = jobOf(query);
    return lend(() => {
      if (query.cancelled) throw failure('QUERY_CANCELLED', 'Query cancelled');
      query.stop = () => connection.cancel();
      return connection.run(job);
    });
  };
  return {
    run,
    lend,
    command: (text) => run(new Query(run, text, []).simple()),
    end: () => {
      isOver = true;
      return last;
    },
  };
}

const work = (body) => {
  if (typeof body !== 'function') throw new codes.ERR_INVALID_ARG_VALUE('fn', body, 'must be a function');
  return body;
};

/** Returns [options, work] of begin(options, work) or begin(work). */
function beginArguments(how, body) {
  if (typeof how === 'function') return ['', how];
  if (typeof how !== 'string') throw new codes.ERR_INVALID_ARG_VALUE('options', how, 'must be a string');
  if (!RegExpTest(/^[A-Za-z, ]*$/, how)) throw new Error('Transaction options can only contain letters, spaces, and commas.');
  return [how, work(body)];
}

const ENDED = ['INVALID_TRANSACTION_STATE', 'cannot run a query after its transaction or savepoint ended'];

/** Runs `body` between two commands, or `rollback` if it fails. The body receives the result of `clientOf(run, savepoint)`. */
async function transaction(connection, { begin, commit, rollback }, body, clientOf) {
  const serial = serially(connection, ENDED);
  let points = 0;
  const savepoint = async (name, inner) => {
    if (typeof name === 'function') [name, inner] = intact([undefined, name]);
    work(inner);
    const point = `"${StringReplaceAll(`${name ?? 's'}${points++}`, '"', '""')}"`;
    await serial.command(`SAVEPOINT ${point}`);
    try {
      const result = await settleAll(inner(tx));
      await serial.command(`RELEASE SAVEPOINT ${point}`);
      return result;
    } catch (error) {
      await serial.command(`ROLLBACK TO SAVEPOINT ${point}`);
      throw error;
    }
  };
  const tx = clientOf(serial.run, savepoint);
  await serial.command(begin);
  let result;
  try {
    result = await settleAll(body(tx));
  } catch (error) {
    if (!connection.isGone) await serial.command(rollback);
    await serial.end();
    throw error;
  }
  await serial.command(commit);
  await serial.end();
  return result;
}

const settleAll = async (value) => {
  const result = await value;
  return ArrayIsArray(result) && ArraySome(result, (each) => each instanceof Query) ? PromiseAll(result) : result;
};

/**
 * Returns the members of a client that begin transactions; `use(job)` lends `job` a connection, `clientOf` creates the client
 * for the program.
 */
function beginners(use, clientOf) {
  const within = (commands, body) => use((connection) => transaction(connection, commands, body, clientOf));
  const begin = async (how = undefined, body = undefined) => {
    const { 0: said, 1: checked } = beginArguments(how, body);
    return within({ begin: `BEGIN ${said}`, commit: 'COMMIT', rollback: 'ROLLBACK' }, checked);
  };
  const distributed = async (name, body = undefined) => {
    const commit = `PREPARE TRANSACTION '${checkedName(name)}'`;
    return within({ begin: 'BEGIN', commit, rollback: 'ROLLBACK' }, work(body));
  };
  return { begin, transaction: begin, beginDistributed: distributed, distributed };
}

function checkedName(name) {
  if (typeof name !== 'string' || !RegExpTest(/^[\w.:-]+$/, name)) throw new TypeError('A distributed transaction needs a name');
  return name;
}

const refuse = (what) => {
  throw failure('INVALID_TRANSACTION_STATE', `cannot call ${what} inside a transaction use savepoint() instead`);
};
/** The same members inside a transaction, where they throw. */
const noBeginners = {
  begin: async () => refuse('begin'),
  transaction: async () => refuse('begin'),
  beginDistributed: async () => refuse('beginDistributed'),
  distributed: async () => refuse('beginDistributed'),
};

module.exports = { beginners, checkedName, noBeginners, serially };
