'use strict';
// Owns: Buffer over Uint8Array and the module node:buffer: making buffers, the pool, comparing, searching, filling,
// text. Numbers are in buffer_numbers.js, searching in buffer_search.js, encodings in encodings.js.

const { codes } = require('./errors');
const { validateArray, validateInteger, validateNumber } = require('./validators');
const { encodingOf, normalizeEncoding } = require('./encodings');
const { addNumberMethods } = require('./buffer_numbers');
const { compareBytes, indexOf } = require('./buffer_search');
const { makeFill, swap } = require('./buffer_fill');

const custom = Symbol.for('nodejs.util.inspect.custom');
const MAX_LENGTH = 2 ** 53 - 1;
const MAX_STRING_LENGTH = 536870888;
const POOL_ALIGNMENT = 8;

class FastBuffer extends Uint8Array {
  // The default constructor of a subclass would go through the iterator of Array.prototype.
  constructor(bufferOrLength, byteOffset, length) {
    super(bufferOrLength, byteOffset, length);
  }
}

const isUint8Array = (value) =>
  ArrayBuffer.isView(value) &&
  Object.prototype.toString.call(value) === '[object Uint8Array]' &&
  value instanceof Uint8Array;
const isAnyArrayBuffer = (value) =>
  value instanceof ArrayBuffer ||
  (typeof SharedArrayBuffer === 'function' && value instanceof SharedArrayBuffer) ||
  ['[object ArrayBuffer]', '[object SharedArrayBuffer]'].includes(Object.prototype.toString.call(value));

function Buffer(value, encodingOrOffset, length) {
  if (typeof value === 'number') {
    if (typeof encodingOrOffset === 'string') throw new codes.ERR_INVALID_ARG_TYPE('string', 'string', value);
    return Buffer.alloc(value);
  }
  return Buffer.from(value, encodingOrOffset, length);
}

Object.defineProperty(Buffer, Symbol.species, {
  __proto__: null,
  configurable: true,
  enumerable: false,
  get: () => FastBuffer,
});
Buffer.prototype = FastBuffer.prototype;
Object.setPrototypeOf(Buffer, Uint8Array);
Object.defineProperty(Buffer.prototype, 'constructor', {
  __proto__: null,
  value: Buffer,
  writable: true,
  configurable: true,
});

// --- the pool --------------------------------------------------------------------------------------------------------------

Buffer.poolSize = 64 * 1024;
let pool; // made when first needed, so that the snapshot holds none
let poolOffset = 0;

function fromPool(size) {
  if (pool === undefined || size > pool.byteLength - poolOffset) {
    pool = new ArrayBuffer(Buffer.poolSize);
    poolOffset = 0;
  }
  const buffer = new FastBuffer(pool, poolOffset, size);
  poolOffset = (poolOffset + size + POOL_ALIGNMENT - 1) & ~(POOL_ALIGNMENT - 1);
  return buffer;
}

const allocate = (size) => (size > 0 && size < Buffer.poolSize >>> 1 ? fromPool(size) : new FastBuffer(size));
const checkSize = (size) => validateNumber(size, 'size', 0, MAX_LENGTH);

function requireEncoding(encoding) {
  const ops = encodingOf(encoding);
  if (ops === undefined) throw new codes.ERR_UNKNOWN_ENCODING(encoding);
  return ops;
}

// --- making --------------------------------------------------------------------------------------------------------------

function fromString(text, encoding) {
  let ops = encodingOf();
  if (typeof encoding === 'string' && encoding !== '') ops = requireEncoding(encoding);
  if (text.length === 0) return new FastBuffer();
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
  if (length === undefined) {
    length = most;
  } else {
    length = +length;
    if (!(length > 0)) length = 0;
    else if (length > most) throw new codes.ERR_BUFFER_OUT_OF_BOUNDS('length');
  }
  return new FastBuffer(value, byteOffset, length);
}

function fromArrayLike(value) {
  const length = value.length > 0 ? value.length : 0;
  const buffer = allocate(length);
  if (ArrayBuffer.isView(value)) buffer.set(value);
  else for (let i = 0; i < length; i++) buffer[i] = value[i];
  return buffer;
}

function fromObject(value) {
  if (value.length !== undefined || isAnyArrayBuffer(value.buffer)) {
    return typeof value.length === 'number' ? fromArrayLike(value) : new FastBuffer();
  }
  if (value.type === 'Buffer' && Array.isArray(value.data)) return fromArrayLike(value.data);
  return undefined;
}

Buffer.from = function from(value, encodingOrOffset, length) {
  if (typeof value === 'string') return fromString(value, encodingOrOffset);
  if (typeof value === 'object' && value !== null) {
    if (isAnyArrayBuffer(value)) return fromArrayBuffer(value, encodingOrOffset, length);
    const primitive = value.valueOf && value.valueOf();
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
  return fill !== undefined && fill !== 0 && buffer.length > 0
    ? fillBuffer(buffer, fill, 0, buffer.length, encoding)
    : buffer;
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
  if (!ArrayBuffer.isView(view) || view instanceof DataView)
    throw new codes.ERR_INVALID_ARG_TYPE('view', ['TypedArray'], view);
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
  const part = view.slice(offset, end);
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
    for (const part of list) if (part.length) length += part.length;
  } else {
    validateInteger(length, 'length', 0);
  }
  const buffer = Buffer.allocUnsafe(length);
  let at = 0;
  for (let i = 0; i < list.length; i++) {
    const part = list[i];
    if (!isUint8Array(part)) throw new codes.ERR_INVALID_ARG_TYPE(`list[${i}]`, ['Buffer', 'Uint8Array'], part);
    if (at >= length) continue;
    buffer.set(part.length > length - at ? part.subarray(0, length - at) : part, at);
    at += part.length;
  }
  if (at < length) buffer.fill(0, at, length);
  return buffer;
};

Buffer.byteLength = function byteLength(value, encoding) {
  if (typeof value !== 'string') {
    if (ArrayBuffer.isView(value) || isAnyArrayBuffer(value)) return value.byteLength;
    throw new codes.ERR_INVALID_ARG_TYPE('string', ['string', 'Buffer', 'ArrayBuffer'], value);
  }
  return (encodingOf(encoding) ?? encodingOf()).byteLength(value);
};

function requireBytes(value, name) {
  if (!isUint8Array(value)) throw new codes.ERR_INVALID_ARG_TYPE(name, ['Buffer', 'Uint8Array'], value);
}

Buffer.compare = function compare(one, other) {
  requireBytes(one, 'buf1');
  requireBytes(other, 'buf2');
  return one === other ? 0 : compareBytes(one, other);
};

// --- methods -----------------------------------------------------------------------------------------------------------

const { prototype } = Buffer;

Object.defineProperties(prototype, {
  parent: {
    __proto__: null,
    enumerable: true,
    get() {
      return this instanceof Buffer ? this.buffer : undefined;
    },
  },
  offset: {
    __proto__: null,
    enumerable: true,
    get() {
      return this instanceof Buffer ? this.byteOffset : undefined;
    },
  },
});

addNumberMethods(prototype);

const integerOr = (value, fallback) => {
  value = +value;
  return value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER ? Math.floor(value) : fallback;
};

const methods = {
  copy(target, targetStart, sourceStart, sourceEnd) {
    if (!isUint8Array(this)) throw new codes.ERR_INVALID_ARG_TYPE('source', ['Buffer', 'Uint8Array'], this);
    if (!ArrayBuffer.isView(target)) throw new codes.ERR_INVALID_ARG_TYPE('target', ['Buffer', 'Uint8Array'], target);
    const bytes = isUint8Array(target) ? target : new Uint8Array(target.buffer, target.byteOffset, target.byteLength);
    targetStart = targetStart === undefined ? 0 : integerOr(targetStart, 0);
    if (targetStart < 0) throw new codes.ERR_OUT_OF_RANGE('targetStart', '>= 0', targetStart);
    sourceStart = sourceStart === undefined ? 0 : integerOr(sourceStart, 0);
    if (sourceStart < 0 || sourceStart > this.length) {
      throw new codes.ERR_OUT_OF_RANGE('sourceStart', `>= 0 && <= ${this.length}`, sourceStart);
    }
    sourceEnd = sourceEnd === undefined ? this.length : integerOr(sourceEnd, 0);
    if (sourceEnd < 0) throw new codes.ERR_OUT_OF_RANGE('sourceEnd', '>= 0', sourceEnd);
    if (targetStart >= bytes.length || sourceStart >= sourceEnd) return 0;
    const count = Math.min(sourceEnd - sourceStart, bytes.length - targetStart, this.length - sourceStart);
    bytes.set(this.subarray(sourceStart, sourceStart + count), targetStart);
    return count;
  },

  toString(encoding, start, end) {
    if (arguments.length === 0) return encodingOf().text(this, 0, this.length);
    const { length } = this;
    if (start <= 0) start = 0;
    else if (start >= length) return '';
    else start = Math.trunc(start) || 0;
    if (end === undefined || end > length) end = length;
    else end = Math.trunc(end) || 0;
    if (end <= start) return '';
    return (encoding === undefined ? encodingOf() : requireEncoding(encoding)).text(this, start, end);
  },

  equals(other) {
    requireBytes(other, 'otherBuffer');
    return this === other || (this.byteLength === other.byteLength && compareBytes(this, other) === 0);
  },

  compare(target, targetStart, targetEnd, sourceStart, sourceEnd) {
    requireBytes(target, 'target');
    if (arguments.length === 1) return compareBytes(this, target);
    const bound = (value, name, fallback, most) => {
      if (value === undefined) return fallback;
      validateInteger(value, name, 0, most);
      return value;
    };
    targetStart = bound(targetStart, 'targetStart', 0);
    targetEnd = bound(targetEnd, 'targetEnd', target.length, target.length);
    sourceStart = bound(sourceStart, 'sourceStart', 0);
    sourceEnd = bound(sourceEnd, 'sourceEnd', this.length, this.length);
    if (sourceStart >= sourceEnd) return targetStart >= targetEnd ? 0 : -1;
    if (targetStart >= targetEnd) return 1;
    return compareBytes(this.subarray(sourceStart, sourceEnd), target.subarray(targetStart, targetEnd));
  },

  indexOf(value, byteOffset, encoding) {
    return indexOf(this, value, byteOffset, encoding, true);
  },

  lastIndexOf(value, byteOffset, encoding) {
    return indexOf(this, value, byteOffset, encoding, false);
  },

  includes(value, byteOffset, encoding) {
    return indexOf(this, value, byteOffset, encoding, true) !== -1;
  },

  fill(value, offset, end, encoding) {
    return fillBuffer(this, value, offset, end, encoding);
  },

  write(text, offset, length, encoding) {
    if (typeof text !== 'string') throw new codes.ERR_INVALID_ARG_TYPE('argument', 'string', text);
    if (offset === undefined) return encodingOf().write(text, this, 0, this.length);
    if (length === undefined && typeof offset === 'string') {
      encoding = offset;
      offset = 0;
      length = this.length;
    } else {
      validateInteger(offset, 'offset', 0, this.length);
      const rest = this.length - offset;
      if (length === undefined) {
        length = rest;
      } else if (typeof length === 'string') {
        encoding = length;
        length = rest;
      } else {
        validateInteger(length, 'length', 0, this.length);
        if (length > rest) length = rest;
      }
    }
    return (encoding ? requireEncoding(encoding) : encodingOf()).write(text, this, offset, offset + length);
  },

  toJSON() {
    return { type: 'Buffer', data: Array.from(this) };
  },

  subarray(start, end) {
    const { length } = this;
    const clamp = (value) => {
      value = Math.trunc(value);
      if (Number.isNaN(value) || value === 0) return 0;
      return value < 0 ? Math.max(0, value + length) : Math.min(value, length);
    };
    start = start === undefined ? 0 : clamp(start);
    end = end === undefined ? length : clamp(end);
    return new FastBuffer(this.buffer, this.byteOffset + start, end > start ? end - start : 0);
  },

  swap16() {
    return swap(this, 2);
  },
  swap32() {
    return swap(this, 4);
  },
  swap64() {
    return swap(this, 8);
  },
};
methods.slice = function slice(start, end) {
  return this.subarray(start, end);
};
methods.toLocaleString = methods.toString;
Object.assign(prototype, methods);

for (const name of ['ascii', 'base64', 'base64url', 'latin1', 'hex', 'ucs2', 'utf8']) {
  const ops = encodingOf(name);
  prototype[`${name}Slice`] = function (start = 0, end = this.length) {
    return ops.text(this, start, Math.min(end, this.length));
  };
  prototype[`${name}Write`] = function (text, offset = 0, length = this.length - offset) {
    if (typeof text !== 'string') throw new codes.ERR_INVALID_ARG_TYPE('argument', 'string', text);
    return ops.write(text, this, offset, Math.min(offset + length, this.length));
  };
}

let inspectMaxBytes = 50;

prototype[custom] = function inspect(depth, context) {
  const shown = Math.min(inspectMaxBytes, this.length);
  const rest = this.length - shown;
  let text = this.subarray(0, shown)
    .hexSlice()
    .replace(/(.{2})/g, '$1 ')
    .trim();
  if (rest > 0) text += ` ... ${rest} more byte${rest > 1 ? 's' : ''}`;
  if (context) {
    const keys = host.inspect.ownNonIndexProperties(this, !context.showHidden);
    if (keys.length > 0) {
      const extras = { __proto__: null };
      for (const key of keys) extras[key] = this[key];
      if (this.length !== 0) text += ', ';
      // '[Object: null prototype] { ' and the closing ' }' around the properties are not wanted.
      text += require('./inspect')
        .inspect(extras, { ...context, breakLength: Infinity, compact: true })
        .slice(27, -2);
    }
  }
  const name = this.constructor === undefined || this.constructor === null ? 'Buffer' : this.constructor.name;
  return `<${name} ${text}>`;
};
prototype.inspect = prototype[custom];

module.exports = {
  Buffer,
  get transcode() {
    return require('./buffer_transcode').transcode;
  },
  get isUtf8() {
    return require('./buffer_transcode').isUtf8;
  },
  get isAscii() {
    return require('./buffer_transcode').isAscii;
  },
  kMaxLength: MAX_LENGTH,
  kStringMaxLength: MAX_STRING_LENGTH,
  get btoa() {
    return require('./base64').btoa;
  },
  get atob() {
    return require('./base64').atob;
  },
  constants: { MAX_LENGTH, MAX_STRING_LENGTH },
  get INSPECT_MAX_BYTES() {
    return inspectMaxBytes;
  },
  set INSPECT_MAX_BYTES(value) {
    validateNumber(value, 'INSPECT_MAX_BYTES', 0);
    inspectMaxBytes = value;
  },
};
