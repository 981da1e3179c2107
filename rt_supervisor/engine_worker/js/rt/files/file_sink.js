// @ts-check
'use strict';
// Owns: the sink that RT.file(...).writer() returns: writes are buffered until the buffer is full, the turn ends, or `flush` is
// called.

const { isError } = require('internal/brands');
const { AnySlice } = require('internal/any_kind');
const { ArrayPush, ObjectAssign, intact } = require('internal/primordials');
const native = host.native;
const sync = require('node/fs/sync');
const timers = require('internal/timers');
const { bytesOf } = require('internal/bytes');

const HIGH_WATER_MARK = 16384;

function checkedBytes(chunk) {
  const fail = (code) => ObjectAssign(new TypeError('write() expects a string, ArrayBufferView, or ArrayBuffer'), { code });
  if (chunk === undefined) throw fail('ERR_MISSING_ARGS');
  if (typeof chunk === 'string') return native.encodeUtf8(chunk);
  const bytes = chunk !== null && typeof chunk === 'object' ? bytesOf(chunk) : undefined;
  if (bytes === undefined) throw fail('ERR_INVALID_ARG_TYPE');
  return AnySlice(bytes);
}

class FileSink {
  #descriptor;
  #isOwn; // opened here, and therefore closed here
  #chunks = [];
  #pending = 0;
  #unreported = 0;
  #limit;
  #isEnded = false;

  /** `place` is a path, whose file is created or truncated, or a descriptor. */
  constructor(place, options) {
    this.#isOwn = typeof place !== 'number';
    this.#descriptor = this.#isOwn ? sync.openSync(place, 'w') : place;
    this.start(options);
  }

  start(options) {
    this.#limit = options?.highWaterMark > 0 ? options.highWaterMark : HIGH_WATER_MARK;
  }

  /** Buffers a chunk. Returns its number of bytes. */
  write(chunk) {
    const bytes = checkedBytes(chunk);
    if (this.#isEnded) return true;
    ArrayPush(this.#chunks, bytes);
    if (this.#pending === 0) timers.nextTick(() => this.#send());
    this.#pending += bytes.length;
    this.#unreported += bytes.length;
    if (this.#pending >= this.#limit) this.#send();
    return bytes.length;
  }

  #send() {
    if (this.#pending === 0) return;
    const chunks = this.#chunks;
    this.#chunks = [];
    this.#pending = 0;
    for (const bytes of intact(chunks)) native.fs_writeFile(this.#descriptor, bytes, 0, 0);
  }

  /** Writes out the buffer. Returns the number of bytes since the last flush. */
  flush() {
    if (this.#isEnded) return true;
    this.#send();
    const count = this.#unreported;
    this.#unreported = 0;
    return count;
  }

  end(error) {
    if (this.#isEnded) return 0;
    const count = this.flush();
    this.#isEnded = true;
    if (this.#isOwn) sync.closeSync(this.#descriptor);
    if (isError(error)) throw error;
    return count;
  }
  close() {
    this.end();
  }
  ref() {}
  unref() {}
}

module.exports = { FileSink };
