// @ts-check
'use strict';
// Owns: the Statement class of rt:sqlite.

const {
  ArrayMap,
  ObjectPrototype,
  ReflectConstruct,
  TypedArrayByteLength,
  TypedArrayByteOffset,
  TypedArrayBuffer,
} = require('internal/primordials');
const { call, outcomes } = require('node/sqlite/execution');
const { bindValues, placesOf } = require('rt/sqlite/binding');
const { convertError } = require('rt/sqlite/errors');

const native = host.native;
// Bits of a statement's mode.
const BIG_INTEGERS = 1;
const ARRAYS = 2;
const ROUNDED = 4;
const LENIENT = 8;
const kOwn = Symbol('own');

let isFinalizedOf;

const isObject = (value) => (typeof value === 'object' && value !== null) || typeof value === 'function';

function isConstructor(value) {
  if (typeof value !== 'function') return false;
  try {
    ReflectConstruct(Object, [], value);
    return true;
  } catch {
    return false;
  }
}

/** Returns the prototype for rows after `as(Class)`. */
function prototypeOf(Class) {
  if (Class === undefined) return ObjectPrototype;
  if (!isObject(Class)) throw new TypeError('Expected class to be a constructor or undefined');
  if (!isConstructor(Class)) throw new TypeError('Expected a constructor');
  const { prototype } = Class;
  if (prototype === undefined) throw new TypeError('Expected constructor to have a prototype');
  if (!isObject(prototype)) throw new TypeError('Expected a constructor prototype to be an object');
  return prototype;
}

class Statement {
  // eslint-disable-next-line no-unused-private-class-members -- it lives as long as this
  #database;
  #connection;
  #number;
  #parameters;
  #mode = 0;
  #isBig;
  #isStrict;
  #isFinalized = false;
  #prototype = ObjectPrototype;
  #defaults;

  constructor(token, database, connection, sql, settings, defaults) {
    if (token !== kOwn) throw new TypeError('Statement can only be constructed by Database.query and Database.prepare');
    this.#database = database;
    this.#connection = connection;
    this.#isBig = settings.safeIntegers;
    this.#isStrict = settings.strict;
    try {
      this.#number = native.sqlite_prepare(connection, this, sql, ROUNDED | LENIENT);
    } catch (error) {
      throw convertError(error, connection);
    }
    if (this.#number === undefined) throw new RangeError('Invalid SQL statement');
    this.#mode = ROUNDED | LENIENT;
    native.sqlite_prototype(this.#number, ObjectPrototype);
    this.#parameters = placesOf(this.#number);
    this.#defaults = defaults;
  }

  static {
    isFinalizedOf = (statement) => statement.#isFinalized;
  }

  #use(mode) {
    const next = mode | LENIENT | (this.#isBig ? BIG_INTEGERS : ROUNDED);
    if (next === this.#mode) return;
    native.sqlite_mode(this.#number, next);
    this.#mode = next;
  }

  #run(method, mode, values) {
    try {
      this.#use(mode);
      const list = values.length === 0 && this.#defaults !== undefined ? this.#defaults : values;
      this.#defaults = undefined; // this call binds them, or its values replace them
      const bindings = bindValues(this.#parameters, list, this.#isStrict, this.#isBig);
      if (bindings === undefined) return method(this.#number, true);
      return call(method, this.#number, true, bindings);
    } catch (error) {
      throw convertError(error, this.#connection);
    }
  }

  get(...values) {
    return this.#run(native.sqlite_get, 0, values) ?? null;
  }

  all(...values) {
    return this.#run(native.sqlite_all, 0, values);
  }

  values(...values) {
    return this.#run(native.sqlite_all, ARRAYS, values);
  }

  raw(...values) {
    const isBig = this.#isBig;
    this.#isBig = true;
    try {
      return ArrayMap(this.#run(native.sqlite_all, ARRAYS, values), (row) => ArrayMap(row, bytesOf));
    } finally {
      this.#isBig = isBig;
    }
  }

  *iterate(...values) {
    const run = this.#run(native.sqlite_start, 0, values);
    try {
      for (let row = this.#next(run); row !== undefined; row = this.#next(run)) yield row;
    } finally {
      if (!this.#isFinalized) native.sqlite_stop(this.#number, run);
    }
  }

  #next(run) {
    try {
      return native.sqlite_next(this.#number, run);
    } catch (error) {
      throw convertError(error, this.#connection);
    }
  }

  run(...values) {
    const outcome = outcomes();
    const big = this.#run(native.sqlite_run, 0, values);
    if (big !== undefined) return { changes: Number(big[2]), lastInsertRowid: big[1] };
    return { changes: outcome[2], lastInsertRowid: outcome[1] };
  }

  as(Class) {
    this.#prototype = prototypeOf(Class);
    native.sqlite_prototype(this.#number, this.#prototype);
    return this;
  }

  safeIntegers(isOn = undefined) {
    if (isOn === undefined) return this.#isBig;
    this.#isBig = Boolean(isOn);
    return this;
  }

  #facts() {
    try {
      return native.sqlite_columns(this.#number);
    } catch (error) {
      throw convertError(error);
    }
  }

  get columnNames() {
    return ArrayMap(this.#facts(), (facts) => facts[2]);
  }

  get declaredTypes() {
    return ArrayMap(this.#facts(), (facts) => facts[4]);
  }

  /** The value types of the first row that the statement would return now. */
  get columnTypes() {
    if (!this.readonly) {
      throw new Error('columnTypes is not available for non-read-only statements (INSERT, UPDATE, DELETE, etc.)');
    }
    const names = this.columnNames;
    native.sqlite_mode(this.#number, ARRAYS | LENIENT | BIG_INTEGERS);
    this.#mode = ARRAYS | LENIENT | BIG_INTEGERS;
    const row = native.sqlite_get(this.#number, true);
    return ArrayMap(names, (_, index) => typeOf(row?.[index]));
  }

  get paramsCount() {
    return this.#parameters.names.length;
  }

  /** Whether the statement returns rows. */
  get reader() {
    return this.#facts().length > 0;
  }

  get readonly() {
    return native.sqlite_readonly(this.#number);
  }

  get isFinalized() {
    return this.#isFinalized;
  }

  get native() {
    return this.#number;
  }

  finalize() {
    if (this.#isFinalized) return;
    try {
      native.sqlite_finalize(this.#number);
    } catch (error) {
      if (error.message !== 'statement has been finalized') throw error; // the database is closed
    }
    this.#isFinalized = true;
  }

  toString() {
    try {
      return native.sqlite_sql(this.#number, true) ?? '';
    } catch (error) {
      throw convertError(error);
    }
  }

  toJSON() {
    return { sql: this.toString(), isFinalized: this.#isFinalized, paramsCount: this.paramsCount, columnNames: this.columnNames };
  }

  [Symbol.iterator]() {
    return this.iterate();
  }

  [Symbol.dispose]() {
    this.finalize();
  }
}

function typeOf(value) {
  switch (typeof value) {
    case 'bigint':
      return 'INTEGER';
    case 'number':
      return 'FLOAT';
    case 'string':
      return 'TEXT';
    default:
      return value === null || value === undefined ? 'NULL' : 'BLOB';
  }
}

/** Returns a value as SQLite's bytes for it; null is unchanged. */
function bytesOf(value) {
  switch (typeof value) {
    case 'bigint':
      return bytesBehind(new BigInt64Array([value]));
    case 'number':
      return bytesBehind(new Float64Array([value]));
    case 'string':
      return native.encodeUtf8(value);
    default:
      return value;
  }
}

const bytesBehind = (view) => new Uint8Array(TypedArrayBuffer(view), TypedArrayByteOffset(view), TypedArrayByteLength(view));

const prepare = (database, connection, sql, options, defaults) =>
  new Statement(kOwn, database, connection, sql, options, defaults);

module.exports = { Statement, prepare, isFinalized: (statement) => isFinalizedOf(statement) };
