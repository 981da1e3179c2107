// @ts-check
'use strict';
// Owns: access to a guest's memory. It may grow between two calls, and be shared between threads; an access outside of it
// ends the call with EOVERFLOW.

const {
  ArrayPush,
  DataViewGetUint16,
  DataViewGetUint32,
  DataViewSetUint16,
  DataViewSetUint32,
  TypedArraySet,
} = require('internal/primordials');
const { isSharedArrayBuffer } = require('internal/brands');
const { Failed } = require('node/wasi/errno');

class GuestMemory {
  #memory;

  /** @param {{ buffer: ArrayBufferLike }} memory */
  constructor(memory) {
    this.#memory = memory;
  }

  /** @param {number} at @param {number} size */
  #view(at, size) {
    const { buffer } = this.#memory;
    if (at + size > buffer.byteLength) throw new Failed('OVERFLOW');
    return new DataView(buffer, at, size);
  }

  /** A view of the bytes, not a copy. @param {number} at @param {number} size */
  bytes(at, size) {
    const { buffer } = this.#memory;
    if (at + size > buffer.byteLength) throw new Failed('OVERFLOW');
    return new Uint8Array(buffer, at, size);
  }

  /** Bytes for a host function, which does not accept shared memory: a copy if the memory is shared. */
  bytesForHost(at, size) {
    const bytes = this.bytes(at, size);
    return isSharedArrayBuffer(bytes.buffer) ? new Uint8Array(bytes) : bytes;
  }

  /** Lets `fill(bytes)` write to the memory, through a copy if it is shared. Returns its result. */
  fill(at, size, fill) {
    const bytes = this.bytes(at, size);
    if (!isSharedArrayBuffer(bytes.buffer)) return fill(bytes);
    const copy = new Uint8Array(bytes);
    const result = fill(copy);
    TypedArraySet(bytes, copy);
    return result;
  }

  text(at, size) {
    return host.native.decodeUtf8(new Uint8Array(this.bytes(at, size)));
  }

  /** Writes bytes. @param {number} at @param {Uint8Array} bytes */
  write(at, bytes) {
    TypedArraySet(this.bytes(at, bytes.length), bytes);
  }

  byte(at) {
    return this.bytes(at, 1)[0];
  }
  setByte(at, value) {
    this.bytes(at, 1)[0] = value;
  }
  short(at) {
    return DataViewGetUint16(this.#view(at, 2), 0, true);
  }
  setShort(at, value) {
    DataViewSetUint16(this.#view(at, 2), 0, value, true);
  }
  word(at) {
    return DataViewGetUint32(this.#view(at, 4), 0, true);
  }
  setWord(at, value) {
    DataViewSetUint32(this.#view(at, 4), 0, value, true);
  }
  /** Reads 64 bits. @returns {bigint} */
  long(at) {
    const view = this.#view(at, 8);
    return (BigInt(DataViewGetUint32(view, 4, true)) << 32n) | BigInt(DataViewGetUint32(view, 0, true));
  }
  /** @param {number} at @param {bigint} value */
  setLong(at, value) {
    const view = this.#view(at, 8);
    DataViewSetUint32(view, 0, Number(value & 0xffffffffn), true);
    DataViewSetUint32(view, 4, Number((value >> 32n) & 0xffffffffn), true);
  }

  /** The parts named by a list of [address, size]. @returns {{ at: number, size: number }[]} */
  parts(at, count) {
    this.bytes(at, count * 8);
    const parts = [];
    for (let index = 0; index < count; index++) {
      const part = { at: this.word(at + index * 8), size: this.word(at + index * 8 + 4) };
      this.bytes(part.at, part.size);
      ArrayPush(parts, part);
    }
    return parts;
  }
}

module.exports = { GuestMemory };
