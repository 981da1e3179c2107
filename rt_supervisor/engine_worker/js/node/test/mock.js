'use strict';
// Owns: mocks of functions and methods: they record their calls and can be restored.

const {
  ArrayPush,
  ArraySlice,
  MapClear,
  MapDelete,
  MapGet,
  MapHas,
  MapSet,
  ObjectDefineProperty,
  ObjectGetOwnPropertyDescriptor,
  ObjectGetPrototypeOf,
  ReflectApply,
  ReflectConstruct,
  ReflectGet,
  intact,
} = require('internal/primordials');
const { codes } = require('internal/errors/errors');
const { validateBoolean, validateFunction, validateObject, validateInteger } = require('internal/validators');

let record; // accesses a MockFunctionContext's private members; set in the class's static block
let implementationOf;

class MockFunctionContext {
  #calls = [];
  #mocks = new Map(); // call number -> one-time implementation
  #implementation;
  #restore;
  #times;

  constructor(implementation, restore, times) {
    this.#implementation = implementation;
    this.#restore = restore;
    this.#times = times;
  }

  get calls() {
    return ArraySlice(this.#calls);
  }

  callCount() {
    return this.#calls.length;
  }

  mockImplementation(implementation) {
    validateFunction(implementation, 'implementation');
    this.#implementation = implementation;
  }

  mockImplementationOnce(implementation, onCall) {
    validateFunction(implementation, 'implementation');
    const next = onCall ?? this.#calls.length;
    validateInteger(next, 'onCall', this.#calls.length);
    MapSet(this.#mocks, next, implementation);
  }

  restore() {
    MapClear(this.#mocks);
    const restore = this.#restore;
    if (!restore) return;
    if ('descriptor' in restore) ObjectDefineProperty(restore.object, restore.name, restore.descriptor);
    else this.#implementation = restore.original;
  }

  resetCalls() {
    this.#calls = [];
  }

  static {
    record = (context, call) => ArrayPush(context.#calls, call);
    implementationOf = (context) => {
      const number = context.#calls.length;
      const implementation = MapGet(context.#mocks, number) ?? context.#implementation;
      MapDelete(context.#mocks, number);
      if (number + 1 === context.#times) context.restore();
      return implementation;
    };
  }
}

function createMock(original, implementation, { restore, times }) {
  const context = new MockFunctionContext(implementation, restore, times);
  return new Proxy(original, {
    __proto__: null,
    apply(target, thisArg, args) {
      const fn = implementationOf(context);
      let { 0: result, 1: error } = [undefined, undefined];
      try {
        result = ReflectApply(fn, thisArg, args);
        return result;
      } catch (thrown) {
        error = thrown;
        throw thrown;
      } finally {
        record(context, { arguments: args, error, result, stack: new Error(), target: undefined, this: thisArg });
      }
    },
    construct(target, args, newTarget) {
      const fn = implementationOf(context);
      let { 0: result, 1: error } = [undefined, undefined];
      try {
        result = ReflectConstruct(fn, args, newTarget);
        return result;
      } catch (thrown) {
        error = thrown;
        throw thrown;
      } finally {
        record(context, { arguments: args, error, result, stack: new Error(), target, this: result });
      }
    },
    get: (target, key, receiver) => (key === 'mock' ? context : ReflectGet(target, key, receiver)),
  });
}

function timesOf(options) {
  const { times = Infinity } = options;
  if (times !== Infinity) validateInteger(times, 'options.times', 1);
  return times;
}

function descriptorOf(object, name) {
  for (let holder = object; holder !== null && holder !== undefined; holder = ObjectGetPrototypeOf(holder)) {
    const descriptor = ObjectGetOwnPropertyDescriptor(holder, name);
    if (descriptor) return descriptor;
  }
  return undefined;
}

class MockPropertyContext {
  #object;
  #name;
  #value;
  #original;
  #accesses = [];
  #once = new Map();

  constructor(object, name, value) {
    this.#object = object;
    this.#name = name;
    this.#original = ObjectGetOwnPropertyDescriptor(object, name);
    if (this.#original === undefined) {
      throw new codes.ERR_INVALID_ARG_VALUE('propertyName', name, 'is not a property of the object');
    }
    this.#value = value;
    const { enumerable } = this.#original;
    ObjectDefineProperty(object, name, {
      __proto__: null,
      configurable: true,
      enumerable,
      get: () => {
        const now = this.#next();
        ArrayPush(this.#accesses, { type: 'get', value: now, stack: new Error() });
        return now;
      },
      set: (value) => {
        this.#set(value);
      },
    });
  }

  #set(value) {
    if (this.#original.writable === false) {
      throw new codes.ERR_INVALID_ARG_VALUE('propertyName', this.#name, 'cannot be set');
    }
    ArrayPush(this.#accesses, { type: 'set', value: value, stack: new Error() });
    this.#value = value;
  }

  #next() {
    const number = this.#accesses.length;
    if (!MapHas(this.#once, number)) return this.#value;
    const value = MapGet(this.#once, number);
    MapDelete(this.#once, number);
    return value;
  }

  get accesses() {
    return ArraySlice(this.#accesses);
  }
  accessCount() {
    return this.#accesses.length;
  }
  mockImplementation(value) {
    this.#set(value);
  }
  mockImplementationOnce(value, onAccess = this.#accesses.length) {
    validateInteger(onAccess, 'onAccess', this.#accesses.length);
    MapSet(this.#once, onAccess, value);
  }
  resetAccesses() {
    this.#accesses = [];
  }
  restore() {
    ObjectDefineProperty(this.#object, this.#name, this.#original);
  }
}

function refuseFalse(options, name) {
  validateObject(options, 'options');
  if (options[name] === false) throw new codes.ERR_INVALID_ARG_VALUE(`options.${name}`, false, 'cannot be false');
}

class MockTracker {
  #mocks = [];
  #timers;

  get timers() {
    return (this.#timers ??= new (require('node/test/mock_timers').MockTimers)());
  }

  fn(original = function () {}, implementation = original, options = {}) {
    if (original !== null && typeof original === 'object')
      [original, implementation, options] = intact([function () {}, function () {}, original]);
    else if (implementation !== null && typeof implementation === 'object')
      [implementation, options] = intact([original, implementation]);
    validateFunction(original, 'original');
    validateFunction(implementation, 'implementation');
    validateObject(options, 'options');
    return this.#keep(createMock(original, implementation, { restore: { original }, times: timesOf(options) }));
  }

  #keep(mock) {
    ArrayPush(this.#mocks, mock.mock);
    return mock;
  }

  method(objectOrFunction, methodName, implementation = undefined, options = {}) {
    if ((typeof objectOrFunction !== 'object' || objectOrFunction === null) && typeof objectOrFunction !== 'function') {
      validateObject(objectOrFunction, 'object');
    }
    if (implementation !== null && typeof implementation === 'object')
      [implementation, options] = intact([undefined, implementation]);
    validateObject(options, 'options');
    if (typeof methodName !== 'string' && typeof methodName !== 'symbol')
      throw new codes.ERR_INVALID_ARG_TYPE('methodName', ['string', 'symbol'], methodName);
    const { getter = false, setter = false } = options;
    validateBoolean(getter, 'options.getter');
    validateBoolean(setter, 'options.setter');
    if (setter && getter) throw new codes.ERR_INVALID_ARG_VALUE('options.setter', setter, "cannot be used with 'options.getter'");
    const descriptor = descriptorOf(objectOrFunction, methodName);
    const original = getter ? descriptor?.get : setter ? descriptor?.set : descriptor?.value;
    if (typeof original !== 'function') {
      throw new codes.ERR_INVALID_ARG_VALUE('methodName', original, 'must be a method');
    }
    const mock = createMock(original, implementation ?? original, {
      restore: { descriptor, object: objectOrFunction, name: methodName },
      times: timesOf(options),
    });
    const { configurable, enumerable } = descriptor;
    if (getter || setter) {
      ObjectDefineProperty(objectOrFunction, methodName, {
        __proto__: null,
        configurable,
        enumerable,
        get: getter ? mock : descriptor.get,
        set: setter ? mock : descriptor.set,
      });
    } else {
      ObjectDefineProperty(objectOrFunction, methodName, {
        __proto__: null,
        configurable,
        enumerable,
        writable: descriptor.writable,
        value: mock,
      });
    }
    return this.#keep(mock);
  }

  getter(object, methodName, implementation = undefined, options = {}) {
    if (implementation !== null && typeof implementation === 'object')
      [implementation, options] = intact([undefined, implementation]);
    refuseFalse(options, 'getter');
    return this.method(object, methodName, implementation, { ...options, getter: true });
  }

  setter(object, methodName, implementation = undefined, options = {}) {
    if (implementation !== null && typeof implementation === 'object')
      [implementation, options] = intact([undefined, implementation]);
    refuseFalse(options, 'setter');
    return this.method(object, methodName, implementation, { ...options, setter: true });
  }

  property(object, propertyName, value) {
    validateObject(object, 'object', { allowFunction: true });
    const context = new MockPropertyContext(object, propertyName, arguments.length < 3 ? object[propertyName] : value);
    ArrayPush(this.#mocks, context);
    return new Proxy(object, {
      __proto__: null,
      get: (target, key, receiver) => (key === 'mock' ? context : ReflectGet(target, key, receiver)),
    });
  }

  module(specifier, options = {}) {
    const importer = require('node/test/tree').callerPlace()?.file;
    const context = require('node/test/mock_module').mockModule(specifier, options, importer);
    ArrayPush(this.#mocks, context);
    return context;
  }

  reset() {
    this.restoreAll();
    this.#timers?.reset();
    this.#mocks = [];
  }

  restoreAll() {
    for (const mock of intact(this.#mocks)) mock.restore();
  }
}

module.exports = { MockTracker };
