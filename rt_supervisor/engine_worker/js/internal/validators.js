// @ts-check
'use strict';
// Owns: argument checks that throw Node's errors. Each takes the value and the argument's name.

const {
  ArrayBufferIsView,
  ArrayIncludes,
  ArrayIsArray,
  ArrayJoin,
  ArrayMap,
  NumberIsInteger,
  NumberIsNaN,
  RegExpTest,
  StringTrim,
  intact,
} = require('internal/primordials');
const { codes } = require('internal/errors/errors');

/** @type {(Code: new (...args: any[]) => Error, ...args: unknown[]) => never} */
const fail = (Code, ...args) => {
  const error = new Code(...intact(args));
  throw error;
};
/** @type {(name: string, expected: string | string[], value: unknown) => never} */
const wrongType = (name, expected, value) => fail(codes.ERR_INVALID_ARG_TYPE, name, expected, value);

const isInt32 = (value) => value === (value | 0);
const isUint32 = (value) => value === value >>> 0;

/** @type {(value: unknown, name: string) => void} */
function validateString(value, name) {
  if (typeof value !== 'string') wrongType(name, 'string', value);
}

/** @type {(value: unknown, name: string) => void} */
function validateBoolean(value, name) {
  if (typeof value !== 'boolean') wrongType(name, 'boolean', value);
}

/** @type {(value: unknown, name: string) => void} */
function validateFunction(value, name) {
  if (typeof value !== 'function') wrongType(name, 'Function', value);
}

/** @type {(value: unknown, name: string, min?: number, max?: number) => void} */
function validateNumber(value, name, min = undefined, max = undefined) {
  if (typeof value !== 'number') wrongType(name, 'number', value);
  if ((min != null && value < min) || (max != null && value > max) || ((min != null || max != null) && NumberIsNaN(value))) {
    const low = min != null ? `>= ${min}` : '';
    const high = max != null ? `<= ${max}` : '';
    fail(codes.ERR_OUT_OF_RANGE, name, `${low}${low && high ? ' && ' : ''}${high}`, value);
  }
}

/** @type {(value: unknown, name: string, min?: number, max?: number) => void} */
function validateInteger(value, name, min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER) {
  if (typeof value !== 'number') wrongType(name, 'number', value);
  if (!NumberIsInteger(value)) fail(codes.ERR_OUT_OF_RANGE, name, 'an integer', value);
  if (value < min || value > max) fail(codes.ERR_OUT_OF_RANGE, name, `>= ${min} && <= ${max}`, value);
}

/** @type {(value: unknown, name: string, min?: number, max?: number) => void} */
function validateInt32(value, name, min = -2147483648, max = 2147483647) {
  validateInteger(value, name, min, max);
}

/** @type {(value: unknown, name: string, positive?: boolean) => void} */
function validateUint32(value, name, positive = false) {
  if (typeof value !== 'number') wrongType(name, 'number', value);
  if (!NumberIsInteger(value)) fail(codes.ERR_OUT_OF_RANGE, name, 'an integer', value);
  const min = positive ? 1 : 0;
  if (value < min || value > 4294967295) fail(codes.ERR_OUT_OF_RANGE, name, `>= ${min} && <= 4294967295`, value);
}

/** @type {(value: unknown, name: string, allowed?: { allowArray?: boolean, allowFunction?: boolean, nullable?: boolean }) => void} */
function validateObject(value, name, { allowArray = false, allowFunction = false, nullable = false } = {}) {
  if (
    value === null
      ? !nullable
      : (!allowArray && ArrayIsArray(value)) || (typeof value !== 'object' && !(allowFunction && typeof value === 'function'))
  ) {
    wrongType(name, 'Object', value);
  }
}

/** @type {(value: unknown, name: string, minLength?: number) => void} */
function validateArray(value, name, minLength = 0) {
  if (!ArrayIsArray(value)) wrongType(name, 'Array', value);
  if (value.length < minLength) fail(codes.ERR_INVALID_ARG_VALUE, name, value, `must be longer than ${minLength}`);
}

const validateEach = (check) => (value, name) => {
  validateArray(value, name);
  for (let i = 0; i < value.length; i++) check(value[i], `${name}[${i}]`);
};

/** @type {(value: unknown, name: string, oneOf: readonly unknown[]) => void} */
function validateOneOf(value, name, oneOf) {
  if (ArrayIncludes(oneOf, value)) return;
  const allowed = ArrayJoin(
    ArrayMap(oneOf, (one) => (typeof one === 'string' ? `'${one}'` : String(one))),
    ', ',
  );
  fail(codes.ERR_INVALID_ARG_VALUE, name, value, `must be one of: ${allowed}`);
}

/** @type {(signal: unknown, name: string) => void} */
function validateAbortSignal(signal, name) {
  if (signal !== undefined && (signal === null || typeof signal !== 'object' || !('aborted' in signal))) {
    wrongType(name, 'AbortSignal', signal);
  }
}

/** @type {(buffer: unknown, name?: string) => void} */
function validateBuffer(buffer, name = 'buffer') {
  if (!ArrayBufferIsView(buffer)) wrongType(name, ['Buffer', 'TypedArray', 'DataView'], buffer);
}

function validateEncoding(data, encoding) {
  if (require('internal/encodings').normalizeEncoding(encoding) === 'hex' && data.length % 2 !== 0) {
    fail(codes.ERR_INVALID_ARG_VALUE, 'encoding', encoding, `is invalid for data of length ${data.length}`);
  }
}

/** Returns the port as a number. @type {(port: any, name?: string, allowZero?: boolean) => number} */
function validatePort(port, name = 'Port', allowZero = true) {
  if (
    (typeof port !== 'number' && typeof port !== 'string') ||
    (typeof port === 'string' && StringTrim(port).length === 0) ||
    +port !== +port >>> 0 ||
    +port > 0xffff ||
    (port === 0 && !allowZero)
  )
    fail(codes.ERR_SOCKET_BAD_PORT, name, port, allowZero);
  return Number(port) | 0;
}

const OCTAL = /^[0-7]+$/;

/** @type {(value: any, name: string, fallback?: number) => number} */
function parseFileMode(value, name, fallback) {
  value ??= fallback;
  if (typeof value === 'string') {
    if (!RegExpTest(OCTAL, value)) {
      fail(codes.ERR_INVALID_ARG_VALUE, name, value, 'must be a 32-bit unsigned integer or an octal string');
    }
    value = parseInt(value, 8);
  }
  validateUint32(value, name);
  return value;
}

/** @type {(value: unknown, name: string, union: readonly unknown[]) => void} */
function validateUnion(value, name, union) {
  if (!ArrayIncludes(union, value)) wrongType(name, `('${ArrayJoin(union, '|')}')`, value);
}

const validateThisInternalField = (object, field, className) => {
  if (typeof object !== 'object' || object === null || !(field in object)) fail(codes.ERR_INVALID_THIS, className);
};

module.exports = {
  isInt32,
  isUint32,
  validateString,
  validateBoolean,
  validateFunction,
  validateNumber,
  validateInteger,
  validateInt32,
  validateUint32,
  validateObject,
  validateArray,
  validateOneOf,
  validateAbortSignal,
  validateBuffer,
  validateEncoding,
  validatePort,
  parseFileMode,
  validateUnion,
  validateThisInternalField,
  validateStringArray: validateEach(validateString),
  validateBooleanArray: validateEach(validateBoolean),
  validateAbortSignalArray: validateEach(validateAbortSignal),
  validateUndefined(value, name) {
    if (value !== undefined) wrongType(name, 'undefined', value);
  },
};
