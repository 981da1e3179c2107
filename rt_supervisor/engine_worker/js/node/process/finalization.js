'use strict';
// Owns: process.finalization: callbacks for objects that are still alive at, or before, the program's exit. The objects are
// held weakly: a collected one gets no call.

const { AnyAdd, AnyClear, AnyDelete } = require('internal/any_kind');
const { mapOf } = require('internal/collections');
const runtimeParts = require('internal/parts');
const {
  FinalizationRegistryRegister,
  FinalizationRegistryUnregister,
  MapGet,
  WeakMapDelete,
  WeakMapGet,
  WeakMapSet,
  WeakRefDeref,
  intact,
} = require('internal/primordials');
const { codes } = require('internal/errors/errors');

let collected; // FinalizationRegistry of the registered objects
const registered = mapOf(
  intact([
    ['exit', new Set()],
    ['beforeExit', new Set()],
  ]),
);
const entries = new WeakMap(); // object -> its entries

const isObject = (value) => value !== null && (typeof value === 'object' || typeof value === 'function');

const warn = (name) => require('node/process/warnings').warnOfExperiment(`process.finalization.${name}`);

function runAll(event) {
  for (const entry of intact(MapGet(registered, event))) {
    const object = WeakRefDeref(entry.reference);
    if (object !== undefined) entry.callback(object, event);
  }
  AnyClear(MapGet(registered, event));
}

function register(event, object, callback) {
  if (!isObject(object)) throw new codes.ERR_INVALID_ARG_TYPE('obj', 'object', object);
  if (MapGet(registered, event).size === 0) runtimeParts.process.process.on(event, () => runAll(event));
  const entry = { reference: new WeakRef(object), callback, event };
  collected ??= new FinalizationRegistry((entry) => AnyDelete(MapGet(registered, entry.event), entry));
  FinalizationRegistryRegister(collected, object, entry, entry);
  AnyAdd(MapGet(registered, event), entry);
  WeakMapSet(entries, object, [...intact(WeakMapGet(entries, object) ?? []), entry]);
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
    for (const entry of intact(WeakMapGet(entries, object) ?? [])) {
      FinalizationRegistryUnregister(collected, entry);
      AnyDelete(MapGet(registered, entry.event), entry);
    }
    WeakMapDelete(entries, object);
  },
};

module.exports = { finalization };
