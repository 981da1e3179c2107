'use strict';
// Owns: v8.Serializer: encodes values in V8's structured clone format, version 15, as Node's V8 does.

const {
  ArrayBufferIsView,
  ArrayFlat,
  ArrayPush,
  ArrayReduce,
  ArraySlice,
  BigIntValueOf,
  BooleanValueOf,
  DateGetTime,
  FunctionCall,
  FunctionToString,
  MapEntries,
  MapGet,
  MapHas,
  MapSet,
  NumberValueOf,
  ObjectAssign,
  ObjectDefineProperty,
  ObjectGetOwnPropertyDescriptor,
  ObjectGetPrototypeOf,
  ObjectHasOwn,
  ObjectIs,
  ObjectKeys,
  ObjectToString,
  ReflectApply,
  RegExpTest,
  SetValues,
  StringCharCodeAt,
  StringValueOf,
  Uint8ArrayFrom,
  intact,
} = require('internal/primordials');
const { isArrayBuffer } = require('internal/brands');
const { ByteWriter } = require('node/v8/bytes');
const { KIND } = require('internal/kinds');

const VERSION = 15;
const isEnumerable = Object.prototype.propertyIsEnumerable;
const INDEX = /^(?:0|[1-9]\d{0,9})$/;
const LARGEST_INDEX = 2 ** 32 - 2;
const VIEWS = {
  __proto__: null,
  Int8Array: 'b',
  Uint8Array: 'B',
  Uint8ClampedArray: 'C',
  Int16Array: 'w',
  Uint16Array: 'W',
  Int32Array: 'd',
  Uint32Array: 'D',
  Float16Array: 'h',
  Float32Array: 'f',
  Float64Array: 'F',
  DataView: '?',
  BigInt64Array: 'q',
  BigUint64Array: 'Q',
};
const ERRORS = {
  __proto__: null,
  EvalError: 'E',
  RangeError: 'R',
  ReferenceError: 'F',
  SyntaxError: 'S',
  TypeError: 'T',
  URIError: 'U',
};
const tagOf = ObjectGetOwnPropertyDescriptor(ObjectGetPrototypeOf(Uint8Array.prototype), Symbol.toStringTag).get;

/** A value as V8 prints it in errors. */
function textOf(value) {
  if (typeof value === 'function') return FunctionToString(value);
  if (typeof value === 'symbol') return String(value);
  const { constructor: Class } = value;
  if (value.toString === Object.prototype.toString && typeof Class === 'function' && Class.name !== '') return `#<${Class.name}>`;
  return ObjectToString(value);
}

class Serializer {
  #out = new ByteWriter();
  #ids = new Map(); // object -> its number for back references
  #transferred = new Map();
  #treatsViewsAsHost = false;

  writeHeader() {
    this.#out.byte(0xff);
    this.#out.byte(VERSION);
  }

  writeValue(value) {
    this.#write(value);
    return true;
  }

  releaseBuffer() {
    return this.#out.release();
  }
  transferArrayBuffer(id, arrayBuffer) {
    MapSet(this.#transferred, arrayBuffer, id >>> 0);
  }
  writeUint32(value) {
    this.#out.varint(value >>> 0);
  }
  writeUint64(high, low) {
    this.#out.bigVarint((BigInt(high >>> 0) << 32n) | BigInt(low >>> 0));
  }
  writeDouble(value) {
    this.#out.double(Number(value));
  }

  writeRawBytes(source) {
    if (!ArrayBufferIsView(source) && !isArrayBuffer(source)) {
      throw ObjectAssign(new TypeError('source must be a TypedArray or a DataView'), { code: 'ERR_INVALID_ARG_TYPE' });
    }
    this.#out.raw(
      ArrayBufferIsView(source) ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength) : new Uint8Array(source),
    );
  }

  _setTreatArrayBufferViewsAsHostObjects(flag) {
    this.#treatsViewsAsHost = Boolean(flag);
  }

  #tag(letter) {
    this.#out.byte(StringCharCodeAt(letter, 0));
  }

  #refuse(value) {
    throw ReflectApply(this._getDataCloneError ?? Error, this, [`${textOf(value)} could not be cloned.`]);
  }

  #write(value) {
    switch (typeof value) {
      case 'undefined':
        return this.#tag('_');
      case 'boolean':
        return this.#tag(value ? 'T' : 'F');
      case 'number':
        return this.#number(value);
      case 'bigint':
        this.#tag('Z');
        return this.#bigint(value);
      case 'string':
        return this.#string(value);
      case 'object':
        return value === null ? this.#tag('0') : this.#object(value);
      default:
        return this.#refuse(value);
    }
  }

  #number(value) {
    if ((value | 0) === value && !ObjectIs(value, -0)) {
      this.#tag('I');
      this.#out.varint(((value << 1) ^ (value >> 31)) >>> 0);
      return;
    }
    this.#tag('N');
    this.#out.double(value);
  }

  #bigint(value) {
    const digits = [];
    for (let rest = value < 0n ? -value : value; rest > 0n; rest >>= 64n) {
      for (let byte = 0n; byte < 64n; byte += 8n) ArrayPush(digits, Number((rest >> byte) & 0xffn));
    }
    this.#out.varint((digits.length << 1) | (value < 0n ? 1 : 0));
    this.#out.raw(Uint8ArrayFrom(intact(digits)));
  }

  #string(text) {
    if (this.#out.oneByte(0x22, text)) return;
    const size = text.length * 2;
    let sizeOfSize = 1;
    for (let rest = size; rest >= 0x80; rest >>>= 7) sizeOfSize++;
    if ((this.#out.length + 1 + sizeOfSize) & 1) this.#out.byte(0); // two-byte characters are aligned to even offsets
    this.#tag('c');
    this.#out.varint(size);
    this.#out.utf16(text);
  }

  #object(value) {
    const isView = ArrayBufferIsView(value);
    if (isView && !this.#treatsViewsAsHost && !MapHas(this.#ids, value)) this.#write(value.buffer);
    const existing = MapGet(this.#ids, value);
    if (existing !== undefined) {
      this.#tag('^');
      this.#out.varint(existing);
      return;
    }
    MapSet(this.#ids, value, this.#ids.size);
    if (isView) {
      if (this.#treatsViewsAsHost) this.#hostObject(value);
      else this.#view(value);
      return;
    }
    this.#byKind(value, host.inspect.kindOf(value));
  }

  #hostObject(value) {
    if (typeof this._writeHostObject !== 'function') this.#refuse(value);
    this.#tag('\\');
    this._writeHostObject(value);
  }

  #byKind(value, kind) {
    switch (kind) {
      case KIND.OBJECT:
      case KIND.ARGUMENTS:
        return this.#plain(value);
      case KIND.ARRAY:
        return this.#array(value);
      case KIND.DATE:
        this.#tag('D');
        return this.#out.double(DateGetTime(value));
      case KIND.BOOLEAN_OBJECT:
        return this.#tag(BooleanValueOf(value) ? 'y' : 'x');
      case KIND.NUMBER_OBJECT:
        this.#tag('n');
        return this.#out.double(NumberValueOf(value));
      case KIND.BIGINT_OBJECT:
        this.#tag('z');
        return this.#bigint(BigIntValueOf(value));
      case KIND.STRING_OBJECT:
        this.#tag('s');
        return this.#string(StringValueOf(value));
      case KIND.REGEXP:
        this.#tag('R');
        this.#string(value.source);
        return this.#out.varint(ArrayReduce([...intact(value.flags)], (bits, flag) => bits | FLAG_BITS[flag], 0));
      case KIND.MAP:
        return this.#collection(';', ':', ArrayFlat([...intact(MapEntries(value))]));
      case KIND.SET:
        return this.#collection("'", ',', [...intact(SetValues(value))]);
      case KIND.ARRAY_BUFFER:
        return this.#buffer(value);
      case KIND.ERROR:
        return this.#error(value);
      default:
        return this.#refuse(value);
    }
  }

  /** Writes the properties of an object; returns their number. */
  #members(value, keys) {
    let count = 0;
    for (const key of intact(keys)) {
      if (count > 0 && !FunctionCall(isEnumerable, value, key)) continue; // deleted by a getter
      const first = StringCharCodeAt(key, 0);
      if (first >= 0x30 && first <= 0x39 && RegExpTest(INDEX, key) && Number(key) <= LARGEST_INDEX) this.#number(Number(key));
      else this.#string(key);
      this.#write(value[key]);
      count++;
    }
    return count;
  }

  #plain(value) {
    this.#tag('o');
    const count = this.#members(value, ObjectKeys(value));
    this.#tag('{');
    this.#out.varint(count);
  }

  #array(value) {
    const { length } = value;
    const keys = ObjectKeys(value);
    let isDense = true;
    for (let place = 0; isDense && place < length; place++) isDense = keys[place] === `${place}`;
    this.#tag(isDense ? 'A' : 'a');
    this.#out.varint(length);
    if (isDense) for (let place = 0; place < length; place++) this.#write(value[place]);
    const count = this.#members(value, isDense ? ArraySlice(keys, length) : keys);
    this.#tag(isDense ? '$' : '@');
    this.#out.varint(count);
    this.#out.varint(length);
  }

  #collection(begin, end, values) {
    this.#tag(begin);
    for (const each of intact(values)) this.#write(each);
    this.#tag(end);
    this.#out.varint(values.length);
  }

  #buffer(value) {
    const id = MapGet(this.#transferred, value);
    if (id !== undefined) {
      this.#tag('t');
      this.#out.varint(id);
      return;
    }
    this.#tag(value.resizable ? '~' : 'B');
    this.#out.varint(value.byteLength);
    if (value.resizable) this.#out.varint(value.maxByteLength);
    this.#out.raw(new Uint8Array(value));
  }

  #view(value) {
    this.#tag('V');
    this.#tag(VIEWS[FunctionCall(tagOf, value) ?? 'DataView']);
    this.#out.varint(value.byteOffset);
    this.#out.varint(value.byteLength);
    this.#out.varint(value.buffer.resizable ? 2 : 0);
  }

  #error(value) {
    this.#tag('r');
    const prototype = ERRORS[value.name];
    if (prototype !== undefined) this.#tag(prototype);
    const message = ObjectGetOwnPropertyDescriptor(value, 'message');
    if (message !== undefined && 'value' in message) {
      this.#tag('m');
      this.#string(`${message.value}`);
    }
    const { stack } = value;
    if (typeof stack === 'string') {
      this.#tag('s');
      this.#string(stack);
    }
    if (ObjectHasOwn(value, 'cause')) {
      this.#tag('c');
      this.#write(value.cause);
    }
    this.#tag('.');
  }
}
ObjectDefineProperty(Serializer.prototype, '_getDataCloneError', {
  __proto__: null,
  value: Error,
  writable: true,
  enumerable: true,
  configurable: true,
});

const FLAG_BITS = { __proto__: null, g: 1, i: 2, m: 4, y: 8, u: 16, s: 32, d: 128, v: 256 };

module.exports = { Serializer, VERSION, VIEWS, ERRORS, FLAG_BITS };
