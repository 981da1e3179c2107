'use strict';
// Owns: `node:sqlite`: DatabaseSync and StatementSync over the host's databases. Rows are read whole before the first is given.

const native = host.native;
const { validateBoolean, validateFunction, validateObject, validateString } = require('internal/validators');
const { members } = require('node/missing/missing');

// What SQLite says of its primary result codes.
const WORDS = {
  __proto__: null,
  1: 'SQL logic error',
  3: 'access permission denied',
  4: 'query aborted',
  5: 'database is locked',
  6: 'database table is locked',
  7: 'out of memory',
  8: 'attempt to write a readonly database',
  9: 'interrupted',
  10: 'disk I/O error',
  11: 'database disk image is malformed',
  12: 'unknown operation',
  13: 'database or disk is full',
  14: 'unable to open database file',
  15: 'locking protocol',
  17: 'database schema has changed',
  18: 'string or blob too big',
  19: 'constraint failed',
  20: 'datatype mismatch',
  21: 'bad parameter or other API misuse',
  23: 'authorization denied',
  25: 'column index out of range',
  26: 'file is not a database',
};
const kOwn = Symbol('own');
const UNBOUND = /^[:@$]/;

function sqliteError(message, code) {
  const error = new Error(message);
  error.code = 'ERR_SQLITE_ERROR';
  error.errcode = code;
  error.errstr = WORDS[code & 0xff] ?? 'unknown error';
  return error;
}

function answered([value, message, code]) {
  if (message !== null) throw sqliteError(message, code);
  return value;
}

const invalidState = (text) => Object.assign(new Error(text), { code: 'ERR_INVALID_STATE' });

function pathOf(path) {
  const text =
    path instanceof Uint8Array
      ? native.decodeUtf8(path)
      : path instanceof globalThis.URL
        ? require('internal/file_url_host').fileURLToPath(path)
        : path;
  if (typeof text === 'string' && !text.includes('\0')) return text;
  throw Object.assign(new TypeError('The "path" argument must be a string, Uint8Array, or URL without null bytes.'), {
    code: 'ERR_INVALID_ARG_TYPE',
  });
}

/** [kind, value] of what is bound to a parameter. */
function bindable(value, place) {
  if (value === null || value === undefined) return ['null', 0];
  switch (typeof value) {
    case 'number':
      return ['number', value];
    case 'boolean':
      return ['number', Number(value)];
    case 'bigint':
      return ['bigint', `${value}`];
    case 'string':
      return ['text', value];
    default:
      if (ArrayBuffer.isView(value)) return ['blob', new Uint8Array(value.buffer, value.byteOffset, value.byteLength)];
  }
  throw Object.assign(new TypeError(`Provided value cannot be bound to SQLite parameter ${place}.`), {
    code: 'ERR_INVALID_ARG_TYPE',
  });
}

class StatementSync {
  #database;
  #sql;
  #count;
  #names;
  #allowsBare = true;
  #allowsUnknown;
  #wantsBig;
  #wantsArrays;
  #isClosed = false;

  constructor(token, database, sql, options) {
    if (token !== kOwn) throw Object.assign(new Error('Illegal constructor'), { code: 'ERR_ILLEGAL_CONSTRUCTOR' });
    this.#database = database;
    this.#sql = sql;
    [this.#count, this.#names] = answered(native.sqlite_look(database.number, sql));
    const { readBigInts = false, returnArrays = false, allowUnknownNamedParameters = false } = options;
    this.#wantsBig = readBigInts;
    this.#wantsArrays = returnArrays;
    this.#allowsUnknown = allowUnknownNamedParameters;
  }

  #bound(args) {
    const isNamed = args.length > 0 && typeof args[0] === 'object' && args[0] !== null && !ArrayBuffer.isView(args[0]);
    const given = isNamed ? args[0] : {};
    const places = isNamed ? args.slice(1) : args;
    if (this.#names.length === 0) {
      if (isNamed && !this.#allowsUnknown) {
        for (const name of Object.keys(given)) throw invalidState(`Unknown named parameter '${name}'`);
      }
      if (places.length > this.#count) throw sqliteError('column index out of range', 25);
      return Array.from({ length: this.#count }, (_, place) => bindable(places[place], place + 1));
    }
    const values = Object.fromEntries(this.#names.map((name) => [name, ['null', 0]]));
    for (const name of Object.keys(given)) {
      const bare = name.replace(UNBOUND, '');
      if (!this.#names.includes(bare) || (bare === name && !this.#allowsBare)) {
        if (this.#allowsUnknown) continue;
        throw invalidState(`Unknown named parameter '${name}'`);
      }
      values[bare] = bindable(given[name], this.#names.indexOf(bare) + 1);
    }
    return values;
  }

  #run(args) {
    if (this.#isClosed || !this.#database.isOpen) throw invalidState('statement has been finalized');
    return answered(native.sqlite_run(this.#database.number, this.#sql, this.#bound(args), this.#wantsBig));
  }

  #rows(args) {
    const [rows, columns, , , whole] = this.#run(args);
    return rows.map((values, place) => {
      if (this.#wantsBig) for (const column of whole[place]) values[column] = BigInt(values[column]);
      else for (const value of values) if (typeof value === 'bigint') throw tooLarge(value);
      if (this.#wantsArrays) return values;
      const row = { __proto__: null };
      columns.forEach((name, column) => {
        row[name] = values[column];
      });
      return row;
    });
  }

  all(...args) {
    return this.#rows(args);
  }

  get(...args) {
    return this.#rows(args)[0];
  }

  iterate(...args) {
    return this.#rows(args)[Symbol.iterator]();
  }

  run(...args) {
    const [, , changes, lastInsertRowid] = this.#run(args);
    if (!this.#wantsBig) return { changes, lastInsertRowid };
    return { changes: BigInt(changes), lastInsertRowid: BigInt(lastInsertRowid) };
  }

  columns() {
    const [, columns] = this.#run([]);
    return columns.map((name) => ({ __proto__: null, column: null, database: null, name, table: null, type: null }));
  }

  get sourceSQL() {
    return this.#sql;
  }

  get expandedSQL() {
    return this.#sql;
  }

  setAllowBareNamedParameters(enabled) {
    this.#allowsBare = checked(enabled, 'allowBareNamedParameters');
  }

  setAllowUnknownNamedParameters(enabled) {
    this.#allowsUnknown = checked(enabled, 'enabled');
  }

  setReadBigInts(enabled) {
    this.#wantsBig = checked(enabled, 'readBigInts');
  }

  setReturnArrays(enabled) {
    this.#wantsArrays = checked(enabled, 'returnArrays');
  }

  close() {
    this.#isClosed = true;
  }
}

function checked(value, name) {
  if (typeof value === 'boolean') return value;
  throw Object.assign(new TypeError(`The "${name}" argument must be a boolean.`), { code: 'ERR_INVALID_ARG_TYPE' });
}

function tooLarge(value) {
  const error = new RangeError(`Value is too large to be represented as a JavaScript number: ${value}`);
  return Object.assign(error, { code: 'ERR_OUT_OF_RANGE' });
}

class DatabaseSync {
  #path;
  #options;
  #opened = { number: undefined, isOpen: false };

  constructor(path = undefined, options = {}) {
    this.#path = pathOf(path);
    validateObject(options, 'options');
    this.#options = options;
    if (options.open !== undefined) validateBoolean(options.open, 'options.open');
    if (options.open !== false) this.open();
  }

  #check() {
    if (!this.#opened.isOpen) throw invalidState('database is not open');
  }

  open() {
    if (this.#opened.isOpen) throw invalidState('database is already open');
    const { readOnly = false, timeout = 0, enableForeignKeyConstraints = true } = this.#options;
    const number = answered(native.sqlite_open(this.#path, Boolean(readOnly), timeout, enableForeignKeyConstraints));
    this.#opened = { number, isOpen: true };
  }

  close() {
    this.#check();
    native.sqlite_close(this.#opened.number);
    this.#opened.isOpen = false;
  }

  [Symbol.dispose]() {
    if (this.#opened.isOpen) this.close();
  }

  exec(sql) {
    this.#check();
    checkSql(sql);
    answered(native.sqlite_execute(this.#opened.number, sql));
  }

  prepare(sql, options = {}) {
    this.#check();
    checkSql(sql);
    const { readBigInts, returnArrays, allowUnknownNamedParameters } = this.#options;
    return new StatementSync(kOwn, this.#opened, sql, { readBigInts, returnArrays, allowUnknownNamedParameters, ...options });
  }

  function(name, options, fn) {
    this.#check();
    if (typeof options === 'function') [options, fn] = [{}, options];
    validateString(name, 'name');
    validateFunction(fn, 'function');
    const { varargs = false, deterministic = false, useBigIntArguments = false } = options;
    const call = useBigIntArguments
      ? (...values) => fn(...values.map((value) => (Number.isInteger(value) ? BigInt(value) : value)))
      : fn;
    const count = varargs ? -1 : fn.length;
    answered(native.sqlite_function(this.#opened.number, name, count, deterministic, (...values) => call(...values) ?? null));
  }

  location() {
    return this.#path === ':memory:' || this.#path === '' ? null : require('node/path/path').resolve(this.#path);
  }

  serialize() {
    this.#check();
    return answered(native.sqlite_serialize(this.#opened.number));
  }

  get isOpen() {
    return this.#opened.isOpen;
  }

  get isTransaction() {
    this.#check();
    return native.sqlite_isInTransaction(this.#opened.number);
  }
}

function checkSql(sql) {
  if (typeof sql === 'string') return;
  throw Object.assign(new TypeError('The "sql" argument must be a string.'), { code: 'ERR_INVALID_ARG_TYPE' });
}

const refused = members(
  'sqlite',
  'Session*/0 backup/2 createSession/0 aggregate/2 createTagStore/0 applyChangeset/1 loadExtension/1',
);
for (const name of ['createSession', 'aggregate', 'createTagStore', 'applyChangeset', 'loadExtension']) {
  Object.defineProperty(DatabaseSync.prototype, name, {
    __proto__: null,
    configurable: true,
    writable: true,
    value: refused[name],
  });
}

const constants = {
  SQLITE_CHANGESET_OMIT: 0,
  SQLITE_CHANGESET_REPLACE: 1,
  SQLITE_CHANGESET_ABORT: 2,
  SQLITE_CHANGESET_DATA: 1,
  SQLITE_CHANGESET_NOTFOUND: 2,
  SQLITE_CHANGESET_CONFLICT: 3,
  SQLITE_CHANGESET_CONSTRAINT: 4,
  SQLITE_CHANGESET_FOREIGN_KEY: 5,
  SQLITE_OK: 0,
  SQLITE_DENY: 1,
  SQLITE_IGNORE: 2,
  SQLITE_CREATE_INDEX: 1,
  SQLITE_CREATE_TABLE: 2,
  SQLITE_CREATE_TEMP_INDEX: 3,
  SQLITE_CREATE_TEMP_TABLE: 4,
  SQLITE_CREATE_TEMP_TRIGGER: 5,
  SQLITE_CREATE_TEMP_VIEW: 6,
  SQLITE_CREATE_TRIGGER: 7,
  SQLITE_CREATE_VIEW: 8,
  SQLITE_DELETE: 9,
  SQLITE_DROP_INDEX: 10,
  SQLITE_DROP_TABLE: 11,
  SQLITE_DROP_TEMP_INDEX: 12,
  SQLITE_DROP_TEMP_TABLE: 13,
  SQLITE_DROP_TEMP_TRIGGER: 14,
  SQLITE_DROP_TEMP_VIEW: 15,
  SQLITE_DROP_TRIGGER: 16,
  SQLITE_DROP_VIEW: 17,
  SQLITE_INSERT: 18,
  SQLITE_PRAGMA: 19,
  SQLITE_READ: 20,
  SQLITE_SELECT: 21,
  SQLITE_TRANSACTION: 22,
  SQLITE_UPDATE: 23,
  SQLITE_ATTACH: 24,
  SQLITE_DETACH: 25,
  SQLITE_ALTER_TABLE: 26,
  SQLITE_REINDEX: 27,
  SQLITE_ANALYZE: 28,
  SQLITE_CREATE_VTABLE: 29,
  SQLITE_DROP_VTABLE: 30,
  SQLITE_FUNCTION: 31,
  SQLITE_SAVEPOINT: 32,
  SQLITE_COPY: 0,
  SQLITE_RECURSIVE: 33,
};

module.exports = { DatabaseSync, StatementSync, Session: refused.Session, constants, backup: refused.backup };
