// @ts-check
'use strict';
// Owns: the bytes that a byte stream has in store, and how they get into the buffers of those who read.

const { ArrayBufferTransfer, MathMin, TypedArraySet } = require('internal/primordials');
const { isDataView } = require('internal/brands');
const { late, isInstance } = require('internal/late_classes');
const { Fifo } = require('web/streams/basics');

class ByteQueue {
  total = 0; // bytes
  #pieces = new Fifo(); // { buffer, byteOffset, byteLength }

  put(buffer, byteOffset, byteLength) {
    this.#pieces.push({ buffer, byteOffset, byteLength });
    this.total += byteLength;
  }

  /** The first piece. */
  take() {
    const piece = this.#pieces.shift();
    this.total -= piece.byteLength;
    return piece;
  }

  clear() {
    this.#pieces.clear();
    this.total = 0;
  }

  // ReadableByteStreamControllerFillPullIntoDescriptorFromQueue; whether enough is there for the read
  fill(descriptor) {
    const most = MathMin(this.total, descriptor.byteLength - descriptor.filled);
    const filled = descriptor.filled + most;
    const aligned = filled - (filled % descriptor.elementSize);
    const isReady = aligned >= descriptor.minimum;
    let rest = isReady ? aligned - descriptor.filled : most;
    while (rest > 0) {
      const head = this.#pieces.first();
      const count = MathMin(rest, head.byteLength);
      TypedArraySet(
        new Uint8Array(descriptor.buffer, descriptor.byteOffset + descriptor.filled, count),
        new Uint8Array(head.buffer, head.byteOffset, count),
      );
      if (head.byteLength === count) {
        this.#pieces.shift();
      } else {
        head.byteOffset += count;
        head.byteLength -= count;
      }
      this.total -= count;
      descriptor.filled += count;
      rest -= count;
    }
    return isReady;
  }
}

const elementSizeOf = (view) => (isDataView(view) ? 1 : view.BYTES_PER_ELEMENT);
/** The class of a typed array as it was made: a Buffer is read as a Buffer, too. */
const viewConstructor = (view) => (isInstance('Buffer', view) ? BufferView : view.constructor);
function BufferView(buffer, offset, length) {
  return late.Buffer.from(buffer, offset, length);
}

/** ReadableByteStreamControllerConvertPullIntoDescriptor */
function filledView({ buffer, byteOffset, filled, elementSize, View }) {
  return new View(ArrayBufferTransfer(buffer), byteOffset, filled / elementSize);
}

module.exports = { ByteQueue, elementSizeOf, filledView, viewConstructor };
