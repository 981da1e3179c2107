'use strict';
// Owns: Session: records the changes made to a database.

const { illegalConstructor, illegalInvocation } = require('node/sqlite/errors');
const { asNative } = require('node/sqlite/statement');

const native = host.native;
const kOwn = Symbol('own');
let numberOf;

class Session {
  // eslint-disable-next-line no-unused-private-class-members -- it lives as long as this
  #database;
  #number;

  constructor(token, database, number, table, name) {
    if (token !== kOwn) throw illegalConstructor();
    this.#database = database;
    this.#number = native.sqlite_session(number, this, table, name);
  }

  static {
    numberOf = (session) => {
      if (!(#number in session)) throw illegalInvocation();
      return session.#number;
    };
  }

  changeset() {
    return native.sqlite_sessionChanges(numberOf(this), false);
  }

  patchset() {
    return native.sqlite_sessionChanges(numberOf(this), true);
  }

  close() {
    native.sqlite_sessionClose(numberOf(this));
  }
}

function dispose() {
  try {
    native.sqlite_sessionClose(numberOf(this));
  } catch (error) {
    if (error.code !== 'ERR_INVALID_STATE') throw error;
  }
}

const createSession = (database, number, table, name) => new Session(kOwn, database, number, table, name);

module.exports = { Session: asNative(Session, 'Session', dispose, illegalConstructor), createSession };
