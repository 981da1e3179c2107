'use strict';
// Owns: `import.meta.hot` and what a reload asks of JavaScript: who accepts what, what is to be disposed of, which CommonJS
// modules go. `modules/hot.py` decides what is stale. Nothing here is loaded without --hot.

const { cache } = require('node/module/commonjs');

const records = new Map(); // by path
let generation = 0; // how often modules have been evaluated again

function recordOf(path) {
  let record = records.get(path);
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
    records.set(path, record);
  }
  return record;
}

/** The `import.meta.hot` of the module in `path`. */
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
        record.accepted.push({ names: [path], callback: dependencies, isSelf: true });
        return;
      }
      const isList = Array.isArray(dependencies);
      const names = (isList ? dependencies : [dependencies]).map((name) => resolved(name, path));
      record.accepted.push({ names, callback, isSelf: false, isList });
    },
    dispose(callback) {
      record.disposers.push(callback);
    },
    prune(callback) {
      record.disposers.push(callback);
    },
    decline() {
      record.isDeclined = true;
    },
    invalidate() {
      host.nextTick(() => host.native.modules_reload(path));
    },
    on(event, listener) {
      record.listeners.push([event, listener]);
    },
    off(event, listener) {
      record.listeners = record.listeners.filter((each) => each[0] !== event || each[1] !== listener);
    },
    send() {},
  };
}

function resolved(name, path) {
  const [kind, found] = host.native.modules_resolve(`${name}`, path, false);
  return kind === 'file' ? found : name;
}

/** Whether the module in `path` takes a new `dependency`, itself included. */
function accepts(path, dependency) {
  const record = records.get(path);
  if (record === undefined || record.isDeclined) return false;
  if (path === dependency) return record.isAccepted;
  return record.accepted.some(({ names, isSelf }) => !isSelf && names.includes(dependency));
}

/** The CommonJS modules that have required the file `name`. */
function requirers(name) {
  const module = cache[name];
  if (module === undefined) return [];
  return Object.keys(cache).filter((each) => cache[each].children?.includes(module));
}

/** Take stale CommonJS modules out of the cache; what `putBack` takes. */
function takeOut(names) {
  const taken = [];
  for (const name of names) {
    if (cache[name] === undefined) continue;
    taken.push([name, cache[name]]);
    delete cache[name];
  }
  return taken;
}

function putBack(taken) {
  for (const [name, module] of taken) cache[name] = module;
}

/** Tell stale modules that they go; their `data` is the next one's. */
function dispose(names) {
  generation++;
  for (const name of names) {
    const record = records.get(name);
    if (record === undefined) continue;
    const { disposers } = record;
    Object.assign(record, {
      disposers: [],
      isAccepted: false,
      isDeclined: false,
      listeners: [],
      previous: record.accepted,
      accepted: [],
    });
    for (const callback of disposers) callback(record.data);
  }
}

/** Tell those who accept of the modules that were evaluated again: [[path, namespace] …]. */
function accepted(updated) {
  for (const [path, namespace] of updated) {
    for (const { callback } of records.get(path)?.previous?.filter(({ isSelf }) => isSelf) ?? []) callback?.(namespace);
    for (const record of records.values()) {
      for (const { names, callback, isSelf, isList } of record.accepted) {
        if (isSelf || !names.includes(path)) continue;
        callback?.(isList ? names.map((name) => (name === path ? namespace : undefined)) : namespace);
      }
    }
  }
}

const PREFIXES = ['rt:', 'bun:', 'vite:'];

function tellEvent(event, changed) {
  for (const record of [...records.values()]) {
    for (const [name, listener] of record.listeners) {
      if (PREFIXES.some((prefix) => name === `${prefix}${event}`)) listener({ type: event, paths: changed });
    }
  }
}

module.exports = { make, accepts, requirers, takeOut, putBack, dispose, accepted, tellEvent, generation: () => generation };
