'use strict';
// Owns: util.promisify, callbackify, deprecate, inherits, debuglog and aborted.

const { AnyThen } = require('internal/any_kind');
const {
  ArrayMap,
  ArrayPop,
  ArraySome,
  FunctionBind,
  ObjectDefineProperties,
  ObjectDefineProperty,
  ObjectFromEntries,
  ObjectGetOwnPropertyDescriptor,
  ObjectGetPrototypeOf,
  ObjectSetPrototypeOf,
  ReflectApply,
  ReflectConstruct,
  ReflectOwnKeys,
  RegExpReplace,
  RegExpTest,
  SetAdd,
  SetHas,
  StringReplaceAll,
  StringSplit,
  StringToLowerCase,
  StringToUpperCase,
  StringTrim,
  WeakRefDeref,
  intact,
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
    return ObjectDefineProperty(own, kCustom, {
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
        ...intact(args),
        (error, ...values) => {
          if (error) return reject(error);
          // A function with several results names them: fs.read resolves to { bytesRead, buffer }.
          if (names !== undefined && values.length > 1)
            resolve(ObjectFromEntries(intact(ArrayMap(names, (name, i) => [name, values[i]]))));
          else resolve(values[0]);
        },
      ]);
    });
  }
  ObjectSetPrototypeOf(fn, ObjectGetPrototypeOf(original));
  ObjectDefineProperty(fn, kCustom, { __proto__: null, value: fn, enumerable: false, writable: false, configurable: true });
  const descriptors = require('internal/primordials').ownDescriptors(original);
  for (let index = 0, list = ReflectOwnKeys(descriptors); index < list.length; index++) {
    const key = list[index];
    ObjectSetPrototypeOf(descriptors[key], null);
  }
  return ObjectDefineProperties(fn, descriptors);
}
promisify.custom = kCustom;

function callbackify(original) {
  validateFunction(original, 'original');
  function callbackified(...args) {
    const callback = ArrayPop(args);
    validateFunction(callback, 'last argument');
    const done = FunctionBind(callback, this);
    AnyThen(
      ReflectApply(original, this, args),
      (value) => host.nextTick(done, null, value),
      (reason) => host.nextTick(rejected, reason, done),
    );
  }
  function rejected(reason, done) {
    // A callback would take a falsy error for success.
    done(reason ? reason : new codes.ERR_FALSY_VALUE_REJECTION(reason));
  }
  const descriptors = require('internal/primordials').ownDescriptors(original);
  // One more parameter than the original: the callback.
  if (typeof descriptors.length?.value === 'number') descriptors.length.value++;
  if (typeof descriptors.name?.value === 'string') descriptors.name.value += 'Callbackified';
  for (const key of intact(ReflectOwnKeys(descriptors))) ObjectSetPrototypeOf(descriptors[key], null);
  return ObjectDefineProperties(callbackified, descriptors);
}

const shownCodes = new Set();

/** Wraps `fn` to emit a warning at its first call; with a code, once for all wrappers with that code. */
function deprecate(fn, message, code, { modifyPrototype = true } = {}) {
  if (code !== undefined) validateString(code, 'code');
  let hasWarned = false;
  function deprecated(...args) {
    if (!hasWarned) {
      hasWarned = true;
      if (code === undefined || !SetHas(shownCodes, code)) {
        if (code !== undefined) SetAdd(shownCodes, code);
        host.emitWarning(message, 'DeprecationWarning', code, deprecated);
      }
    }
    return new.target ? ReflectConstruct(fn, args, new.target) : ReflectApply(fn, this, args);
  }
  ObjectDefineProperty(deprecated, 'length', { __proto__: null, ...ObjectGetOwnPropertyDescriptor(fn, 'length') });
  if (modifyPrototype) {
    ObjectSetPrototypeOf(deprecated, fn);
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
  ObjectDefineProperty(constructor, 'super_', { __proto__: null, value: superConstructor, writable: true, configurable: true });
  ObjectSetPrototypeOf(constructor.prototype, superConstructor.prototype);
}

/** A logger for one section of NODE_DEBUG; the variable is read at the logger's first use. */
function debuglog(section, callback) {
  section = StringToUpperCase(`${section}`);
  let isEnabled;
  const check = () => {
    if (isEnabled !== undefined) return isEnabled;
    isEnabled = matchesSection(host.env?.('NODE_DEBUG') ?? '', section);
    if (isEnabled && (section === 'HTTP' || section === 'HTTP2')) warnAboutSecrets(StringToLowerCase(section));
    return isEnabled;
  };
  const logger = (...args) => {
    if (!check()) return;
    const { formatWithOptions } = require('internal/inspect/format');
    const text = formatWithOptions({ colors: host.stderrHasColors?.() ?? false }, ...intact(args));
    host.writeErr(`${section} ${host.pid?.() ?? 0}: ${text}\n`);
  };
  callback?.(logger);
  ObjectDefineProperty(logger, 'enabled', { __proto__: null, get: check, configurable: true, enumerable: true });
  return logger;
}

const warned = { __proto__: null, http: false, http2: false };

/** @param {string} section whose log contains headers */
function warnAboutSecrets(section) {
  if (warned[section]) return;
  warned[section] = true;
  const secrets = 'such as passwords, tokens and authentication headers';
  const text = `Setting the NODE_DEBUG environment variable to '${section}' can expose sensitive data (${secrets}) in the resulting log.`;
  host.emitWarning?.(text);
}

function matchesSection(variable, section) {
  return ArraySome(StringSplit(variable, ','), (part) => {
    const pattern = StringReplaceAll(
      RegExpReplace(/[|\\{}()[\]^$+?.]/g, StringTrim(part), (each) => `\\${each}`),
      '*',
      '.*',
    );
    return pattern !== '' && RegExpTest(new RegExp(`^${pattern}$`, 'i'), section);
  });
}

/** Resolves when the signal aborts, unless `resource` has been garbage-collected first. */
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
        if (WeakRefDeref(weak) !== undefined) resolve();
      },
      { once: true },
    );
  });
}

module.exports = { promisify, kArgumentNames, callbackify, deprecate, inherits, debuglog, aborted };
