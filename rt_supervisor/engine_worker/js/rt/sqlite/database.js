'use strict';
// Owns: the Database class of rt:sqlite.

const {
  ArrayBufferIsView,
  ArrayIsArray,
  ArrayPush,
  MapDelete,
  MapEntries,
  MapGet,
  MapIteratorNext,
  MapSet,
  MapSize,
  MathMax,
  RegExpTest,
  StringTrim,
  TypedArraySubarray,
  intact,
} = require('internal/primordials');
const constants = require('rt/sqlite/constants');
const { convertError } = require('rt/sqlite/errors');
const { Statement, isFinalized, prepare } = require('rt/sqlite/statement');
const { transactionOf } = require('rt/sqlite/transaction');

const native = host.native;
const LOAD_EXTENSION = 1005; // SQLite's number of the setting
const DETERMINISTIC = 0x800;
const DIRECT_ONLY = 0x80000;
const BIG_ARGUMENTS = 1;
const LENIENT = 2;
const NO_STATEMENT = /^(?:[\s;]|--[^\n]*(?:\n|$)|\/\*[^]*?(?:\*\/|$))*$/;

const isBuffer = (value) => ArrayBufferIsView(value) || host.native.kindOf(value) === 'array-buffer';

function flagsOf(options) {
  if (typeof options === 'number') return options;
  const { readonly, create, readwrite } = options ?? {};
  let flags = readonly ? constants.SQLITE_OPEN_READONLY : 0;
  if (create) flags = constants.SQLITE_OPEN_READWRITE | constants.SQLITE_OPEN_CREATE;
  if (readwrite) flags |= constants.SQLITE_OPEN_READWRITE;
  return flags === 0 ? constants.SQLITE_OPEN_READWRITE | constants.SQLITE_OPEN_CREATE : flags;
}

class Database {
  #number;
  #settings;
  #queries = new Map();
  #functions = [];

  constructor(name, options) {
    const filename = name === undefined ? ':memory:' : name;
    const isBytes = typeof filename === 'object' && filename !== null && isBuffer(filename);
    if (!isBytes && typeof filename !== 'string') {
      throw new TypeError(`Expected 'filename' to be a string, got '${typeof filename}'`);
    }
    if (options !== undefined && options !== null && typeof options !== 'number' && typeof options !== 'object') {
      throw new TypeError(`Expected options to be a number or object, got '${typeof options}'`);
    }
    const { safeIntegers = false, strict = false, readonly = false } = typeof options === 'object' ? (options ?? {}) : {};
    this.#settings = { __proto__: null, safeIntegers: Boolean(safeIntegers), strict: Boolean(strict) };
    const path = isBytes ? ':memory:' : StringTrim(filename);
    this.filename = path;
    try {
      const flags = isBytes ? constants.SQLITE_OPEN_READWRITE | constants.SQLITE_OPEN_CREATE : flagsOf(options);
      this.#number = native.sqlite_open(this, path, flags | constants.SQLITE_OPEN_URI, 0);
      if (isBytes) native.sqlite_deserialize(this.#number, 'main', filename, Boolean(readonly));
    } catch (error) {
      throw convertError(error, this.#number);
    }
  }

  static open(filename, options = undefined) {
    return new Database(filename, options);
  }

  static deserialize(bytes, options = undefined) {
    return new Database(bytes, typeof options === 'boolean' ? { readonly: options } : options);
  }

  static setCustomSQLite() {
    throw new Error('setCustomSQLite: rt bundles SQLite and cannot load another library');
  }

  get handle() {
    return this.#number ?? -1;
  }

  get inTransaction() {
    if (this.#number === undefined) throw new Error('Database has closed');
    return native.sqlite_isTransaction(this.#number);
  }

  #open() {
    if (this.#number === undefined) throw new RangeError('Cannot use a closed database');
    return this.#number;
  }

  #do(work) {
    const number = this.#open();
    try {
      return work(number);
    } catch (error) {
      throw convertError(error, number);
    }
  }

  prepare(sql, params) {
    if (typeof sql !== 'string') throw new Error('Expected SQL string');
    if (sql === '') throw new RangeError('Invalid SQL statement');
    const defaults = params === undefined ? undefined : ArrayIsArray(params) ? params : [params];
    return prepare(this, this.#open(), sql, this.#settings, defaults);
  }

  query(sql) {
    checkQuery(sql);
    const existing = MapGet(this.#queries, sql);
    if (existing !== undefined && !isFinalized(existing)) return existing;
    const statement = this.prepare(sql);
    if (MapSize(this.#queries) >= Database.MAX_QUERY_CACHE_SIZE) {
      MapDelete(this.#queries, MapIteratorNext(MapEntries(this.#queries)).value?.[0]);
    }
    MapSet(this.#queries, sql, statement);
    return statement;
  }

  clearQueryCache() {
    this.#queries = new Map();
  }

  /** Runs every statement of a text; values are bound to the first. */
  run(sql, ...values) {
    if (typeof sql !== 'string') throw new Error('Expected SQL string');
    if (sql === '') throw new Error("SQL string mustn't be blank");
    if (RegExpTest(NO_STATEMENT, sql)) throw new Error('Query contained no valid SQL statement; likely empty query.');
    return this.#do((number) => {
      const before = native.sqlite_changes(number);
      let rest = sql;
      if (values.length > 0) {
        const end = new Float64Array(1);
        native.sqlite_prepare(number, {}, sql, 0, end);
        const first = prepare(this, number, sql, this.#settings, undefined);
        try {
          first.run(...intact(values));
        } finally {
          first.finalize();
        }
        const bytes = native.encodeUtf8(sql);
        rest = native.decodeUtf8(TypedArraySubarray(bytes, end[0]));
      }
      if (rest !== '') native.sqlite_exec(number, rest);
      const after = native.sqlite_changes(number);
      const changes = Number(after[1] - before[1]);
      return { changes, lastInsertRowid: this.#settings.safeIntegers ? after[2] : Number(after[2]) };
    });
  }

  transaction(work, _self) {
    return transactionOf(this, work);
  }

  serialize(name = 'main') {
    return require('node/buffer/views').asBuffer(this.#do((number) => native.sqlite_serialize(number, `${name}`)));
  }

  loadExtension(path, entry = undefined) {
    this.#do((number) => {
      native.sqlite_configure(number, LOAD_EXTENSION, true);
      const problem = native.sqlite_loadExtension(number, `${path}`, entry);
      if (problem !== undefined) throw new Error(problem ?? 'the extension did not load');
    });
  }

  /** Signatures: `fileControl(operation, value)`, and the same with the database name first. */
  fileControl(...given) {
    const hasName = typeof given[0] !== 'number';
    const name = hasName ? given[0] : undefined;
    const operation = given[hasName ? 1 : 0];
    const value = given[hasName ? 2 : 1];
    return this.#do((number) => native.sqlite_fileControl(number, name ?? undefined, operation, value));
  }

  function(name, options, work = undefined) {
    const call = typeof options === 'function' ? options : work;
    const settings = typeof options === 'function' ? {} : (options ?? {});
    if (typeof call !== 'function') throw new TypeError('Expected a function');
    const count = settings.varargs ? -1 : call.length;
    const mode = LENIENT | (this.#usesBig(settings) ? BIG_ARGUMENTS : 0);
    this.#do((number) => native.sqlite_function(number, `${name}`, count, functionFlags(settings), mode, call));
    ArrayPush(this.#functions, call);
    return this;
  }

  aggregate(name, options) {
    const { start = null, step, inverse, result } = options ?? {};
    if (typeof step !== 'function') throw new TypeError('Expected options.step to be a function');
    const begin = typeof start === 'function' ? [start, true] : [start];
    const count = options.varargs ? -1 : MathMax(step.length - 1, inverse === undefined ? 0 : inverse.length - 1, 0);
    const mode = LENIENT | (this.#usesBig(options) ? BIG_ARGUMENTS : 0);
    const flags = functionFlags(options);
    this.#do((number) => native.sqlite_aggregate(number, `${name}`, count, flags, mode, begin, step, inverse, result));
    ArrayPush(this.#functions, [begin, step, inverse, result]);
    return this;
  }

  #usesBig({ safeIntegers = undefined, useBigIntArguments = undefined }) {
    return safeIntegers ?? useBigIntArguments ?? this.#settings.safeIntegers;
  }

  close(_throwsOnError = false) {
    if (this.#number === undefined) return;
    this.#do((number) => native.sqlite_close(number));
    this.#number = undefined;
    this.clearQueryCache();
    this.#functions = [];
  }

  [Symbol.dispose]() {
    this.close(true);
  }
}

Database.prototype.exec = Database.prototype.run;
Database.MAX_QUERY_CACHE_SIZE = 20;

function functionFlags({ deterministic = false, directOnly = false }) {
  return (deterministic ? DETERMINISTIC : 0) | (directOnly ? DIRECT_ONLY : 0);
}

function checkQuery(sql) {
  if (typeof sql !== 'string') throw new TypeError(`Expected 'query' to be a string, got '${typeof sql}'`);
  if (sql === '') throw new Error('SQL query cannot be empty.');
}

module.exports = { Database, Statement };
