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
  /** What Python calls (boot/runtime). */
  entry: undefined,
  /** Deals with an error that nobody caught. */
  uncaught: undefined,
  /** `node:fs` as programs see it, and its own `readFileSync`. */
  publicFs: undefined,
  /** In a worker: itself, and who hears of an error that ends it. */
  worker: undefined,
  /** `node/module/hooks`, once a program has registered hooks. */
  moduleHooks: undefined,
  /** In a worker of a cluster: how a server shares its address. */
  cluster: undefined,
  /** Where coverage is asked for. */
  coverage: undefined,
  /** Where profiles are. */
  profiles: undefined,
  /** Calls a function in the domain of its receiver, once a program uses domains. */
  domainCall: undefined,
  /** Publishes on a channel of diagnostics, once that module is used. */
  tell: undefined,
  /** Measures what is done for who observes it (`perf_hooks`), once somebody does. */
  timing: undefined,
  /** Calls `load` inside of the tracing channel `module.require`. */
  traceRequire: undefined,
  /** What `--permission` refuses, where it is given. */
  permission: undefined,
  /** Tells a debugger of an error that nobody caught. */
  tellThrown: undefined,
  takeSignal: undefined, // (name): whether a signal has ended an evaluation already, and is told to nobody
  /** Calls the program's main module so that a debugger stops in its first line. */
  callFirst: undefined,
});

module.exports = made;
