'use strict';
// Owns: process.finalization: callbacks for objects that are still alive when the program ends, or before it ends. The
// objects are held weakly: what was collected is not called for.

const handedDown = require('internal/parts');
const { intact } = require('internal/primordials');
const { codes } = require('internal/errors/errors');

let collected; // tells when a registered object is gone
const registered = new Map(
  intact([
    ['exit', new Set()],
    ['beforeExit', new Set()],
  ]),
);
const entries = new WeakMap(); // object -> its entries

const isObject = (value) => value !== null && (typeof value === 'object' || typeof value === 'function');

const warn = (name) => require('node/process/warnings').warnOfExperiment(`process.finalization.${name}`);

function runAll(event) {
  for (const entry of intact(registered.get(event))) {
    const object = entry.reference.deref();
    if (object !== undefined) entry.callback(object, event);
  }
  registered.get(event).clear();
}

function register(event, object, callback) {
  if (!isObject(object)) throw new codes.ERR_INVALID_ARG_TYPE('obj', 'object', object);
  if (registered.get(event).size === 0) handedDown.process.process.on(event, () => runAll(event));
  const entry = { reference: new WeakRef(object), callback, event };
  collected ??= new FinalizationRegistry((gone) => registered.get(gone.event).delete(gone));
  collected.register(object, entry, entry);
  registered.get(event).add(entry);
  entries.set(object, [...intact(entries.get(object) ?? []), entry]);
}

const finalization = {
  register(object, callback) {
    warn('register');
    register('exit', object, callback);
  },
  registerBeforeExit(object, callback) {
    warn('registerBeforeExit');
    register('beforeExit', object, callback);
  },
  unregister(object) {
    warn('unregister');
    if (!isObject(object)) throw new TypeError(`Invalid unregisterToken ('${String(object)}')`);
    for (const entry of intact(entries.get(object) ?? [])) {
      collected.unregister(entry);
      registered.get(entry.event).delete(entry);
    }
    entries.delete(object);
  },
};

module.exports = { finalization };
