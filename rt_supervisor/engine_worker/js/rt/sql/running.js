'use strict';
// Owns: one query on a connection: sends its messages, receives rows and completions, and builds the results.
//
// with values: Parse, Describe --described--> Bind, Execute, Sync --rows, CommandComplete--> ReadyForQuery
// already prepared: Bind, Execute, Sync …; simple: Query …

const { AnyThen } = require('internal/any_kind');
const {
  ArrayAt,
  ArrayJoin,
  ArrayMap,
  ArrayPush,
  ArraySlice,
  MapDelete,
  MapGet,
  MapSet,
  NumberIsInteger,
  ObjectAssign,
  ObjectDefineProperty,
  StringSplit,
  intact,
  setOwn,
} = require('internal/primordials');
const { Message } = require('rt/sql/messages');
const { decoderOf, textOf, typeOfValue } = require('rt/sql/types');
const { Buffer } = require('node/buffer/buffer');

const STALE = '0A000'; // "cached plan must not change result type"

class SQLResultArray extends Array {
  static get [Symbol.species]() {
    return Array;
  }
}
ObjectDefineProperty(SQLResultArray, 'name', { __proto__: null, value: 'SQLResultArray', configurable: true });

class Running {
  #connection;
  #job;
  #resolve;
  #reject;
  #statement;
  #isNew = false;
  #isStale = false; // the columns have changed since it was prepared: it is prepared again
  #error;
  #results = [];
  #rows = new SQLResultArray();
  #columns = [];

  /** job: { text, values, isSimple, mode: 'objects' | 'values' | 'raw', copy? } */
  constructor(connection, job, resolve, reject) {
    this.#connection = connection;
    this.#job = job;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  begin() {
    const { text, values, isSimple } = this.#job;
    const connection = this.#connection;
    try {
      if (isSimple) {
        connection.send(new Message('Q').text(text));
        return;
      }
      const types = ArrayMap(values, typeOfValue);
      const key = `${ArrayJoin(types)} ${text}`;
      this.#statement = MapGet(connection.statements, key);
      if (this.#statement !== undefined) {
        this.#execute();
        return;
      }
      this.#isNew = true;
      const isKept = connection.options.prepare;
      this.#statement = { key, name: isKept ? connection.nameStatement() : '', types: [], columns: [] };
      const parse = new Message('P').text(this.#statement.name).text(text).int16(types.length);
      for (const type of intact(types)) parse.int32(type);
      connection.send(parse, new Message('D').raw(Buffer.from('S')).text(this.#statement.name), new Message('H'));
    } catch (error) {
      this.#error = error;
      connection.send(new Message('S'));
    }
  }

  #execute() {
    const { name, types, columns } = this.#statement;
    const { values } = this.#job;
    this.#columns = columns;
    const bind = new Message('B').text('').text(name).int16(0).int16(values.length);
    try {
      for (let index = 0; index < values.length; index++) {
        const value = values[index];
        bind.value(value === null || value === undefined ? null : Buffer.from(textOf(value, types[index] ?? 0)));
      }
    } catch (error) {
      this.#error = error;
      this.#connection.send(new Message('S'));
      return;
    }
    this.#connection.send(bind.int16(0), new Message('E').text('').int32(0), new Message('S'));
  }

  take(type, body) {
    switch (type) {
      case 't': {
        const count = body.int16();
        for (let index = 0; index < count; index++) ArrayPush(this.#statement.types, body.int32());
        return;
      }
      case 'T':
        this.#handleDescription(columnsOf(body, this.#connection.options));
        return;
      case 'n':
        this.#handleDescription([]);
        return;
      case 'D':
        this.#row(body);
        return;
      case 'C':
        this.#complete(body.text());
        return;
      case 'I':
        this.#complete('');
        return;
      case 'H':
      case 'G':
        this.#copies(type === 'H');
        return;
      case 'd':
        if (this.#job.copy?.hasStarted) this.#job.copy.data(body.rest());
    }
  }

  /** Called when the server starts a COPY in either direction. */
  #copies(isOut) {
    const { copy, isSimple } = this.#job;
    if (copy?.isOut === isOut) {
      copy.begin(this.#connection);
      return;
    }
    this.#error ??= require('rt/sql/copying').notSupported();
    if (isOut) return; // incoming data is discarded
    this.#connection.failPieces('nothing to copy from');
    if (!isSimple) this.#connection.send(new Message('S')); // the server ignores the Sync sent before
  }

  #handleDescription(columns) {
    this.#columns = columns;
    if (this.#job.isSimple) return;
    this.#statement.columns = columns;
    if (this.#statement.name !== '') MapSet(this.#connection.statements, this.#statement.key, this.#statement);
    this.#execute();
  }

  #row(body) {
    const columns = this.#columns;
    const { mode } = this.#job;
    const count = body.int16();
    const row = mode === 'objects' ? {} : [];
    for (let index = 0; index < count; index++) {
      const size = body.int32();
      const { name, decode } = columns[index];
      let value = null;
      if (size >= 0) {
        const bytes = body.take(size);
        if (mode === 'raw') value = Buffer.from(bytes);
        else {
          const text = bytes.utf8Slice(0, size);
          value = decode === undefined ? text : decode(text);
        }
      }
      if (mode === 'objects') {
        if (name === '__proto__') setOwn(row, name, value);
        else row[name] = value;
      } else ArrayPush(row, value);
    }
    ArrayPush(this.#rows, row);
  }

  #complete(tag) {
    const words = StringSplit(tag, ' ');
    const last = Number(ArrayAt(words, -1));
    const isCounted = words.length > 1 && NumberIsInteger(last);
    const command = isCounted ? ArrayJoin(ArraySlice(words, 0, words[0] === 'INSERT' ? -2 : -1), ' ') : tag;
    const count = isCounted ? last : 0;
    const changes = command === 'SELECT' ? 0 : count;
    ObjectAssign(this.#rows, { count, command, lastInsertRowid: null, affectedRows: changes });
    ArrayPush(this.#results, this.#rows);
    this.#rows = new SQLResultArray();
  }

  failed(error) {
    this.#error ??= error;
    const { isSimple } = this.#job;
    // After an error before the description, the server ignores all messages until Sync.
    if (!isSimple && this.#isNew && !this.#isDescribed) this.#connection.send(new Message('S'));
    if (isSimple || error.errno !== STALE) return;
    MapDelete(this.#connection.statements, this.#statement.key);
    this.#isStale = !this.#isNew;
  }
  get #isDescribed() {
    return this.#columns === this.#statement.columns;
  }

  /** Called when the connection is free. */
  done() {
    if (this.#isStale && !this.#connection.inTransaction) {
      AnyThen(this.#connection.run(this.#job), this.#resolve, this.#reject);
      return;
    }
    if (this.#error !== undefined) {
      this.#reject(this.#error);
      return;
    }
    this.#resolve(this.#results.length === 1 ? this.#results[0] : this.#results.length === 0 ? this.#rows : this.#results);
  }
  broken(error) {
    this.#reject(this.#error ?? error);
  }
}

function columnsOf(body, options) {
  const columns = [];
  const count = body.int16();
  for (let index = 0; index < count; index++) {
    const name = body.text();
    body.int32();
    body.int16();
    const type = body.int32();
    body.int16();
    body.int32();
    body.int16();
    ArrayPush(columns, { name, type, decode: decoderOf(type, options) });
  }
  return columns;
}

module.exports = { Running, SQLResultArray };
