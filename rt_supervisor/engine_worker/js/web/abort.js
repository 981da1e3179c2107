// @ts-check
'use strict';
// Owns: AbortController and AbortSignal, dependent signals (AbortSignal.any) and the algorithms other modules hang on them.
// Timeouts come from host.setUnrefTimeout: a pending one does not keep the program alive.

const {
  ArrayFind,
  ArrayForEach,
  ArrayFrom,
  ArrayPush,
  SetAdd,
  SetClear,
  SetDelete,
  SymbolFor,
  intact,
} = require('internal/primordials');
const { shapeForConsole } = require('internal/inspect/rt_forms');
const { Event, EventTarget, defineEventHandler, kUnstoppable, makeEnumerable, trust } = require('web/event_target');
const { codes } = require('internal/errors/errors');
const { guardReceivers, invalidThis } = require('internal/receivers');
const { validateInteger } = require('internal/validators');

const custom = SymbolFor('nodejs.util.inspect.custom');

function inspectAs(object, shown, depth, options) {
  if (depth < 0) return object;
  const inner = { ...options, depth: options.depth === null ? null : options.depth - 1 };
  return `${object.constructor.name} ${require('internal/inspect/inspect').inspect(shown, inner)}`;
}
const KEY = Symbol('construct');
const LONGEST_TIMEOUT_MS = 2 ** 53 - 1;

let signalAbort;
let addAlgorithm;

const makeException = (message, name) => new (require('internal/dom_exception').DOMException)(message, name);

class AbortSignal extends EventTarget {
  #aborted = false;
  #reason;
  #algorithms = new Set();
  #sources; // weak references to what a dependent signal depends on
  #dependents; // Set of weak references; only signals that are observed matter

  constructor(key) {
    if (key !== KEY) throw new codes.ERR_ILLEGAL_CONSTRUCTOR();
    super();
  }

  get aborted() {
    return this.#aborted;
  }
  get reason() {
    return this.#reason;
  }

  throwIfAborted() {
    if (this.#aborted) throw this.#reason;
  }

  static abort(reason = makeException('The operation was aborted.', 'AbortError')) {
    const signal = new AbortSignal(KEY);
    signal.#aborted = true;
    signal.#reason = reason;
    return signal;
  }

  static timeout(delay) {
    validateInteger(delay, 'delay', 0, LONGEST_TIMEOUT_MS);
    const signal = new AbortSignal(KEY);
    host.setUnrefTimeout(() => signalAbort(signal, makeException('The operation timed out.', 'TimeoutError')), delay);
    return signal;
  }

  static any(signals) {
    const list = ArrayFrom(intact(signals));
    const result = new AbortSignal(KEY);
    ArrayForEach(list, (signal, index) => {
      if (!(signal instanceof AbortSignal)) throw new codes.ERR_INVALID_ARG_TYPE(`signals[${index}]`, 'AbortSignal', signal);
    });
    const aborted = ArrayFind(list, (signal) => signal.#aborted);
    if (aborted !== undefined) {
      result.#aborted = true;
      result.#reason = aborted.#reason;
      return result;
    }
    // Depends on the roots alone: a dependent of a dependent is a dependent of its sources.
    result.#sources = new Set();
    for (const signal of intact(list)) {
      for (const source of intact(signal.#sources ?? [signal])) {
        SetAdd(result.#sources, source);
        SetAdd((source.#dependents ??= new Set()), result);
      }
    }
    return result;
  }

  #abort(reason) {
    if (this.#aborted) return;
    const affected = [this];
    for (const dependent of intact(this.#dependents ?? [])) if (!dependent.#aborted) ArrayPush(affected, dependent);
    for (const signal of intact(affected)) {
      signal.#aborted = true;
      signal.#reason = reason;
    }
    for (const signal of intact(affected)) signal.#run();
  }

  #run() {
    const algorithms = [...intact(this.#algorithms)];
    SetClear(this.#algorithms);
    for (const algorithm of intact(algorithms)) {
      try {
        algorithm(this.#reason);
      } catch (error) {
        host.reportException(error);
      }
    }
    this.#dependents = undefined;
    this.dispatchEvent(trust(new Event('abort')));
  }

  [custom](depth, options) {
    if (depth < 0) return options.stylize('[AbortSignal]', 'special');
    return inspectAs(this, { aborted: this.#aborted }, depth, options);
  }

  static {
    signalAbort = (signal, reason) => signal.#abort(reason);
    addAlgorithm = (signal, algorithm) => {
      if (signal.#aborted) return () => {};
      SetAdd(signal.#algorithms, algorithm);
      return () => SetDelete(signal.#algorithms, algorithm);
    };
  }
}

class AbortController {
  #signal = new AbortSignal(KEY);

  get signal() {
    return this.#signal;
  }

  abort(reason = makeException('The operation was aborted.', 'AbortError')) {
    signalAbort(this.#signal, reason);
  }

  [custom](depth, options) {
    return inspectAs(this, { signal: this.#signal }, depth, options);
  }
}

defineEventHandler(AbortSignal.prototype, 'abort');
guardReceivers(AbortSignal, invalidThis('AbortSignal'));
makeEnumerable(AbortSignal, 'AbortSignal');
makeEnumerable(AbortController, 'AbortController');
shapeForConsole(AbortSignal.prototype, ['aborted', 'reason', 'onabort', 'throwIfAborted']);
shapeForConsole(AbortController.prototype, ['signal', 'abort']);

/** Runs `listener` when the signal aborts, before any abort event listener could stop it; disposable. */
function addAbortListener(signal, listener) {
  if (signal === undefined) throw new codes.ERR_INVALID_ARG_TYPE('signal', 'AbortSignal', signal);
  require('internal/validators').validateAbortSignal(signal, 'signal');
  require('internal/validators').validateFunction(listener, 'listener');
  let remove;
  if (signal.aborted) {
    host.native.enqueueMicrotask(() => {
      try {
        listener();
      } catch (error) {
        host.reportException(error);
      }
    });
  } else {
    signal.addEventListener('abort', listener, { __proto__: null, once: true, [kUnstoppable]: true });
    remove = () => signal.removeEventListener('abort', listener);
  }
  return {
    __proto__: null,
    [Symbol.dispose]() {
      remove?.();
    },
  };
}

module.exports = {
  AbortController,
  AbortSignal,
  addAbortListener,
  /** addAbortAlgorithm(signal, (reason) => …) -> remove(); for the runtime's own operations. */
  addAbortAlgorithm: (signal, algorithm) => addAlgorithm(signal, algorithm),
};
