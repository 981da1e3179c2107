// @ts-check
'use strict';
// Owns: the module requests of a SourceTextModule, and validation of the modules linked to them.

const { ArrayPush, MapGet, MapSet, ObjectFreeze, JSONStringify } = require('internal/primordials');
const { codes } = require('internal/errors/errors');
const { PHASES } = require('node/vm/imports');

/** The frozen list of requests of the module `number`. */
function requestsOf(number) {
  const flat = host.native.vmModuleRequests(number);
  const requests = [];
  for (let index = 0; index < flat.length; index += 3) {
    const attributes = { __proto__: null };
    for (let at = 0; at < flat[index + 1].length; at += 2) attributes[flat[index + 1][at]] = flat[index + 1][at + 1];
    ObjectFreeze(attributes);
    const phase = PHASES[flat[index + 2]];
    ArrayPush(requests, ObjectFreeze({ __proto__: null, specifier: flat[index], attributes, phase }));
  }
  return ObjectFreeze(requests);
}

/** Checks that there is a module for each request, and the same one for requests that differ only in their phase. */
function checkModules(requests, modules) {
  if (modules.length !== requests.length)
    throw new codes.ERR_MODULE_LINK_MISMATCH(`Expected ${requests.length} modules, got ${modules.length}`);
  const places = new Map();
  for (let index = 0; index < modules.length; index++) {
    const { specifier, attributes } = requests[index];
    const key = JSONStringify([specifier, attributes]);
    const before = MapGet(places, key);
    if (before !== undefined && modules[before] !== modules[index]) {
      throw new codes.ERR_MODULE_LINK_MISMATCH(
        `Module request 'ModuleCacheKey("${specifier}")' at index ${index} must be linked to the same module requested at index ${before}`,
      );
    }
    MapSet(places, key, index);
  }
}

module.exports = { requestsOf, checkModules };
