'use strict';
// Owns: `process.dlopen`: a native addon's library is opened and fills a module's exports. Its other half is
// `native/src/addons`, which is given here what only JavaScript has.

const { untransferable } = require('internal/cloneable');

let hooks;

/** What addons need of the library: made once. */
function shared() {
  hooks ??= {
    bufferPrototype: require('node/buffer/buffer').Buffer.prototype,
    uncaught: (error) => host.uncaught(error),
    markAsUntransferable: (buffer) => untransferable.add(buffer),
    nodeVersion: globalThis.process.versions.node,
  };
  return hooks;
}

/** `flags` is a number as C takes it: what is none is 0. */
function dlopen(module, filename, flags) {
  const target = toObject(module);
  const exported = toObject(target.exports);
  const own = target.filename;
  const url = typeof own === 'string' ? require('node/url/url').pathToFileURL(own).href : '';
  host.native.addons_load(target, exported, `${filename}`, url, Math.trunc(Number(flags)) || 0, shared());
}

function toObject(value) {
  if (value === undefined || value === null) throw new TypeError('Cannot convert undefined or null to object');
  return Object(value);
}

module.exports = { dlopen };
