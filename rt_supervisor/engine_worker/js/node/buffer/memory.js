// @ts-check
'use strict';
// Owns: the memory of buffers: the class that Buffer extends, the pool for small buffers, and which values count as bytes.

const { WeakSetAdd } = require('internal/primordials');
const { isUint8Array } = require('internal/brands');
const { codes } = require('internal/errors/errors');
const { untransferable } = require('internal/cloneable');
const { encodingOf } = require('internal/encodings');

const POOL_ALIGNMENT = 8;

class FastBuffer extends Uint8Array {
  // The default constructor of a subclass would use Array.prototype's iterator.
  constructor(bufferOrLength, byteOffset, length) {
    super(bufferOrLength, byteOffset, length);
  }
}

/** Allocates from a pool of `sizes.poolSize` bytes, which programs may change. */
function makeAllocator(sizes) {
  let pool; // created on first use, so that the snapshot contains none
  let poolOffset = 0;

  function fromPool(size) {
    if (pool === undefined || size > pool.byteLength - poolOffset) {
      pool = new ArrayBuffer(sizes.poolSize);
      WeakSetAdd(untransferable, pool); // it holds other buffers' bytes
      poolOffset = 0;
    }
    const buffer = new FastBuffer(pool, poolOffset, size);
    poolOffset = (poolOffset + size + POOL_ALIGNMENT - 1) & ~(POOL_ALIGNMENT - 1);
    return buffer;
  }

  return (size) => (size > 0 && size < sizes.poolSize >>> 1 ? fromPool(size) : new FastBuffer(size));
}

function requireEncoding(encoding) {
  const ops = encoding === '' ? undefined : encodingOf(encoding);
  if (ops === undefined) throw new codes.ERR_UNKNOWN_ENCODING(encoding);
  return ops;
}

function requireBytes(value, name) {
  if (!isUint8Array(value)) throw new codes.ERR_INVALID_ARG_TYPE(name, ['Buffer', 'Uint8Array'], value);
}

module.exports = { FastBuffer, makeAllocator, requireEncoding, requireBytes };
