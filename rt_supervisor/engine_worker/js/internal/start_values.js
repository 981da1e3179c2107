// @ts-check
'use strict';
// Owns: values fixed at the program's start for the files of this library: times and command-line options. Written before the
// program's first line, by `boot/runtime` unless noted otherwise, and constant afterwards.

/** @type {StartValues} */
const startValues = {
  __proto__: null,
  /** `process.argv[1]` and the file that it names, where they differ: a link, a name without an extension. */
  mainArgument: '',
  mainFile: '',
  /** `host.now()` when the program began. */
  startedAt: 0,
  /** `host.now()` when errors could be formatted: the engine is ready. */
  engineReadyAt: 0,
  /** `host.now()` when `process` existed. */
  environmentAt: 0,
  /** `host.now()` when the library was ready. */
  readyAt: 0,
  /** `Date.now()` when the program began. */
  timeOrigin: 0,
  /** The name of the runtime in warnings, which tools parse: `node` for a program that sees Node only. */
  programName: 'rt',
  /** Whether changed modules are reloaded. */
  isHot: false,
  /**
   * What is reported to a watcher of the program's files: '', 'modules', or 'reads' (also the files that `node:fs`
   * reads).
   */
  follows: '',
  /** The channel to a watching rt; '' without one. */
  watchChannel: '',
  /** The value of --dns-result-order. */
  dnsResultOrder: undefined,
  /** The values of --feature. */
  features: undefined,
  /** The User-Agent header of requests. */
  userAgent: '',
  /** The value of --max-http-header-size, in bytes. */
  maxHeaderSize: undefined,
  /** The value of --port. */
  servePort: undefined,
  /** The source of trusted certificate authorities, if a flag sets it. */
  caStore: undefined,
  /** Whether --use-env-proxy is given. */
  usesEnvProxy: undefined,
  /**
   * Whether sockets try all addresses of a name, and the timeout of each attempt in ms
   * (--network-family-autoselection…).
   */
  autoSelectFamily: undefined,
  attemptTimeoutMs: undefined,
  tls: undefined,
  /** The value of --disable-proto; '' without it. */
  disableProto: '',
  /** The options of --test; written by node/process/process. */
  tests: undefined,
  /** Whether the program's heap is stored when it ends (--build-snapshot). */
  storesHeap: false,
};

module.exports = startValues;
