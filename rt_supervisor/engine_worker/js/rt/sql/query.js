'use strict';
// Owns: one query as seen by the program: a promise that runs when it is awaited, or a fragment of another query; and building
// its text and values from a template with names, rows, lists and fragments.

const { AnyThen } = require('internal/any_kind');
const {
  ArrayEvery,
  ArrayFilter,
  ArrayFlat,
  ArrayForEach,
  ArrayIsArray,
  ArrayJoin,
  ArrayMap,
  ArrayPush,
  ArraySome,
  JSONStringify,
  MathAbs,
  NumberIsInteger,
  ObjectAssign,
  ObjectDefineProperty,
  ObjectEntries,
  ObjectKeys,
  RegExpTest,
  StringReplaceAll,
  StringSplit,
  intact,
} = require('internal/primordials');
const { codes } = require('internal/errors/errors');
const { awaitedRejecter } = require('internal/errors/places');
const { failure } = require('rt/sql/errors');
const { arrayText } = require('rt/sql/types');

/** The result of sql(value, …names): names, a row, rows, or a list of values, interpreted by its position in the query. */
class Helper {
  constructor(value, columns) {
    this.value = value;
    this.columns = columns;
  }
  /** Awaiting a helper is a mistake for awaiting a query: rejects. */
  then(onResult, onError) {
    onError(failure('NOT_TAGGED_CALL', 'Query not called as a tagged template literal'));
  }
}
/** The result of sql.json(value): sent as JSON, whatever type the server expects. */
class JSONValue {
  constructor(value) {
    this.value = value;
  }
  toJSON() {
    return this.value;
  }
}
class ArrayValue {
  constructor(values, type) {
    this.values = values;
    this.type = type;
  }
}

const quoteName = (name) =>
  ArrayJoin(
    ArrayMap(StringSplit(`${name}`, '.'), (part) => `"${StringReplaceAll(part, '"', '""')}"`),
    '.',
  );
const wrong = (message) => failure('SYNTAX_ERROR', message);

/** Returns the SQL type of an array's elements if the program does not specify it. */
function elementType(values) {
  const flat = ArrayFilter(ArrayFlat(values, Infinity), (value) => value !== null && value !== undefined);
  if (flat.length === 0) return undefined;
  if (ArrayEvery(flat, (value) => NumberIsInteger(value) && MathAbs(value) < 2 ** 31)) return 'INT';
  if (ArrayEvery(flat, (value) => typeof value === 'number')) return 'FLOAT8';
  if (ArrayEvery(flat, (value) => typeof value === 'boolean')) return 'BOOLEAN';
  return undefined;
}

class Builder {
  text = '';
  values = [];

  value(value) {
    if (value instanceof Query) this.template(value.strings, value.parameters);
    else if (value instanceof Helper) this.helper(value);
    else if (value instanceof JSONValue) this.#parameter(JSONStringify(value.value) ?? null);
    else if (value instanceof ArrayValue) {
      const type = value.type ?? elementType(value.values);
      this.#parameter(arrayText(value.values));
      if (type !== undefined) {
        if (!RegExpTest(/^[\w ".[\]()]+$/, `${type}`))
          throw new codes.ERR_INVALID_ARG_VALUE('type', type, 'must be the name of a type of PostgreSQL');
        this.text += `::${type}[]`;
      }
    } else if (typeof value === 'function' || typeof value === 'symbol')
      throw wrong(`A ${typeof value} cannot be a query parameter`);
    else this.#parameter(value);
  }
  #parameter(value) {
    ArrayPush(this.values, value);
    this.text += `$${this.values.length}`;
  }
  #list(values) {
    this.text += '(';
    for (let index = 0; index < values.length; index++) {
      if (index > 0) this.text += ', ';
      this.value(values[index]);
    }
    this.text += ')';
  }

  template(strings, values) {
    if (typeof strings === 'string') {
      // From `unsafe`: the text numbers its own parameters from $1 on.
      if (values.length > 0 && this.values.length > 0)
        throw wrong('A fragment of sql.unsafe with values cannot be put into a query');
      this.text += strings;
      for (let index = 0; index < values.length; index++) ArrayPush(this.values, values[index]);
      return;
    }
    for (let index = 0; index < strings.length; index++) {
      this.text += strings[index];
      if (index < values.length) this.value(values[index]);
    }
  }

  helper({ value, columns }) {
    const before = this.text;
    if (typeof value === 'string') {
      this.text += ArrayJoin(ArrayMap([value, ...intact(columns)], quoteName), ', ');
      return;
    }
    const isIn = RegExpTest(/\bin\s*$/i, before);
    const rows = ArrayIsArray(value) ? value : [value];
    const isRows = rows.length > 0 && ArrayEvery(rows, (row) => typeof row === 'object' && row !== null && !ArrayIsArray(row));
    if (isIn) {
      if (rows.length === 0) {
        this.text += '(NULL)'; // matches nothing
        return;
      }
      if (isRows && columns.length > 1) throw wrong('IN requires rows with one column');
      this.#list(isRows ? ArrayMap(rows, (row) => row[columns[0] ?? ObjectKeys(row)[0]]) : rows);
      return;
    }
    if (!isRows) {
      if (ArrayIsArray(value) && ArrayEvery(value, (each) => typeof each === 'string')) {
        this.text += ArrayJoin(ArrayMap(value, quoteName), ', ');
        return;
      }
      throw wrong('sql(…) requires a name, an object, or a list of objects');
    }
    for (const column of intact(columns))
      if (typeof column !== 'string' && typeof column !== 'number') throw new Error(`Keys must be strings or numbers: ${column}`);
    const names =
      columns.length > 0
        ? columns
        : ArrayFilter(ObjectKeys(rows[0]), (name) => ArraySome(rows, (row) => row[name] !== undefined));
    if (names.length === 0) throw wrong('An object without values cannot be put into a query');
    if (RegExpTest(/\b(?:set|update\s+\S+)\s*$/i, before)) {
      if (rows.length !== 1) throw wrong('UPDATE requires exactly one object');
      if (!RegExpTest(/\bset\s*$/i, before)) this.text += ' SET ';
      ArrayForEach(names, (name, index) => {
        this.text += `${index > 0 ? ', ' : ''}${quoteName(name)} = `;
        this.value(rows[0][name]);
      });
      return;
    }
    if (!RegExpTest(/\bvalues\s*$/i, before)) this.text += `(${ArrayJoin(ArrayMap(names, quoteName), ', ')}) VALUES `;
    ArrayForEach(rows, (row, index) => {
      if (index > 0) this.text += ', ';
      this.#list(ArrayMap(names, (name) => row[name] ?? null));
    });
  }
}

class Query extends Promise {
  #run;
  #settle;
  #state = 'new'; // running, done
  #isCancelled = false;
  mode = 'objects';
  isSimple = false;

  /** `run(query)` returns the promise of its result. */
  constructor(run, strings, parameters) {
    let settle;
    super((resolve) => {
      settle = { resolve, reject: awaitedRejecter(resolve) };
    });
    this.#settle = settle;
    this.#run = run;
    for (const { 0: name, 1: value } of intact(
      ObjectEntries({ strings, parameters, mode: 'objects', isSimple: false, copy: undefined, stop: undefined }),
    ))
      ObjectDefineProperty(this, name, { __proto__: null, value, writable: true, enumerable: false, configurable: true });
  }
  static get [Symbol.species]() {
    return Promise;
  }

  /** Returns { text, values } for the server. */
  build() {
    const builder = new Builder();
    builder.template(this.strings, this.parameters);
    return { text: builder.text, values: builder.values };
  }

  get active() {
    return this.#state === 'running';
  }
  get cancelled() {
    return this.#isCancelled;
  }
  values() {
    this.mode = 'values';
    return this;
  }
  raw() {
    this.mode = 'raw';
    return this;
  }
  simple() {
    this.isSimple = true;
    return this;
  }

  /** Returns the stream of COPY … TO STDOUT. */
  readable() {
    const { CopyOut } = require('rt/sql/copying');
    return this.#copying(() => new CopyOut(() => this.cancel()));
  }
  /** Returns the stream for COPY … FROM STDIN. */
  writable() {
    const { CopyIn } = require('rt/sql/copying');
    return this.#copying(() => new CopyIn());
  }
  #copying(make) {
    if (this.#state !== 'new')
      throw new codes.ERR_INVALID_STATE('readable() and writable() must be called before the query starts');
    this.isSimple = true;
    this.copy = make();
    super.catch(() => {}); // the stream reports the error
    this.execute();
    return this.copy.stream;
  }

  execute() {
    if (this.#state !== 'new') return this;
    this.#state = 'running';
    const end = (how) => (value) => {
      this.#state = 'done';
      this.copy?.end(how === 'reject' ? value : undefined);
      this.#settle[how](value);
    };
    AnyThen(this.#run(this), end('resolve'), end('reject'));
    return this;
  }
  run() {
    return this.execute();
  }
  /** Cancels a running query; a query that has not started never runs. */
  cancel() {
    if (this.#isCancelled || this.#state === 'done') return this;
    this.#isCancelled = true;
    if (this.#state === 'new') {
      this.#state = 'done';
      super.catch(() => {});
      this.#settle.reject(failure('QUERY_CANCELLED', 'Query cancelled'));
    } else this.stop?.();
    return this;
  }

  then(onResult, onError) {
    this.execute();
    return super.then(onResult, onError);
  }
  catch(onError) {
    this.execute();
    return super.catch(onError);
  }
  finally(onEnd) {
    this.execute();
    return super.finally(onEnd);
  }
}

/** Returns the job that a connection runs for a query. */
function jobOf(query) {
  const { text, values } = query.build();
  const { copy, isSimple, mode } = query;
  if (isSimple && values.length > 0)
    throw ObjectAssign(new TypeError('simple query cannot have parameters'), { code: 'ERR_INVALID_ARG_TYPE' });
  return { text, values, isSimple, mode, copy };
}

module.exports = { Query, Helper, ArrayValue, JSONValue, jobOf };
