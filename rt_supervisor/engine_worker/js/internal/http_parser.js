// @ts-check
'use strict';
// Owns: a native HTTP/1 parser wrapped in an object, which takes chunks of input and passes parsed parts to a receiver.

const native = host.native;
const startValues = require('internal/start_values');

const { TypedArraySubarray } = require('internal/primordials');
const numbers = require('internal/http_numbers');
const { HEAD, BODY, END, UPGRADE, BEGUN, KEEP_ALIVE, WISHES_UPGRADE, HAS_BODY } = numbers;

const USUAL_LIMIT = 16 * 1024;
const ANSWERS = { __proto__: null, HEAD: numbers.TO_HEAD, CONNECT: numbers.TO_CONNECT };

class HttpParser {
  #id;
  incoming = null; // the message being received, until it has been consumed and, on a server, answered

  /** A lenient parser accepts the insecure form of messages, as Node's does with `insecureHTTPParser`. */
  constructor(isResponse, limit = startValues.maxHeaderSize ?? USUAL_LIMIT, isLenient = false) {
    this.#id = native.httpParserNew(isResponse ? 1 : 0, limit, isLenient);
  }

  /** Sets the method of the request that the next responses answer: responses to HEAD and CONNECT have no body. */
  answers(method) {
    native.httpParserAnswers(this.#id, ANSWERS[method] ?? numbers.TO_OTHER);
  }

  /**
   * Parses `bytes` and calls `receiver`: head(method or status, target or reason, version, rawHeaders, flags), body(bytes),
   * end(rawTrailers), and beginHead() when part of a head has arrived. Returns undefined, or why the parser stopped: { isUpgrade,
   * offset } (calling again continues as if no upgrade had been requested) or { error, offset }. A receiver that frees the
   * parser is not called again.
   */
  execute(bytes, receiver) {
    return this.deliver(native.httpParserExecute(this.#id, bytes), bytes, receiver);
  }

  /**
   * Reads from `handle` and parses what arrives: calls `callback(items, bytes, size)`, which passes items and bytes to `deliver`; at
   * the end `callback(null)`, or with a negative errno. Once the parser is freed, items are undefined.
   */
  readFrom(handle, callback) {
    if (!this.isFreed && handle.readDecoded !== undefined) {
      handle.readDecoded((fd, take) => native.httpParserRead(fd, take, this.#id), callback);
      return;
    }
    handle.read((block) => {
      if (typeof block !== 'object' || block === null) callback(block);
      else callback(this.isFreed ? undefined : native.httpParserExecute(this.#id, block), block, block.length);
    });
  }

  finish(receiver) {
    return this.deliver(native.httpParserFinish(this.#id), undefined, receiver);
  }

  /** Calls `receiver` for the parsed items of `bytes`; the result is that of `execute`. */
  deliver(items, bytes, receiver) {
    if (items === undefined) return undefined;
    for (let i = 0; i < items.length && this.#id !== -1;) {
      switch (items[i]) {
        case HEAD:
          receiver.head(items[i + 1], items[i + 2], items[i + 3], items[i + 4], items[i + 5]);
          i += 6;
          break;
        case BODY:
          receiver.body(TypedArraySubarray(bytes, items[i + 1], items[i + 2]));
          i += 3;
          break;
        case END:
          receiver.end(items[i + 1]);
          i += 2;
          break;
        case BEGUN:
          receiver.beginHead?.();
          i += 1;
          break;
        case UPGRADE:
          return { isUpgrade: true, offset: items[i + 1], error: undefined };
        default:
          return { isUpgrade: false, offset: items[i + 3], error: parseError(items[i + 1], items[i + 2], items[i + 3], bytes) };
      }
    }
    return undefined;
  }

  get isFreed() {
    return this.#id === -1;
  }

  free() {
    this.close();
  }

  /** Like `free`, for a program that has replaced that. */
  close() {
    if (this.#id === -1) return;
    this.incoming = null;
    native.httpParserFree(this.#id);
    this.#id = -1;
  }
}

/** Returns the error that Node's parser reports; `bytes` is the chunk with the error. */
function parseError(code, reason, offset, bytes) {
  const error = new Error(`Parse Error: ${reason}`);
  error.bytesParsed = offset;
  error.code = `HPE_${code}`;
  error.reason = reason;
  if (bytes !== undefined) error.rawPacket = bytes;
  return error;
}

module.exports = { HttpParser, KEEP_ALIVE, WISHES_UPGRADE, HAS_BODY };
