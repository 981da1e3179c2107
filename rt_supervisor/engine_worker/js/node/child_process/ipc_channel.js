// @ts-check
'use strict';
// Owns: messages between a program and its child over one socket: Node's JSON lines, or structured clones, each preceded by
// its length in four bytes, big-endian. node/child_process/ipc_target.js and rt/spawn/ipc.js decide what is sent and when.

const { AnyLastIndexOf, AnySlice } = require('internal/any_kind');
const {
  ArrayPush,
  ArrayShift,
  DataViewGetUint32,
  DataViewSetUint32,
  JSONParse,
  JSONStringify,
  StringSplit,
  TypedArraySet,
  TypedArraySubarray,
  intact,
} = require('internal/primordials');
const native = host.native;
const { PipeHandle } = require('internal/pipe_handle');

const NEWLINE = 10;
const BETWEEN_PROCESSES = 2; // the native module's number for clones for another process
const HEAD_BYTES = 4;
const MOST_QUEUED = 128 * 1024;

function concatenate(first, second) {
  if (first === null || first.length === 0) return second;
  const both = new Uint8Array(first.length + second.length);
  TypedArraySet(both, first);
  TypedArraySet(both, second, first.length);
  return both;
}

/** Splits blocks of lines into messages. */
class Lines {
  #rest = null;

  encode(message) {
    return native.encodeUtf8(`${JSONStringify(message)}\n`);
  }

  /** Passes each complete message to `take`. */
  feed(block, take) {
    const end = AnyLastIndexOf(block, NEWLINE);
    if (end < 0) {
      this.#rest = concatenate(this.#rest, block);
      return;
    }
    const text = native.decodeUtf8(concatenate(this.#rest, TypedArraySubarray(block, 0, end)));
    this.#rest = end + 1 < block.length ? AnySlice(block, end + 1) : null;
    for (const line of intact(StringSplit(text, '\n'))) if (line !== '') take(JSONParse(line));
  }
}

/** Splits blocks of structured clones into messages. */
class Clones {
  #parts = [];
  #size = 0;

  constructor() {
    native.setBufferPrototype(require('node/buffer/buffer').Buffer.prototype); // Buffers arrive as such
  }

  encode(message) {
    const payload = native.cloneBytes(message, BETWEEN_PROCESSES);
    const bytes = new Uint8Array(HEAD_BYTES + payload.length);
    DataViewSetUint32(new DataView(bytes.buffer), 0, payload.length);
    TypedArraySet(bytes, payload, HEAD_BYTES);
    return bytes;
  }

  feed(block, take) {
    ArrayPush(this.#parts, block);
    this.#size += block.length;
    if (this.#size < this.#sizeNeeded()) return;
    let bytes = this.#parts.length === 1 ? this.#parts[0] : this.#whole();
    const messages = [];
    while (bytes.length >= HEAD_BYTES) {
      const size = lengthOf(bytes);
      if (bytes.length - HEAD_BYTES < size) break;
      ArrayPush(messages, TypedArraySubarray(bytes, HEAD_BYTES, HEAD_BYTES + size));
      bytes = TypedArraySubarray(bytes, HEAD_BYTES + size);
    }
    this.#parts = bytes.length > 0 ? [bytes] : [];
    this.#size = bytes.length;
    for (const message of intact(messages)) {
      let value;
      try {
        value = decodeMessage(message);
      } catch (error) {
        host.reportException(error);
        continue;
      }
      take(value);
    }
  }

  #sizeNeeded() {
    if (this.#size < HEAD_BYTES) return HEAD_BYTES;
    if (this.#parts[0].length < HEAD_BYTES) this.#parts = [this.#whole()];
    return HEAD_BYTES + lengthOf(this.#parts[0]);
  }
  #whole() {
    const all = new Uint8Array(this.#size);
    let place = 0;
    for (const part of intact(this.#parts)) {
      TypedArraySet(all, part, place);
      place += part.length;
    }
    return all;
  }
}

function decodeMessage(message) {
  try {
    return native.pipes_deserialize(message);
  } catch (error) {
    throw new Error('Invalid IPC message: not a structured clone', { cause: error });
  }
}

const lengthOf = (bytes) => DataViewGetUint32(new DataView(bytes.buffer, bytes.byteOffset, HEAD_BYTES), 0);

class Channel {
  #handle;
  #format;
  #queued = 0;
  #isClosing = false;
  #arrived = []; // received descriptors that no message has claimed

  /** Calls `onMessage(message)` for each message, and `onEnd()` once when the other side has closed. */
  constructor(fd, serialization, onMessage, onEnd) {
    this.fd = fd;
    this.#handle = new PipeHandle(fd);
    this.#format = serialization === 'advanced' ? new Clones() : new Lines();
    this.#handle.readChannel((block, descriptors) => {
      if (descriptors !== undefined) ArrayPush(this.#arrived, ...intact(descriptors));
      if (block === null || typeof block === 'number') onEnd();
      else this.#format.feed(block, onMessage);
    });
  }

  /** The descriptor that arrived with a message, if any. */
  takeDescriptor() {
    return ArrayShift(this.#arrived);
  }

  /**
   * Sends a message, optionally with a descriptor; returns false if the caller should pause.
   * `callback(0 or a negative errno)` is called when it is written.
   */
  send(message, callback, descriptor) {
    const bytes = this.#format.encode(message);
    this.#queued += bytes.length;
    const done = (outcome) => {
      this.#queued -= bytes.length;
      if (this.#isClosing && (this.#queued === 0 || outcome < 0)) this.#handle.close();
      callback(outcome);
    };
    const isDone = descriptor === undefined ? this.#handle.write(bytes, done) : this.#handle.writeWith(bytes, descriptor, done);
    if (isDone) host.nextTick(done, 0);
    return this.#queued < MOST_QUEUED;
  }

  /** Closes the channel once pending messages are written. */
  close() {
    this.#isClosing = true;
    for (const descriptor of intact(this.#arrived)) native.pipes_close(descriptor);
    this.#arrived = [];
    if (this.#queued === 0) this.#handle.close();
    else this.#handle.stop();
  }
  ref() {
    this.#handle.ref();
  }
  unref() {
    this.#handle.unref();
  }
}

module.exports = { Channel };
