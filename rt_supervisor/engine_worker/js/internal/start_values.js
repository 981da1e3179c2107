// @ts-check
'use strict';
// Owns: what a program's start decides for the files of this library: times, and what the command line says. They are written
// before the program's first line, by `boot/runtime` where nothing else is said, and do not change afterwards.

/** @type {StartValues} */
const made = {
  __proto__: null,
  /** `host.now()` as the program began. */
  startedAt: 0,
  /** `host.now()` as the library was ready. */
  readyAt: 0,
  /** `Date.now()` as the program began. */
  timeOrigin: 0,
  /** Whether changed modules are reloaded. */
  isHot: false,
  /** The value of --dns-result-order. */
  dnsResultOrder: undefined,
  /** The User-Agent header of requests. */
  userAgent: '',
  /** The value of --max-http-header-size, in bytes. */
  maxHeaderSize: undefined,
  /** The value of --port. */
  servePort: undefined,
  /** Whose certificates are trusted. */
  caStore: undefined,
  /** Whether --use-env-proxy is given. */
  usesEnvProxy: undefined,
  /** Whether sockets try all addresses of a name, and how many ms each (--network-family-autoselection…). */
  autoSelectFamily: undefined,
  attemptTimeoutMs: undefined,
  tls: undefined,
  /** The value of --disable-proto; '' without it. */
  disableProto: '',
  /** The options of --test; node/process/process writes them. */
  tests: undefined,
};

module.exports = made;
