'use strict';
// Owns: v8.Deserializer: reads the output of `serializer` or of another V8, in this version of the format or an older one.

const { isArrayBuffer, isSet } = require('internal/brands');
const { AnyAdd, AnySet, AnySlice } = require('internal/any_kind');
const {
  ArrayBufferIsView,
  ArrayFilter,
  ArrayFrom,
  ArrayJoin,
  ArrayMap,
  ArrayPush,
  MapGet,
  MapSet,
  ObjectAssign,
  ObjectDefineProperty,
  ObjectEntries,
  ObjectFromEntries,
  ObjectKeys,
  StringFromCharCode,
  TypedArraySet,
  intact,
} = require('internal/primordials');
const { Buffer } = require('node/buffer/buffer');
const { ByteReader } = require('node/v8/bytes');
const { VERSION, VIEWS, ERRORS, FLAG_BITS } = require('node/v8/serializer');

const OLDEST = 13;
const CLASSES = ObjectFromEntries(intact(ArrayMap(ObjectEntries(VIEWS), ({ 0: name, 1: letter }) => [letter, name])));
const ERROR_NAMES = ObjectFromEntries(intact(ArrayMap(ObjectEntries(ERRORS), ({ 0: name, 1: letter }) => [letter, name])));
const ENCODINGS = { __proto__: null, '"': 'latin1', c: 'utf16le', S: 'utf8' };
const LETTERS = ArrayFrom({ length: 256 }, (_, code) => StringFromCharCode(code));
const unreadable = () => new Error('Unable to deserialize cloned data.');

class Deserializer {
  #in;
  #version = 0;
  #objects = [];
  #transferred = new Map();

  constructor(buffer) {
    if (!ArrayBufferIsView(buffer)) {
      throw ObjectAssign(new TypeError('buffer must be a TypedArray or a DataView'), { code: 'ERR_INVALID_ARG_TYPE' });
    }
    this.buffer = buffer;
    this.#in = new ByteReader(new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength));
  }

  readHeader() {
    const isVersioned = this.#in.byte() === 0xff;
    const version = isVersioned ? this.#in.varint() : undefined;
    if (version === undefined || version < OLDEST || version > VERSION) {
      throw new Error('Unable to deserialize cloned data due to invalid or unsupported version.');
    }
    this.#version = version;
    return true;
  }

  readValue() {
    const value = this.#read();
    return value;
  }

  getWireFormatVersion() {
    return this.#version;
  }
  transferArrayBuffer(id, arrayBuffer) {
    MapSet(this.#transferred, id >>> 0, arrayBuffer);
  }

  #raw(what, method, ...args) {
    const value = this.#in[method](...intact(args));
    if (value === undefined) throw new Error(`${what}() failed`);
    return value;
  }

  readUint32() {
    return this.#raw('ReadUint32', 'varint');
  }

  readUint64() {
    const value = this.#raw('ReadUint64', 'bigVarint');
    return [Number(value >> 32n), Number(value & 0xffffffffn)];
  }

  readDouble() {
    return this.#raw('ReadDouble', 'double');
  }

  /** Skips `length` bytes; returns their offset in the buffer. */
  _readRawBytes(length) {
    this.#raw('ReadRawBytes', 'raw', length);
    return this.#in.at - length;
  }

  readRawBytes(length) {
    const place = this._readRawBytes(length);
    return Buffer.from(this.buffer.buffer, this.buffer.byteOffset + place, length);
  }

  // --- values

  #require(value) {
    if (value === undefined) throw unreadable();
    return value;
  }

  #tag() {
    let byte = this.#in.byte();
    while (byte === 0) byte = this.#in.byte(); // padding
    return LETTERS[this.#require(byte)];
  }

  #peek() {
    const place = this.#in.at;
    const tag = this.#tag();
    this.#in.at = place;
    return tag;
  }

  #varint() {
    return this.#require(this.#in.varint());
  }

  #add(object, number = ArrayPush(this.#objects, object) - 1) {
    this.#objects[number] = object;
    return object;
  }

  #read() {
    const value = this.#withoutView();
    if (isArrayBuffer(value) && this.#in.at < this.#in.bytes.length && this.#peek() === 'V') return this.#view(value);
    return value;
  }

  #withoutView() {
    const tag = this.#tag();
    switch (tag) {
      case '_':
        return undefined;
      case '0':
        return null;
      case 'T':
        return true;
      case 'F':
        return false;
      case 'I': {
        const value = this.#varint();
        return (value >>> 1) ^ -(value & 1);
      }
      case 'U':
        return this.#varint();
      case 'N':
        return this.#require(this.#in.double());
      case 'Z':
        return this.#bigint();
      case '"':
      case 'c':
      case 'S':
        return this.#string(tag);
      case '^': {
        const number = this.#varint();
        if (number >= this.#objects.length) throw unreadable();
        const object = this.#objects[number];
        return isArrayBuffer(object) && this.#in.at < this.#in.bytes.length && this.#peek() === 'V' ? this.#view(object) : object;
      }
      case '?':
        this.#varint(); // the number of objects
        return this.#read();
      default:
        return this.#object(tag);
    }
  }

  #bigint() {
    const bits = this.#varint();
    const bytes = this.#require(this.#in.raw(bits >>> 1));
    let value = 0n;
    for (let place = bytes.length - 1; place >= 0; place--) value = (value << 8n) | BigInt(bytes[place]);
    return bits & 1 ? -value : value;
  }

  #string(tag = this.#tag()) {
    const encoding = ENCODINGS[tag];
    if (encoding === 'latin1') return this.#require(this.#in.oneByte(this.#varint()));
    if (encoding === undefined) throw unreadable();
    const bytes = this.#require(this.#in.raw(this.#varint()));
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString(encoding);
  }

  #object(tag) {
    switch (tag) {
      case 'o': {
        const object = this.#add({});
        this.#end(this.#members(object, '{'));
        return object;
      }
      case 'A':
        return this.#dense();
      case 'a': {
        const array = this.#add(new Array(this.#varint()));
        const count = this.#members(array, '@');
        this.#end(count);
        if (this.#varint() !== array.length) throw unreadable();
        return array;
      }
      case 'D':
        return this.#add(new Date(this.#require(this.#in.double())));
      case 'y':
        return this.#add(Object(true));
      case 'x':
        return this.#add(Object(false));
      case 'n':
        return this.#add(Object(this.#require(this.#in.double())));
      case 'z':
        return this.#add(Object(this.#bigint()));
      case 's':
        return this.#add(Object(this.#string()));
      case 'R': {
        const number = ArrayPush(this.#objects, undefined) - 1;
        const source = this.#string();
        const bits = this.#varint();
        const flags = ArrayJoin(
          ArrayFilter(ObjectKeys(FLAG_BITS), (flag) => bits & FLAG_BITS[flag]),
          '',
        );
        return this.#add(new RegExp(source, flags), number);
      }
      case ';':
        return this.#collection(new Map(), ':');
      case "'":
        return this.#collection(new Set(), ',');
      case 'B':
        return this.#add(AnySlice(this.#require(this.#in.raw(this.#varint()))).buffer);
      case '~': {
        const { 0: size, 1: most } = [this.#varint(), this.#varint()];
        const buffer = new ArrayBuffer(size, { maxByteLength: most });
        TypedArraySet(new Uint8Array(buffer), this.#require(this.#in.raw(size)));
        return this.#add(buffer);
      }
      case 't': {
        const buffer = MapGet(this.#transferred, this.#varint());
        return this.#add(this.#require(buffer));
      }
      case 'r':
        return this.#error();
      case '\\': {
        const number = ArrayPush(this.#objects, undefined) - 1;
        if (typeof this._readHostObject !== 'function') throw unreadable();
        return this.#add(this._readHostObject(), number);
      }
      default:
        throw unreadable();
    }
  }

  #end(count) {
    if (this.#varint() !== count) throw unreadable();
  }

  #members(object, end) {
    let count = 0;
    for (; this.#peek() !== end; count++) {
      const key = this.#read();
      if (typeof key !== 'string' && typeof key !== 'number') throw unreadable();
      const value = this.#read();
      if (key === '__proto__')
        ObjectDefineProperty(object, key, { __proto__: null, value, writable: true, enumerable: true, configurable: true });
      else object[key] = value;
    }
    this.#tag();
    return count;
  }

  #dense() {
    const length = this.#varint();
    if (length > this.#in.bytes.length) throw unreadable();
    const array = this.#add(new Array(length));
    for (let place = 0; place < length; place++) {
      if (this.#peek() === '-')
        this.#tag(); // a hole
      else array[place] = this.#read();
    }
    this.#end(this.#members(array, '$'));
    if (this.#varint() !== length) throw unreadable();
    return array;
  }

  #collection(collection, end) {
    this.#add(collection);
    let count = 0;
    while (this.#peek() !== end) {
      const value = this.#read();
      count++;
      if (isSet(collection)) AnyAdd(collection, value);
      else {
        AnySet(collection, value, this.#read());
        count++;
      }
    }
    this.#tag();
    this.#end(count);
    return collection;
  }

  #view(buffer) {
    this.#tag();
    const Class = globalThis[CLASSES[this.#tag()]];
    const { 0: offset, 1: size } = [this.#varint(), this.#varint()];
    const flags = this.#version >= 14 ? this.#varint() : 0;
    if (Class === undefined || offset + size > buffer.byteLength) throw unreadable();
    const unit = Class.BYTES_PER_ELEMENT ?? 1;
    if (size % unit !== 0 || offset % unit !== 0) throw unreadable();
    return this.#add(flags & 1 ? new Class(buffer, offset) : new Class(buffer, offset, size / unit));
  }

  #error() {
    const number = ArrayPush(this.#objects, undefined) - 1;
    let Class = Error;
    let { 0: message, 1: stack } = [undefined, undefined];
    const options = {};
    for (let tag = this.#tag(); tag !== '.'; tag = this.#tag()) {
      if (tag === 'm') message = this.#string();
      else if (tag === 's') stack = this.#string();
      else if (tag === 'c') options.cause = this.#read();
      else Class = globalThis[this.#require(ERROR_NAMES[tag])];
    }
    const error = new Class(message, options);
    ObjectDefineProperty(error, 'stack', { __proto__: null, value: stack, writable: true, configurable: true });
    return this.#add(error, number);
  }
}

module.exports = { Deserializer };
