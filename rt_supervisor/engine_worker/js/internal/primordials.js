// @ts-check
'use strict';
// Owns: the intrinsics of the language, taken while the start-up snapshot is built, before any user code runs.
// Internal modules call these where user code could have replaced the original (Array.prototype.push = …) and
// the replacement would break printing or recurse into it. Names are `<Owner><Method>`; methods take their receiver first.

const { apply, construct, defineProperty, getOwnPropertyDescriptor, getPrototypeOf, has, ownKeys } = Reflect;
const { setPrototypeOf } = Object;
const { isArray } = Array;
/**
 * The method as a function that takes its receiver first.
 * @type {<A extends any[], R>(method: (...args: A) => R) => (receiver: unknown, ...args: A) => R}
 */
const uncurry = Function.prototype.bind.bind(Function.prototype.call);

/**
 * A function of a constructor, called on it. Not every engine has all of them.
 * @type {(owner: any, name: string) => any}
 */
const bound = (owner, name) => owner[name] && uncurry(owner[name]).bind(undefined, owner);
/** @type {(object: object, name: string | symbol) => (receiver: unknown) => any} */
const getter = (object, name) => uncurry(/** @type {() => any} */ (getOwnPropertyDescriptor(object, name)?.get));
/** @type {(name: string) => any} */
const bytesMethod = (name) =>
  /** @type {any} */ (Uint8Array.prototype)[name] && uncurry(/** @type {any} */ (Uint8Array.prototype)[name]);
const TypedArrayPrototype = /** @type {Uint8Array} */ (getPrototypeOf(Uint8Array.prototype));
/** @type {(value: object) => Iterator<any>} */
const prototypeOfIterator = (iterator) => /** @type {Iterator<any>} */ (getPrototypeOf(iterator));

// A `next` captured from the built-in prototype: iteration over our own arrays survives a patched Array.prototype.
const MapIteratorNext = uncurry(prototypeOfIterator(new Map().entries()).next);
const SetIteratorNext = uncurry(prototypeOfIterator(new Set().values()).next);

const exec = uncurry(RegExp.prototype.exec);
const slice = uncurry(String.prototype.slice);

/**
 * text.replace(pattern, replacement) without String.prototype.replace or RegExp.prototype.exec, which user code may have
 * replaced. `replacement` is a text taken as it is, or a function of the match, its groups and, last, the named ones.
 */
function RegExpReplace(pattern, text, replacement) {
  let result = '';
  let done = 0;
  pattern.lastIndex = 0;
  for (let match = exec(pattern, text); match !== null; match = exec(pattern, text)) {
    const start = match.index;
    result += slice(text, done, start);
    if (match.groups !== undefined) match[match.length] = /** @type {any} */ (match.groups);
    result += typeof replacement === 'string' ? replacement : apply(replacement, undefined, match);
    done = start + match[0].length;
    if (!pattern.global) break;
    if (match[0] === '') pattern.lastIndex++;
  }
  if (done === 0 && result === '') return text;
  return result + slice(text, done);
}

const ArrayPrototype = Array.prototype;
const MapPrototype = Map.prototype;
const SetPrototype = Set.prototype;
const StringPrototype = String.prototype;
const iteratorOf = (value) => prototypeOfIterator(value[Symbol.iterator]());
// What the language asks where it iterates over its own kinds: their method, and `next` of what that returns.
const KINDS = [ArrayPrototype, TypedArrayPrototype, MapPrototype, SetPrototype, StringPrototype];
const ITERATORS = [iteratorOf([]), iteratorOf([]), iteratorOf(new Map()), iteratorOf(new Set()), iteratorOf('')];
const METHODS = [];
const NEXTS = [];
for (let index = 0; index < KINDS.length; index++) {
  METHODS[index] = KINDS[index][Symbol.iterator];
  NEXTS[index] = ITERATORS[index].next;
}
const GeneratorPrototype = prototypeOfIterator(prototypeOfIterator((function* () {})()));
const { next: generatorNext, return: generatorReturn, throw: generatorThrow } = /** @type {any} */ (GeneratorPrototype);
const { iterator: symbolIterator } = Symbol;
const IteratorPrototype = prototypeOfIterator(GeneratorPrototype);
const iteratorItself = IteratorPrototype[symbolIterator];

/**
 * What is iterated over for `iterable`: itself, unless a program has replaced what the language asks of its kind (an array, a
 * map, a text ...). A loop, a list or a call takes `intact(list)` where it would take `list`.
 */
function intact(iterable) {
  if (isArray(iterable)) {
    if (ArrayPrototype[symbolIterator] === METHODS[0] && ITERATORS[0].next === NEXTS[0]) return iterable;
    return safely(apply(METHODS[0], iterable, []), NEXTS[0]);
  }
  return isIntact() ? iterable : otherIntact(iterable);
}

function isIntact() {
  for (let index = 0; index < KINDS.length; index++) {
    if (KINDS[index][symbolIterator] !== METHODS[index] || ITERATORS[index].next !== NEXTS[index]) return false;
  }
  return GeneratorPrototype.next === generatorNext && IteratorPrototype[symbolIterator] === iteratorItself;
}

function otherIntact(iterable) {
  if (typeof iterable === 'string') return safely(apply(METHODS[4], iterable, []), NEXTS[4]);
  if (iterable === null || typeof iterable !== 'object') return iterable;
  for (let above = getPrototypeOf(iterable); above !== null; above = getPrototypeOf(above)) {
    if (above === GeneratorPrototype) return safely(iterable, generatorNext);
    for (let index = 0; index < KINDS.length; index++) {
      if (above === ITERATORS[index]) return safely(iterable, NEXTS[index]);
      if (above === KINDS[index]) return safely(apply(METHODS[index], iterable, []), NEXTS[index]);
    }
  }
  return iterable; // it has a method of its own
}

function safely(iterator, next) {
  const safe = { __proto__: null, next: (value) => apply(next, iterator, [value]) };
  if (next === generatorNext) {
    safe.return = (value) => apply(generatorReturn, iterator, [value]);
    safe.throw = (error) => apply(generatorThrow, iterator, [error]);
  }
  safe[symbolIterator] = () => safe;
  return safe;
}

/** object[name] = value, also where a prototype above has a frozen property of that name. */
function setOwn(object, name, value) {
  return defineProperty(object, name, { __proto__: null, value, writable: true, enumerable: true, configurable: true });
}

/** An object's own property descriptors, such as can be defined again whatever Object.prototype holds. */
function ownDescriptors(object) {
  const descriptors = { __proto__: null };
  const keys = ownKeys(object);
  for (let index = 0; index < keys.length; index++) {
    descriptors[keys[index]] = setPrototypeOf(getOwnPropertyDescriptor(object, keys[index]), null);
  }
  return descriptors;
}

module.exports = {
  intact,
  setOwn,
  ownDescriptors,
  uncurry,
  getter,
  ReflectApply: apply,
  ReflectConstruct: construct,
  ReflectDefineProperty: defineProperty,
  ReflectHas: has,
  ReflectOwnKeys: ownKeys,
  ReflectGet: Reflect.get,
  ReflectSet: Reflect.set,
  ReflectGetOwnPropertyDescriptor: Reflect.getOwnPropertyDescriptor,
  ReflectGetPrototypeOf: Reflect.getPrototypeOf,
  ReflectDeleteProperty: Reflect.deleteProperty,
  ReflectSetPrototypeOf: Reflect.setPrototypeOf,

  ObjectAssign: Object.assign,
  ObjectCreate: Object.create,
  ObjectDefineProperty: Object.defineProperty,
  ObjectDefineProperties: Object.defineProperties,
  ObjectFreeze: Object.freeze,
  ObjectGetOwnPropertyDescriptor: Object.getOwnPropertyDescriptor,
  ObjectGetOwnPropertyNames: Object.getOwnPropertyNames,
  ObjectGetOwnPropertySymbols: Object.getOwnPropertySymbols,
  ObjectGetPrototypeOf: Object.getPrototypeOf,
  ObjectIs: Object.is,
  ObjectKeys: Object.keys,
  ObjectSetPrototypeOf: Object.setPrototypeOf,
  ObjectHasOwn: uncurry(Object.prototype.hasOwnProperty),
  ObjectIsEnumerable: uncurry(Object.prototype.propertyIsEnumerable),
  ObjectToString: uncurry(Object.prototype.toString),
  ObjectPrototype: Object.prototype,
  ObjectValues: Object.values,
  ObjectFromEntries: Object.fromEntries,
  ObjectEntries: Object.entries,
  ObjectSeal: Object.seal,
  ObjectGetOwnPropertyDescriptors: Object.getOwnPropertyDescriptors,

  FunctionCall: uncurry(Function.prototype.call),
  FunctionBind: uncurry(Function.prototype.bind),
  FunctionToString: uncurry(Function.prototype.toString),
  FunctionHasInstance: uncurry(Function.prototype[Symbol.hasInstance]),
  FunctionPrototype: Function.prototype,
  FunctionApply: uncurry(Function.prototype.apply),

  ArrayIsArray: Array.isArray,
  ArrayFrom: Array.from,
  ArrayFill: uncurry(Array.prototype.fill),
  ArrayConcat: uncurry(Array.prototype.concat),
  ArrayFilter: uncurry(Array.prototype.filter),
  ArrayForEach: uncurry(Array.prototype.forEach),
  ArrayIncludes: uncurry(Array.prototype.includes),
  ArrayIndexOf: uncurry(Array.prototype.indexOf),
  ArrayLastIndexOf: uncurry(Array.prototype.lastIndexOf),
  ArrayJoin: uncurry(Array.prototype.join),
  ArrayMap: uncurry(Array.prototype.map),
  ArrayPop: uncurry(Array.prototype.pop),
  ArrayPush: uncurry(Array.prototype.push),
  ArrayShift: uncurry(Array.prototype.shift),
  ArraySlice: uncurry(Array.prototype.slice),
  ArraySome: uncurry(Array.prototype.some),
  ArraySort: uncurry(Array.prototype.sort),
  ArraySplice: uncurry(Array.prototype.splice),
  ArrayUnshift: uncurry(Array.prototype.unshift),
  ArrayAt: uncurry(Array.prototype.at),
  ArrayFind: uncurry(Array.prototype.find),
  ArrayReduce: uncurry(Array.prototype.reduce),
  ArrayToSpliced: uncurry(Array.prototype.toSpliced),
  ArrayEvery: uncurry(Array.prototype.every),
  ArrayReverse: uncurry(Array.prototype.reverse),
  ArrayFlat: uncurry(Array.prototype.flat),
  ArrayPrototype: Array.prototype,
  ArrayPrototypeSymbolIterator: Array.prototype[Symbol.iterator],
  ArrayFindIndex: uncurry(Array.prototype.findIndex),
  ArrayFindLast: uncurry(Array.prototype.findLast),
  ArrayFlatMap: uncurry(Array.prototype.flatMap),
  ArrayReduceRight: uncurry(Array.prototype.reduceRight),
  ArrayKeys: uncurry(Array.prototype.keys),
  ArrayEntries: uncurry(Array.prototype.entries),
  ArrayValues: uncurry(Array.prototype.values),

  StringCharCodeAt: uncurry(String.prototype.charCodeAt),
  StringCodePointAt: uncurry(String.prototype.codePointAt),
  StringEndsWith: uncurry(String.prototype.endsWith),
  StringIncludes: uncurry(String.prototype.includes),
  StringIndexOf: uncurry(String.prototype.indexOf),
  StringIsWellFormed: uncurry(String.prototype.isWellFormed),
  StringLastIndexOf: uncurry(String.prototype.lastIndexOf),
  StringNormalize: uncurry(String.prototype.normalize),
  StringPadEnd: uncurry(String.prototype.padEnd),
  StringPadStart: uncurry(String.prototype.padStart),
  StringRepeat: uncurry(String.prototype.repeat),
  /** @type {(text: string, what: string | RegExp, by: string | ((...found: any[]) => string)) => string} */
  StringReplace: uncurry(/** @type {any} */ (String.prototype.replace)),
  /** @type {(text: string, what: string | RegExp, by: string | ((...found: any[]) => string)) => string} */
  StringReplaceAll: uncurry(/** @type {any} */ (String.prototype.replaceAll)),
  StringSlice: uncurry(String.prototype.slice),
  /** @type {(text: string, by: string | RegExp, limit?: number) => string[]} */
  StringSplit: uncurry(/** @type {any} */ (String.prototype.split)),
  StringStartsWith: uncurry(String.prototype.startsWith),
  StringToLowerCase: uncurry(String.prototype.toLowerCase),
  StringToUpperCase: uncurry(String.prototype.toUpperCase),
  StringToWellFormed: uncurry(String.prototype.toWellFormed),
  StringTrim: uncurry(String.prototype.trim),
  StringValueOf: uncurry(String.prototype.valueOf),
  StringFromCharCode: String.fromCharCode,
  StringFromCodePoint: String.fromCodePoint,
  StringTrimEnd: uncurry(String.prototype.trimEnd),
  StringTrimStart: uncurry(String.prototype.trimStart),
  StringAt: uncurry(String.prototype.at),
  StringConcat: uncurry(String.prototype.concat),
  StringSubstring: uncurry(String.prototype.substring),
  StringLocaleCompare: uncurry(String.prototype.localeCompare),
  StringRaw: String.raw,

  RegExpExec: uncurry(RegExp.prototype.exec),
  RegExpReplace,
  RegExpTest: (pattern, text) => exec(pattern, text) !== null,
  RegExpToString: uncurry(RegExp.prototype.toString),

  NumberIsFinite: Number.isFinite,
  NumberIsInteger: Number.isInteger,
  NumberIsNaN: Number.isNaN,
  NumberIsSafeInteger: Number.isSafeInteger,
  NumberParseFloat: Number.parseFloat,
  NumberParseInt: Number.parseInt,
  NumberToString: uncurry(Number.prototype.toString),
  NumberValueOf: uncurry(Number.prototype.valueOf),
  NumberToFixed: uncurry(Number.prototype.toFixed),
  NumberToPrecision: uncurry(Number.prototype.toPrecision),
  BooleanValueOf: uncurry(Boolean.prototype.valueOf),
  BigIntValueOf: uncurry(BigInt.prototype.valueOf),
  BigIntAsUintN: BigInt.asUintN,
  BigIntAsIntN: BigInt.asIntN,
  BigIntToString: uncurry(BigInt.prototype.toString),
  SymbolValueOf: uncurry(Symbol.prototype.valueOf),
  SymbolToString: uncurry(Symbol.prototype.toString),
  SymbolDescription: getter(Symbol.prototype, 'description'),
  SymbolFor: Symbol.for,
  SymbolKeyFor: Symbol.keyFor,
  MathMax: Math.max,
  MathMin: Math.min,
  MathFloor: Math.floor,
  MathRound: Math.round,
  MathSqrt: Math.sqrt,
  MathTrunc: Math.trunc,
  MathCeil: Math.ceil,
  MathAbs: Math.abs,
  MathRandom: Math.random,
  MathLog2: Math.log2,
  MathFround: Math.fround,
  MathSign: Math.sign,
  MathPow: Math.pow,
  MathLog10: Math.log10,
  MathClz32: Math.clz32,
  MathImul: Math.imul,
  JSONStringify: JSON.stringify,
  JSONParse: JSON.parse,

  DateGetTime: uncurry(Date.prototype.getTime),
  DateToISOString: uncurry(Date.prototype.toISOString),
  DateToString: uncurry(Date.prototype.toString),
  DateToUTCString: uncurry(Date.prototype.toUTCString),
  DateNow: Date.now,
  DateGetFullYear: uncurry(Date.prototype.getFullYear),
  DateGetMonth: uncurry(Date.prototype.getMonth),
  DateGetDate: uncurry(Date.prototype.getDate),
  DateGetHours: uncurry(Date.prototype.getHours),
  DateGetMinutes: uncurry(Date.prototype.getMinutes),
  DateGetSeconds: uncurry(Date.prototype.getSeconds),
  ErrorToString: uncurry(Error.prototype.toString),
  ErrorCaptureStackTrace: Error.captureStackTrace,

  MapSize: getter(Map.prototype, 'size'),
  MapEntries: uncurry(Map.prototype.entries),
  MapGet: uncurry(Map.prototype.get),
  MapDelete: uncurry(Map.prototype.delete),
  MapHas: uncurry(Map.prototype.has),
  MapSet: uncurry(Map.prototype.set),
  MapValues: uncurry(Map.prototype.values),
  MapKeys: uncurry(Map.prototype.keys),
  MapClear: uncurry(Map.prototype.clear),
  MapForEach: uncurry(Map.prototype.forEach),
  MapIteratorNext,
  SetSize: getter(Set.prototype, 'size'),
  SetValues: uncurry(Set.prototype.values),
  SetHas: uncurry(Set.prototype.has),
  SetAdd: uncurry(Set.prototype.add),
  SetIteratorNext,
  SetClear: uncurry(Set.prototype.clear),
  SetDelete: uncurry(Set.prototype.delete),
  SetForEach: uncurry(Set.prototype.forEach),
  SetEntries: uncurry(Set.prototype.entries),
  WeakMapGet: uncurry(WeakMap.prototype.get),
  WeakMapSet: uncurry(WeakMap.prototype.set),
  WeakMapHas: uncurry(WeakMap.prototype.has),
  WeakMapDelete: uncurry(WeakMap.prototype.delete),

  TypedArrayPrototype,
  TypedArrayLength: getter(TypedArrayPrototype, 'length'),
  TypedArrayByteLength: getter(TypedArrayPrototype, 'byteLength'),
  TypedArrayByteOffset: getter(TypedArrayPrototype, 'byteOffset'),
  TypedArrayBuffer: getter(TypedArrayPrototype, 'buffer'),
  TypedArrayTag: getter(TypedArrayPrototype, Symbol.toStringTag),
  TypedArraySet: uncurry(TypedArrayPrototype.set),
  TypedArrayFill: uncurry(TypedArrayPrototype.fill),
  TypedArraySubarray: uncurry(TypedArrayPrototype.subarray),
  TypedArrayCopyWithin: uncurry(TypedArrayPrototype.copyWithin),
  TypedArraySlice: uncurry(TypedArrayPrototype.slice),
  TypedArrayMap: uncurry(TypedArrayPrototype.map),
  TypedArrayEvery: uncurry(TypedArrayPrototype.every),
  TypedArrayReverse: uncurry(TypedArrayPrototype.reverse),
  TypedArrayIncludes: uncurry(TypedArrayPrototype.includes),
  TypedArrayIndexOf: uncurry(TypedArrayPrototype.indexOf),
  TypedArrayLastIndexOf: uncurry(TypedArrayPrototype.lastIndexOf),
  TypedArrayReduce: uncurry(TypedArrayPrototype.reduce),
  TypedArrayFindIndex: uncurry(TypedArrayPrototype.findIndex),
  TypedArrayJoin: uncurry(TypedArrayPrototype.join),
  TypedArraySome: uncurry(TypedArrayPrototype.some),
  TypedArrayAt: uncurry(TypedArrayPrototype.at),
  TypedArrayConstructors: {
    __proto__: null,
    Int8Array,
    Uint8Array,
    Uint8ClampedArray,
    Int16Array,
    Uint16Array,
    Int32Array,
    Uint32Array,
    Float32Array,
    Float64Array,
    BigInt64Array,
    BigUint64Array,
    ...(typeof Float16Array === 'function' ? { Float16Array } : null),
  },
  ArrayBufferIsView: ArrayBuffer.isView,
  ArrayBufferByteLength: getter(ArrayBuffer.prototype, 'byteLength'),
  ArrayBufferTransfer: uncurry(ArrayBuffer.prototype.transfer),
  ArrayBufferSlice: uncurry(ArrayBuffer.prototype.slice),
  ArrayBufferResize: uncurry(ArrayBuffer.prototype.resize),
  WeakSetHas: uncurry(WeakSet.prototype.has),
  WeakSetAdd: uncurry(WeakSet.prototype.add),
  WeakSetDelete: uncurry(WeakSet.prototype.delete),
  PromiseThen: uncurry(Promise.prototype.then),
  DateParse: Date.parse,
  FinalizationRegistryRegister: uncurry(FinalizationRegistry.prototype.register),
  FinalizationRegistryUnregister: uncurry(FinalizationRegistry.prototype.unregister),
  Uint8ArrayFromBase64: bound(Uint8Array, 'fromBase64'),
  Uint8ArrayFromHex: bound(Uint8Array, 'fromHex'),
  Uint8ArrayFrom: bound(Uint8Array, 'from'),
  Uint8ArrayOf: bound(Uint8Array, 'of'),
  Uint8ArrayToBase64: bytesMethod('toBase64'),
  Uint8ArrayToHex: bytesMethod('toHex'),
  DataViewGetUint32: uncurry(DataView.prototype.getUint32),
  DataViewSetUint32: uncurry(DataView.prototype.setUint32),
  DataViewGetUint16: uncurry(DataView.prototype.getUint16),
  DataViewSetUint16: uncurry(DataView.prototype.setUint16),
  DataViewGetFloat64: uncurry(DataView.prototype.getFloat64),
  DataViewSetFloat64: uncurry(DataView.prototype.setFloat64),
  WeakRefDeref: uncurry(WeakRef.prototype.deref),
  GeneratorNext: uncurry(generatorNext),
  GeneratorThrow: uncurry(generatorThrow),
};
