// @ts-check
'use strict';
// Owns: what upper floors hand to lower ones, which may not require them. Each part is `undefined` until the file that it
// belongs to has come to life; that file puts it here, once.

/** @type {Parts} */
const made = /** @type {any} */ ({
  __proto__: null,
  /** The object `process`, and what only the runtime may do to it. */
  process: undefined,
  /** The object `console`. */
  console: undefined,
  /** What Python and Rust call (boot/runtime). */
  entry: undefined,
  /** Deals with an error that nobody caught. */
  uncaught: undefined,
  /** `node:fs` as programs see it, and its own `readFileSync`. */
  publicFs: undefined,
  /** In a worker: its scope, and `fatal(error)`, which reports an uncaught error to the parent. */
  worker: undefined,
  /** `node/module/hooks`, once a program has registered hooks. */
  moduleHooks: undefined,
  /** In a worker of a cluster: `share`, with which servers share an address. */
  cluster: undefined,
  /** Takes, stops and ends the coverage that NODE_V8_COVERAGE asks for. */
  coverage: undefined,
  /** Ends the profiles of --cpu-prof and --heap-prof. */
  profiles: undefined,
  /** Calls a function in the domain of its receiver, once a program uses domains. */
  domainCall: undefined,
  /** Publishes on a channel of node:diagnostics_channel, once that module is used. */
  tell: undefined,
  /** Measures operations for the observers of node:perf_hooks, once there is one. */
  timing: undefined,
  /** Calls `load` inside of the tracing channel `module.require`. */
  traceRequire: undefined,
  /** Tells of an `import()` that begins on the tracing channel `module.import`; gives what is called with its end. */
  traceImport: undefined,
  /** What `--permission` refuses, where it is given. */
  permission: undefined,
  /** Tells a debugger of an error that nobody caught. */
  tellThrown: undefined,
  takeSignal: undefined, // (name): whether a signal has ended an evaluation, so that no listener is called
  /** Calls the program's main module so that a debugger stops in its first line. */
  callFirst: undefined,
});

module.exports = made;
