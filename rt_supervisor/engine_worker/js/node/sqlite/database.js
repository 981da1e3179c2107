'use strict';
// Owns: DatabaseSync.

const {
  ArrayPush,
  MathMax,
  ObjectDefineProperties,
  ObjectDefineProperty,
  ObjectHasOwn,
  ObjectKeys,
  SymbolFor,
} = require('internal/primordials');
const {
  checkBoolean,
  checkFunction,
  checkObject,
  checkString,
  failure,
  illegalInvocation,
  invalidState,
  invalidType,
  option,
} = require('node/sqlite/errors');
const runtimeParts = require('internal/parts');
const { createSession } = require('node/sqlite/session');
const { asNative, prepare } = require('node/sqlite/statement');
const { LIMITS, isUint8Array, pathOf, settingsOf, statementSettings } = require('node/sqlite/settings');

const native = host.native;
// SQLite's numbers: open modes, connection settings, function flags.
const OPEN_READ_ONLY = 1;
const OPEN_READ_WRITE = 2;
const OPEN_CREATE = 4;
const OPEN_URI = 64;
const FOREIGN_KEYS = 1002;
const LOAD_EXTENSION = 1005;
const DEFENSIVE = 1010;
const QUOTED_IN_DML = 1013;
const QUOTED_IN_DDL = 1014;
const DETERMINISTIC = 0x800;
const DIRECT_ONLY = 0x80000;
const BIG_ARGUMENTS = 1;

let numberOf;
let isOpenOf;

function checkExtensions() {
  if (runtimeParts.permission === undefined) return;
  throw failure(Error, 'ERR_LOAD_SQLITE_EXTENSION', 'Cannot load SQLite extensions when the permission model is enabled.');
}

class Database {
  #path;
  #settings;
  #number;
  #canLoad = false;
  #limits;
  #callbacks = []; // functions that SQLite calls

  constructor(path, options = {}) {
    this.#path = pathOf(path);
    checkObject(options, 'options');
    this.#settings = settingsOf(options);
    ObjectDefineProperties(this, facts);
    this[SymbolFor('sqlite-type')] = 'node:sqlite';
    if (this.#settings.open) this.open();
  }

  static {
    numberOf = (database) => {
      if (!(#path in database)) throw illegalInvocation();
      if (database.#number === undefined) throw invalidState('database is not open');
      return database.#number;
    };
    isOpenOf = (database) => {
      if (!(#path in database)) throw illegalInvocation();
      return database.#number !== undefined;
    };
  }

  static limitsOf(database) {
    return (database.#limits ??= new Limits(database));
  }

  open() {
    if (isOpenOf(this)) throw invalidState('database is already open');
    const settings = this.#settings;
    const mode = settings.readOnly ? OPEN_READ_ONLY : OPEN_READ_WRITE | OPEN_CREATE;
    const number = native.sqlite_open(this, this.#path, mode | OPEN_URI, settings.timeout);
    this.#callbacks = [];
    try {
      native.sqlite_configure(number, QUOTED_IN_DML, settings.quotedLiterals);
      native.sqlite_configure(number, QUOTED_IN_DDL, settings.quotedLiterals);
      native.sqlite_configure(number, FOREIGN_KEYS, settings.foreignKeys);
      native.sqlite_configure(number, DEFENSIVE, settings.defensive);
      if (settings.allowExtension) checkExtensions();
      if (settings.allowExtension) native.sqlite_configure(number, LOAD_EXTENSION, true);
      this.#canLoad = settings.allowExtension;
      for (const name in settings.limits) native.sqlite_limit(number, LIMITS[name], settings.limits[name]);
    } catch (error) {
      native.sqlite_close(number);
      throw error;
    }
    this.#number = number;
  }

  close() {
    native.sqlite_close(numberOf(this));
    this.#number = undefined;
    this.#callbacks = [];
  }

  prepare() {
    const number = numberOf(this);
    const sql = arguments[0];
    const options = arguments[1];
    checkString(sql, 'sql');
    if (options === undefined) return prepare(this, number, sql, this.#settings);
    checkObject(options, 'options');
    return prepare(this, number, sql, statementSettings(options, this.#settings));
  }

  exec() {
    const number = numberOf(this);
    checkString(arguments[0], 'sql');
    native.sqlite_exec(number, arguments[0]);
  }

  function() {
    const number = numberOf(this);
    const name = arguments[0];
    const hasOptions = arguments.length > 2;
    const work = arguments[hasOptions ? 2 : 1];
    checkString(name, 'name');
    const options = hasOptions ? arguments[1] : {};
    checkObject(options, 'options');
    const usesBig = option(options, 'useBigIntArguments', checkBoolean, false);
    const isVariadic = option(options, 'varargs', checkBoolean, false);
    const isDeterministic = option(options, 'deterministic', checkBoolean, false);
    const isDirectOnly = option(options, 'directOnly', checkBoolean, false);
    checkFunction(work, 'function');
    const flags = (isDeterministic ? DETERMINISTIC : 0) | (isDirectOnly ? DIRECT_ONLY : 0);
    native.sqlite_function(number, name, isVariadic ? -1 : work.length, flags, usesBig ? BIG_ARGUMENTS : 0, work);
    ArrayPush(this.#callbacks, work);
  }

  createTagStore() {
    numberOf(this);
    return require('node/sqlite/tag_store').createTagStore(this, arguments[0]);
  }

  location() {
    const number = numberOf(this);
    const name = arguments[0];
    if (name !== undefined) checkString(name, 'dbName');
    return native.sqlite_filename(number, name ?? 'main');
  }

  aggregate() {
    const number = numberOf(this);
    const name = arguments[0];
    const options = arguments[1];
    const start = options.start;
    const step = options.step;
    const result = options.result;
    if (start === undefined) {
      throw invalidType('The "options.start" argument must be a function or a primitive value.');
    }
    checkFunction(step, 'options.step');
    const usesBig = option(options, 'useBigIntArguments', checkBoolean, false);
    const isVariadic = option(options, 'varargs', checkBoolean, false);
    const isDirectOnly = option(options, 'directOnly', checkBoolean, false);
    const inverse = option(options, 'inverse', checkFunction);
    const count = isVariadic ? -1 : MathMax(step.length - 1, inverse === undefined ? 0 : inverse.length - 1, 0);
    const begin = typeof start === 'function' ? [start, true] : [start];
    const end = typeof result === 'function' ? result : undefined;
    const mode = usesBig ? BIG_ARGUMENTS : 0;
    const flags = isDirectOnly ? DIRECT_ONLY : 0;
    native.sqlite_aggregate(number, `${name}`, count, flags, mode, begin, step, inverse, end);
    ArrayPush(this.#callbacks, [begin, step, inverse, end]);
  }

  createSession() {
    const options = arguments[0];
    if (arguments.length > 0) checkObject(options, 'options');
    const table = arguments.length > 0 && ObjectHasOwn(options, 'table') ? options.table : '';
    checkString(table, 'options.table');
    const name = arguments.length > 0 && ObjectHasOwn(options, 'db') ? options.db : 'main';
    checkString(name, 'options.db');
    return createSession(this, numberOf(this), table, name);
  }

  applyChangeset() {
    const number = numberOf(this);
    const changes = arguments[0];
    const options = arguments[1];
    if (!isUint8Array(changes)) throw invalidType('The "changeset" argument must be a Uint8Array.');
    if (options === undefined) return native.sqlite_apply(number, changes);
    checkObject(options, 'options');
    const onConflict = option(options, 'onConflict', checkFunction);
    const filter = ObjectHasOwn(options, 'filter') ? options.filter : undefined;
    if (ObjectHasOwn(options, 'filter')) checkFunction(filter, 'options.filter');
    return native.sqlite_apply(number, changes, filter, onConflict);
  }

  enableLoadExtension() {
    const isOn = arguments[0];
    const number = numberOf(this);
    checkBoolean(isOn, 'allow');
    if (isOn && !this.#settings.allowExtension) {
      throw invalidState('Cannot enable extension loading because it was disabled at database creation.');
    }
    native.sqlite_configure(number, LOAD_EXTENSION, isOn);
    this.#canLoad = isOn;
  }

  enableDefensive() {
    const number = numberOf(this);
    checkBoolean(arguments[0], 'active');
    native.sqlite_configure(number, DEFENSIVE, arguments[0]);
  }

  loadExtension() {
    const number = numberOf(this);
    if (!this.#canLoad) throw invalidState('extension loading is not allowed');
    const path = arguments[0];
    const entry = arguments[1];
    checkString(path, 'path');
    const problem = native.sqlite_loadExtension(number, path, entry);
    if (problem !== undefined) throw failure(Error, 'ERR_LOAD_SQLITE_EXTENSION', problem ?? 'the extension did not load');
  }

  serialize() {
    const number = numberOf(this);
    const name = arguments[0];
    if (name !== undefined) checkString(name, 'dbName');
    return native.sqlite_serialize(number, name ?? 'main');
  }

  deserialize() {
    const number = numberOf(this);
    const bytes = arguments[0];
    const options = arguments[1];
    if (!isUint8Array(bytes)) throw invalidType('The "buffer" argument must be a Uint8Array.');
    if (bytes.byteLength === 0) throw failure(TypeError, 'ERR_INVALID_ARG_VALUE', 'The "buffer" argument must not be empty.');
    if (options !== undefined) checkObject(options, 'options');
    const name = options === undefined ? 'main' : option(options, 'dbName', checkString, 'main');
    native.sqlite_deserialize(number, name, bytes, false);
  }

  setAuthorizer() {
    const number = numberOf(this);
    const ask = arguments[0];
    if (ask !== null) checkFunction(ask, 'callback');
    native.sqlite_authorizer(number, ask);
    this.#callbacks.authorizer = ask;
  }
}

const { limitsOf } = Database;
delete Database.limitsOf;

const facts = {
  __proto__: null,
  isOpen: {
    __proto__: null,
    enumerable: true,
    get() {
      return isOpenOf(this);
    },
  },
  isTransaction: {
    __proto__: null,
    enumerable: true,
    get() {
      return native.sqlite_isTransaction(numberOf(this));
    },
  },
  limits: {
    __proto__: null,
    enumerable: true,
    get() {
      return limitsOf(this);
    },
  },
};

/** `database.limits`: each property is one of SQLite's limits. */
class Limits {
  constructor(database) {
    const names = ObjectKeys(LIMITS);
    for (let index = 0; index < names.length; index++) {
      const name = names[index];
      ObjectDefineProperty(this, name, {
        __proto__: null,
        enumerable: true,
        configurable: false,
        get: () => native.sqlite_limit(numberOf(database), LIMITS[name], -1),
        set: (value) => setLimit(numberOf(database), LIMITS[name], value),
      });
    }
  }
}

function setLimit(number, limit, value) {
  const isWhole = typeof value === 'number' && (value === Infinity || (value | 0) === value);
  if (!isWhole) throw invalidType('Limit value must be a non-negative integer or Infinity.');
  if (value < 0) throw failure(RangeError, 'ERR_OUT_OF_RANGE', 'Limit value must be non-negative.');
  native.sqlite_limit(number, limit, value);
}

function dispose() {
  if (isOpenOf(this)) this.close();
}

module.exports = { DatabaseSync: asNative(Database, 'DatabaseSync', dispose), numberOf };
