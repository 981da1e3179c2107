'use strict';
// Owns: util.promisify, callbackify, deprecate, inherits, debuglog and aborted.

const {
  ObjectDefineProperties,
  ObjectDefineProperty,
  ObjectGetPrototypeOf,
  ObjectSetPrototypeOf,
  ReflectApply,
} = require('internal/primordials');
const { codes } = require('internal/errors/errors');
const { validateFunction, validateString } = require('internal/validators');
require('node/timers/promisified');

const { kCustom, kArgumentNames } = require('internal/promisify');

function promisify(original) {
  validateFunction(original, 'original');
  const own = original[kCustom];
  if (own) {
    validateFunction(own, 'util.promisify.custom');
    return Object.defineProperty(own, kCustom, {
      __proto__: null,
      value: own,
      enumerable: false,
      writable: false,
      configurable: true,
    });
  }
  const names = original[kArgumentNames];
  function fn(...args) {
    return new Promise((resolve, reject) => {
      ReflectApply(original, this, [
        ...args,
        (error, ...values) => {
          if (error) return reject(error);
          // Functions with several results say their names: fs.read gives { bytesRead, buffer }.
          if (names !== undefined && values.length > 1) resolve(Object.fromEntries(names.map((name, i) => [name, values[i]])));
          else resolve(values[0]);
        },
      ]);
    });
  }
  ObjectSetPrototypeOf(fn, ObjectGetPrototypeOf(original));
  ObjectDefineProperty(fn, kCustom, { __proto__: null, value: fn, enumerable: false, writable: false, configurable: true });
  const descriptors = require('internal/primordials').ownDescriptors(original);
  for (let index = 0, list = Reflect.ownKeys(descriptors); index < list.length; index++) {
    const key = list[index];
    ObjectSetPrototypeOf(descriptors[key], null);
  }
  return ObjectDefineProperties(fn, descriptors);
}
promisify.custom = kCustom;

function callbackify(original) {
  validateFunction(original, 'original');
  function callbackified(...args) {
    const callback = args.pop();
    validateFunction(callback, 'last argument');
    const done = callback.bind(this);
    Reflect.apply(original, this, args).then(
      (value) => host.nextTick(done, null, value),
      (reason) => host.nextTick(rejected, reason, done),
    );
  }
  function rejected(reason, done) {
    // A callback takes a falsy error for success.
    done(reason ? reason : new codes.ERR_FALSY_VALUE_REJECTION(reason));
  }
  const descriptors = require('internal/primordials').ownDescriptors(original);
  // One more than the original: the callback.
  if (typeof descriptors.length?.value === 'number') descriptors.length.value++;
  if (typeof descriptors.name?.value === 'string') descriptors.name.value += 'Callbackified';
  for (const key of Reflect.ownKeys(descriptors)) Object.setPrototypeOf(descriptors[key], null);
  return Object.defineProperties(callbackified, descriptors);
}

const shownCodes = new Set();

/** Warns once: with a code, once for that code. */
function deprecate(fn, message, code, { modifyPrototype = true } = {}) {
  if (code !== undefined) validateString(code, 'code');
  let hasWarned = false;
  function deprecated(...args) {
    if (!hasWarned) {
      hasWarned = true;
      if (code === undefined || !shownCodes.has(code)) {
        if (code !== undefined) shownCodes.add(code);
        host.emitWarning(message, 'DeprecationWarning', code, deprecated);
      }
    }
    return new.target ? Reflect.construct(fn, args, new.target) : Reflect.apply(fn, this, args);
  }
  Object.defineProperty(deprecated, 'length', { __proto__: null, ...Object.getOwnPropertyDescriptor(fn, 'length') });
  if (modifyPrototype) {
    Object.setPrototypeOf(deprecated, fn);
    // An instance of the wrapper is an instance of the original.
    if (fn.prototype) deprecated.prototype = fn.prototype;
  }
  return deprecated;
}

function inherits(constructor, superConstructor) {
  if (constructor === undefined || constructor === null) throw new codes.ERR_INVALID_ARG_TYPE('ctor', 'Function', constructor);
  if (superConstructor === undefined || superConstructor === null)
    throw new codes.ERR_INVALID_ARG_TYPE('superCtor', 'Function', superConstructor);
  if (superConstructor.prototype === undefined) {
    throw new codes.ERR_INVALID_ARG_TYPE('superCtor.prototype', 'Object', superConstructor.prototype);
  }
  Object.defineProperty(constructor, 'super_', { __proto__: null, value: superConstructor, writable: true, configurable: true });
  Object.setPrototypeOf(constructor.prototype, superConstructor.prototype);
}

/** A logger for one section of NODE_DEBUG; the variable is read when it is first used. */
function debuglog(section, callback) {
  section = `${section}`.toUpperCase();
  let isEnabled;
  const check = () => (isEnabled ??= matchesSection(host.env?.('NODE_DEBUG') ?? '', section));
  const logger = (...args) => {
    if (!check()) return;
    const { formatWithOptions } = require('internal/inspect/format');
    const text = formatWithOptions({ colors: host.stderrHasColors?.() ?? false }, ...args);
    host.writeErr(`${section} ${host.pid?.() ?? 0}: ${text}\n`);
  };
  callback?.(logger);
  Object.defineProperty(logger, 'enabled', { __proto__: null, get: check, configurable: true, enumerable: true });
  return logger;
}

function matchesSection(variable, section) {
  return variable.split(',').some((part) => {
    const pattern = part
      .trim()
      .replace(/[|\\{}()[\]^$+?.]/g, '\\$&')
      .replaceAll('*', '.*');
    return pattern !== '' && new RegExp(`^${pattern}$`, 'i').test(section);
  });
}

/** Settles when the signal aborts, as long as `resource` is still wanted by somebody. */
async function aborted(signal, resource) {
  require('internal/validators').validateAbortSignal(signal, 'signal');
  if (signal === undefined) throw new codes.ERR_INVALID_ARG_TYPE('signal', 'AbortSignal', signal);
  require('internal/validators').validateObject(resource, 'resource', { allowArray: true, allowFunction: true });
  if (signal.aborted) return undefined;
  const weak = new WeakRef(resource);
  return new Promise((resolve) => {
    signal.addEventListener(
      'abort',
      () => {
        if (weak.deref() !== undefined) resolve();
      },
      { once: true },
    );
  });
}

module.exports = { promisify, kArgumentNames, callbackify, deprecate, inherits, debuglog, aborted };
