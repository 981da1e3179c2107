'use strict';
// Owns: errors thrown asynchronously by code of a REPL: each is reported by the REPL whose async context it was thrown in.
// Loaded with the first evaluated line.

const runtimeParts = require('internal/parts');
const { codes } = require('internal/errors/errors');
const { AsyncLocalStorage } = require('node/async_hooks/async_hooks');

const storage = new AsyncLocalStorage();

/** The stored value; it hides the REPL from programs that print a timer. */
class CodeOfRepl {
  #repl;

  constructor(repl) {
    this.#repl = repl;
  }

  static current() {
    const store = storage.getStore();
    return store === undefined ? undefined : store.#repl;
  }
}

let isWatching = false;

function watch() {
  isWatching = true;
  const { process } = runtimeParts.process;
  process.addUncaughtExceptionCaptureCallback((error) => {
    const repl = CodeOfRepl.current();
    if (repl === undefined || repl.isOver) return false;
    repl._handleError(error);
    return true;
  });
  process.prependListener('newListener', (name) => {
    if (name !== 'uncaughtException') return;
    const repl = CodeOfRepl.current();
    if (repl !== undefined && !repl.isProgram)
      throw new codes.ERR_INVALID_REPL_INPUT('Listeners for `uncaughtException` cannot be used in the REPL');
  });
}

/** Runs `work` as code of `repl`. */
function within(repl, work) {
  if (!isWatching) watch();
  return storage.run(new CodeOfRepl(repl), work);
}

module.exports = { within };
