'use strict';
// Owns: node:readline: its Interface with callbacks, and the functions that move a terminal's cursor.

const { defineLazily } = require('internal/lazy');
const { ObjectDefineProperty, SymbolFor, intact } = require('internal/primordials');
const { PromiseReject } = require('internal/promises');
const { LineReader, callable } = require('node/readline/interface');
const cursor = require('node/readline/cursor');
const { AbortError } = require('internal/errors/errors');
const { validateAbortSignal } = require('internal/validators');

class CallbackInterface extends LineReader {
  question(query, options, callback) {
    if (typeof options === 'function') [options, callback] = intact([undefined, options]);
    const signal = options?.signal;
    if (signal) {
      validateAbortSignal(signal, 'options.signal');
      if (signal.aborted) return;
      const listening = require('web/abort').addAbortListener(signal, () => this.cancelQuestion());
      const answer = callback;
      callback =
        typeof answer === 'function'
          ? (line) => {
              listening[Symbol.dispose]();
              return answer(line);
            }
          : () => listening[Symbol.dispose]();
    }
    if (typeof callback === 'function') this.ask(query, callback);
  }
}
ObjectDefineProperty(CallbackInterface.prototype.question, SymbolFor('nodejs.util.promisify.custom'), {
  __proto__: null,
  value: function question(query, options) {
    if (options?.signal?.aborted) return PromiseReject(new AbortError(undefined, { cause: options.signal.reason }));
    return new Promise((resolve, reject) => {
      options?.signal?.addEventListener('abort', () => reject(new AbortError(undefined, { cause: options.signal.reason })), {
        once: true,
      });
      this.question(query, options, resolve);
    });
  },
});
const Interface = callable(CallbackInterface);

module.exports = {
  Interface,
  clearLine: cursor.clearLine,
  clearScreenDown: cursor.clearScreenDown,
  createInterface: (input, output, completer, terminal) => new Interface(input, output, completer, terminal),
  cursorTo: cursor.cursorTo,
  emitKeypressEvents: (stream, rl) => require('node/readline/keys').emitKeypressEvents(stream, rl),
  moveCursor: cursor.moveCursor,
};
defineLazily(module.exports, 'promises', () => require('node/readline/promises'));
