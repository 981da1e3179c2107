// @ts-check
'use strict';
// Owns: the memory under buffers: the class behind Buffer, the pool that small ones share, and what counts as bytes.

const { WeakSetAdd } = require('internal/primordials');
const { isUint8Array } = require('internal/brands');
const { codes } = require('internal/errors/errors');
const { untransferable } = require('internal/cloneable');
const { encodingOf } = require('internal/encodings');

const POOL_ALIGNMENT = 8;

class FastBuffer extends Uint8Array {
  // The default constructor of a subclass would go through the iterator of Array.prototype.
  constructor(bufferOrLength, byteOffset, length) {
    super(bufferOrLength, byteOffset, length);
  }
}

/** Allocation from a pool whose size is `sizes.poolSize`, which programs may change. */
function makeAllocator(sizes) {
  let pool; // made when first needed, so that the snapshot holds none
  let poolOffset = 0;

  function fromPool(size) {
    if (pool === undefined || size > pool.byteLength - poolOffset) {
      pool = new ArrayBuffer(sizes.poolSize);
      WeakSetAdd(untransferable, pool); // others have bytes in it
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
