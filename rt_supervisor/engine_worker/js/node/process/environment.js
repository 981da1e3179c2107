'use strict';
// Owns: process.env: a live view of strings; changes reach child processes and, for TZ, the engine.

const native = host.native;
const { ObjectHasOwn } = require('internal/primordials');

function checked(value) {
  if (typeof value === 'symbol') throw new TypeError('Cannot convert a Symbol value to a string');
  return `${value}`;
}

function environmentProxy(entries) {
  const target = {};
  for (const key in entries) target[key] = entries[key];
  return new Proxy(target, {
    __proto__: null,
    set(object, key, value) {
      checked(key);
      if (key === '') return true; // no variable can be called so
      object[key] = checked(value);
      native.process_setEnv(key, object[key]);
      return true;
    },
    defineProperty(object, key, descriptor) {
      const { codes } = require('internal/errors/errors');
      const fail = (message) => Object.assign(new TypeError(message), { code: 'ERR_INVALID_OBJECT_DEFINE_PROPERTY' });
      if (ObjectHasOwn(descriptor, 'get') || ObjectHasOwn(descriptor, 'set'))
        throw fail("'process.env' does not accept an accessor(getter/setter) descriptor");
      if (!(descriptor.configurable && descriptor.writable && descriptor.enumerable))
        throw fail("'process.env' only accepts a configurable, writable, and enumerable data descriptor");
      if (typeof key === 'symbol') throw new codes.ERR_INVALID_ARG_TYPE('key', 'string', key);
      object[key] = checked(descriptor.value);
      native.process_setEnv(key, object[key]);
      return true;
    },
    deleteProperty(object, key) {
      delete object[key];
      if (typeof key === 'string') native.process_setEnv(key, undefined);
      return true;
    },
  });
}

/** process.loadEnvFile: what the environment has already stays. */
function loadEnvFile(path = '.env') {
  const { pathOf } = require('node/fs/arguments');
  const text = native.fs_readText(pathOf(path), 0);
  const { env } = host.process.process;
  for (const [name, value] of native.process_parseEnv(text)) {
    if (!(name in env)) env[name] = value;
  }
}

module.exports = { environmentProxy, loadEnvFile };
