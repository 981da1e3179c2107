'use strict';
// Owns: the connections of one RT.SQL: as many as are wanted at once up to a limit, kept for the next query, closed when they are idle
// for long or old; who waits for one is served in turn.

const { PromiseReject, PromiseResolve } = require('internal/promises');
const {
  ArrayIndexOf,
  ArrayPop,
  ArrayPush,
  ArraySplice,
  DateNow,
  PromiseThen,
  SetAdd,
  SetDelete,
  intact,
} = require('internal/primordials');
const { setTimeout: startTimer, clearTimeout: stopTimer } = require('internal/timers');
const { Connection } = require('rt/sql/connection');
const { Queue } = require('internal/queue');
const { failure } = require('rt/sql/errors');

const closed = () => failure('CONNECTION_CLOSED', 'Connection closed');

class Pool {
  #idle = [];
  #all = new Set(); // open, or being opened
  #opening = new Set();
  #waiting = new Queue(); // { resolve, reject }
  #isClosed = false;
  #whenEmpty;

  constructor(options) {
    this.options = options;
  }
  get isClosed() {
    return this.#isClosed;
  }

  /** A connection for the caller alone, until `release`. */
  acquire() {
    if (this.#isClosed) return PromiseReject(closed());
    const connection = ArrayPop(this.#idle);
    if (connection !== undefined) {
      stopTimer(connection.idleTimer);
      connection.ref();
      return PromiseResolve(connection);
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      for (const opening of intact(this.#opening)) opening.ref();
      if (this.#opening.size < this.#waiting.size && this.#all.size < this.options.max) this.#open(true);
    });
  }

  /** Connect before it is needed: one attempt, for which the program does not wait. */
  warm(failed, done) {
    this.#open(false, { failed, done });
  }

  #open(isReferenced, { failed, done } = {}) {
    const { options } = this;
    const connection = new Connection(options, { gone: (gone, error) => this.#gone(gone, error) });
    SetAdd(this.#all, connection);
    SetAdd(this.#opening, connection);
    PromiseThen(
      connection.open(isReferenced),
      () => {
        SetDelete(this.#opening, connection);
        connection.since = DateNow();
        done?.();
        if (typeof options.onconnect === 'function') options.onconnect(null);
        this.release(connection);
      },
      (error) => {
        SetDelete(this.#opening, connection);
        SetDelete(this.#all, connection);
        failed?.(error, options.address.path ?? `${options.hostname}:${options.port}`);
        this.#waiting.shift()?.reject(error);
        this.#settle();
      },
    );
  }

  release(connection) {
    if (connection.isGone) {
      this.#settle();
      return;
    }
    const { maxLifetime, idleTimeout } = this.options;
    if (maxLifetime > 0 && DateNow() - connection.since > maxLifetime * 1000) {
      connection.end();
      return;
    }
    const next = this.#waiting.shift();
    if (next !== undefined) {
      connection.ref();
      next.resolve(connection);
      return;
    }
    if (this.#isClosed) {
      connection.end();
      return;
    }
    ArrayPush(this.#idle, connection);
    connection.unref();
    if (idleTimeout > 0) connection.idleTimer = startTimer(() => connection.end(), idleTimeout * 1000).unref();
  }

  #gone(connection, error) {
    stopTimer(connection.idleTimer);
    const wasOpen = connection.since !== undefined;
    SetDelete(this.#all, connection);
    const index = ArrayIndexOf(this.#idle, connection);
    if (index !== -1) ArraySplice(this.#idle, index, 1);
    if (wasOpen && typeof this.options.onclose === 'function') this.options.onclose(error);
    this.#settle();
  }
  /** Who waits gets a new connection where there is room; the last one gone ends close(). */
  #settle() {
    if (this.#waiting.size > this.#opening.size && this.#all.size < this.options.max) this.#open(true);
    if (this.#all.size === 0 && this.#waiting.size === 0) this.#whenEmpty?.();
  }

  /** No new queries; those under way have `timeout` seconds, or all the time they need. */
  async close({ timeout = undefined } = {}) {
    this.#isClosed = true;
    for (const connection of intact([...intact(this.#idle)])) connection.end();
    if (this.#all.size === 0 && this.#waiting.size === 0) return;
    const end = () => {
      for (const { reject } of intact(this.#waiting.clear())) reject(closed());
      for (const connection of intact([...intact(this.#all)])) connection.end();
    };
    let timer;
    if (timeout === 0) end();
    else if (timeout > 0) timer = startTimer(end, timeout * 1000);
    if (this.#all.size > 0 || this.#waiting.size > 0)
      await new Promise((resolve) => {
        this.#whenEmpty = resolve;
      });
    stopTimer(timer);
  }
}

module.exports = { Pool };
