// @ts-check
'use strict';
// Owns: AbortController and AbortSignal, dependent signals (AbortSignal.any), and the algorithms that other modules attach to
// signals. Timeouts come from host.setUnrefTimeout: a pending one does not keep the program alive. Timeouts and source signals,
// which may live as long as the program, hold an otherwise unreferenced signal only while its abort is being listened for.

const {
  ArrayFind,
  ArrayForEach,
  ArrayFrom,
  ArrayMap,
  ArrayPush,
  FinalizationRegistryRegister,
  MathMin,
  ObjectDefineProperty,
  SetAdd,
  SetClear,
  SetDelete,
  SymbolFor,
  WeakRefDeref,
  intact,
} = require('internal/primordials');
const startValues = require('internal/start_values');
const { shapeForConsole } = require('internal/inspect/rt_forms');
const {
  Event,
  EventTarget,
  defineEventHandler,
  hasListeners,
  kUnstoppable,
  makeEnumerable,
  setFollower,
  trust,
} = require('web/event_target');
const { defineListenerLimit } = require('web/listener_limits');
const { codes } = require('internal/errors/errors');
const { guardReceivers, instanceBehind, invalidThis } = require('internal/receivers');
const { validateInteger } = require('internal/validators');

const custom = SymbolFor('nodejs.util.inspect.custom');

function inspectAs(object, fields, depth, options) {
  if (depth < 0) return object;
  const inner = { ...options, depth: options.depth === null ? null : options.depth - 1 };
  return `${object.constructor.name} ${require('internal/inspect/inspect').inspect(fields, inner)}`;
}
const KEY = Symbol('construct');
/** Weak references to the signals that depend on one. Programs find this property by Node's description, to look for leaks. */
const kDependants = /** @type {any} */ (Symbol('kDependantSignals'));
const LONGEST_TIMEOUT_MS = 2 ** 53 - 1;

/** The references of the dependent signals, a property of the source from the first one on. */
function dependentsOf(source) {
  if (source[kDependants] === undefined)
    ObjectDefineProperty(source, kDependants, { __proto__: null, value: new Set(), writable: true });
  return source[kDependants];
}

let collected; // removes the references to collected signals
const awaited = new Set(); // signals with a timeout and with listeners or algorithms
let signalAbort;
let addAlgorithm;
let deadlineOf;
let isSignal;

function onCollected(signal, forget) {
  collected ??= new FinalizationRegistry((each) => each());
  FinalizationRegistryRegister(collected, signal, forget);
}

/** The message of an abort without a reason: Node's for a program that sees Node only, otherwise Bun's. */
const abortedText = () => (startValues.programName === 'node' ? 'This operation was aborted' : 'The operation was aborted.');
const timeoutText = () =>
  startValues.programName === 'node' ? 'The operation was aborted due to timeout' : 'The operation timed out.';
const makeException = (message, name) => new (require('internal/dom_exception').DOMException)(message, name);

class AbortSignal extends EventTarget {
  #aborted = false;
  #reason;
  #algorithms = new Set();
  #sources; // the signals that a dependent signal depends on
  #awaited; // those of them that have listeners or algorithms
  #self; // a weak reference to this signal, for its sources
  #deadline = Infinity; // when the timeout expires, on the clock of the loop

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

  static abort(reason = makeException(abortedText(), 'AbortError')) {
    const signal = new AbortSignal(KEY);
    signal.#aborted = true;
    signal.#reason = reason;
    return signal;
  }

  static timeout(delay) {
    validateInteger(delay, 'delay', 0, LONGEST_TIMEOUT_MS);
    const signal = new AbortSignal(KEY);
    signal.#deadline = host.now() + delay;
    const reference = new WeakRef(signal);
    const timeout = host.setUnrefTimeout(() => {
      const alive = WeakRefDeref(reference);
      if (alive === undefined) return;
      SetDelete(awaited, alive);
      alive.#abort(makeException(timeoutText(), 'TimeoutError'));
    }, delay);
    onCollected(signal, () => require('internal/timers').clearTimeout(timeout));
    return signal;
  }

  static any(signals) {
    const list = ArrayFrom(intact(signals));
    const result = new AbortSignal(KEY);
    ArrayForEach(list, (signal, index) => {
      if (!isSignal(signal)) throw new codes.ERR_INVALID_ARG_TYPE(`signals[${index}]`, 'AbortSignal', signal);
    });
    const aborted = ArrayFind(list, (signal) => signal.#aborted);
    if (aborted !== undefined) {
      result.#aborted = true;
      result.#reason = aborted.#reason;
      return result;
    }
    // Sources are never dependent signals themselves: a dependent of a dependent depends on its sources.
    result.#sources = new Set();
    result.#self = new WeakRef(result);
    for (const signal of intact(list)) {
      for (const source of intact(signal.#sources ?? [signal])) {
        SetAdd(result.#sources, source);
        SetAdd(dependentsOf(source), result.#self);
      }
    }
    const sources = ArrayMap([...intact(result.#sources)], (source) => (source.#self ??= new WeakRef(source)));
    const self = result.#self;
    onCollected(result, () => {
      for (const source of intact(sources)) {
        const alive = WeakRefDeref(source);
        if (alive !== undefined && alive[kDependants] !== undefined) SetDelete(alive[kDependants], self);
      }
    });
    return result;
  }

  /**
   * Keeps the signal alive while it has listeners or algorithms: its sources refer to it, and so does `awaited` if it has a
   * timeout.
   */
  #follow() {
    const isAwaited = !this.#aborted && (this.#algorithms.size > 0 || hasListeners(this, 'abort'));
    for (const source of intact(this.#sources ?? [])) {
      if (isAwaited) SetAdd((source.#awaited ??= new Set()), this);
      else if (source.#awaited !== undefined) SetDelete(source.#awaited, this);
      source.#follow();
    }
    if (this.#deadline === Infinity) return;
    if (isAwaited || (!this.#aborted && this.#awaited?.size > 0)) SetAdd(awaited, this);
    else SetDelete(awaited, this);
  }

  /** Removes the signal from everything that it depends on. */
  #detach() {
    for (const source of intact(this.#sources ?? [])) {
      if (source[kDependants] !== undefined) SetDelete(source[kDependants], this.#self);
      if (source.#awaited !== undefined) SetDelete(source.#awaited, this);
      source.#follow();
    }
    this.#sources = undefined;
  }

  #abort(reason) {
    if (this.#aborted) return;
    const affected = [this];
    for (const reference of intact(this[kDependants] ?? [])) {
      const dependent = WeakRefDeref(reference);
      if (dependent !== undefined && !dependent.#aborted) ArrayPush(affected, dependent);
    }
    for (const signal of intact(affected)) {
      signal.#aborted = true;
      signal.#reason = reason;
    }
    if (this[kDependants] !== undefined) SetClear(/** @type {any} */ (this)[kDependants]);
    this.#awaited = undefined;
    for (const signal of intact(affected)) {
      signal.#detach();
      signal.#run();
    }
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
    this.dispatchEvent(trust(new Event('abort')));
  }

  [custom](depth, options) {
    if (depth < 0) return options.stylize('[AbortSignal]', 'special');
    return inspectAs(this, { aborted: this.#aborted }, depth, options);
  }

  static {
    isSignal = (value) => typeof value === 'object' && value !== null && #aborted in value;
    signalAbort = (signal, reason) => signal.#abort(reason);
    /** The time at which a timeout aborts `signal`, if any. Code that blocks the loop must check the clock itself. */
    deadlineOf = (signal) => {
      let first = signal.#deadline;
      for (const source of intact(signal.#sources ?? [])) first = MathMin(first, source.#deadline);
      return first;
    };
    addAlgorithm = (signal, algorithm) => {
      if (signal.#aborted) return () => {};
      SetAdd(signal.#algorithms, algorithm);
      signal.#follow();
      return () => {
        SetDelete(signal.#algorithms, algorithm);
        signal.#follow();
      };
    };
    setFollower((target) => {
      if (#sources in target && (target.#sources !== undefined || target.#deadline !== Infinity)) target.#follow();
    });
  }
}

class AbortController {
  #signal = new AbortSignal(KEY);

  get signal() {
    return this.#signal;
  }

  abort(reason = makeException(abortedText(), 'AbortError')) {
    signalAbort(this.#signal, reason);
  }

  [custom](depth, options) {
    return inspectAs(this, { signal: this.#signal }, depth, options);
  }
}

defineEventHandler(AbortSignal.prototype, 'abort');
defineListenerLimit(AbortSignal.prototype, () => 0); // unlimited
guardReceivers(AbortSignal, invalidThis('AbortSignal'), [], isSignal);
makeEnumerable(AbortSignal, 'AbortSignal');
makeEnumerable(AbortController, 'AbortController');
shapeForConsole(AbortSignal.prototype, ['aborted', 'reason', 'onabort', 'throwIfAborted']);
shapeForConsole(AbortController.prototype, ['signal', 'abort']);

/** Runs `listener` when the signal aborts, even if an earlier event listener stops propagation. Returns a disposable. */
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
  /** addAbortAlgorithm(signal, (reason) => …) -> remove(); for the runtime's own operations */
  addAbortAlgorithm: (signal, algorithm) => addAlgorithm(instanceBehind(signal, isSignal), algorithm),
  deadlineOf: (signal) => deadlineOf(instanceBehind(signal, isSignal)),
};
