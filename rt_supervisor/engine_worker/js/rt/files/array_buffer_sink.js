// @ts-check
'use strict';
// Owns: RT.ArrayBufferSink: collects writes into one buffer; in stream mode, every flush returns what has been collected.

const { ArrayPush, ObjectAssign } = require('internal/primordials');
const { bytesOf, concatArrayBuffers } = require('internal/bytes');

class ArrayBufferSink {
  #parts = [];
  #isStream = false;
  #asUint8Array = false;

  start(options = {}) {
    this.#isStream = Boolean(options?.stream);
    this.#asUint8Array = Boolean(options?.asUint8Array);
  }

  write(chunk) {
    const bytes = typeof chunk === 'string' ? host.native.encodeUtf8(chunk) : bytesOf(chunk)?.slice();
    if (bytes === undefined) {
      throw ObjectAssign(new TypeError('write() expects a string, ArrayBufferView, or ArrayBuffer'), {
        code: 'ERR_INVALID_ARG_TYPE',
      });
    }
    ArrayPush(this.#parts, bytes);
    return bytes.length;
  }

  #take() {
    const whole = concatArrayBuffers(this.#parts, Infinity, this.#asUint8Array);
    this.#parts = [];
    return whole;
  }

  flush() {
    return this.#isStream ? this.#take() : 0;
  }

  end() {
    return this.#take();
  }

  close() {
    this.#parts = [];
  }

  ref() {}

  unref() {}
}

module.exports = { ArrayBufferSink };
