// @ts-check
'use strict';
// Owns: `import.meta.hot` and the JavaScript side of a reload: accept and dispose callbacks, and removal of CommonJS modules.
// `modules/hot.py` decides what is stale. Loaded only with --hot.

const {
  ArrayFilter,
  ArrayIncludes,
  ArrayIsArray,
  ArrayMap,
  ArrayPush,
  ArraySome,
  MapGet,
  MapSet,
  MapValues,
  ObjectAssign,
  ObjectKeys,
  intact,
} = require('internal/primordials');
const { cache } = require('node/module/commonjs');

const records = new Map(); // by path
let generation = 0; // how often modules have been re-evaluated

function recordOf(path) {
  let record = MapGet(records, path);
  if (record === undefined) {
    record = {
      __proto__: null,
      path,
      data: {},
      disposers: [],
      isAccepted: false,
      accepted: [],
      isDeclined: false,
      listeners: [],
    };
    MapSet(records, path, record);
  }
  return record;
}

/** The `import.meta.hot` of the module at `path`. */
function make(path) {
  const record = recordOf(path);
  return {
    __proto__: null,
    get data() {
      return record.data;
    },
    set data(value) {
      record.data = value;
    },
    accept(dependencies, callback) {
      if (dependencies === undefined || typeof dependencies === 'function') {
        record.isAccepted = true;
        ArrayPush(record.accepted, { names: [path], callback: dependencies, isSelf: true });
        return;
      }
      const isList = ArrayIsArray(dependencies);
      const names = ArrayMap(isList ? dependencies : [dependencies], (name) => resolveName(name, path));
      ArrayPush(record.accepted, { names, callback, isSelf: false, isList });
    },
    dispose(callback) {
      ArrayPush(record.disposers, callback);
    },
    prune(callback) {
      ArrayPush(record.disposers, callback);
    },
    decline() {
      record.isDeclined = true;
    },
    invalidate() {
      host.nextTick(() => host.native.modules_reload(path));
    },
    on(event, listener) {
      ArrayPush(record.listeners, [event, listener]);
    },
    off(event, listener) {
      record.listeners = ArrayFilter(record.listeners, (each) => each[0] !== event || each[1] !== listener);
    },
    send() {},
  };
}

function resolveName(name, path) {
  const [kind, found] = intact(host.native.modules_resolve(`${name}`, path, false));
  return kind === 'file' ? found : name;
}

/** Whether the module at `path` accepts an update of `dependency`, possibly itself. */
function accepts(path, dependency) {
  const record = MapGet(records, path);
  if (record === undefined || record.isDeclined) return false;
  if (path === dependency) return record.isAccepted;
  return ArraySome(record.accepted, ({ names, isSelf }) => !isSelf && ArrayIncludes(names, dependency));
}

/** The CommonJS modules that have required the file `name`. */
function requirers(name) {
  const module = cache[name];
  if (module === undefined) return [];
  return ArrayFilter(ObjectKeys(cache), (each) =>
    cache[each].children == null ? undefined : ArrayIncludes(cache[each].children, module),
  );
}

/** The files of all CommonJS modules. */
const required = () => ObjectKeys(cache);

/** Removes stale CommonJS modules from the cache; returns the argument for `putBack`. */
function takeOut(names) {
  const entries = [];
  for (const name of intact(names)) {
    if (cache[name] === undefined) continue;
    ArrayPush(entries, [name, cache[name]]);
    delete cache[name];
  }
  return entries;
}

function putBack(entries) {
  for (const { 0: name, 1: module } of intact(entries)) cache[name] = module;
}

/** Calls the dispose callbacks of stale modules; the replacement of each receives its `data`. */
function dispose(names) {
  generation++;
  for (const name of intact(names)) {
    const record = MapGet(records, name);
    if (record === undefined) continue;
    const { disposers } = record;
    ObjectAssign(record, {
      disposers: [],
      isAccepted: false,
      isDeclined: false,
      listeners: [],
      previous: record.accepted,
      accepted: [],
    });
    for (const callback of intact(disposers)) callback(record.data);
  }
}

/** Calls the accept callbacks for re-evaluated modules: [[path, namespace] …]. */
function callAccept(updated) {
  for (const { 0: path, 1: namespace } of intact(updated)) {
    for (const { callback } of intact(MapGet(records, path)?.previous?.filter(({ isSelf }) => isSelf) ?? []))
      callback?.(namespace);
    for (const record of intact(MapValues(records))) {
      for (const { names, callback, isSelf, isList } of intact(record.accepted)) {
        if (isSelf || !ArrayIncludes(names, path)) continue;
        callback?.(isList ? ArrayMap(names, (name) => (name === path ? namespace : undefined)) : namespace);
      }
    }
  }
}

const PREFIXES = ['rt:', 'bun:', 'vite:'];

function emitEvent(event, changed) {
  for (const record of intact([...intact(MapValues(records))])) {
    for (const { 0: name, 1: listener } of intact(record.listeners)) {
      if (ArraySome(PREFIXES, (prefix) => name === `${prefix}${event}`)) listener({ type: event, paths: changed });
    }
  }
}

module.exports = {
  make,
  accepts,
  requirers,
  required,
  takeOut,
  putBack,
  dispose,
  callAccept,
  emitEvent,
  generation: () => generation,
};
