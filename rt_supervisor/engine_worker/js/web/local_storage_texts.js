// @ts-check
'use strict';
// Owns: the values of localStorage in their file, a database in Node's format: keys and values in UTF-16, their size tracked by
// triggers. Every access reads or writes the file, so that changes by other processes are visible.

const { ArrayMap, StringCharCodeAt } = require('internal/primordials');

const { native } = host;
const READ_WRITE = 2;
const CREATE = 4;
const ARRAYS = 2;
const BUSY_MS = 5000;
const UTF16 = 5; // the encoding's number for native.textOf
const SIZES = '(octet_length(new.key) + octet_length(new.value))';
const FREED = '(octet_length(old.key) + octet_length(old.value))';
const TOO_MUCH = `select raise(abort, 'QuotaExceeded')
  where exists (select 1 from nodejs_webstorage_state where total_size > max_size);`;
const SCHEMA = `
  pragma journal_mode = wal;
  begin immediate;
  create table if not exists nodejs_webstorage(key blob not null, value blob not null, primary key(key)) strict;
  create table if not exists nodejs_webstorage_state(
    max_size integer not null default 10485760,
    total_size integer not null,
    schema_version integer not null default 0,
    single_row_ integer not null default 1 check(single_row_ = 1),
    primary key(single_row_)
  ) strict;
  create trigger if not exists nodejs_quota_insert after insert on nodejs_webstorage for each row begin
    update nodejs_webstorage_state set total_size = total_size + ${SIZES};
    ${TOO_MUCH}
  end;
  create trigger if not exists nodejs_quota_update after update on nodejs_webstorage for each row begin
    update nodejs_webstorage_state set total_size = total_size + ${SIZES} - ${FREED};
    ${TOO_MUCH}
  end;
  create trigger if not exists nodejs_quota_delete after delete on nodejs_webstorage for each row begin
    update nodejs_webstorage_state set total_size = total_size - ${FREED};
  end;
  insert or ignore into nodejs_webstorage_state(total_size, schema_version) values (0, 1);
  commit;
`;

function bytesOf(text) {
  const units = new Uint16Array(text.length);
  for (let index = 0; index < text.length; index++) units[index] = StringCharCodeAt(text, index);
  return new Uint8Array(units.buffer);
}
const textOf = (bytes) => native.textOf(bytes, UTF16);

/** Translates an error of SQLite to Node's: QuotaExceededError, or an error with code ERR_INVALID_STATE. */
function convertError(error) {
  if (error?.code !== 'ERR_SQLITE_ERROR') return error;
  if (error.message === 'QuotaExceeded') {
    const { QuotaExceededError } = require('internal/quota_exceeded');
    return new QuotaExceededError('Setting the value exceeded the quota');
  }
  const failure = new Error(error.message);
  failure.code = 'ERR_INVALID_STATE';
  return failure;
}

/** Has the interface of a Map of strings. */
class LocalStorageTexts {
  #database;
  #statements = { __proto__: null };

  constructor(path) {
    try {
      this.#database = native.sqlite_open(this, path, READ_WRITE | CREATE, BUSY_MS);
      native.sqlite_exec(this.#database, SCHEMA);
    } catch (error) {
      throw convertError(error);
    }
  }

  #rows(sql, ...values) {
    try {
      const statement = (this.#statements[sql] ??= native.sqlite_prepare(this.#database, this, sql, ARRAYS));
      if (values.length === 0) return native.sqlite_all(statement, true);
      if (values.length === 1) return native.sqlite_all(statement, true, values[0]);
      return native.sqlite_all(statement, true, values[0], values[1]);
    } catch (error) {
      throw convertError(error);
    }
  }

  get size() {
    return this.#rows('select count(*) from nodejs_webstorage')[0][0];
  }
  get(key) {
    const row = this.#rows('select value from nodejs_webstorage where key = ?', bytesOf(key))[0];
    return row === undefined ? undefined : textOf(row[0]);
  }
  has(key) {
    return this.get(key) !== undefined;
  }
  set(key, value) {
    const sql = 'insert into nodejs_webstorage values (?, ?) on conflict(key) do update set value = excluded.value';
    this.#rows(sql, bytesOf(key), bytesOf(value));
  }
  delete(key) {
    this.#rows('delete from nodejs_webstorage where key = ?', bytesOf(key));
  }
  clear() {
    this.#rows('delete from nodejs_webstorage');
  }
  keys() {
    return ArrayMap(this.#rows('select key from nodejs_webstorage order by key'), (row) => textOf(row[0]));
  }
  entries() {
    return ArrayMap(this.#rows('select key, value from nodejs_webstorage order by key'), (row) => [
      textOf(row[0]),
      textOf(row[1]),
    ]);
  }
}

module.exports = { LocalStorageTexts };
