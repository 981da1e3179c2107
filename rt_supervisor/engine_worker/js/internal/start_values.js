'use strict';
// Owns: what a program's start decides for the files of this library: times, and what the command line says. `boot/runtime`
// writes them before the program's first line; nobody changes them afterwards.

module.exports = {
  __proto__: null,
  startedAt: undefined,
  readyAt: undefined,
  timeOrigin: undefined,
  isHot: undefined,
  dnsResultOrder: undefined,
  userAgent: undefined,
  maxHeaderSize: undefined,
  servePort: undefined,
  caStore: undefined,
  usesEnvProxy: undefined,
  tls: undefined,
  tests: undefined,
};
