'use strict';
// Owns: duplexPair: two duplexes, each of which reads what is written to the other.

const { intact } = require('internal/primordials');
const { nextTick } = require('internal/timers');
const Duplex = require('node/stream/duplex');

class Side extends Duplex {
  #other = null;
  #callback = null; // of the other side's write, until this side has read the chunk

  static join(one, other) {
    one.#other = other;
    other.#other = one;
  }

  _read() {
    const callback = this.#callback;
    this.#callback = null;
    callback?.();
  }

  _write(chunk, encoding, callback) {
    if (chunk.length === 0) {
      nextTick(callback);
      return;
    }
    this.#other.push(chunk);
    this.#other.#callback = callback;
  }

  _final(callback) {
    this.#other.on('end', callback);
    this.#other.push(null);
  }

  _destroy(error, callback) {
    const other = this.#other;
    if (other !== null && !other.destroyed) {
      // The other side ends with this one: with the same error, or with 'end'.
      nextTick(() => {
        if (other.destroyed) return;
        if (error) other.destroy(error);
        else other.push(null);
      });
    }
    callback(error);
  }
}

function duplexPair(options) {
  const pair = [new Side(options), new Side(options)];
  Side.join(...intact(pair));
  return pair;
}

module.exports = { duplexPair };
