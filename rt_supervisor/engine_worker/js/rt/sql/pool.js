'use strict';
// Owns: the connection pool of one RT.SQL: opens connections on demand up to a limit, reuses them, and closes those that are
// idle for long or too old. Waiting callers are served in order.

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

const closedError = () => failure('CONNECTION_CLOSED', 'Connection closed');

class Pool {
  #idle = [];
  #all = new Set(); // open or opening
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

  /** Returns a connection for the caller's exclusive use until `release`. */
  acquire() {
    if (this.#isClosed) return PromiseReject(closedError());
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

  /** Connects ahead of use: one attempt, which the program does not wait for. */
  warm(onFailure, done) {
    this.#open(false, { failed: onFailure, done });
  }

  #open(isReferenced, { failed, done } = {}) {
    const { options } = this;
    const connection = new Connection(options, { onClose: (closed, error) => this.#handleClose(closed, error) });
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

  #handleClose(connection, error) {
    stopTimer(connection.idleTimer);
    const wasOpen = connection.since !== undefined;
    SetDelete(this.#all, connection);
    const index = ArrayIndexOf(this.#idle, connection);
    if (index !== -1) ArraySplice(this.#idle, index, 1);
    if (wasOpen && typeof this.options.onclose === 'function') this.options.onclose(error);
    this.#settle();
  }
  /** Opens a connection for a waiting caller if the limit allows; completes close() when the last one has closed. */
  #settle() {
    if (this.#waiting.size > this.#opening.size && this.#all.size < this.options.max) this.#open(true);
    if (this.#all.size === 0 && this.#waiting.size === 0) this.#whenEmpty?.();
  }

  /** Rejects new queries. Running ones may finish within `timeout` seconds, or without a limit. */
  async close({ timeout = undefined } = {}) {
    this.#isClosed = true;
    for (const connection of intact([...intact(this.#idle)])) connection.end();
    if (this.#all.size === 0 && this.#waiting.size === 0) return;
    const end = () => {
      for (const { reject } of intact(this.#waiting.clear())) reject(closedError());
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
