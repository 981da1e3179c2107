// @ts-check
'use strict';
// Owns: messages of PostgreSQL's protocol (version 3): encoding, and decoding from chunks of any size.

const { ArrayPush, StringCharCodeAt, StringFromCharCode, StringIncludes, intact } = require('internal/primordials');
const { Buffer } = require('node/buffer/buffer');

const HEAD = 5;

/** Builds the bytes of one message. */
class Message {
  #parts = [];
  #size = 0;

  constructor(type) {
    this.type = type;
  }
  #add(bytes) {
    ArrayPush(this.#parts, bytes);
    this.#size += bytes.length;
    return this;
  }
  int32(value) {
    const bytes = Buffer.alloc(4);
    bytes.writeInt32BE(value, 0);
    return this.#add(bytes);
  }
  int16(value) {
    const bytes = Buffer.alloc(2);
    bytes.writeUInt16BE(value, 0);
    return this.#add(bytes);
  }
  text(value) {
    if (StringIncludes(value, '\0')) throw new TypeError('PostgreSQL text cannot contain a zero byte');
    return this.#add(Buffer.from(`${value}\0`));
  }
  raw(bytes) {
    return this.#add(bytes);
  }
  /** Appends bytes prefixed with their length; null encodes NULL. */
  value(bytes) {
    return bytes === null ? this.int32(-1) : this.int32(bytes.length).#add(bytes);
  }
  bytes() {
    const head = Buffer.alloc(this.type === '' ? 4 : HEAD);
    if (this.type !== '') head[0] = StringCharCodeAt(this.type, 0);
    head.writeInt32BE(this.#size + 4, head.length - 4);
    return Buffer.concat([head, ...intact(this.#parts)]);
  }
}

/** Reads a message's body sequentially. */
class Body {
  #place = 0;

  constructor(bytes) {
    this.bytes = bytes;
  }
  get isEnd() {
    return this.#place >= this.bytes.length;
  }
  byte() {
    return this.bytes[this.#place++];
  }
  int16() {
    this.#place += 2;
    return this.bytes.readInt16BE(this.#place - 2);
  }
  int32() {
    this.#place += 4;
    return this.bytes.readInt32BE(this.#place - 4);
  }
  text() {
    const end = this.bytes.indexOf(0, this.#place);
    const text = this.bytes.utf8Slice(this.#place, end);
    this.#place = end + 1;
    return text;
  }
  take(count) {
    this.#place += count;
    return this.bytes.subarray(this.#place - count, this.#place);
  }
  rest() {
    return this.bytes.subarray(this.#place);
  }
}

class MessageReader {
  #pieces = [];
  #size = 0;
  #needs = HEAD;

  /** `take(type, body)` receives each message. */
  push(piece, take) {
    ArrayPush(this.#pieces, piece);
    this.#size += piece.length;
    if (this.#size < this.#needs) return;
    let bytes = this.#pieces.length === 1 ? this.#pieces[0] : Buffer.concat(this.#pieces);
    this.#needs = HEAD;
    while (bytes.length >= HEAD) {
      const length = bytes.readInt32BE(1) + 1;
      if (bytes.length < length) {
        this.#needs = length;
        break;
      }
      const type = StringFromCharCode(bytes[0]);
      const body = new Body(bytes.subarray(HEAD, length));
      bytes = bytes.subarray(length);
      take(type, body);
    }
    this.#pieces = bytes.length === 0 ? [] : [bytes];
    this.#size = bytes.length;
  }
}

module.exports = { Message, MessageReader };
