// @ts-check
'use strict';
// Owns: node:querystring: the legacy, laxer form of query strings.

const { AnyIncludes } = require('internal/any_kind');
const {
  ArrayIsArray,
  ArrayJoin,
  ArrayPush,
  MathAbs,
  NumberIsFinite,
  ObjectDefineProperty,
  ObjectKeys,
  StringCharCodeAt,
  StringIncludes,
  StringIndexOf,
  StringIsWellFormed,
  StringReplaceAll,
  StringSlice,
  StringSplit,
  intact,
} = require('internal/primordials');
const { percentDecodeBytes } = require('web/url/percent');

const { fromCodePoint } = String;
const PLAIN = new Uint8Array(128);
for (const character of intact("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.!~*'()"))
  PLAIN[StringCharCodeAt(character, 0)] = 1;
const DEFAULT_MAX_KEYS = 1000;

function unescapeBuffer(text, decodeSpaces) {
  const { asBuffer } = require('node/buffer/views');
  const bytes = percentDecodeBytes(text, Boolean(decodeSpaces));
  return asBuffer(bytes);
}

function unescape(text, decodeSpaces) {
  try {
    return decodeURIComponent(text);
  } catch {
    return querystring.unescapeBuffer(text, decodeSpaces).toString();
  }
}

/** As in Node, each surrogate forms a character with whatever follows it; one at the end is an error. */
function joinSurrogates(text) {
  let out = '';
  for (let i = 0; i < text.length; i++) {
    const code = StringCharCodeAt(text, i);
    if (code < 0xd800 || code > 0xdfff) {
      out += text[i];
      continue;
    }
    if (++i >= text.length) throw new (require('internal/errors/errors').codes.ERR_INVALID_URI)();
    out += fromCodePoint(0x10000 + (((code & 0x3ff) << 10) | (StringCharCodeAt(text, i) & 0x3ff)));
  }
  return out;
}

function escape(value) {
  if (typeof value !== 'string') value = typeof value === 'object' ? String(value) : `${value}`;
  let isPlain = true;
  for (let i = 0; i < value.length && isPlain; i++) {
    const code = StringCharCodeAt(value, i);
    isPlain = code < 128 && PLAIN[code] === 1;
  }
  if (isPlain) return value;
  return encodeURIComponent(StringIsWellFormed(value) ? value : joinSurrogates(value));
}

const primitiveText = (value) => {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' && NumberIsFinite(value)) return `${value}`;
  if (typeof value === 'bigint') return `${value}`;
  if (typeof value === 'boolean') return value ? 'true' : 'false';
  return '';
};

function encodePrimitive(value, encode) {
  const text = primitiveText(value);
  // The standard encoder leaves numbers and booleans unchanged.
  if (text === '' || (encode === escape && typeof value !== 'string' && !(typeof value === 'number' && MathAbs(value) >= 1e21)))
    return text;
  return encode(text);
}

function stringify(object, separator, equals, options) {
  separator ||= '&';
  equals ||= '=';
  let encode = querystring.escape;
  if (typeof options?.encodeURIComponent === 'function') encode = options.encodeURIComponent;
  const custom = encode !== escape;
  const encodeValue = custom ? (value) => encode(primitiveText(value)) : (value) => encodePrimitive(value, encode);
  if (object === null || typeof object !== 'object') return '';
  const fields = [];
  for (let index = 0, list = ObjectKeys(object); index < list.length; index++) {
    const key = list[index];
    const value = object[key];
    const name = `${encodeValue(key)}${equals}`;
    if (ArrayIsArray(value))
      for (let index = 0; index < value.length; index++) {
        const item = value[index];
        ArrayPush(fields, name + encodeValue(item));
      }
    else ArrayPush(fields, name + encodeValue(value));
  }
  return ArrayJoin(fields, separator);
}

function addPair(object, key, value, decode) {
  key = key.length > 0 ? decode(key) : key;
  value = value.length > 0 ? decode(value) : value;
  const existing = object[key];
  if (existing === undefined) object[key] = value;
  else if (ArrayIsArray(existing)) ArrayPush(existing, value);
  else object[key] = [existing, value];
}

function parse(text, separator, equals, options) {
  const object = { __proto__: null };
  if (typeof text !== 'string' || text.length === 0) return object;
  separator = separator ? `${separator}` : '&';
  equals = equals ? `${equals}` : '=';
  let remaining = DEFAULT_MAX_KEYS;
  if (typeof options?.maxKeys === 'number') remaining = options.maxKeys > 0 ? options.maxKeys : Infinity;
  let decodePart = querystring.unescape;
  if (typeof options?.decodeURIComponent === 'function') decodePart = options.decodeURIComponent;
  const decode = (part) => {
    const spaced = AnyIncludes(part, '+') ? StringReplaceAll(part, '+', decodePart === unescape ? ' ' : '%20') : part;
    if (decodePart === unescape && !StringIncludes(spaced, '%')) return spaced;
    try {
      return decodePart(spaced);
    } catch {
      return querystring.unescape(spaced, true);
    }
  };
  for (let index = 0, list = StringSplit(text, separator); index < list.length; index++) {
    const part = list[index];
    if (remaining-- <= 0) break;
    if (part === '') continue;
    const at = StringIndexOf(part, equals);
    if (at === -1) addPair(object, part, '', decode);
    else addPair(object, StringSlice(part, 0, at), StringSlice(part, at + equals.length), decode);
  }
  return object;
}

const querystring = { unescapeBuffer, unescape, escape, stringify, encode: stringify, parse, decode: parse };
ObjectDefineProperty(querystring.unescape, 'name', { __proto__: null, value: 'qsUnescape', configurable: true });
ObjectDefineProperty(querystring.escape, 'name', { __proto__: null, value: 'qsEscape', configurable: true });

module.exports = querystring;
