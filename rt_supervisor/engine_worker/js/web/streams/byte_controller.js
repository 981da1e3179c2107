// @ts-check
'use strict';
// Owns: the algorithms of byte streams (Streams standard §4.7, §4.10.11): bytes are queued, or the source writes them directly
// into the reader's buffer. The public classes are in web/streams/byte_classes.js.
//
// Invariant: a buffer that enters or leaves is transferred, so that only one side can access it. `pending` holds the reads with
// a buffer, each a pull-into descriptor (§4.7.2).

const { isDataView } = require('internal/brands');
const { AnyClear, AnySlice } = require('internal/any_kind');
const { ArrayBufferTransfer, ArrayPush, ArrayShift, intact } = require('internal/primordials');
const { rangeError, stateError } = require('web/streams/basics');
const { PullingController } = require('web/streams/pulling');
const { ByteQueue, elementSizeOf, filledView, viewConstructor } = require('web/streams/byte_queue');
const readable = require('web/streams/readable');
const classes = require('web/streams/byte_classes');

const isDetached = (buffer) => buffer.detached;

class ByteControllerRecord extends PullingController {
  isBytes = true;
  queue = new ByteQueue();
  closeRequested = false;
  pending = []; // pull-into descriptors
  /** @type {any} */
  byobRequest = null;

  /** SetUpReadableByteStreamController */
  constructor(stream, { pull, cancel, highWaterMark, autoAllocateChunkSize }) {
    super(stream, { pull, cancel, highWaterMark });
    this.autoAllocateChunkSize = autoAllocateChunkSize;
    this.object = classes.controllerFor(this);
  }

  shouldPull() {
    const { stream } = this;
    if (stream.state !== 'readable' || this.closeRequested || !this.isStarted) return false;
    if (readable.waitingReads(stream) > 0 || readable.waitingReadIntos(stream) > 0) return true;
    return (this.desiredSize() ?? 0) > 0;
  }

  desiredSize() {
    if (this.stream.state === 'errored') return null;
    if (this.stream.state === 'closed') return 0;
    return this.highWaterMark - this.queue.total;
  }

  #clearAlgorithms() {
    this.pullAlgorithm = this.cancelAlgorithm = undefined;
  }
  #clearPending() {
    this.#invalidateRequest();
    this.pending = [];
  }

  // ReadableByteStreamControllerInvalidateBYOBRequest
  #invalidateRequest() {
    if (this.byobRequest === null) return;
    classes.invalidate(this.byobRequest);
    this.byobRequest = null;
  }

  error(reason) {
    if (this.stream.state !== 'readable') return;
    this.#clearPending();
    AnyClear(this.queue);
    this.#clearAlgorithms();
    readable.error(this.stream, reason);
  }

  close() {
    if (this.closeRequested || this.stream.state !== 'readable') return;
    if (this.queue.total > 0) {
      this.closeRequested = true;
      return;
    }
    if (this.pending.length > 0 && this.pending[0].filled % this.pending[0].elementSize !== 0) {
      const error = stateError('Partial read');
      this.error(error);
      throw error;
    }
    this.#clearAlgorithms();
    readable.close(this.stream);
  }

  // ReadableByteStreamControllerEnqueue
  enqueue(chunk) {
    const { stream } = this;
    if (this.closeRequested || stream.state !== 'readable') return;
    const { buffer, byteOffset, byteLength } = chunk;
    if (isDetached(buffer)) throw stateError('Chunk is zero-length or detached');
    const transferred = ArrayBufferTransfer(buffer);
    const first = this.pending[0];
    if (first !== undefined) {
      if (isDetached(first.buffer)) throw stateError('Destination buffer is detached');
      this.#invalidateRequest();
      first.buffer = ArrayBufferTransfer(first.buffer);
      if (first.readerType === 'none') this.#enqueueDetached(first);
    }
    if (stream.reader !== undefined && !stream.reader.isByob) {
      this.#fillReadRequests();
      if (readable.waitingReads(stream) === 0) {
        this.queue.put(transferred, byteOffset, byteLength);
      } else {
        if (this.pending.length > 0) ArrayShift(this.pending);
        readable.fulfill(stream, new Uint8Array(transferred, byteOffset, byteLength), false);
      }
    } else if (stream.reader?.isByob) {
      this.queue.put(transferred, byteOffset, byteLength);
      this.#commitFilled(this.#fillPending());
    } else {
      this.queue.put(transferred, byteOffset, byteLength);
    }
    this.pullIfNeeded();
  }

  // ReadableByteStreamControllerEnqueueClonedChunkToQueue
  #putCopy(buffer, byteOffset, byteLength) {
    let copy;
    try {
      copy = AnySlice(buffer, byteOffset, byteOffset + byteLength);
    } catch (error) {
      this.error(error);
      throw error;
    }
    this.queue.put(copy, 0, byteLength);
  }

  // ReadableByteStreamControllerEnqueueDetachedPullIntoToQueue
  #enqueueDetached(descriptor) {
    if (descriptor.filled > 0) this.#putCopy(descriptor.buffer, descriptor.byteOffset, descriptor.filled);
    ArrayShift(this.pending);
  }

  // ReadableByteStreamControllerProcessReadRequestsUsingQueue
  #fillReadRequests() {
    const { reader } = this.stream;
    while (reader.requests.length > 0 && this.queue.total > 0) this.#fillRequest(reader.requests.shift());
  }

  // ReadableByteStreamControllerFillReadRequestFromQueue
  #fillRequest(request) {
    const { buffer, byteOffset, byteLength } = this.queue.take();
    this.#handleDrain();
    request.chunk(new Uint8Array(buffer, byteOffset, byteLength));
  }

  // ReadableByteStreamControllerHandleQueueDrain
  #handleDrain() {
    if (this.queue.total === 0 && this.closeRequested) {
      this.#clearAlgorithms();
      readable.close(this.stream);
    } else {
      this.pullIfNeeded();
    }
  }

  // ReadableByteStreamControllerProcessPullIntoDescriptorsUsingQueue
  #fillPending() {
    const filled = [];
    while (this.pending.length > 0 && this.queue.total > 0) {
      if (!this.queue.fill(this.pending[0])) break;
      ArrayPush(filled, this.#shiftPending());
    }
    return filled;
  }

  #shiftPending() {
    this.#invalidateRequest();
    return ArrayShift(this.pending);
  }

  #commitFilled(descriptors) {
    for (const descriptor of intact(descriptors)) this.#commit(descriptor);
  }

  // ReadableByteStreamControllerCommitPullIntoDescriptor
  #commit(descriptor) {
    const isDone = this.stream.state === 'closed';
    readable.fulfill(this.stream, filledView(descriptor), isDone);
  }

  // ReadableByteStreamControllerPullInto
  pullInto(view, minimum, request) {
    const { stream } = this;
    const elementSize = elementSizeOf(view);
    const { byteOffset, byteLength } = view;
    const View = isDataView(view) ? DataView : viewConstructor(view);
    let buffer;
    try {
      buffer = ArrayBufferTransfer(view.buffer);
    } catch (error) {
      request.error(error);
      return;
    }
    const descriptor = {
      buffer,
      bufferByteLength: buffer.byteLength,
      byteOffset,
      byteLength,
      filled: 0,
      minimum: minimum * elementSize,
      elementSize,
      View,
      readerType: 'byob',
    };
    if (this.pending.length > 0) {
      ArrayPush(this.pending, descriptor);
      stream.reader.requests.push(request);
      return;
    }
    if (stream.state === 'closed') {
      request.close(new View(buffer, byteOffset, 0));
      return;
    }
    if (this.queue.total > 0) {
      if (this.queue.fill(descriptor)) {
        const filled = filledView(descriptor);
        this.#handleDrain();
        request.chunk(filled);
        return;
      }
      if (this.closeRequested) {
        const error = stateError('Partial read');
        this.error(error);
        request.error(error);
        return;
      }
    }
    ArrayPush(this.pending, descriptor);
    stream.reader.requests.push(request);
    this.pullIfNeeded();
  }

  pullSteps(request) {
    if (this.queue.total > 0) {
      this.#fillRequest(request);
      return;
    }
    const size = this.autoAllocateChunkSize;
    if (size !== undefined) {
      let buffer;
      try {
        buffer = new ArrayBuffer(size);
      } catch (error) {
        request.error(error);
        return;
      }
      ArrayPush(this.pending, {
        buffer,
        bufferByteLength: size,
        byteOffset: 0,
        byteLength: size,
        filled: 0,
        minimum: 1,
        elementSize: 1,
        View: Uint8Array,
        readerType: 'default',
      });
    }
    this.stream.reader.requests.push(request);
    this.pullIfNeeded();
  }

  cancelSteps(reason) {
    this.#clearPending();
    AnyClear(this.queue);
    const result = this.cancelAlgorithm(reason);
    this.#clearAlgorithms();
    return result;
  }

  releaseSteps() {
    if (this.pending.length === 0) return;
    this.pending[0].readerType = 'none';
    this.pending = [this.pending[0]];
  }

  // ReadableByteStreamControllerGetBYOBRequest
  getRequest() {
    if (this.byobRequest === null && this.pending.length > 0) {
      const { 0: first } = this.pending;
      const view = new Uint8Array(first.buffer, first.byteOffset + first.filled, first.byteLength - first.filled);
      this.byobRequest = classes.requestFor(this, view);
    }
    return this.byobRequest;
  }

  // ReadableByteStreamControllerRespond
  respond(count) {
    const { 0: first } = this.pending;
    if (this.stream.state === 'closed') {
      if (count !== 0) throw stateError('Cannot respond with bytes to a closed stream');
    } else {
      if (count === 0) throw stateError('View or Viewed ArrayBuffer is zero-length or detached');
      if (first.filled + count > first.byteLength) throw rangeError('bytesWritten', count);
    }
    first.buffer = ArrayBufferTransfer(first.buffer);
    this.#respondInternal(count);
  }

  // ReadableByteStreamControllerRespondWithNewView
  respondWithNewView(view) {
    const { 0: first } = this.pending;
    if (this.stream.state === 'closed') {
      if (view.byteLength !== 0) throw stateError('View is not zero-length');
    } else if (view.byteLength === 0) {
      throw stateError('View or Viewed ArrayBuffer is zero-length or detached');
    }
    if (first.byteOffset + first.filled !== view.byteOffset) throw rangeError('view', view);
    if (first.bufferByteLength !== view.buffer.byteLength) throw rangeError('view', view);
    if (first.filled + view.byteLength > first.byteLength) throw rangeError('view', view);
    const count = view.byteLength;
    first.buffer = ArrayBufferTransfer(view.buffer);
    this.#respondInternal(count);
  }

  // ReadableByteStreamControllerRespondInternal
  #respondInternal(count) {
    const { 0: first } = this.pending;
    this.#invalidateRequest();
    if (this.stream.state === 'closed') this.#respondWhenClosed(first);
    else this.#respondWhenReadable(count, first);
    this.pullIfNeeded();
  }

  #respondWhenClosed(first) {
    if (first.readerType === 'none') this.#shiftPending();
    if (!this.stream.reader?.isByob) return;
    const filled = [];
    while (filled.length < readable.waitingReadIntos(this.stream)) ArrayPush(filled, this.#shiftPending());
    this.#commitFilled(filled);
  }

  #respondWhenReadable(count, descriptor) {
    descriptor.filled += count;
    if (descriptor.readerType === 'none') {
      this.#enqueueDetached(descriptor);
      this.#commitFilled(this.#fillPending());
      return;
    }
    if (descriptor.filled < descriptor.minimum) return;
    this.#shiftPending();
    const rest = descriptor.filled % descriptor.elementSize;
    if (rest > 0) {
      const end = descriptor.byteOffset + descriptor.filled;
      this.#putCopy(descriptor.buffer, end - rest, rest);
    }
    descriptor.filled -= rest;
    const filled = this.#fillPending();
    this.#commit(descriptor);
    this.#commitFilled(filled);
  }
}

module.exports = { ByteControllerRecord };
