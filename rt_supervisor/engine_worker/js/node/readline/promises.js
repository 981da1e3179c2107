'use strict';
// Owns: node:readline/promises: questions as promises, and Readline, which collects cursor movements until commit().

const { ArrayJoin, ArrayPush, PromiseThen } = require('internal/primordials');
const { PromiseResolve } = require('internal/promises');
const { LineReader, callable } = require('node/readline/interface');
const { AbortError, codes } = require('internal/errors/errors');
const { validateAbortSignal, validateBoolean, validateInteger } = require('internal/validators');

class PromiseInterface extends LineReader {
  question(query, options = {}) {
    return new Promise((resolve, reject) => {
      const { signal } = options;
      let listening;
      if (signal !== undefined) {
        validateAbortSignal(signal, 'options.signal');
        if (signal.aborted) {
          reject(new AbortError(undefined, { cause: signal.reason }));
          return;
        }
        listening = require('web/abort').addAbortListener(signal, () => {
          this.cancelQuestion();
          reject(new AbortError(undefined, { cause: signal.reason }));
        });
      }
      this.ask(
        query,
        (line) => {
          listening?.[Symbol.dispose]();
          resolve(line);
        },
        reject,
      );
    });
  }

  completeWith(text, callback) {
    PromiseThen(
      PromiseThen(PromiseResolve(), () => this.completer(text)),
      (found) => callback(null, found),
      callback,
    );
  }
}
const Interface = callable(PromiseInterface);

class Readline {
  #stream;
  #isAutoCommitted;
  #waiting = [];

  constructor(stream, options = undefined) {
    if (!require('internal/stream_kinds').isWritable(stream)) throw new codes.ERR_INVALID_ARG_TYPE('stream', 'Writable', stream);
    this.#stream = stream;
    if (options?.autoCommit != null) validateBoolean(options.autoCommit, 'options.autoCommit');
    this.#isAutoCommitted = Boolean(options?.autoCommit);
  }

  #add(text) {
    if (this.#isAutoCommitted) host.nextTick(() => this.#stream.write(text));
    else ArrayPush(this.#waiting, text);
    return this;
  }
  cursorTo(x, y = undefined) {
    validateInteger(x, 'x');
    if (y != null) validateInteger(y, 'y');
    return this.#add(y == null ? `\x1b[${x + 1}G` : `\x1b[${y + 1};${x + 1}H`);
  }
  moveCursor(dx, dy) {
    if (dx || dy) {
      validateInteger(dx, 'dx');
      validateInteger(dy, 'dy');
      const step = (count, more, less) => (count > 0 ? `\x1b[${count}${more}` : count < 0 ? `\x1b[${-count}${less}` : '');
      this.#add(step(dx, 'C', 'D') + step(dy, 'B', 'A'));
    }
    return this;
  }
  clearLine(direction) {
    validateInteger(direction, 'dir', -1, 1);
    return this.#add(direction < 0 ? '\x1b[1K' : direction > 0 ? '\x1b[0K' : '\x1b[2K');
  }
  clearScreenDown() {
    return this.#add('\x1b[0J');
  }
  commit() {
    return new Promise((resolve) => {
      this.#stream.write(ArrayJoin(this.#waiting, ''), () => resolve());
      this.#waiting = [];
    });
  }
  rollback() {
    this.#waiting = [];
    return this;
  }
}

module.exports = {
  Interface,
  Readline,
  createInterface: (input, output, completer, terminal) => new Interface(input, output, completer, terminal),
};
