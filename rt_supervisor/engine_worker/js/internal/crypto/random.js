// @ts-check
'use strict';
// Owns: random bytes, integers and UUIDs, and primes.

const { AnyToString } = require('internal/any_kind');
const {
  ArrayFrom,
  DateNow,
  MathMin,
  NumberIsNaN,
  NumberIsSafeInteger,
  NumberToString,
  ObjectAssign,
  ObjectDefineProperty,
  StringPadStart,
  TypedArraySet,
  intact,
} = require('internal/primordials');
const { binding, later } = require('internal/crypto/binding');
const { isAnyArrayBuffer, isBytes, isView, bufferOf } = require('internal/crypto/input');
const { codes } = require('internal/errors/errors');
const { validateBoolean, validateFunction, validateInt32, validateNumber, validateObject } = require('internal/validators');

const native = host.native;
const LONGEST = 2 ** 31 - 1;
const LARGEST_DRAW = 0xffff_ffff_ffff;
const DRAW_BYTES = 6;
const UUIDS = 128;
const UUID_BYTES = 16;
const NUMBERS = ['ArrayBuffer', 'TypedArray', 'Buffer', 'DataView', 'bigint'];

const lateBuffer = () => require('internal/late_classes').late.Buffer;

function checkedOffset(offset, elementSize, length) {
  validateNumber(offset, 'offset');
  offset *= elementSize;
  const most = MathMin(length, LONGEST);
  if (NumberIsNaN(offset) || offset > most || offset < 0)
    throw new codes.ERR_OUT_OF_RANGE('offset', `>= 0 && <= ${most}`, offset);
  return offset >>> 0;
}

function checkedSize(size, elementSize, offset, length) {
  validateNumber(size, 'size');
  size *= elementSize;
  if (NumberIsNaN(size) || size > LONGEST || size < 0) throw new codes.ERR_OUT_OF_RANGE('size', `>= 0 && <= ${LONGEST}`, size);
  if (size + offset > length) throw new codes.ERR_OUT_OF_RANGE('size + offset', `<= ${length}`, size + offset);
  return size >>> 0;
}

function checkedTarget(target) {
  if (!isBytes(target)) throw new codes.ERR_INVALID_ARG_TYPE('buf', ['ArrayBuffer', 'ArrayBufferView'], target);
}

function fill(target, offset, size) {
  if (size > 0 && !native.rt_fillRandom(target, offset, size)) binding().random_fill(target, offset, size);
}

function randomBytes(size, callback) {
  size = checkedSize(size, 1, 0, Infinity);
  if (callback !== undefined) validateFunction(callback, 'callback');
  const bytes = lateBuffer().alloc(size);
  if (callback === undefined) {
    fill(bytes, 0, size);
    return bytes;
  }
  fillLater(bytes, 0, size, callback);
}

/** Fills the target in a later turn: another thread generates the bytes, which are copied to `target` before the callback. */
function fillLater(target, offset, size, callback) {
  if (size === 0) {
    callback(null, target);
    return;
  }
  later('random_bytes', [size], (error, bytes) => {
    if (error) return callback(error);
    const view = isView(target)
      ? new Uint8Array(target.buffer, target.byteOffset + offset, size)
      : new Uint8Array(target, offset, size);
    TypedArraySet(view, bytes);
    callback(null, target);
  });
}

function randomFillSync(buf, offset = 0, size) {
  checkedTarget(buf);
  const elementSize = buf.BYTES_PER_ELEMENT || 1;
  offset = checkedOffset(offset, elementSize, buf.byteLength);
  size = size === undefined ? buf.byteLength - offset : checkedSize(size, elementSize, offset, buf.byteLength);
  fill(buf, offset, size);
  return buf;
}

function randomFill(buf, offset, size, callback) {
  checkedTarget(buf);
  const elementSize = buf.BYTES_PER_ELEMENT || 1;
  if (typeof offset === 'function') {
    callback = offset;
    offset = 0;
    size = buf.length;
  } else if (typeof size === 'function') {
    callback = size;
    size = (buf.length ?? buf.byteLength) - offset;
  } else validateFunction(callback, 'callback');
  offset = checkedOffset(offset, elementSize, buf.byteLength);
  size = size === undefined ? buf.byteLength - offset : checkedSize(size, elementSize, offset, buf.byteLength);
  fillLater(buf, offset, size, callback);
}

const draws = new Uint8Array(DRAW_BYTES * 1024);
let drawIndex = draws.length;

function draw() {
  if (drawIndex === draws.length) {
    fill(draws, 0, draws.length);
    drawIndex = 0;
  }
  let value = 0;
  for (let i = 0; i < DRAW_BYTES; i++) value = value * 256 + draws[drawIndex++];
  return value;
}

/** Returns an integer n with `min` <= n < `max`. */
function randomInt(min, max, callback) {
  const isMinMissing = max === undefined || typeof max === 'function';
  if (isMinMissing) ({ 0: min, 1: max, 2: callback } = [0, min, max]);
  const isSync = callback === undefined;
  if (!isSync) validateFunction(callback, 'callback');
  if (!NumberIsSafeInteger(min)) throw new codes.ERR_INVALID_ARG_TYPE('min', 'a safe integer', min);
  if (!NumberIsSafeInteger(max)) throw new codes.ERR_INVALID_ARG_TYPE('max', 'a safe integer', max);
  if (max <= min) throw new codes.ERR_OUT_OF_RANGE('max', `greater than the value of "min" (${min})`, max);
  const range = max - min;
  if (!(range <= LARGEST_DRAW)) {
    throw new codes.ERR_OUT_OF_RANGE(`max${isMinMissing ? '' : ' - min'}`, `<= ${LARGEST_DRAW}`, range);
  }
  // A draw at or above the last whole multiple of the range would bias the result towards small numbers.
  const limit = LARGEST_DRAW - (LARGEST_DRAW % range);
  let value = draw();
  while (value >= limit) value = draw();
  const result = (value % range) + min;
  if (isSync) return result;
  host.nextTick(callback, undefined, result);
}

let uuids;
let uuidsUsed = UUIDS;

const HEX = ArrayFrom({ length: 256 }, (_, byte) => StringPadStart(NumberToString(byte, 16), 2, '0'));

function uuidText(bytes, at, version) {
  let text = '';
  for (let i = 0; i < UUID_BYTES; i++) {
    let byte = bytes[at + i];
    if (i === 6) byte = (byte & 0x0f) | version;
    else if (i === 8) byte = (byte & 0x3f) | 0x80;
    text += i === 4 || i === 6 || i === 8 || i === 10 ? `-${HEX[byte]}` : HEX[byte];
  }
  return text;
}

function stampTime(bytes, at) {
  const now = DateNow();
  const high = now / 2 ** 32;
  bytes[at] = high >>> 8;
  bytes[at + 1] = high;
  bytes[at + 2] = now >>> 24;
  bytes[at + 3] = now >>> 16;
  bytes[at + 4] = now >>> 8;
  bytes[at + 5] = now;
}

function makeUuid(options, version) {
  if (options !== undefined) validateObject(options, 'options');
  const { disableEntropyCache = false } = options || {};
  validateBoolean(disableEntropyCache, 'options.disableEntropyCache');
  let bytes = uuids;
  let at = 0;
  if (disableEntropyCache) {
    bytes = new Uint8Array(UUID_BYTES);
    fill(bytes, 0, UUID_BYTES);
  } else {
    if (uuidsUsed === UUIDS) {
      bytes = uuids ??= new Uint8Array(UUIDS * UUID_BYTES);
      fill(uuids, 0, uuids.length);
      uuidsUsed = 0;
    }
    at = uuidsUsed++ * UUID_BYTES;
  }
  if (version === 0x70) stampTime(bytes, at);
  return uuidText(bytes, at, version);
}

function randomUUID(options) {
  return makeUuid(options, 0x40);
}
function randomUUIDv7(options) {
  return makeUuid(options, 0x70);
}

// --- primes

function bytesOfBigInt(value, name) {
  if (value < 0) throw new codes.ERR_OUT_OF_RANGE(name, '>= 0', value);
  const hex = AnyToString(value, 16);
  return lateBuffer().from(StringPadStart(hex, hex.length + (hex.length % 2), '0'), 'hex');
}

const bigIntOf = (bytes) => BigInt(`0x${lateBuffer().from(bytes).toString('hex')}`);

function numberOption(value, name) {
  if (value === undefined) return undefined;
  if (typeof value === 'bigint') return bytesOfBigInt(value, name);
  if (!isBytes(value)) throw new codes.ERR_INVALID_ARG_TYPE(name, NUMBERS, value);
  return value;
}

function primeArguments(size, options) {
  validateObject(options, 'options');
  const { safe = false, bigint = false } = options;
  validateBoolean(safe, 'options.safe');
  validateBoolean(bigint, 'options.bigint');
  const { add, rem } = options;
  const args = [size, safe, numberOption(add, 'options.add'), numberOption(rem, 'options.rem')];
  return { args, result: bigint ? bigIntOf : bufferOf };
}

function generatePrime(size, options, callback) {
  validateInt32(size, 'size', 1);
  if (typeof options === 'function') [options, callback] = intact([{}, options]);
  validateFunction(callback, 'callback');
  const { args, result } = primeArguments(size, options);
  binding().prime_options(...intact(args));
  later('prime_generate', args, (error, prime) => {
    if (error) callback(error);
    else callback(undefined, result(prime));
  });
}

function generatePrimeSync(size, options = {}) {
  validateInt32(size, 'size', 1);
  const { args, result } = primeArguments(size, options);
  binding().prime_options(...intact(args));
  return result(binding().prime_generate(...intact(args)));
}

function candidateBytes(candidate) {
  if (typeof candidate === 'bigint') return bytesOfBigInt(candidate, 'candidate');
  if (!isBytes(candidate)) throw new codes.ERR_INVALID_ARG_TYPE('candidate', NUMBERS, candidate);
  return candidate;
}

function checkChecks(options) {
  validateObject(options, 'options');
  const { checks = 0 } = options;
  validateInt32(checks, 'options.checks', 0);
}

function checkPrime(candidate, options = {}, callback) {
  const bytes = candidateBytes(candidate);
  if (typeof options === 'function') [options, callback] = intact([{}, options]);
  validateFunction(callback, 'callback');
  checkChecks(options);
  binding().prime_candidate(bytes);
  later('prime_check', [bytes], callback);
}

function checkPrimeSync(candidate, options = {}) {
  const bytes = candidateBytes(candidate);
  checkChecks(options);
  binding().prime_candidate(bytes);
  return binding().prime_check(bytes);
}

function comparable(value, name) {
  if (isBytes(value)) return value;
  const message = `The "${name}" argument must be an instance of ArrayBuffer, Buffer, TypedArray, or DataView.`;
  throw ObjectAssign(new TypeError(message), { code: 'ERR_INVALID_ARG_TYPE' }); // the message of Node's native code
}

const timingSafeEqual = (...args) => {
  const { 0: left, 1: right } = [comparable(args[0], 'buf1'), comparable(args[1], 'buf2')];
  if (left.byteLength !== right.byteLength) throw new codes.ERR_CRYPTO_TIMING_SAFE_EQUAL_LENGTH();
  return binding().timing_safe_equal(left, right);
};
ObjectDefineProperty(timingSafeEqual, 'name', { __proto__: null, value: '', configurable: true });

module.exports = {
  checkPrime,
  checkPrimeSync,
  fill,
  generatePrime,
  generatePrimeSync,
  isAnyArrayBuffer,
  randomBytes,
  randomFill,
  randomFillSync,
  randomInt,
  randomUUID,
  randomUUIDv7,
  timingSafeEqual,
};
