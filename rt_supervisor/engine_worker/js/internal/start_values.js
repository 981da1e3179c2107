// @ts-check
'use strict';
// Owns: what a program's start decides for the files of this library: times, and what the command line says. `boot/runtime`
// writes them before the program's first line; nobody changes them afterwards.

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
  /** Of --dns-result-order. */
  dnsResultOrder: undefined,
  /** What requests say of rt. */
  userAgent: '',
  /** In bytes, of --max-http-header-size. */
  maxHeaderSize: undefined,
  /** Of --port. */
  servePort: undefined,
  /** Whose certificates are trusted. */
  caStore: undefined,
  /** Of --use-env-proxy. */
  usesEnvProxy: undefined,
  /** Whether sockets try all addresses of a name, and how long each; of --network-family-autoselection…. */
  autoSelectFamily: undefined,
  attemptTimeoutMs: undefined,
  tls: undefined,
  /** What the command line says of --test. */
  tests: undefined,
};

module.exports = made;
