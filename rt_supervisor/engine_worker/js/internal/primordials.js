// @ts-check
'use strict';
// Owns: the intrinsics of the language, captured while the start-up snapshot is built, before any user code runs. Internal
// modules call these where user code could have replaced the original (Array.prototype.push = …) and the replacement would
// break the output or recurse into it. Names are `<Owner><Method>`; methods take their receiver first. internal/intact covers
// iteration.

const { apply, construct, defineProperty, getOwnPropertyDescriptor, getPrototypeOf, has, ownKeys } = Reflect;
const { setPrototypeOf } = Object;
const { generatorNext, generatorThrow, intact } = require('internal/intact');
/**
 * The method as a function that takes its receiver first.
 * @type {<A extends any[], R>(method: (...args: A) => R) => (receiver: unknown, ...args: A) => R}
 */
const uncurry = Function.prototype.bind.bind(Function.prototype.call);

// `uncurry` for methods of one kind: TypeScript rejects a receiver of another, such as a class of ours that has a `shift`.
/** @type {Uncurry<Listed>} */
const ofLists = uncurry;
/** @type {Uncurry<string>} */
const ofTexts = uncurry;
/** @type {Uncurry<number>} */
const ofNumbers = uncurry;
/** @type {Uncurry<RegExp>} */
const ofPatterns = uncurry;
/** @type {Uncurry<Map<any, any>>} */
const ofMaps = uncurry;
/** @type {Uncurry<Set<any>>} */
const ofSets = uncurry;
/** @type {Uncurry<WeakMap<any, any>>} */
const ofWeakMaps = uncurry;
/** @type {Uncurry<WeakSet<any>>} */
const ofWeakSets = uncurry;
/** @type {Uncurry<Function>} */
const ofFunctions = uncurry;
/** @type {Uncurry<Promise<any>>} */
const ofPromises = uncurry;
/** @type {Uncurry<TypedArray>} */
const ofTyped = uncurry;
/** @type {Uncurry<Date>} */
const ofDates = uncurry;

/**
 * Returns a static method bound to its constructor, or undefined if the engine lacks it.
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

// `next` of the built-in iterator prototypes, so that iteration over maps and sets works after a program replaces it.
const MapIteratorNext = uncurry(prototypeOfIterator(new Map().entries()).next);
const SetIteratorNext = uncurry(prototypeOfIterator(new Set().values()).next);

const exec = ofPatterns(RegExp.prototype.exec);
const slice = ofTexts(String.prototype.slice);
const codePointAt = ofTexts(String.prototype.codePointAt);

/**
 * text.replace(pattern, replacement) without String.prototype.replace or RegExp.prototype.exec, which user code may have
 * replaced. `replacement` is literal text, or a function of the match, its groups and, last, the named groups.
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
    if (match[0] === '') stepOver(pattern, text);
  }
  if (done === 0 && result === '') return text;
  return result + slice(text, done);
}

/**
 * After an empty match: advances `pattern` by one character, which is two units for a surrogate pair if the pattern is
 * Unicode-aware.
 */
function stepOver(pattern, text) {
  const at = pattern.lastIndex;
  const isPair = (pattern.unicode || pattern.unicodeSets) && Number(codePointAt(text, at)) > 0xffff;
  pattern.lastIndex = at + (isPair ? 2 : 1);
}

/** Sets object[name] = value, even if a prototype has a read-only property of that name. */
function setOwn(object, name, value) {
  return defineProperty(object, name, { __proto__: null, value, writable: true, enumerable: true, configurable: true });
}

/**
 * Returns an object's own property descriptors in a form that can be passed to defineProperties whatever Object.prototype
 * contains.
 */
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
  AtomicsAdd: Atomics.add,
  AtomicsLoad: Atomics.load,
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

  FunctionCall: ofFunctions(Function.prototype.call),
  FunctionBind: ofFunctions(Function.prototype.bind),
  FunctionToString: ofFunctions(Function.prototype.toString),
  FunctionHasInstance: ofFunctions(Function.prototype[Symbol.hasInstance]),
  FunctionPrototype: Function.prototype,
  FunctionApply: ofFunctions(Function.prototype.apply),

  ArrayIsArray: Array.isArray,
  ArrayFrom: Array.from,
  ArrayFill: ofLists(Array.prototype.fill),
  ArrayConcat: ofLists(Array.prototype.concat),
  ArrayFilter: ofLists(Array.prototype.filter),
  ArrayForEach: ofLists(Array.prototype.forEach),
  ArrayIncludes: ofLists(Array.prototype.includes),
  ArrayIndexOf: ofLists(Array.prototype.indexOf),
  ArrayLastIndexOf: ofLists(Array.prototype.lastIndexOf),
  ArrayJoin: ofLists(Array.prototype.join),
  ArrayMap: ofLists(Array.prototype.map),
  ArrayPop: ofLists(Array.prototype.pop),
  ArrayPush: ofLists(Array.prototype.push),
  ArrayShift: ofLists(Array.prototype.shift),
  ArraySlice: ofLists(Array.prototype.slice),
  ArraySome: ofLists(Array.prototype.some),
  ArraySort: ofLists(Array.prototype.sort),
  ArraySplice: ofLists(Array.prototype.splice),
  ArrayUnshift: ofLists(Array.prototype.unshift),
  ArrayAt: ofLists(Array.prototype.at),
  ArrayFind: ofLists(Array.prototype.find),
  ArrayReduce: ofLists(Array.prototype.reduce),
  ArrayToSpliced: ofLists(Array.prototype.toSpliced),
  ArrayEvery: ofLists(Array.prototype.every),
  ArrayReverse: ofLists(Array.prototype.reverse),
  ArrayFlat: ofLists(Array.prototype.flat),
  ArrayPrototype: Array.prototype,
  ArrayPrototypeSymbolIterator: Array.prototype[Symbol.iterator],
  ArrayFindIndex: ofLists(Array.prototype.findIndex),
  ArrayFindLast: ofLists(Array.prototype.findLast),
  ArrayFlatMap: ofLists(Array.prototype.flatMap),
  ArrayReduceRight: ofLists(Array.prototype.reduceRight),
  ArrayKeys: ofLists(Array.prototype.keys),
  ArrayEntries: ofLists(Array.prototype.entries),
  ArrayValues: ofLists(Array.prototype.values),

  StringCharCodeAt: ofTexts(String.prototype.charCodeAt),
  StringCodePointAt: codePointAt,
  StringEndsWith: ofTexts(String.prototype.endsWith),
  StringIncludes: ofTexts(String.prototype.includes),
  StringIndexOf: ofTexts(String.prototype.indexOf),
  StringIsWellFormed: ofTexts(String.prototype.isWellFormed),
  StringLastIndexOf: ofTexts(String.prototype.lastIndexOf),
  StringNormalize: ofTexts(String.prototype.normalize),
  StringPadEnd: ofTexts(String.prototype.padEnd),
  StringPadStart: ofTexts(String.prototype.padStart),
  StringRepeat: ofTexts(String.prototype.repeat),
  /** @type {(text: string, what: string | RegExp, by: string | ((...found: any[]) => string)) => string} */
  StringReplace: ofTexts(/** @type {any} */ (String.prototype.replace)),
  /** @type {(text: string, what: string | RegExp, by: string | ((...found: any[]) => string)) => string} */
  StringReplaceAll: ofTexts(/** @type {any} */ (String.prototype.replaceAll)),
  StringSlice: ofTexts(String.prototype.slice),
  /** @type {(text: string, by: string | RegExp, limit?: number) => string[]} */
  StringSplit: ofTexts(/** @type {any} */ (String.prototype.split)),
  StringStartsWith: ofTexts(String.prototype.startsWith),
  StringToLowerCase: ofTexts(String.prototype.toLowerCase),
  StringToUpperCase: ofTexts(String.prototype.toUpperCase),
  StringToWellFormed: ofTexts(String.prototype.toWellFormed),
  StringTrim: ofTexts(String.prototype.trim),
  StringValueOf: ofTexts(String.prototype.valueOf),
  StringFromCharCode: String.fromCharCode,
  StringFromCodePoint: String.fromCodePoint,
  StringTrimEnd: ofTexts(String.prototype.trimEnd),
  StringTrimStart: ofTexts(String.prototype.trimStart),
  StringAt: ofTexts(String.prototype.at),
  StringConcat: ofTexts(String.prototype.concat),
  StringSubstring: ofTexts(String.prototype.substring),
  StringLocaleCompare: ofTexts(String.prototype.localeCompare),
  StringRaw: String.raw,

  RegExpExec: ofPatterns(RegExp.prototype.exec),
  RegExpReplace,
  RegExpStepOver: stepOver,
  RegExpTest: (pattern, text) => exec(pattern, text) !== null,
  RegExpToString: ofPatterns(RegExp.prototype.toString),

  NumberIsFinite: Number.isFinite,
  NumberIsInteger: Number.isInteger,
  NumberIsNaN: Number.isNaN,
  NumberIsSafeInteger: Number.isSafeInteger,
  NumberParseFloat: Number.parseFloat,
  NumberParseInt: Number.parseInt,
  NumberToString: ofNumbers(Number.prototype.toString),
  NumberValueOf: ofNumbers(Number.prototype.valueOf),
  NumberToFixed: ofNumbers(Number.prototype.toFixed),
  NumberToPrecision: ofNumbers(Number.prototype.toPrecision),
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

  DateGetTime: ofDates(Date.prototype.getTime),
  DateToISOString: ofDates(Date.prototype.toISOString),
  DateToString: ofDates(Date.prototype.toString),
  DateToUTCString: ofDates(Date.prototype.toUTCString),
  DateNow: Date.now,
  DateGetFullYear: ofDates(Date.prototype.getFullYear),
  DateGetMonth: ofDates(Date.prototype.getMonth),
  DateGetDate: ofDates(Date.prototype.getDate),
  DateGetHours: ofDates(Date.prototype.getHours),
  DateGetMinutes: ofDates(Date.prototype.getMinutes),
  DateGetSeconds: ofDates(Date.prototype.getSeconds),
  DateGetDay: ofDates(Date.prototype.getDay),
  ErrorToString: uncurry(Error.prototype.toString),
  ErrorCaptureStackTrace: Error.captureStackTrace,

  MapSize: getter(Map.prototype, 'size'),
  MapEntries: ofMaps(Map.prototype.entries),
  MapGet: ofMaps(Map.prototype.get),
  MapDelete: ofMaps(Map.prototype.delete),
  MapHas: ofMaps(Map.prototype.has),
  MapSet: ofMaps(Map.prototype.set),
  MapValues: ofMaps(Map.prototype.values),
  MapKeys: ofMaps(Map.prototype.keys),
  MapClear: ofMaps(Map.prototype.clear),
  MapForEach: ofMaps(Map.prototype.forEach),
  MapIteratorNext,
  SetSize: getter(Set.prototype, 'size'),
  SetValues: ofSets(Set.prototype.values),
  SetHas: ofSets(Set.prototype.has),
  SetAdd: ofSets(Set.prototype.add),
  SetIteratorNext,
  SetClear: ofSets(Set.prototype.clear),
  SetDelete: ofSets(Set.prototype.delete),
  SetForEach: ofSets(Set.prototype.forEach),
  SetEntries: ofSets(Set.prototype.entries),
  WeakMapGet: ofWeakMaps(WeakMap.prototype.get),
  WeakMapSet: ofWeakMaps(WeakMap.prototype.set),
  WeakMapHas: ofWeakMaps(WeakMap.prototype.has),
  WeakMapDelete: ofWeakMaps(WeakMap.prototype.delete),

  TypedArrayPrototype,
  TypedArrayLength: getter(TypedArrayPrototype, 'length'),
  TypedArrayByteLength: getter(TypedArrayPrototype, 'byteLength'),
  TypedArrayByteOffset: getter(TypedArrayPrototype, 'byteOffset'),
  TypedArrayBuffer: getter(TypedArrayPrototype, 'buffer'),
  TypedArrayTag: getter(TypedArrayPrototype, Symbol.toStringTag),
  TypedArraySet: ofTyped(TypedArrayPrototype.set),
  TypedArrayFill: ofTyped(TypedArrayPrototype.fill),
  TypedArraySubarray: ofTyped(TypedArrayPrototype.subarray),
  TypedArrayCopyWithin: ofTyped(TypedArrayPrototype.copyWithin),
  TypedArraySlice: ofTyped(TypedArrayPrototype.slice),
  TypedArrayMap: ofTyped(TypedArrayPrototype.map),
  TypedArrayEvery: ofTyped(TypedArrayPrototype.every),
  TypedArrayReverse: ofTyped(TypedArrayPrototype.reverse),
  TypedArrayIncludes: ofTyped(TypedArrayPrototype.includes),
  TypedArrayIndexOf: ofTyped(TypedArrayPrototype.indexOf),
  TypedArrayLastIndexOf: ofTyped(TypedArrayPrototype.lastIndexOf),
  TypedArrayReduce: ofTyped(TypedArrayPrototype.reduce),
  TypedArrayFindIndex: ofTyped(TypedArrayPrototype.findIndex),
  TypedArrayJoin: ofTyped(TypedArrayPrototype.join),
  TypedArraySome: ofTyped(TypedArrayPrototype.some),
  TypedArrayAt: ofTyped(TypedArrayPrototype.at),
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
  WeakSetHas: ofWeakSets(WeakSet.prototype.has),
  WeakSetAdd: ofWeakSets(WeakSet.prototype.add),
  WeakSetDelete: ofWeakSets(WeakSet.prototype.delete),
  PromiseThen: ofPromises(Promise.prototype.then),
  DateParse: Date.parse,
  DateUTC: Date.UTC,
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
