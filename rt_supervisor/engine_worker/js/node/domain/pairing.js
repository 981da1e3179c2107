'use strict';
// Owns: the association of async resources with the domain in which they were created. Their callbacks run in that domain. A
// resource holds its domain in the property `domain`, except promises of other contexts, which must not reach objects outside
// their context.

const runtimeParts = require('internal/parts');
const { createHook } = require('node/async_hooks/hook');
const { ArrayPush, MapDelete, MapGet, MapSet, ObjectDefineProperty, WeakMapSet } = require('internal/primordials');

const { process } = runtimeParts.process;
const domains = new Map(); // id -> WeakRef of a domain
const ofForeignPromises = new WeakMap();
const running = []; // domains in which a callback is running, held strongly meanwhile

const hook = createHook({
  init(id, type, trigger, resource) {
    const domain = process.domain;
    if (domain === null || domain === undefined) return;
    MapSet(domains, id, new WeakRef(domain));
    if (type === 'PROMISE' && !(resource instanceof Promise)) {
      WeakMapSet(ofForeignPromises, resource, domain);
      return;
    }
    ObjectDefineProperty(resource, 'domain', {
      __proto__: null,
      value: domain,
      writable: true,
      configurable: true,
      enumerable: false,
    });
  },
  before(id) {
    const domain = MapGet(domains, id)?.deref();
    if (domain === undefined) return;
    ArrayPush(running, { id, domain });
    domain.enter();
  },
  after(id) {
    let index = running.length - 1;
    while (index >= 0 && running[index].id !== id) index--;
    if (index < 0) return;
    running[index].domain.exit();
    running.length = index;
  },
  destroy(id) {
    MapDelete(domains, id);
  },
});

module.exports = { start: () => hook.enable() };
