'use strict';
// Owns: StatementSync and its iterators.

const {
  ArrayMap,
  ObjectDefineProperties,
  ObjectDefineProperty,
  ObjectGetOwnPropertyNames,
  ObjectSetPrototypeOf,
  ReflectConstruct,
} = require('internal/primordials');
const { checkBoolean, checkString, failure, illegalConstructor, illegalInvocation } = require('node/sqlite/errors');
const { call, isNamed, outcomes, parameters, orderValues } = require('node/sqlite/execution');

const native = host.native;
const BIG_INTEGERS = 1;
const ARRAYS = 2;
// SQLite's counter numbers.
const COUNTERS = {
  __proto__: null,
  fullscanStep: 1,
  sort: 2,
  autoindex: 3,
  vmStep: 4,
  reprepare: 5,
  run: 6,
  filterMiss: 7,
  filterHit: 8,
  memused: 99,
};
const kOwn = Symbol('own');
let outcome;

/** The changes of the last native run: `big` for BigInt results, otherwise `outcome`. */
function describeChanges(big) {
  if (big !== undefined) return { changes: big[0], lastInsertRowid: big[1] };
  return { changes: outcome[0], lastInsertRowid: outcome[1] };
}

let numberOf;
let run;
let runWith; // calls a method by name with positional values only: an object is not taken for named parameters

class Statement {
  // eslint-disable-next-line no-unused-private-class-members -- it lives as long as this
  #database;
  #number;
  #mode;
  #allowsBare;
  #allowsUnknown;
  #parameters;

  constructor(token, database, number, sql, settings) {
    if (token !== kOwn) throw illegalConstructor();
    this.#database = database;
    this.#mode = (settings.readBigInts ? BIG_INTEGERS : 0) | (settings.returnArrays ? ARRAYS : 0);
    this.#allowsBare = settings.allowBareNamedParameters;
    this.#allowsUnknown = settings.allowUnknownNamedParameters;
    const statement = native.sqlite_prepare(number, this, sql, this.#mode);
    if (statement === undefined) throw failure(TypeError, 'ERR_INVALID_ARG_VALUE', 'The SQL query contains no statements.');
    outcome ??= outcomes();
    this.#number = statement;
    ObjectDefineProperties(this, facts);
  }

  static {
    numberOf = (statement) => {
      if (!(#number in statement)) throw illegalInvocation();
      return statement.#number;
    };
    run = (statement, method, values) => {
      const number = statement.#number;
      if (!isNamed(values)) return call(method, number, false, values);
      const names = (statement.#parameters ??= parameters(number));
      return call(method, number, true, orderValues(names, values, statement.#allowsBare, statement.#allowsUnknown));
    };
    runWith = (statement, name, values) => {
      const result = call(native[`sqlite_${name === 'iterate' ? 'start' : name}`], statement.#number, false, values);
      if (name === 'iterate') return new StatementIterator(kOwn, statement, result);
      return name === 'run' ? describeChanges(result) : result;
    };
  }

  iterate(...values) {
    if (!(#number in this)) throw illegalInvocation();
    return new StatementIterator(kOwn, this, run(this, native.sqlite_start, values));
  }

  all(...values) {
    if (!(#number in this)) throw illegalInvocation();
    return run(this, native.sqlite_all, values);
  }

  get(...values) {
    if (!(#number in this)) throw illegalInvocation();
    return run(this, native.sqlite_get, values);
  }

  run(...values) {
    if (!(#number in this)) throw illegalInvocation();
    return describeChanges(run(this, native.sqlite_run, values));
  }

  columns() {
    return ArrayMap(native.sqlite_columns(numberOf(this)), (facts) => ({
      __proto__: null,
      column: facts[0],
      database: facts[1],
      name: facts[2],
      table: facts[3],
      type: facts[4],
    }));
  }

  stat() {
    const number = numberOf(this);
    native.sqlite_readonly(number); // throws if it is finalized
    const name = arguments[0];
    checkString(name, 'counter');
    const counter = COUNTERS[name];
    if (counter !== undefined) return native.sqlite_stat(number, counter, false);
    throw failure(TypeError, 'ERR_INVALID_ARG_VALUE', 'The "counter" argument is not a valid statistic name.');
  }

  resetStats() {
    for (const name in COUNTERS) if (name !== 'memused') native.sqlite_stat(numberOf(this), COUNTERS[name], true);
  }

  #check() {
    if (!(#number in this)) throw illegalInvocation();
    native.sqlite_readonly(this.#number); // throws if it is finalized
  }

  #set(bit, isOn) {
    this.#mode = isOn ? this.#mode | bit : this.#mode & ~bit;
    native.sqlite_mode(this.#number, this.#mode);
  }

  setAllowBareNamedParameters() {
    this.#check();
    checkBoolean(arguments[0], 'allowBareNamedParameters');
    this.#allowsBare = arguments[0];
  }

  setAllowUnknownNamedParameters() {
    this.#check();
    checkBoolean(arguments[0], 'enabled');
    this.#allowsUnknown = arguments[0];
  }

  setReadBigInts() {
    this.#check();
    checkBoolean(arguments[0], 'readBigInts');
    this.#set(BIG_INTEGERS, arguments[0]);
  }

  setReturnArrays() {
    this.#check();
    checkBoolean(arguments[0], 'returnArrays');
    this.#set(ARRAYS, arguments[0]);
  }

  close() {
    native.sqlite_finalize(numberOf(this));
  }
}

function disposeStatement() {
  try {
    native.sqlite_finalize(numberOf(this));
  } catch (error) {
    if (error.code !== 'ERR_INVALID_STATE') throw error;
  }
}

const facts = {
  __proto__: null,
  sourceSQL: {
    __proto__: null,
    enumerable: true,
    get() {
      return native.sqlite_sql(numberOf(this), false);
    },
  },
  expandedSQL: {
    __proto__: null,
    enumerable: true,
    get() {
      const text = native.sqlite_sql(numberOf(this), true);
      if (text !== null) return text;
      throw failure(Error, 'ERR_SQLITE_ERROR', 'Expanded SQL text would exceed configured limits');
    },
  },
};

class StatementIterator {
  #statement;
  #run;
  #isDone = false;

  constructor(token, statement, run) {
    if (token !== kOwn) throw illegalConstructor();
    this.#statement = statement;
    this.#run = run;
  }

  next() {
    if (!(#run in this)) throw illegalInvocation();
    if (!this.#isDone) {
      const row = native.sqlite_next(numberOf(this.#statement), this.#run);
      if (row !== undefined) return { __proto__: null, done: false, value: row };
      this.#isDone = true;
    }
    return { __proto__: null, done: true, value: null };
  }

  return() {
    if (!(#run in this)) throw illegalInvocation();
    native.sqlite_stop(numberOf(this.#statement), this.#run);
    this.#isDone = true;
    return { __proto__: null, done: true, value: null };
  }
}

/** Shapes a class like Node's C++ ones: enumerable methods, a named constructor with length 0. */
function asNative(Class, name, dispose = undefined) {
  const { prototype } = Class;
  const shown = (value) => ({ __proto__: null, value, writable: true, enumerable: true, configurable: true });
  const constructor = function (...values) {
    return new.target === undefined ? refuseCall(Class, values) : ReflectConstruct(Class, values, new.target);
  };
  ObjectDefineProperty(constructor, 'name', { __proto__: null, value: name, configurable: true });
  ObjectDefineProperty(constructor, 'prototype', { __proto__: null, value: prototype, writable: true });
  const keys = ObjectGetOwnPropertyNames(prototype);
  for (let index = 0; index < keys.length; index++) {
    const key = keys[index];
    if (key !== 'constructor') ObjectDefineProperty(prototype, key, shown(prototype[key]));
  }
  ObjectDefineProperty(prototype, 'constructor', { __proto__: null, value: constructor, writable: true, configurable: true });
  if (dispose !== undefined) {
    ObjectDefineProperty(dispose, 'name', { __proto__: null, value: '', configurable: true });
    ObjectDefineProperty(prototype, Symbol.dispose, shown(dispose));
  }
  return constructor;
}

function refuseCall(Class) {
  if (Class === Statement || Class === StatementIterator) throw illegalConstructor();
  throw failure(TypeError, 'ERR_CONSTRUCT_CALL_REQUIRED', 'Cannot call constructor without `new`');
}

ObjectSetPrototypeOf(StatementIterator.prototype, globalThis.Iterator.prototype);
asNative(StatementIterator, 'StatementSyncIterator');

const prepare = (database, number, sql, settings) => new Statement(kOwn, database, number, sql, settings);

module.exports = { StatementSync: asNative(Statement, 'StatementSync', disposeStatement), prepare, runWith, asNative };
