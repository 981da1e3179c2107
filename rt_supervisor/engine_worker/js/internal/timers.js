// @ts-check
'use strict';
// Owns: timers, immediates, ticks and their order, which is Node's: due timers, completions, immediates, with ticks and
// microtasks drained after each callback. The native loop (`native/src/event_loop`) does the waiting.

// prettier-ignore
const { ArrayPush, MapDelete, MapGet, MapSet, MathCeil, MathMax, MathTrunc, ReflectApply, SetAdd, SetDelete } = require('internal/primordials');
const runtimeParts = require('internal/parts');
const context = require('internal/async/context');
const { delayFor } = require('internal/timer_delays');
const { nameTimers } = require('internal/timer_forms');
const { heap, push, pop } = require('internal/timer_heap');

const native = host.native;
const { attempt } = runtimeParts; // that of programs without a debugger
let sequence = 0;
let referencedTimers = 0;
let immediates = [];
let referencedImmediates = 0;
let ticks = []; // pending ticks are at tickHead to tickEnd: changing the array's length each time would be slow
let tickHead = 0;
let tickEnd = 0;
let hooks = /** @type {{ uncaught: Function, rejections: Function }} */ ({});
let nextId = 1;
/** @type {any} */
let running; // the timer or immediate whose callback is running
/** @type {any} */
let firing; // the innermost timer whose callback is running: { timer, entry, outer }
/** @type {any} */
let unfinished; // the innermost batch of immediates that is running: { batch, next, closings, outer }
const byId = new Map();

class Timeout {
  constructor(callback, delay, args, repeats) {
    this._idleTimeout = delayFor(delay);
    this._onTimeout = callback;
    this._arguments = args;
    this._repeat = repeats ? this._idleTimeout : null;
    this._destroyed = false;
    this._referenced = true;
    this._active = false;
    this._id = nextId++;
    this._isKnown = false; // whether clearTimeout finds it by its number
    if (context.isUsed) context.initResource(this, 'Timeout');
    start(this);
  }

  ref() {
    if (!this._referenced) {
      this._referenced = true;
      if (this._active) referencedTimers++;
    }
    return this;
  }

  unref() {
    if (this._referenced) {
      this._referenced = false;
      if (this._active) referencedTimers--;
    }
    return this;
  }

  hasRef() {
    return this._referenced;
  }

  refresh() {
    if (this._onTimeout === null) return this; // it has been cleared
    if (this._destroyed) {
      this._destroyed = false;
      if (context.isUsed) context.initResource(this, 'Timeout');
    }
    start(this, timeOfTurn());
    return this;
  }

  close() {
    clear(this);
    return this;
  }

  [Symbol.toPrimitive]() {
    if (!this._isKnown) {
      this._isKnown = true;
      MapSet(byId, this._id, this);
    }
    return this._id;
  }

  [Symbol.dispose]() {
    clear(this);
  }
}

/** @type {number | undefined} */
let turnTime; // when the first timer of this turn was refreshed

/** The time for timers that are refreshed by each use, such as those of sockets: like Node's, it is read once in a turn. */
function timeOfTurn() {
  return (turnTime ??= native.now());
}

function start(timer, now = native.now()) {
  if (!timer._active) {
    timer._active = true;
    if (timer._referenced) referencedTimers++;
    timer._entry = undefined;
  }
  const due = now + MathTrunc(timer._idleTimeout);
  const entry = timer._entry;
  if (entry !== undefined && due >= entry._due) {
    // A refreshed timer keeps its heap entry, which moves once, when it comes up.
    entry._later = due;
    entry._laterSequence = sequence++;
    return;
  }
  // The older entry stays in the heap and is skipped when it is due.
  enter(timer, due);
}

function enter(timer, due) {
  timer._entry = { timer, _due: due, _sequence: sequence++, _later: 0, _laterSequence: 0 };
  push(timer._entry);
}

function clear(timer) {
  if (timer === null || timer === undefined) return;
  if (typeof timer !== 'object') {
    timer = MapGet(byId, Number(timer));
    if (timer === undefined) return;
  }
  if (timer instanceof Immediate) {
    clearImmediate(timer);
    return;
  }
  if (!(timer instanceof Timeout)) return;
  if (context.isUsed && !timer._destroyed) context.endResource(timer);
  timer._destroyed = true;
  timer._onTimeout = null;
  /** @type {any} */ (timer)._entry = undefined;
  if (timer._active) {
    timer._active = false;
    if (timer._referenced) referencedTimers--;
  }
  if (timer._isKnown) MapDelete(byId, timer._id);
}

class Immediate {
  constructor(callback, args) {
    this._onImmediate = callback;
    this._id = nextId++;
    this._arguments = args;
    this._destroyed = false;
    this._referenced = true;
    referencedImmediates++;
    if (context.isUsed) context.initResource(this, 'Immediate');
  }

  ref() {
    if (!this._referenced && !this._destroyed) referencedImmediates++;
    this._referenced = true;
    return this;
  }

  unref() {
    if (this._referenced && !this._destroyed) referencedImmediates--;
    this._referenced = false;
    return this;
  }

  hasRef() {
    return this._referenced;
  }

  [Symbol.dispose]() {
    clearImmediate(this);
  }
}
nameTimers(Timeout, Immediate);

function checkCallback(callback) {
  if (typeof callback !== 'function') {
    throw new (require('internal/errors/errors').codes.ERR_INVALID_ARG_TYPE)('callback', 'Function', callback);
  }
}

function setTimeout(callback, delay, ...args) {
  checkCallback(callback);
  return new Timeout(callback, delay, args, false);
}

function setInterval(callback, delay, ...args) {
  checkCallback(callback);
  return new Timeout(callback, delay, args, true);
}

function setImmediate(callback, ...args) {
  checkCallback(callback);
  const immediate = new Immediate(callback, args);
  ArrayPush(immediates, immediate);
  return immediate;
}

function clearImmediate(immediate) {
  if (!(immediate instanceof Immediate) || immediate._destroyed) return;
  immediate._destroyed = true;
  if (immediate._referenced) referencedImmediates--;
  if (context.isUsed) context.endResource(immediate);
}

// --- ticks and microtasks

function nextTick(callback, ...args) {
  checkCallback(callback);
  if (context.isUsed) ticks[tickEnd++] = tickInContext(callback, args);
  else ticks[tickEnd++] = args.length === 0 ? callback : () => ReflectApply(callback, undefined, args);
}

function tickInContext(callback, args) {
  const tick = context.initResource({ callback, args: args.length === 0 ? undefined : args }, 'TickObject');
  return () => {
    hasThrown = !context.attempt(tick, callback, undefined, args, hooks.uncaught);
    context.endResource(tick);
  };
}

let hasThrown = false; // whether a tick has thrown in an async context
const NONE = [];

/** Calls `job`, which may throw; returns its result, or undefined if it has thrown. */
function attemptJob(job) {
  let result;
  // With a `catch` below it, an error would not be an uncaught one for a debugger.
  if (runtimeParts.attempt !== attempt) {
    runtimeParts.attempt(() => (result = job()), undefined, NONE, hooks.uncaught);
  } else {
    try {
      result = job();
    } catch (error) {
      hooks.uncaught(error);
    }
  }
  return result;
}

/**
 * Runs ticks and microtasks until none are left, then reports unhandled rejections. After an error that a listener handled, the
 * rest waits for the loop's next turn, as in Node: ticks that keep throwing do not block timers and I/O.
 *
 * Promise jobs have few frames of the library below them, since V8 limits the frames of an error, and those that await a job come last.
 */
function drain() {
  isDue = false;
  if (context.isUsed) context.leave();
  let hasReported;
  do {
    do {
      if (tickHead < tickEnd && attemptJob(runTicks) !== true) {
        setImmediate(() => {});
        return;
      }
      if (ticks.length > 1024) ticks = [];
      if (runtimeParts.attempt === attempt) native.runMicrotasks();
      else attemptJob(native.runMicrotasks);
    } while (tickHead < tickEnd);
    hasReported = attemptJob(hooks.rejections);
  } while (hasReported);
  if (hasReported === undefined) setImmediate(() => {});
}

/** Returns whether all ticks have run, because none threw. */
function runTicks() {
  while (tickHead < tickEnd) {
    const tick = ticks[tickHead];
    ticks[tickHead++] = undefined;
    if (tickHead === tickEnd) tickHead = tickEnd = 0;
    tick();
    if (hasThrown) {
      hasThrown = false;
      return false;
    }
  }
  return true;
}

function call(callback, receiver, args) {
  runtimeParts.attempt(callback, receiver, args, hooks.uncaught);
  drain();
}

let isOwed = false; // whether ticks wait for the next callback of a phase, or its end, because the last one has thrown
let isDue = false; // whether `drain` has not been called since the last callback of a phase

/** Calls `callback` in the context of its receiver. Hooks of node:async_hooks may throw, too, as they end the program. */
function attemptInContext(callback, receiver, args) {
  // With a `catch` below it, an error would not be an uncaught one for a debugger.
  if (runtimeParts.attempt !== attempt) return context.attempt(receiver, callback, receiver, args, hooks.uncaught);
  try {
    return context.attempt(receiver, callback, receiver, args, hooks.uncaught);
  } catch (error) {
    hooks.uncaught(error);
    return false;
  }
}

/** Calls a callback of a phase; `drain` follows before the next, or at the end. If it throws, ticks wait for the next, as in Node. */
function callInPhase(callback, receiver, args) {
  running = receiver;
  isOwed = context.isUsed
    ? !attemptInContext(callback, receiver, args)
    : !runtimeParts.attempt(callback, receiver, args, hooks.uncaught);
  running = undefined;
  isDue = !isOwed;
}

function endPhase() {
  if (!isOwed) return;
  isOwed = false;
  drain();
}

function runTimers() {
  const now = native.now();
  const outer = firing;
  let phase; // one record for all of its timers
  while (heap.length > 0 && heap[0]._due <= now) {
    if (isDue) {
      drain();
      continue;
    }
    const entry = pop();
    const timer = entry.timer;
    if (!timer._onTimeout) clear(timer); // a program has removed the callback
    if (timer._entry !== entry) continue;
    if (entry._later !== 0) {
      entry._due = entry._later;
      entry._sequence = entry._laterSequence;
      entry._later = 0;
      push(entry);
      continue;
    }
    if (timer._repeat === null) {
      timer._active = false;
      timer._entry = undefined;
      if (timer._referenced) referencedTimers--;
    }
    if (phase === undefined) phase = { timer, entry, outer };
    else {
      phase.timer = timer;
      phase.entry = entry;
    }
    firing = phase;
    callInPhase(timer._onTimeout, timer, timer._arguments);
    firing = outer;
    hasFired(timer, entry);
  }
  turnTime = undefined;
}

/** Schedules an interval again, and ends a timeout that was not refreshed. */
function hasFired(timer, entry) {
  if (timer._repeat !== null && timer._idleTimeout === -1) clear(timer);
  else if (timer._repeat !== null && !timer._destroyed && timer._entry === undefined) {
    timer._idleTimeout = timer._repeat; // the callback has made the timeout an interval
    start(timer);
  } else if (timer._repeat !== null && !timer._destroyed && timer._entry === entry)
    enter(timer, native.now() + MathTrunc(timer._repeat));
  else if (timer._repeat === null && timer._entry === entry)
    clear(timer); // the callback has made the interval a timeout
  else if (timer._repeat === null && timer._entry === undefined) {
    if (context.isUsed && !timer._destroyed) context.endResource(timer);
    timer._destroyed = true;
    if (timer._isKnown) MapDelete(byId, timer._id);
  }
}

function runImmediates() {
  if (context.isUsed) runtimeParts.attempt(context.flush, undefined, NONE, hooks.uncaught);
  const batch = immediates;
  immediates = [];
  const closings = [];
  const outer = unfinished;
  const work = (unfinished = { batch, next: 0, closings, outer });
  while (work.next < batch.length) {
    if (isDue) drain();
    const immediate = batch[work.next++];
    if (immediate._destroyed) continue;
    if (closing.size > 0 && SetDelete(closing, immediate)) {
      ArrayPush(closings, immediate);
      continue;
    }
    runImmediate(immediate);
  }
  for (let index = 0; index < closings.length; index++) {
    if (isDue) drain();
    runImmediate(closings[index]);
  }
  unfinished = outer;
}

function endImmediates() {
  if (context.isUsed) runtimeParts.attempt(context.flush, undefined, NONE, hooks.uncaught);
  if (isOwed) {
    // As in Node, ticks wait until the current immediates have run.
    isOwed = false;
    setImmediate(() => {});
  }
}
/** Calls the callback of the immediate `this`. As in Node, an uncaught error's frame does not have the name of its property. */
function callImmediate(...args) {
  try {
    ReflectApply(this._onImmediate, this, args);
  } finally {
    this._onImmediate = null;
  }
}

function runImmediate(immediate) {
  immediate._destroyed = true;
  if (immediate._referenced) referencedImmediates--;
  callInPhase(callImmediate, immediate, immediate._arguments);
  if (context.isUsed) context.endResource(immediate);
}

const closing = new Set(); // immediates that run after all others of their turn

/** Calls `callback` after the immediates of a turn, as Node does once a handle is closed. */
function whenClosed(callback) {
  SetAdd(closing, setImmediate(callback));
}

/**
 * Completes what callbacks left undone that a debugger has ended: no code of theirs or of their callers has run since, not even
 * `finally` blocks. Intervals repeat, and the immediates that have not run yet come next.
 */
function recover() {
  running = undefined;
  isOwed = isDue = hasThrown = false;
  for (; firing !== undefined; firing = firing.outer) hasFired(firing.timer, firing.entry);
  const rest = [];
  for (; unfinished !== undefined; unfinished = unfinished.outer) {
    const { batch, next, closings } = unfinished;
    for (let index = next; index < batch.length; index++) ArrayPush(rest, batch[index]);
    for (let index = 0; index < closings.length; index++) if (!closings[index]._destroyed) ArrayPush(rest, closings[index]);
  }
  for (let index = 0; index < immediates.length; index++) ArrayPush(rest, immediates[index]);
  immediates = rest;
}

let holds = 0;
/** Keeps the program alive until as many calls of `release`, for a handle that has neither a timer nor a descriptor. */
function hold() {
  holds++;
}
function release() {
  holds--;
}

const isAlive = () => referencedTimers > 0 || referencedImmediates > 0 || holds > 0;

/** For the loop, in one number: ms until the next timer (-1: none) while a referenced one is pending, otherwise -3 minus that. */
function pending() {
  while (heap.length > 0 && heap[0].timer._entry !== heap[0]) pop();
  let delay = -1;
  if (immediates.length > 0) delay = 0;
  else if (heap.length > 0) delay = MathMax(0, MathCeil(heap[0]._due - native.now()));
  return isAlive() ? delay : -3 - delay;
}

/** For internal/active_handles, what only this file knows: immediates, those that close handles, the running callback. */
const state = () => ({ immediates, closing, running });

module.exports = {
  state,
  setTimeout,
  setInterval,
  setImmediate,
  whenClosed,
  clearImmediate,
  clearTimeout: clear,
  clearInterval: clear,
  Timeout,
  Immediate,
  nextTick,
  drain,
  call,
  runTimers,
  endPhase,
  runImmediates,
  endImmediates,
  hasDue: () => isDue,
  recover,
  pending,
  hold,
  release,
  isAlive,
  setHooks: (value) => void (hooks = value),
};
