// @ts-check
'use strict';
// Owns: objects that upper floors provide to lower ones, which may not require them. Each part but `attempt` is `undefined` until
// its file assigns it here, once.

const { ReflectApply } = require('internal/primordials');

/** @type {Parts} */
const parts = /** @type {any} */ ({
  __proto__: null,
  /** The object `process`, and operations on it reserved to the runtime. */
  process: undefined,
  /** The object `console`. */
  console: undefined,
  /** The functions that Python and Rust call (boot/runtime). */
  entry: undefined,
  /** Handles an uncaught error. */
  uncaught: undefined,
  /** Returns whether the event loop turns: the main module has run or awaits. */
  isTurning: undefined,
  /** Calls the program's listeners for an uncaught error; returns whether there are any. */
  offerUncaught: undefined,
  /** Sets whether an uncaught error aborts the process. */
  abortOnUncaught: undefined,
  /** Notes where the main module threw a value. */
  noteThrow: undefined,
  /** `node:fs` as programs see it, and the library's own `readFileSync`. */
  publicFs: undefined,
  /** In a worker: its scope, and `fatal(error)`, which reports an uncaught error to the parent. */
  worker: undefined,
  /** Returns the namespace behind that of an `import defer`, which evaluates the module; undefined for other proxies. */
  deferredNamespace: undefined,
  /** `node/module/hooks`, once a program has registered hooks. */
  moduleHooks: undefined,
  /** In a cluster worker: `share`, with which servers share an address. */
  cluster: undefined,
  /** Takes, stops and ends the coverage requested by NODE_V8_COVERAGE. */
  coverage: undefined,
  /** Whether the program has started a REPL. */
  hasRepl: undefined,
  /** Starts `rt repl` with its start value. */
  startRepl: undefined,
  /** Ends the profiles of --cpu-prof and --heap-prof. */
  profiles: undefined,
  /** Calls a function in the domain of its receiver, once a program uses domains. */
  domainCall: undefined,
  /** Publishes on a channel of node:diagnostics_channel, once that module is used. */
  publish: undefined,
  /** Records events of node:trace_events, once a category is enabled. */
  trace: undefined,
  /** Measures operations for the observers of node:perf_hooks, once there is one. */
  timing: undefined,
  /** Called at the end of the start, and after the preloaded modules have run. */
  whenStarted: undefined,
  whenPreloaded: undefined,
  /** Counts the changes of the working folder, for the workers; undefined without workers. */
  folderChanges: undefined,
  /** Measures a CommonJS load: `timeLoad(request, parent's id, load)`; undefined unless the durations are wanted. */
  timeLoad: undefined,
  /** Calls `load` inside of the tracing channel `module.require`. */
  traceRequire: undefined,
  /** Reports the start of an `import()` on the tracing channel `module.import`; returns the function to call when it ends. */
  traceImport: undefined,
  /** The restrictions of `--permission`, if given. */
  permission: undefined,
  /** Reports a test that was found, has started or has ended to a debugger. */
  observeTest: undefined,
  /** Returns the observer of a request of RT.serve, while a debugger shows requests. */
  observeServed: undefined,
  /** Reports an uncaught error to a debugger. */
  reportThrown: undefined,
  takeSignal: undefined, // (name): whether a signal has ended an evaluation, in which case listeners are not called
  /** Calls the program's main module so that a debugger stops on its first line. */
  callFirst: undefined,
  /**
   * Calls `callback` and passes what it throws to `uncaught`; returns whether it returned. A debugger replaces this function, as
   * an exception that JavaScript catches is not an uncaught one for V8.
   */
  attempt(callback, receiver, args, uncaught) {
    try {
      ReflectApply(callback, receiver, args);
      return true;
    } catch (error) {
      uncaught(error);
      return false;
    }
  },
});

module.exports = parts;
