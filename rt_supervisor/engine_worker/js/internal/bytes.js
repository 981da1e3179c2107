// @ts-check
'use strict';
// Owns: the members of RT that work on raw bytes: concatArrayBuffers, allocUnsafe, indexOfLine, unsafe.

const { isAnyArrayBuffer, isArrayBuffer, isDataView } = require('internal/brands');
const { AnyIndexOf } = require('internal/any_kind');
const {
  ArrayBufferIsView,
  ArrayFrom,
  ArrayReduce,
  MathMax,
  MathMin,
  MathTrunc,
  ObjectAssign,
  TypedArraySet,
  TypedArraySubarray,
  TypedArrayTag,
  intact,
} = require('internal/primordials');

const LINE_FEED = 10;
const LARGE = 16 * 1024; // bytes that take longer to clear than a native call

/** Whether a buffer is detached. It counts as empty, because no view of it can be created. */
const isDetached = (buffer) => buffer.byteLength === 0 && isArrayBuffer(buffer) && buffer.detached;

function bytesOf(value) {
  if (ArrayBufferIsView(value))
    return isDetached(value.buffer) ? new Uint8Array(0) : new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  if (isAnyArrayBuffer(value)) return isDetached(value) ? new Uint8Array(0) : new Uint8Array(value);
  return undefined;
}

/** Returns bytes with unspecified contents, for callers that overwrite all of them. */
const unclearedBytes = (size) => (size < LARGE ? undefined : host.native.unclearedBytes(size)) ?? new Uint8Array(size);

/** Concatenates all parts, up to `limit` bytes, into an ArrayBuffer or a Uint8Array. */
function concatArrayBuffers(parts, limit = Infinity, asUint8Array = false) {
  if (typeof parts?.[Symbol.iterator] !== 'function' || typeof parts === 'string')
    throw new TypeError('Argument must be an array');
  if (limit < 0) throw new RangeError('Maximum length must be >= 0');
  const views = ArrayFrom(intact(parts), (part) => {
    const view = bytesOf(part);
    if (view === undefined) throw new TypeError('Expected TypedArray');
    return view;
  });
  const size = MathMin(/** @type {number} */ (ArrayReduce(views, (sum, view) => sum + view.length, 0)), limit);
  const whole = unclearedBytes(size);
  let place = 0;
  for (let index = 0; index < views.length; index++) {
    const view = views[index];
    const part = TypedArraySubarray(view, 0, size - place);
    TypedArraySet(whole, part, place);
    place += part.length;
  }
  return asUint8Array ? whole : whole.buffer;
}

/** Returns bytes whose contents are unspecified; they are zeroes here. */
function allocUnsafe(size) {
  const { validateNumber } = require('internal/validators');
  validateNumber(size, 'size', 0, 2 ** 32 - 1);
  return new Uint8Array(size);
}

/** Returns the index of the next line feed at or after `offset`, or -1. */
function indexOfLine(buffer, offset = 0) {
  const view = bytesOf(buffer);
  if (view === undefined) {
    throw ObjectAssign(new TypeError('buffer must be an ArrayBuffer or ArrayBufferView'), { code: 'ERR_INVALID_ARG_TYPE' });
  }
  return AnyIndexOf(view, LINE_FEED, MathMax(0, MathTrunc(offset) || 0));
}

const unsafe = {
  gcAggressionLevel() {
    return 0;
  },
  /** Returns a string with one character for each byte, or for each item of a 16-bit array. */
  arrayBufferToString(buffer) {
    const view = isDataView(buffer) ? undefined : bytesOf(buffer);
    if (view === undefined) throw ObjectAssign(new TypeError('Expected an ArrayBuffer'), { code: 'ERR_INVALID_ARG_TYPE' });
    const { encodingOf, latin1Text } = require('internal/encodings');
    const tag = TypedArrayTag(buffer);
    const isOfCodeUnits = tag === 'Uint16Array' || tag === 'Int16Array';
    return isOfCodeUnits ? encodingOf('utf16le').text(view, 0, view.length) : latin1Text(view, 0, view.length);
  },
};

module.exports = { concatArrayBuffers, allocUnsafe, indexOfLine, unsafe, bytesOf, isDetached, unclearedBytes };
