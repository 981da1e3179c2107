// @ts-check
'use strict';
// Owns: the boundary between code that runs callbacks later (timers, ticks, completions) and asynchronous context tracking.
// Until the program loads node:async_hooks, `isUsed` is false and tracking costs nothing: code that stores a callback tests the
// flag, and uses the other members only if it is set. `internal/async/tracking` fills them in. Promises need no code here: V8
// preserves the context of a reaction (continuation-preserved embedder data).

module.exports = {
  __proto__: null,
  isUsed: false,
  /** Whether the program's CommonJS main file is running, which has execution id 1. */
  isMain: false,
  /** Assigns ids and the current context to `resource` and calls `init`. The trigger is `by`, or the running resource. */
  initResource: /** @type {(resource: object, type: string, by?: object) => any} */ (/** @type {unknown} */ (undefined)),
  /** Calls `callback` in the context of `resource`. Returns false if it threw, after passing the error to `uncaught`. */
  attempt: /** @type {(resource: any, callback: Function, receiver: unknown, args: unknown[], uncaught: Function) => boolean} */ (
    /** @type {unknown} */ (undefined)
  ),
  /** Declares that the resource will not run again: `destroy` is called later. */
  endResource: /** @type {(resource: object) => void} */ (/** @type {unknown} */ (undefined)),
  /** Returns a function that calls `callback` in the current context, as a resource of the given type. */
  bind: /** @type {<F extends Function>(callback: F, type: string) => F} */ (/** @type {unknown} */ (undefined)),
  /** Like `bind`, in the context of an existing resource, which ends with the call if `isOnce`. */
  bindTo: /** @type {<F extends Function>(of: object, callback: F, isOnce?: boolean) => F} */ (
    /** @type {unknown} */ (undefined)
  ),
  /** Marks a function for the host that enters contexts itself. */
  exempt: /** @type {<F extends Function>(callback: F) => F} */ (/** @type {unknown} */ (undefined)),
  /** Returns the result of `work()`; resources created in it have `of` as their trigger. */
  withTrigger: /** @type {<R>(of: object | undefined, work: () => R) => R} */ (/** @type {unknown} */ (undefined)),
  /** Returns the result of `callback()`, called in the given frame. */
  runInFrame: /** @type {<R>(frame: unknown, callback: () => R) => R} */ (/** @type {unknown} */ (undefined)),
  /** Like `runInFrame`, in the given frame or none, with the ids of the given promise. */
  runInFrameOf: /** @type {<R>(promise: object, frame: unknown, callback: () => R) => R} */ (/** @type {unknown} */ (undefined)),
  /** Leaves every context: a turn begins. */
  leave: /** @type {() => void} */ (/** @type {unknown} */ (undefined)),
  /** Calls the `destroy` hooks of resources that have ended. */
  flush: /** @type {() => void} */ (/** @type {unknown} */ (undefined)),
};
