// @ts-check
'use strict';
// Owns: RT.fetch: the global `fetch`, and `preconnect`, which opens a connection ahead of a request.

/** Looks the global up at each call, because programs replace it. */
function fetch(input, init) {
  return globalThis.fetch(input, init); // eslint-disable-line no-restricted-properties
}
fetch.preconnect = (address) => require('node/fetch/fetch').preconnect(address);

module.exports = { fetch };
