// @ts-check
'use strict';
// Owns: `--frozen-intrinsics`: the objects of the language and the console cannot be changed any more, after preloaded modules
// have. What inherits from them still can have properties of the same names.
//
// `Error.stackTraceLimit` and `Error.prepareStackTrace` remain writable, unlike in Node: the library itself sets them.

const {
  ArrayIncludes,
  ArrayPush,
  ObjectDefineProperty,
  ObjectFreeze,
  ObjectGetOwnPropertyDescriptor,
  ObjectGetPrototypeOf,
  ObjectHasOwn,
  ReflectOwnKeys,
  SetAdd,
  SetHas,
  intact,
} = require('internal/primordials');

// prettier-ignore
const NAMES = [
  'AggregateError', 'Array', 'ArrayBuffer', 'Atomics', 'BigInt', 'BigInt64Array', 'BigUint64Array', 'Boolean', 'DataView', 'Date', 'Error',
  'EvalError', 'FinalizationRegistry', 'Float16Array', 'Float32Array', 'Float64Array', 'Function', 'Int16Array', 'Int32Array', 'Int8Array', 'Intl',
  'Iterator', 'JSON', 'Map', 'Math', 'Number', 'Object', 'Promise', 'Proxy', 'RangeError', 'ReferenceError', 'Reflect', 'RegExp', 'Set',
  'SharedArrayBuffer', 'String', 'SuppressedError', 'Symbol', 'SyntaxError', 'TypeError', 'URIError', 'Uint16Array', 'Uint32Array', 'Uint8Array',
  'Uint8ClampedArray', 'WeakMap', 'WeakRef', 'WeakSet', 'WebAssembly', 'atob', 'btoa', 'clearImmediate', 'clearInterval', 'clearTimeout',
  'console', 'decodeURI', 'decodeURIComponent', 'encodeURI', 'encodeURIComponent', 'escape', 'eval', 'isFinite', 'isNaN', 'parseFloat',
  'parseInt', 'queueMicrotask', 'setImmediate', 'setInterval', 'setTimeout', 'structuredClone', 'unescape',
];
const OWN = ['name', 'length']; // every function has these itself
const WRITABLE = ['stackTraceLimit', 'prepareStackTrace'];

/** Objects of the language that have no global name. */
const nameless = () => [
  ObjectGetPrototypeOf(async function () {}),
  ObjectGetPrototypeOf(function* () {}),
  ObjectGetPrototypeOf(async function* () {}),
  ObjectGetPrototypeOf([][Symbol.iterator]()),
  ObjectGetPrototypeOf(new Map()[Symbol.iterator]()),
  ObjectGetPrototypeOf(new Set()[Symbol.iterator]()),
  ObjectGetPrototypeOf(''[Symbol.iterator]()),
  ObjectGetPrototypeOf(/x/[Symbol.matchAll]('')),
];

const isObject = (value) => (typeof value === 'object' && value !== null) || typeof value === 'function';

/**
 * Lets objects that inherit the value `name` of `holder` have a property of that name, although `holder` will be frozen.
 * @param {any} holder @param {string | symbol} name @param {PropertyDescriptor} property
 */
function letHeirsDefine(holder, name, { value, enumerable }) {
  const accessor = {
    get: () => value,
    set(other) {
      if (this === holder || !isObject(this))
        throw new TypeError(`Cannot assign to read only property '${String(name)}' of object '${holder}'`);
      const own = { __proto__: null, value: other, writable: true, enumerable: true, configurable: true };
      if (ObjectHasOwn(this, name)) this[name] = other;
      else ObjectDefineProperty(this, name, own);
    },
  };
  ObjectDefineProperty(holder, name, { __proto__: null, ...accessor, enumerable, configurable: false });
}

/** Freezes the objects in `waiting`, and all that can be reached from them by properties and prototypes. */
function freezeAll(waiting) {
  const seen = new Set();
  const add = (value) => {
    if (!isObject(value) || value === globalThis || SetHas(seen, value)) return;
    SetAdd(seen, value);
    ArrayPush(waiting, value);
  };
  for (let index = 0; index < waiting.length; index++) {
    const object = waiting[index];
    add(ObjectGetPrototypeOf(object));
    const isPrototype = ObjectHasOwn(object, 'constructor');
    for (const name of intact(ReflectOwnKeys(object))) {
      const property = /** @type {PropertyDescriptor} */ (ObjectGetOwnPropertyDescriptor(object, name));
      add(property.value);
      add(property.get);
      add(property.set);
      if (object === Error && ArrayIncludes(WRITABLE, name)) continue;
      const isOwn = typeof object === 'function' && ArrayIncludes(OWN, name);
      if (isPrototype && property.configurable && 'value' in property && !isOwn) letHeirsDefine(object, name, property);
      else if (object === Error) ObjectDefineProperty(object, name, { __proto__: null, configurable: false });
    }
    if (object !== Error) freeze(object);
  }
}

function freeze(object) {
  try {
    ObjectFreeze(object);
  } catch {
    // a typed array with elements cannot be frozen
  }
}

function begin() {
  // The first defines names that it inherits, the second adds properties to timers.
  require('node/buffer/buffer');
  require('node/timers/promisified');
  const roots = nameless();
  for (const name of intact(NAMES)) if (isObject(globalThis[name])) ArrayPush(roots, globalThis[name]);
  freezeAll(roots);
  ObjectDefineProperty(globalThis, 'globalThis', { __proto__: null, writable: false, configurable: false });
}

module.exports = { begin };
