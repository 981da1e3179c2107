'use strict';
// Owns: process.env: a live view of strings; changes reach child processes and, for TZ, the engine. Threads can share one
// environment.

const native = host.native;
const runtimeParts = require('internal/parts');
const {
  ObjectAssign,
  ObjectGetOwnPropertyDescriptor,
  ObjectHasOwn,
  ObjectKeys,
  ReflectGet,
  ReflectHas,
  ReflectOwnKeys,
  intact,
} = require('internal/primordials');

function toText(value) {
  if (typeof value === 'symbol') throw new TypeError('Cannot convert a Symbol value to a string');
  return `${value}`;
}

function environmentProxy(entries) {
  const target = {};
  for (const key in entries) target[key] = entries[key];
  const changed = (key, value) => {
    native.process_setEnv(key, value);
    report(key, value);
  };
  const handler = {
    __proto__: null,
    set(object, key, value) {
      toText(key);
      if (key === '') return true; // not a valid variable name
      object[key] = toText(value);
      changed(key, object[key]);
      return true;
    },
    defineProperty(object, key, descriptor) {
      const { codes } = require('internal/errors/errors');
      const fail = (message) => ObjectAssign(new TypeError(message), { code: 'ERR_INVALID_OBJECT_DEFINE_PROPERTY' });
      if (ObjectHasOwn(descriptor, 'get') || ObjectHasOwn(descriptor, 'set'))
        throw fail("'process.env' does not accept an accessor(getter/setter) descriptor");
      if (!(descriptor.configurable && descriptor.writable && descriptor.enumerable))
        throw fail("'process.env' only accepts a configurable, writable, and enumerable data descriptor");
      if (typeof key === 'symbol') throw new codes.ERR_INVALID_ARG_TYPE('key', 'string', key);
      object[key] = toText(descriptor.value);
      changed(key, object[key]);
      return true;
    },
    deleteProperty(object, key) {
      delete object[key];
      if (typeof key === 'string') changed(key, undefined);
      return true;
    },
  };
  own = { target, handler };
  return new Proxy(target, handler);
}

let own; // this thread's process.env
let shared; // the number of an environment shared with other threads
let report = () => {};

/** The number under which other threads can share this environment; assigned at the first call. */
function share() {
  if (shared !== undefined) return shared;
  const number = native.environmentOpen();
  for (const key of intact(ObjectKeys(own.target))) native.environmentChange(number, key, own.target[key]);
  join(number);
  return number;
}

/** Switches this thread to the environment with that number. */
function join(number) {
  const { target, handler } = own;
  let seen = -1;
  shared = number;
  report = (key, value) => {
    native.environmentChange(number, key, value);
  };
  const look = () => {
    if (native.environmentVersion(number) === seen) return target;
    const entries = native.environmentEntries(number);
    seen = entries[0];
    const there = { __proto__: null };
    for (let index = 1; index < entries.length; index += 2) {
      const key = entries[index];
      there[key] = true;
      if (target[key] === entries[index + 1]) continue;
      target[key] = entries[index + 1];
      native.process_setEnv(key, target[key]);
    }
    for (const key of intact(ObjectKeys(target))) {
      if (key in there) continue;
      delete target[key];
      native.process_setEnv(key, undefined);
    }
    return target;
  };
  handler.get = (object, key, receiver) => ReflectGet(look(), key, receiver);
  handler.has = (object, key) => ReflectHas(look(), key);
  handler.ownKeys = () => ReflectOwnKeys(look());
  handler.getOwnPropertyDescriptor = (object, key) => ObjectGetOwnPropertyDescriptor(look(), key);
  look();
}

/** process.loadEnvFile: existing variables take precedence. */
function loadEnvFile(path = '.env') {
  const { pathOf } = require('node/fs/arguments');
  const text = require('node/fs/values').textAs(native.fs_readText(pathOf(path), 0));
  const { env } = runtimeParts.process.process;
  const variables = require('node/util/parse_env').variablesOf(text);
  for (const name of intact(ObjectKeys(variables))) {
    if (!(name in env)) env[name] = variables[name];
  }
}

/** The copy of an environment that was sent to this thread is a plain object. */
const unpack = (name, { facts }) => facts;

module.exports = { environmentProxy, loadEnvFile, share, join, unpack };
