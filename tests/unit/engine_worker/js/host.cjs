'use strict';
// The host interface of js/README.md, implemented with Node's internals (--expose-internals).

const { types } = require('node:util');
const { isBuiltin } = require('node:module');
const { internalBinding } = require('internal/test/binding');

const util = internalBinding('util');
const ONLY_ENUMERABLE = 2;

const checks = [
  [10, types.isProxy],
  [1, Array.isArray],
  [3, (v) => types.isAsyncFunction(v) && !types.isGeneratorFunction(v)],
  [5, (v) => types.isAsyncFunction(v) && types.isGeneratorFunction(v)],
  [4, types.isGeneratorFunction],
  [2, (v) => typeof v === 'function'],
  [6, types.isDate],
  [7, types.isRegExp],
  [8, types.isNativeError],
  [9, types.isPromise],
  [11, types.isMap],
  [12, types.isSet],
  [13, types.isWeakMap],
  [14, types.isWeakSet],
  [15, types.isMapIterator],
  [16, types.isSetIterator],
  [17, types.isArrayBuffer],
  [18, types.isSharedArrayBuffer],
  [19, types.isTypedArray],
  [20, types.isDataView],
  [21, types.isNumberObject],
  [22, types.isStringObject],
  [23, types.isBooleanObject],
  [24, types.isSymbolObject],
  [25, types.isBigIntObject],
  [26, types.isArgumentsObject],
  [27, types.isGeneratorObject],
  [28, types.isModuleNamespaceObject],
  [29, types.isExternal],
  [
    30,
    (v) => {
      try {
        WeakRef.prototype.deref.call(v);
        return true;
      } catch {
        return false;
      }
    },
  ],
];

exports.host = {
  cwd: () => process.cwd(),
  inspect: {
    kindOf(value) {
      if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return -1;
      for (const [kind, is] of checks) if (is(value)) return kind;
      return 0;
    },
    proxyDetails: (proxy) => util.getProxyDetails(proxy, true),
    promiseState: (promise) => util.getPromiseDetails(promise),
    previewEntries(value) {
      const preview = util.previewEntries(value, true);
      return Array.isArray(preview[0]) ? preview : [preview, false];
    },
    ownNonIndexProperties: (value, onlyEnumerable) => util.getOwnNonIndexProperties(value, onlyEnumerable ? ONLY_ENUMERABLE : 0),
    constructorName: (value) => util.getConstructorName(value),
    externalAddress: (value) => util.getExternalValue(value).toString(16),
    isBuiltin: (name) => isBuiltin(`node:${name}`),
  },
};

Object.assign(exports.host, {
  now: () => performance.now(),
  nextTick: (callback, ...args) => process.nextTick(callback, ...args),
  emitWarning: (warning) => process.emitWarning(warning),
  reportException: (error) =>
    process.nextTick(() => {
      throw error;
    }),
  setUnrefTimeout: (callback, ms) => setTimeout(callback, ms).unref(),
});
exports.host.inspect.errorText = (error) => error.stack;
exports.host.signals = require('node:os').constants.signals;
const { atob, btoa } = internalBinding('buffer');
let makeLazily;
exports.host.native = {
  ...types, // node:util/types queries the engine itself
  isAscii: require('node:buffer').isAscii,
  isUtf8: require('node:buffer').isUtf8,
  toBase64(text) {
    const made = btoa(text);
    return made === -1 ? undefined : made;
  },
  fromBase64(text) {
    const made = atob(text);
    return typeof made === 'string' ? made : made === -1 ? false : undefined;
  },
  setLazyMaker(make) {
    makeLazily = make;
  },
  defineLazyValue(object, name, number, attributes) {
    const define = (value) =>
      Object.defineProperty(object, name, { value, writable: true, enumerable: attributes === 0, configurable: true });
    Object.defineProperty(object, name, {
      get: () => define(makeLazily(number))[name],
      set: define,
      enumerable: attributes === 0,
      configurable: true,
    });
  },
};
Object.assign(exports.host, {
  textOf: undefined, // there is no native module here
  writeAscii: undefined,
  writeText: undefined,
  compareBytes: undefined,
  findBytes: undefined,
  utf8: {
    encode: (text) => new globalThis.Buffer.from(text),
    decode: (bytes, start, end) => globalThis.Buffer.from(bytes).toString('utf8', start, end),
    byteLength: (text) => globalThis.Buffer.byteLength(text),
    write: (text, bytes, offset, end, read) => {
      const outcome = new globalThis.TextEncoder().encodeInto(text, bytes.subarray(offset, end));
      read[0] = outcome.read;
      return outcome.written;
    },
  },
  platform: 'linux',
  programArguments: () => process.argv.slice(2),
  env: (name) => process.env[name],
  pid: () => process.pid,
  writeErr: (text) => process.stderr.write(text),
  stderrHasColors: () => false,
  stdoutHasColors: () => false,
  assertedExpression: () => undefined,
  types: { isKeyObject: types.isKeyObject, isCryptoKey: types.isCryptoKey },
  isLoaded: () => false,
  hasModule: () => true,
  loadingDepth: () => 0,
  forgetLoads() {},
});
