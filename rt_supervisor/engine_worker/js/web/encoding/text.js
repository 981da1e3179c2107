// @ts-check
'use strict';
// Owns: TextEncoder and TextDecoder of the Encoding standard. UTF-8, UTF-16 and Latin-1 are decoded here, other encodings
// through the host's `encoding_start` and `encoding_decode`.

const { isArrayBuffer, isUint8Array } = require('internal/brands');
const { AnySlice } = require('internal/any_kind');
const { isDetached } = require('internal/bytes');
const {
  ArrayBufferIsView,
  MapGet,
  ObjectDefineProperty,
  ObjectGetOwnPropertyNames,
  ObjectToString,
  RegExpReplace,
  StringCharCodeAt,
  StringFromCharCode,
  StringSlice,
  StringStartsWith,
  StringToLowerCase,
  SymbolFor,
  TypedArraySet,
  intact,
} = require('internal/primordials');
const { codes } = require('internal/errors/errors');
const { shapeForConsole } = require('internal/inspect/rt_forms');
const utf8 = require('internal/utf8');
const { labels } = require('web/encoding/labels');

let checkEncoder; // throws if the receiver is not a TextEncoder
let checkDecoder;

const custom = SymbolFor('nodejs.util.inspect.custom');

class TextEncoder {
  #isEncoder = true;
  static {
    checkEncoder = (value) => {
      if (typeof value !== 'object' || value === null || !(#isEncoder in value)) throw new codes.ERR_INVALID_THIS('TextEncoder');
    };
  }

  get encoding() {
    checkEncoder(this);
    return 'utf-8';
  }

  [custom](depth, options) {
    checkEncoder(this);
    if (typeof depth === 'number' && depth < 0) return this;
    return require('internal/inspect/inspect').inspect({ encoding: this.encoding }, options);
  }

  encode(input = '') {
    checkEncoder(this);
    return utf8.encode(`${input}`);
  }

  encodeInto(source, destination) {
    checkEncoder(this);
    if (typeof source !== 'string') throw new codes.ERR_INVALID_ARG_TYPE('src', 'string', source);
    if (!isUint8Array(destination)) throw new codes.ERR_INVALID_ARG_TYPE('dest', 'Uint8Array', destination);
    return utf8.encodeInto(source, destination);
  }
}

const EMPTY = new Uint8Array(0);

function bytesOf(input) {
  if (input === undefined) return EMPTY;
  if (isDetached(ArrayBufferIsView(input) ? input.buffer : input)) return EMPTY;
  if (ArrayBufferIsView(input)) return new Uint8Array(input.buffer, input.byteOffset, input.byteLength);
  if (isArrayBuffer(input) || ObjectToString(input) === '[object SharedArrayBuffer]') return new Uint8Array(input);
  throw new codes.ERR_INVALID_ARG_TYPE('list', ['ArrayBuffer', 'ArrayBufferView'], input);
}

const WHITESPACE = /^[\t\n\f\r ]+|[\t\n\f\r ]+$/g;

class TextDecoder {
  #encoding;
  #isFatal;
  #ignoresMark;
  #rest = EMPTY;
  #hasSeenMark = false;
  #isStreaming = false;

  /** @param {any} [label] @param {any} [options] */
  constructor(label = 'utf-8', options = undefined) {
    if (options != null)
      require('internal/validators').validateObject(options, 'options', { allowArray: true, allowFunction: true });
    const encoding = MapGet(labels, StringToLowerCase(RegExpReplace(WHITESPACE, `${label}`, '')));
    if (encoding === undefined || encoding === 'replacement') throw new codes.ERR_ENCODING_NOT_SUPPORTED(`${label}`);
    this.#encoding = encoding;
    this.#isFatal = Boolean(options?.fatal);
    this.#ignoresMark = Boolean(options?.ignoreBOM);
  }

  static {
    checkDecoder = (value) => {
      if (typeof value !== 'object' || value === null || !(#encoding in value)) throw new codes.ERR_INVALID_THIS('TextDecoder');
    };
  }

  get encoding() {
    checkDecoder(this);
    return this.#encoding;
  }
  get fatal() {
    checkDecoder(this);
    return this.#isFatal;
  }
  get ignoreBOM() {
    checkDecoder(this);
    return this.#ignoresMark;
  }

  [custom](depth, options) {
    if (typeof depth === 'number' && depth < 0) return options.stylize('[TextDecoder]', 'special');
    const { encoding, fatal, ignoreBOM } = this;
    return `TextDecoder ${require('internal/inspect/inspect').inspect({ encoding, fatal, ignoreBOM })}`;
  }

  /** @param {any} [input] @param {any} [options] */
  decode(input = undefined, options = undefined) {
    checkDecoder(this);
    const isStream = Boolean(options?.stream);
    let bytes = bytesOf(input);
    if (!this.#isStreaming) {
      this.#rest = EMPTY;
      this.#hasSeenMark = false;
    }
    this.#isStreaming = isStream;
    if (this.#rest.length > 0) {
      const joined = new Uint8Array(this.#rest.length + bytes.length);
      TypedArraySet(joined, this.#rest);
      TypedArraySet(joined, bytes, this.#rest.length);
      bytes = joined;
      this.#rest = EMPTY;
    }
    try {
      return this.#withoutMark(this.#decodeBytes(bytes, isStream));
    } catch (error) {
      this.#isStreaming = false;
      throw error;
    }
  }

  #legacy; // the number of the host's decoder, while one exists

  #fail = () => {
    throw new codes.ERR_ENCODING_INVALID_ENCODED_DATA(this.#encoding, undefined);
  };

  #decodeBytes(bytes, isStream) {
    switch (this.#encoding) {
      case 'utf-8': {
        const end = isStream ? this.#keep(bytes, utf8.cutLength(bytes, 0, bytes.length)) : bytes.length;
        return utf8.decode(bytes, 0, end, this.#isFatal ? this.#fail : undefined);
      }
      case 'utf-16le':
        return this.#utf16(bytes, isStream, 0);
      case 'utf-16be':
        return this.#utf16(bytes, isStream, 1);
      case 'windows-1252':
        return require('web/encoding/labels').windows1252Text(bytes);
      default:
        return this.#decodeLegacy(bytes, isStream);
    }
  }

  /** The host decodes legacy encodings and keeps the state of a stream. */
  #decodeLegacy(bytes, isStream) {
    this.#legacy ??= host.native.encoding_start(this.#encoding, this.#isFatal);
    const number = this.#legacy;
    if (!isStream) this.#legacy = undefined;
    const text = host.native.encoding_decode(number, bytes, !isStream);
    if (text === null) {
      this.#legacy = undefined;
      this.#fail();
    }
    return text;
  }

  /** Saves the last `count` bytes for the next call. Returns the number of bytes before them. */
  #keep(bytes, count) {
    this.#rest = AnySlice(bytes, bytes.length - count);
    return bytes.length - count;
  }

  #utf16(bytes, isStream, high) {
    let end = bytes.length & ~1;
    const unitAt = (i) => (high ? (bytes[i] << 8) | bytes[i + 1] : bytes[i] | (bytes[i + 1] << 8));
    if (isStream) {
      if (end >= 2 && (unitAt(end - 2) & 0xfc00) === 0xd800) end -= 2;
      this.#keep(bytes, bytes.length - end);
    }
    let text = '';
    for (let i = 0; i < end; i += 2) {
      const unit = unitAt(i);
      if ((unit & 0xf800) !== 0xd800) {
        text += StringFromCharCode(unit);
      } else if (unit < 0xdc00 && i + 3 < end && (unitAt(i + 2) & 0xfc00) === 0xdc00) {
        text += StringFromCharCode(unit, unitAt(i + 2));
        i += 2;
      } else {
        if (this.#isFatal) this.#fail();
        text += '\ufffd';
      }
    }
    if (!isStream && end < bytes.length) {
      if (this.#isFatal) this.#fail();
      // A single byte after half a pair belongs to the same broken character.
      text += end >= 2 && (unitAt(end - 2) & 0xfc00) === 0xd800 ? '' : '\ufffd';
    }
    return text;
  }

  #withoutMark(text) {
    if (this.#hasSeenMark || text === '') return text;
    this.#hasSeenMark = true;
    const isUnicode = this.#encoding === 'utf-8' || StringStartsWith(this.#encoding, 'utf-16');
    return isUnicode && !this.#ignoresMark && StringCharCodeAt(text, 0) === 0xfeff ? StringSlice(text, 1) : text;
  }
}

for (const Class of intact([TextEncoder, TextDecoder])) {
  for (const name of intact(ObjectGetOwnPropertyNames(Class.prototype))) {
    if (name !== 'constructor') ObjectDefineProperty(Class.prototype, name, { __proto__: null, enumerable: true });
  }
  ObjectDefineProperty(Class.prototype, Symbol.toStringTag, { __proto__: null, value: Class.name, configurable: true });
}

shapeForConsole(TextEncoder.prototype, ['encoding', 'encode', 'encodeInto']);
shapeForConsole(TextDecoder.prototype, ['decode', 'encoding', 'fatal', 'ignoreBOM']);

module.exports = { TextEncoder, TextDecoder };
