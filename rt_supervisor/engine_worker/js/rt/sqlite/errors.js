'use strict';
// Owns: SQLiteError, and the conversion of native errors to it, with SQLite's name of the code.

const { ObjectDefineProperty, ObjectSetPrototypeOf, StringSplit } = require('internal/primordials');

// The names of result codes, and of sqlite3.h's extended ones (code = primary | n << 8) by primary code.
const PRIMARY =
  'OK ERROR INTERNAL PERM ABORT BUSY LOCKED NOMEM READONLY INTERRUPT IOERR CORRUPT NOTFOUND FULL CANTOPEN PROTOCOL EMPTY ' +
  'SCHEMA TOOBIG CONSTRAINT MISMATCH MISUSE NOLFS AUTH FORMAT RANGE NOTADB NOTICE WARNING';
const EXTENDED = {
  __proto__: null,
  ERROR: 'MISSING_COLLSEQ RETRY SNAPSHOT RESERVESIZE KEY UNABLE',
  ABORT: '- ROLLBACK',
  BUSY: 'RECOVERY SNAPSHOT TIMEOUT',
  LOCKED: 'SHAREDCACHE VTAB',
  READONLY: 'RECOVERY CANTLOCK ROLLBACK DBMOVED CANTINIT DIRECTORY',
  IOERR:
    'READ SHORT_READ WRITE FSYNC DIR_FSYNC TRUNCATE FSTAT UNLOCK RDLOCK DELETE BLOCKED NOMEM ACCESS CHECKRESERVEDLOCK LOCK ' +
    'CLOSE DIR_CLOSE SHMOPEN SHMSIZE SHMLOCK SHMMAP SEEK DELETE_NOENT MMAP GETTEMPPATH CONVPATH VNODE AUTH BEGIN_ATOMIC ' +
    'COMMIT_ATOMIC ROLLBACK_ATOMIC DATA CORRUPTFS IN_PAGE',
  CORRUPT: 'VTAB SEQUENCE INDEX',
  CANTOPEN: 'NOTEMPDIR ISDIR FULLPATH CONVPATH DIRTYWAL SYMLINK',
  CONSTRAINT: 'CHECK COMMITHOOK FOREIGNKEY FUNCTION NOTNULL PRIMARYKEY TRIGGER UNIQUE VTAB ROWID PINNED DATATYPE',
  AUTH: 'USER',
  NOTICE: 'RECOVER_WAL RECOVER_ROLLBACK RBU',
  WARNING: 'AUTOINDEX',
};

function nameOf(code) {
  const primary = StringSplit(PRIMARY, ' ')[code & 0xff];
  if (primary === undefined) return 'SQLITE_UNKNOWN';
  const more = code >> 8 > 0 ? EXTENDED[primary]?.split(' ')[(code >> 8) - 1] : undefined;
  return more === undefined ? `SQLITE_${primary}` : `SQLITE_${primary}_${more}`;
}

class SQLiteError extends Error {
  constructor() {
    super();
    throw new Error('SQLiteError can only be constructed by rt:sqlite');
  }
}

/** Converts `error`, which a call on the connection `number` threw (undefined: no connection). */
function convertError(error, number = undefined) {
  if (error === null || typeof error !== 'object' || error.code !== 'ERR_SQLITE_ERROR') return convertError.plain(error);
  const converted = new Error(error.message);
  ObjectSetPrototypeOf(converted, SQLiteError.prototype);
  ObjectDefineProperty(converted, 'name', { __proto__: null, value: 'SQLiteError', writable: true, configurable: true });
  ObjectDefineProperty(converted, 'stack', { __proto__: null, value: error.stack, writable: true, configurable: true });
  converted.code = nameOf(error.errcode);
  converted.errno = error.errcode;
  converted.byteOffset = offsetOf(number);
  return converted;
}

convertError.plain = (error) => {
  switch (error?.message) {
    case 'statement has been finalized':
      return new Error('Statement has finalized');
    case 'database is not open':
      return new RangeError('Cannot use a closed database');
    default:
      return error;
  }
};

function offsetOf(number) {
  try {
    return number === undefined ? -1 : host.native.sqlite_errorOffset(number);
  } catch {
    return -1;
  }
}

module.exports = { SQLiteError, convertError };
