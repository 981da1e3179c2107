'use strict';
// Owns: Buffer over Uint8Array and the module node:buffer: the class and its factories. Memory is in node/buffer/memory.js,
// methods in node/buffer/methods.js and node/buffer/numbers.js, encodings in internal/encodings.js.

const { defineLazily } = require('internal/lazy');
const { isAnyArrayBuffer, isDataView, isUint8Array } = require('internal/brands');
const { AnySlice } = require('internal/any_kind');
const {
  ArrayBufferIsView,
  ArrayIsArray,
  ArrayPrototype,
  ObjectDefineProperty,
  ObjectGetPrototypeOf,
  ObjectHasOwn,
  ObjectSetPrototypeOf,
  ReflectOwnKeys,
  SymbolFor,
  TypedArraySet,
  intact,
} = require('internal/primordials');
const startValues = require('internal/start_values');
const { codes } = require('internal/errors/errors');
const { validateArray, validateInteger, validateNumber } = require('internal/validators');
const { encodingOf, normalizeEncoding } = require('internal/encodings');
const { addNumberMethods } = require('node/buffer/numbers');
const { compareBytes } = require('node/buffer/search');
const { makeFill } = require('node/buffer/fill');
const { inspect, limits } = require('node/buffer/inspect');
const { FastBuffer, makeAllocator, requireBytes, requireEncoding } = require('node/buffer/memory');
const { methods } = require('node/buffer/methods');

const custom = SymbolFor('nodejs.util.inspect.custom');
const MAX_LENGTH = 2 ** 53 - 1;
const MAX_STRING_LENGTH = 536870888;

function Buffer(value, encodingOrOffset, length) {
  if (startValues.programName === 'node') require('node/buffer/constructor_warning').warnOfConstructor();
  if (typeof value === 'number') {
    if (typeof encodingOrOffset === 'string') throw new codes.ERR_INVALID_ARG_TYPE('string', 'string', value);
    return Buffer.alloc(value);
  }
  return Buffer.from(value, encodingOrOffset, length);
}

ObjectDefineProperty(Buffer, Symbol.species, { __proto__: null, configurable: true, enumerable: false, get: () => FastBuffer });
Buffer.prototype = FastBuffer.prototype;
ObjectSetPrototypeOf(Buffer, Uint8Array);
ObjectDefineProperty(Buffer.prototype, 'constructor', { __proto__: null, value: Buffer, writable: true, configurable: true });

Buffer.poolSize = 64 * 1024;
const allocate = makeAllocator(Buffer);
const checkSize = (size) => validateNumber(size, 'size', 0, MAX_LENGTH);

// --- construction --------------------------------------------------------------------------------------------------------

const UTF8 = encodingOf();
const LONG = 24; // a call into the host costs more than to encode a shorter text

function fromString(text, encoding) {
  let ops = encodingOf();
  if (typeof encoding === 'string' && encoding !== '') ops = requireEncoding(encoding);
  if (text.length === 0) return new FastBuffer();
  if (ops === UTF8 && text.length > LONG && host.writeAscii !== undefined) {
    const copy = allocate(text.length);
    if (host.writeAscii(text, copy) === 1) return copy;
  }
  const size = ops.byteLength(text);
  const buffer = allocate(size);
  const written = ops.write(text, buffer, 0, size);
  return written === size ? buffer : new FastBuffer(buffer.buffer, buffer.byteOffset, written);
}

const fillBuffer = makeFill(fromString, MAX_LENGTH);

function fromArrayBuffer(value, byteOffset, length) {
  byteOffset = byteOffset === undefined ? 0 : +byteOffset || 0;
  const most = value.byteLength - byteOffset;
  if (most < 0) throw new codes.ERR_BUFFER_OUT_OF_BOUNDS('offset');
  if (length !== undefined) {
    length = +length;
    if (!(length > 0)) length = 0;
    else if (length > most) throw new codes.ERR_BUFFER_OUT_OF_BOUNDS('length');
  }
  return new FastBuffer(value, byteOffset, length);
}

function fromArrayLike(value) {
  const length = value.length > 0 ? value.length : 0;
  const buffer = allocate(length);
  if (ArrayBufferIsView(value)) TypedArraySet(buffer, value);
  else for (let i = 0; i < length; i++) buffer[i] = value[i];
  return buffer;
}

function fromObject(value) {
  if (value.length !== undefined || isAnyArrayBuffer(value.buffer)) {
    return typeof value.length === 'number' ? fromArrayLike(value) : new FastBuffer();
  }
  if (value.type === 'Buffer' && ArrayIsArray(value.data)) return fromArrayLike(value.data);
  return undefined;
}

/** Whether `valueOf` is Object.prototype's, so that it need not be called. */
const hasOrdinaryValue = (value) =>
  (ObjectGetPrototypeOf(value) === ArrayPrototype || ObjectGetPrototypeOf(value) === Buffer.prototype) &&
  !ObjectHasOwn(value, 'valueOf');

Buffer.from = function from(value, encodingOrOffset, length) {
  if (typeof value === 'string') return fromString(value, encodingOrOffset);
  if (typeof value === 'object' && value !== null) {
    if (isAnyArrayBuffer(value)) return fromArrayBuffer(value, encodingOrOffset, length);
    const primitive = hasOrdinaryValue(value) ? value : value.valueOf && value.valueOf();
    if (primitive != null && primitive !== value && (typeof primitive === 'string' || typeof primitive === 'object')) {
      return from(primitive, encodingOrOffset, length);
    }
    const buffer = fromObject(value);
    if (buffer !== undefined) return buffer;
    if (typeof value[Symbol.toPrimitive] === 'function') {
      const text = value[Symbol.toPrimitive]('string');
      if (typeof text === 'string') return fromString(text, encodingOrOffset);
    }
  }
  throw new codes.ERR_INVALID_ARG_TYPE(
    'first argument',
    ['string', 'Buffer', 'ArrayBuffer', 'Array', 'Array-like Object'],
    value,
  );
};

Buffer.of = function of(...items) {
  const buffer = allocate(items.length);
  for (let i = 0; i < items.length; i++) buffer[i] = items[i];
  return buffer;
};

Buffer.alloc = function alloc(size, fill, encoding) {
  checkSize(size);
  const buffer = new FastBuffer(size);
  return fill !== undefined && fill !== 0 && buffer.length > 0 ? fillBuffer(buffer, fill, 0, buffer.length, encoding) : buffer;
};

Buffer.allocUnsafe = function allocUnsafe(size) {
  checkSize(size);
  return allocate(size);
};

Buffer.allocUnsafeSlow = function allocUnsafeSlow(size) {
  checkSize(size);
  return new FastBuffer(size);
};

Buffer.copyBytesFrom = function copyBytesFrom(view, offset, length) {
  if (!ArrayBufferIsView(view) || isDataView(view)) throw new codes.ERR_INVALID_ARG_TYPE('view', ['TypedArray'], view);
  if (view.length === 0) return Buffer.alloc(0);
  if (offset !== undefined) {
    validateInteger(offset, 'offset', 0);
    if (offset >= view.length) return Buffer.alloc(0);
  } else {
    offset = 0;
  }
  let end = view.length;
  if (length !== undefined) {
    validateInteger(length, 'length', 0);
    end = offset + length;
  }
  const part = AnySlice(view, offset, end);
  return fromArrayLike(new Uint8Array(part.buffer, part.byteOffset, part.byteLength));
};

Buffer.isBuffer = function isBuffer(value) {
  return value instanceof Buffer;
};

Buffer.isEncoding = function isEncoding(encoding) {
  return typeof encoding === 'string' && encoding.length !== 0 && normalizeEncoding(encoding) !== undefined;
};

Buffer.concat = function concat(list, length) {
  validateArray(list, 'list');
  if (list.length === 0) return new FastBuffer();
  if (length === undefined) {
    length = 0;
    for (let index = 0; index < list.length; index++) {
      const part = list[index];
      if (part?.byteLength) length += part.byteLength;
    }
  } else {
    validateInteger(length, 'length', 0);
  }
  const buffer = Buffer.allocUnsafe(length);
  let at = 0;
  for (let i = 0; i < list.length; i++) {
    const part = list[i];
    if (!isUint8Array(part)) throw new codes.ERR_INVALID_ARG_TYPE(`list[${i}]`, ['Buffer', 'Uint8Array'], part);
    if (at >= length) continue;
    const size = part.byteLength;
    TypedArraySet(buffer, size > length - at ? new Uint8Array(part.buffer, part.byteOffset, length - at) : part, at);
    at += size;
  }
  if (at < length) buffer.fill(0, at, length);
  return buffer;
};

Buffer.byteLength = function byteLength(value, encoding) {
  if (typeof value !== 'string') {
    if (ArrayBufferIsView(value) || isAnyArrayBuffer(value)) return value.byteLength;
    throw new codes.ERR_INVALID_ARG_TYPE('string', ['string', 'Buffer', 'ArrayBuffer'], value);
  }
  return (encodingOf(encoding) ?? encodingOf()).byteLength(value);
};

Buffer.compare = function compare(one, other) {
  requireBytes(one, 'buf1');
  requireBytes(other, 'buf2');
  return one === other ? 0 : compareBytes(one, other);
};

// --- methods -----------------------------------------------------------------------------------------------------------

const { prototype } = Buffer;

for (const { 0: name, 1: source } of intact([
  ['parent', 'buffer'],
  ['offset', 'byteOffset'],
])) {
  if (ObjectHasOwn(prototype, name)) continue; // an earlier load of this file was interrupted
  ObjectDefineProperty(prototype, name, {
    __proto__: null,
    enumerable: true,
    get() {
      return this instanceof Buffer ? this[source] : undefined;
    },
  });
}
addNumberMethods(prototype);
const ownMethods = {
  __proto__: null,
  ...methods,
  fill(value, offset, end, encoding) {
    return fillBuffer(this, value, offset, end, encoding);
  },
  inspect,
  [custom]: inspect,
};
// Defined, not assigned: the prototypes above may be frozen by the time this file is loaded.
for (const name of intact(ReflectOwnKeys(ownMethods))) {
  ObjectDefineProperty(prototype, name, {
    __proto__: null,
    value: ownMethods[name],
    writable: true,
    enumerable: true,
    configurable: true,
  });
}

require('internal/late_classes').late.Buffer = Buffer;
/** Removed in Node 25; Bun and older packages have it. */
function SlowBuffer(length) {
  return Buffer.allocUnsafeSlow(length);
}
ObjectSetPrototypeOf(SlowBuffer, Uint8Array);
SlowBuffer.prototype = Buffer.prototype;

module.exports = {
  Buffer,
  SlowBuffer,
  transcode: undefined,
  isUtf8: undefined,
  isAscii: undefined,
  kMaxLength: MAX_LENGTH,
  kStringMaxLength: MAX_STRING_LENGTH,
  btoa: undefined,
  atob: undefined,
  constants: require('internal/read_only').readOnly({ MAX_LENGTH, MAX_STRING_LENGTH }),
  get INSPECT_MAX_BYTES() {
    return limits.inspectMaxBytes;
  },
  set INSPECT_MAX_BYTES(value) {
    validateNumber(value, 'INSPECT_MAX_BYTES', 0);
    limits.inspectMaxBytes = value;
  },
  Blob: undefined,
  resolveObjectURL: undefined,
  File: undefined,
};
for (const { 0: name, 1: file } of intact([
  ['transcode', 'node/buffer/transcode'],
  ['isUtf8', 'node/buffer/transcode'],
  ['isAscii', 'node/buffer/transcode'],
  ['btoa', 'internal/base64'],
  ['atob', 'internal/base64'],
  ['Blob', 'web/blob/blob'],
  ['resolveObjectURL', 'web/blob/object_urls'],
  ['File', 'web/blob/file'],
])) {
  defineLazily(module.exports, name, () => require(file)[name]);
}
