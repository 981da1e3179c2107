// @ts-check
'use strict';
// Owns: the queued bytes of a byte stream, and copying them into readers' buffers.

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

  /** Removes and returns the first piece. */
  take() {
    const piece = this.#pieces.shift();
    this.total -= piece.byteLength;
    return piece;
  }

  clear() {
    this.#pieces.clear();
    this.total = 0;
  }

  // ReadableByteStreamControllerFillPullIntoDescriptorFromQueue. Returns whether the read is satisfied.
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
/** Returns the class of a typed array. A read into a Buffer yields a Buffer. */
const viewConstructor = (view) => (isInstance('Buffer', view) ? BufferView : view.constructor);
function BufferView(buffer, offset, length) {
  return late.Buffer.from(buffer, offset, length);
}

/** ReadableByteStreamControllerConvertPullIntoDescriptor */
function filledView({ buffer, byteOffset, filled, elementSize, View }) {
  return new View(ArrayBufferTransfer(buffer), byteOffset, filled / elementSize);
}

module.exports = { ByteQueue, elementSizeOf, filledView, viewConstructor };
