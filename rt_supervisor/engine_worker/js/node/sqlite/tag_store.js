'use strict';
// Owns: SQLTagStore: an LRU cache of prepared statements for tagged templates.

const {
  ArrayIsArray,
  ArrayShift,
  MapDelete,
  MapEntries,
  MapGet,
  MapIteratorNext,
  MapSet,
  MapSize,
  ObjectDefineProperties,
} = require('internal/primordials');
const { failure, illegalConstructor, illegalInvocation, invalidType } = require('node/sqlite/errors');
const { asNative, runWith } = require('node/sqlite/statement');

const USUAL_CAPACITY = 1000;
const kOwn = Symbol('own');
let factsOf;

class TagStore {
  #database;
  #capacity;
  #statements = new Map(); // by text, most recently used last

  constructor(token, database, capacity) {
    if (token !== kOwn) throw illegalConstructor();
    this.#database = database;
    this.#capacity = capacity;
    ObjectDefineProperties(this, facts);
  }

  static {
    factsOf = (store) => {
      if (!(#database in store)) throw illegalInvocation();
      return { __proto__: null, database: store.#database, capacity: store.#capacity, size: MapSize(store.#statements) };
    };
  }

  #prepare(strings) {
    if (!ArrayIsArray(strings)) throw invalidType('First argument must be an array of strings (template literal).');
    let sql = '';
    for (let index = 0; index < strings.length; index++) {
      if (typeof strings[index] !== 'string') throw invalidType('Template literal parts must be strings.');
      sql += index === 0 ? strings[index] : `?${strings[index]}`;
    }
    let statement = MapGet(this.#statements, sql);
    if (statement !== undefined) MapDelete(this.#statements, sql);
    if (statement === undefined || isFinalized(statement)) {
      statement = this.#database.prepare(sql);
      if (MapSize(this.#statements) >= this.#capacity) {
        MapDelete(this.#statements, MapIteratorNext(MapEntries(this.#statements)).value[0]);
      }
    }
    MapSet(this.#statements, sql, statement);
    return statement;
  }

  #run(method, strings, values) {
    if (!(#database in this)) throw illegalInvocation();
    return runWith(this.#prepare(strings), method, values);
  }

  get(...values) {
    return this.#run('get', ArrayShift(values), values);
  }

  all(...values) {
    return this.#run('all', ArrayShift(values), values);
  }

  iterate(...values) {
    return this.#run('iterate', ArrayShift(values), values);
  }

  run(...values) {
    return this.#run('run', ArrayShift(values), values);
  }

  clear() {
    this.#statements = new Map();
  }
}

function isFinalized(statement) {
  try {
    statement.sourceSQL;
    return false;
  } catch {
    return true;
  }
}

const fact = (read) => ({
  __proto__: null,
  enumerable: true,
  get() {
    return read(factsOf(this));
  },
});
const facts = {
  __proto__: null,
  capacity: fact(({ capacity }) => capacity),
  db: fact(({ database }) => database),
  size: fact(({ size }) => size),
};

function createTagStore(database, capacity = USUAL_CAPACITY) {
  if (typeof capacity !== 'number' || (capacity | 0) !== capacity) {
    throw invalidType('The "maxSize" argument must be a positive integer.');
  }
  if (capacity <= 0) throw failure(RangeError, 'ERR_OUT_OF_RANGE', 'The "maxSize" argument must be a positive integer.');
  return new TagStore(kOwn, database, capacity);
}

asNative(TagStore, 'SQLTagStore');

module.exports = { createTagStore };
