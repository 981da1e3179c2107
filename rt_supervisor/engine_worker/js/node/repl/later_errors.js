'use strict';
// Owns: errors that come from the code of a REPL after its line was done: each belongs to the REPL in whose asynchronous context it was
// thrown. Loaded with the first line that is evaluated.

const handedDown = require('internal/parts');
const { codes } = require('internal/errors/errors');
const { AsyncLocalStorage } = require('node/async_hooks/async_hooks');

const storage = new AsyncLocalStorage();

/** What is stored: it hides the REPL, which a program that prints a timer does not want to see. */
class CodeOfRepl {
  #repl;

  constructor(repl) {
    this.#repl = repl;
  }

  static current() {
    const stored = storage.getStore();
    return stored === undefined ? undefined : stored.#repl;
  }
}

let isWatching = false;

function watch() {
  isWatching = true;
  const { process } = handedDown.process;
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

/** Run `work` as code of `repl`. */
function within(repl, work) {
  if (!isWatching) watch();
  return storage.run(new CodeOfRepl(repl), work);
}

module.exports = { within };
