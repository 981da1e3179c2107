'use strict';
// Owns: conversion between JavaScript values and PostgreSQL's text format, by column type.

const {
  ArrayBufferIsView,
  ArrayIsArray,
  ArrayJoin,
  ArrayMap,
  ArrayPush,
  DateToISOString,
  JSONParse,
  JSONStringify,
  MathAbs,
  NumberIsSafeInteger,
  ObjectAssign,
  RegExpExec,
  RegExpReplace,
  RegExpTest,
  StringIncludes,
  StringIndexOf,
  StringPadStart,
  StringReplace,
  StringSlice,
  StringStartsWith,
} = require('internal/primordials');
const { isArrayBuffer, isDate, isMap, isSet } = require('internal/brands');
const { isBlobLike } = require('web/fetch/body');
const { Buffer } = require('node/buffer/buffer');
const { asBuffer } = require('node/buffer/views');

const BOOL = 16;
const BYTEA = 17;
const INT8 = 20;
const INT4 = 23;
const JSON_TYPE = 114;
const FLOAT8 = 701;
const NUMERIC = 1700;
const JSONB = 3802;

const number = Number;
const date = (text) => {
  if (text === 'infinity' || text === '-infinity') return text === 'infinity' ? Infinity : -Infinity;
  // Matches "2020-01-02 03:04:05.6+02" and "2020-01-02"; without an offset it is UTC.
  const far = RegExpExec(/^(\d{4,})(-\d\d-\d\d.*?)( BC)?$/, text);
  if (far !== null && (far[1].length > 4 || far[3] !== undefined)) {
    // Years that ISO 8601 writes with a sign: 1 BC is year 0.
    const year = far[3] === undefined ? Number(far[1]) : 1 - Number(far[1]);
    text = `${year < 0 ? '-' : '+'}${StringPadStart(`${MathAbs(year)}`, 6, '0')}${far[2]}`;
  }
  const isZoned = RegExpTest(/[+-]\d\d(?::?\d\d)?$/, text) && StringIncludes(text, ':');
  const iso = RegExpReplace(/([+-]\d\d)$/, StringReplace(text, ' ', 'T'), (hours) => `${hours}:00`);
  return new Date(isZoned ? iso : StringIncludes(text, ':') ? `${iso}Z` : `${text}T00:00:00Z`);
};
const bytes = (text) => Buffer.from(StringStartsWith(text, '\\x') ? StringSlice(text, 2) : '', 'hex');

const DECODE = {
  __proto__: null,
  [BOOL]: (text) => text === 't',
  [BYTEA]: bytes,
  21: number, // int2
  [INT4]: number,
  26: number, // oid
  [JSON_TYPE]: JSONParse,
  [JSONB]: JSONParse,
  700: number, // float4
  [FLOAT8]: number,
  1082: date,
  1114: date,
  1184: date,
};
// Array types by element type.
const ARRAYS = {
  __proto__: null,
  1000: BOOL,
  1001: BYTEA,
  1005: 21,
  1007: INT4,
  1016: INT8,
  1021: 700,
  1022: FLOAT8,
  1028: 26,
  199: JSON_TYPE,
  3807: JSONB,
  1182: 1082,
  1115: 1114,
  1185: 1184,
  1009: 25,
  1015: 25,
  1014: 25,
  1002: 25,
  1003: 25,
  1231: 25, // numeric
  2951: 25, // uuid
  1041: 25, // inet
  651: 25, // cidr
  1183: 25, // time
  1187: 25, // interval
};

/** Returns the function that parses texts of a type, or undefined if the text itself is the value. */
function decoderOf(type, { bigint }) {
  if (type === INT8 && bigint) return BigInt;
  const decoder = DECODE[type];
  if (decoder !== undefined) return decoder;
  const element = ARRAYS[type];
  if (element === undefined) return undefined;
  const decode = decoderOf(element, { bigint });
  return (text) => parseArray(text, decode);
}

/** Parses '{a,"b,c",NULL,{…}}'. */
function parseArray(text, decode = undefined) {
  let place = StringIndexOf(text, '{');
  const list = () => {
    const items = [];
    place++;
    while (text[place] !== '}' && place < text.length) {
      if (text[place] === ',') place++;
      else if (text[place] === '{') ArrayPush(items, list());
      else ArrayPush(items, item());
    }
    place++;
    return items;
  };
  const item = () => {
    let word = '';
    if (text[place] === '"') {
      for (place++; text[place] !== '"'; place++) {
        if (text[place] === '\\') place++;
        word += text[place];
      }
      place++;
    } else {
      while (text[place] !== ',' && text[place] !== '}') word += text[place++];
      if (word === 'NULL') return null;
    }
    return decode === undefined ? word : decode(word);
  };
  return list();
}

/** Returns the text of an array for the server. */
function arrayText(values) {
  const parts = ArrayMap(values, (value) => {
    if (value === null || value === undefined) return 'NULL';
    if (ArrayIsArray(value)) return arrayText(value);
    return `"${RegExpReplace(/[\\"]/g, textOf(value, 0), (each) => `\\${each}`)}"`;
  });
  return `{${ArrayJoin(parts, ',')}}`;
}

/** Returns the type to declare to the server for a value; 0 lets the server infer it. */
function typeOfValue(value) {
  if (typeof value === 'number') {
    if (!NumberIsSafeInteger(value)) return FLOAT8;
    return value >= -(2 ** 31) && value < 2 ** 31 ? INT4 : INT8;
  }
  if (typeof value === 'boolean') return BOOL;
  if (typeof value === 'bigint') return value >= -(2n ** 63n) && value < 2n ** 63n ? INT8 : NUMERIC;
  if (ArrayBufferIsView(value) || isArrayBuffer(value)) return BYTEA;
  return 0;
}

/** Returns the text to send for a value of the expected `type`. */
function textOf(value, type) {
  if (typeof value === 'string') return `${value}`;
  if (typeof value === 'boolean') return value ? 't' : 'f';
  if (isDate(value)) return DateToISOString(value);
  if (isArrayBuffer(value)) value = new Uint8Array(value);
  if (ArrayBufferIsView(value)) return `\\x${asBuffer(value).toString('hex')}`;
  if (ArrayIsArray(value)) {
    if (type === JSON_TYPE || type === JSONB) return JSONStringify(value);
    return type in ARRAYS ? arrayText(value) : `${value}`;
  }
  if (value instanceof String) return `${value}`;
  if (isMap(value) || isSet(value) || isBlobLike(value))
    throw ObjectAssign(new TypeError('PostgreSQL has no type for such an object'), { code: 'ERR_INVALID_ARG_TYPE' });
  if (typeof value === 'object') return JSONStringify(value);
  return `${value}`;
}

module.exports = { decoderOf, typeOfValue, textOf, arrayText };
