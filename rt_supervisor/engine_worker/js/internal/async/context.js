// @ts-check
'use strict';
// Owns: the seam between what runs callbacks later (timers, ticks, completions) and the asynchronous context. As long as
// the program has not asked for node:async_hooks, `isUsed` is false and nothing of this costs anything: code that keeps a
// callback tests it, and calls the rest only if it is true. `internal/async/tracking` fills that in.
// Promises need none of it: V8 keeps the context of a reaction by itself (continuation-preserved embedder data).

module.exports = {
  __proto__: null,
  isUsed: false,
  /** The program's CommonJS main file is running: execution id 1. */
  isMain: false,
  /** Give `resource` its ids and the current context, and call `init`. `by` triggers it, else the resource that runs. */
  began: /** @type {(resource: object, type: string, by?: object) => any} */ (/** @type {unknown} */ (undefined)),
  /** Call `callback` in the context of `resource`; false if it threw, after `uncaught` was called with the error. */
  attempt: /** @type {(resource: any, callback: Function, receiver: unknown, args: unknown[], uncaught: Function) => boolean} */ (
    /** @type {unknown} */ (undefined)
  ),
  /** The resource will not run again: `destroy` is called later. */
  ended: /** @type {(resource: object) => void} */ (/** @type {unknown} */ (undefined)),
  /** A function that calls `callback` in the current context, as a resource of that type. */
  bound: /** @type {<F extends Function>(callback: F, type: string) => F} */ (/** @type {unknown} */ (undefined)),
  /** The same in the context of a resource that is there; it ends with the call, if it `isOnce`. */
  boundTo: /** @type {<F extends Function>(of: object, callback: F, isOnce?: boolean) => F} */ (
    /** @type {unknown} */ (undefined)
  ),
  /** Mark a function for the host that enters contexts by itself. */
  unbound: /** @type {<F extends Function>(callback: F) => F} */ (/** @type {unknown} */ (undefined)),
  /** Return what `work()` does; what begins in it is triggered by `of`. */
  triggeredBy: /** @type {<R>(of: object | undefined, work: () => R) => R} */ (/** @type {unknown} */ (undefined)),
  /** Return what `callback()` does in that frame. */
  inside: /** @type {<R>(frame: unknown, callback: () => R) => R} */ (/** @type {unknown} */ (undefined)),
  /** The same in that frame or none, and with the ids of that promise. */
  insideOf: /** @type {<R>(promise: object, frame: unknown, callback: () => R) => R} */ (/** @type {unknown} */ (undefined)),
  /** Leave every context: a turn begins. */
  leave: /** @type {() => void} */ (/** @type {unknown} */ (undefined)),
  /** Call the `destroy` hooks for what has ended. */
  flush: /** @type {() => void} */ (/** @type {unknown} */ (undefined)),
};
