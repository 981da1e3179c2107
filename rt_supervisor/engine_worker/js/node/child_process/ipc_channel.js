'use strict';
// Owns: the messages between a program and its child over one socket: Node's lines of JSON, or structured clones, each
// behind its length in four bytes, the highest first. Who may send what when is said by node/child_process/ipc_target.js and rt/ipc.js.

const native = host.native;
const { PipeHandle } = require('internal/pipe_handle');

const NEWLINE = 10;
const BETWEEN_PROCESSES = 2; // the form of messages, for the native module
const HEAD_BYTES = 4;
const MOST_QUEUED = 128 * 1024;

function joined(first, second) {
  if (first === null || first.length === 0) return second;
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}

/** Complete messages out of blocks of lines. */
class Lines {
  #rest = null;

  encode(message) {
    return native.encodeUtf8(`${JSON.stringify(message)}\n`);
  }

  /** Give each complete message to `take`. */
  feed(block, take) {
    const end = block.lastIndexOf(NEWLINE);
    if (end < 0) {
      this.#rest = joined(this.#rest, block);
      return;
    }
    const text = native.decodeUtf8(joined(this.#rest, block.subarray(0, end)));
    this.#rest = end + 1 < block.length ? block.slice(end + 1) : null;
    for (const line of text.split('\n')) if (line !== '') take(JSON.parse(line));
  }
}

/** Complete messages out of blocks of structured clones. */
class Clones {
  #parts = [];
  #size = 0;

  constructor() {
    native.setBufferPrototype(require('node/buffer/buffer').Buffer.prototype); // Buffers arrive as such
  }

  encode(message) {
    const payload = native.cloneBytes(message, BETWEEN_PROCESSES);
    const bytes = new Uint8Array(HEAD_BYTES + payload.length);
    new DataView(bytes.buffer).setUint32(0, payload.length);
    bytes.set(payload, HEAD_BYTES);
    return bytes;
  }

  feed(block, take) {
    this.#parts.push(block);
    this.#size += block.length;
    if (this.#size < this.#wanted()) return;
    let bytes = this.#parts.length === 1 ? block : this.#whole();
    const messages = [];
    while (bytes.length >= HEAD_BYTES) {
      const size = lengthOf(bytes);
      if (bytes.length - HEAD_BYTES < size) break;
      messages.push(bytes.subarray(HEAD_BYTES, HEAD_BYTES + size));
      bytes = bytes.subarray(HEAD_BYTES + size);
    }
    this.#parts = bytes.length > 0 ? [bytes] : [];
    this.#size = bytes.length;
    for (const message of messages) {
      let value;
      try {
        value = decoded(message);
      } catch (error) {
        host.reportException(error);
        continue;
      }
      take(value);
    }
  }

  #wanted() {
    if (this.#size < HEAD_BYTES) return HEAD_BYTES;
    if (this.#parts[0].length < HEAD_BYTES) this.#parts = [this.#whole()];
    return HEAD_BYTES + lengthOf(this.#parts[0]);
  }
  #whole() {
    const all = new Uint8Array(this.#size);
    let place = 0;
    for (const part of this.#parts) {
      all.set(part, place);
      place += part.length;
    }
    return all;
  }
}

function decoded(message) {
  try {
    return native.pipes_deserialize(message);
  } catch (error) {
    throw new Error('A message of the other process cannot be read: it is no structured clone', { cause: error });
  }
}

const lengthOf = (bytes) => new DataView(bytes.buffer, bytes.byteOffset, HEAD_BYTES).getUint32(0);

class Channel {
  #handle;
  #format;
  #queued = 0;
  #isClosing = false;

  /** `onMessage(message)` for each message, `onEnd()` once when the other side is gone. */
  constructor(fd, serialization, onMessage, onEnd) {
    this.fd = fd;
    this.#handle = new PipeHandle(fd);
    this.#format = serialization === 'advanced' ? new Clones() : new Lines();
    this.#handle.read((block) => {
      if (block === null || typeof block === 'number') onEnd();
      else this.#format.feed(block, onMessage);
    });
  }

  /** Send; whether little enough waits that more may come. `callback(0 or a negative errno)` when it is out. */
  send(message, callback) {
    const bytes = this.#format.encode(message);
    this.#queued += bytes.length;
    const done = (outcome) => {
      this.#queued -= bytes.length;
      if (this.#isClosing && (this.#queued === 0 || outcome < 0)) this.#handle.close();
      callback(outcome);
    };
    if (this.#handle.write(bytes, done)) host.nextTick(done, 0);
    return this.#queued < MOST_QUEUED;
  }

  /** Close it once what was sent is out. */
  close() {
    this.#isClosing = true;
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
