'use strict';
// Owns: the primitives of V8's serialization format: varints, doubles, one-byte and two-byte strings.

const { AnySubarray } = require('internal/any_kind');
const {
  DataViewGetFloat64,
  DataViewSetFloat64,
  MathFloor,
  MathMax,
  RegExpTest,
  StringCharCodeAt,
  StringFromCharCode,
  TypedArraySet,
  TypedArraySlice,
  TypedArraySubarray,
} = require('internal/primordials');
const { Buffer } = require('node/buffer/buffer');

const LARGER = /[^\0-\xff]/;
const FIRST_SIZE = 64;
const SHORT = 64; // characters to write one by one
const scratch = new DataView(new ArrayBuffer(8));
const scratchBytes = new Uint8Array(scratch.buffer);

class ByteWriter {
  #bytes = new Uint8Array(FIRST_SIZE);
  length = 0;

  #room(size) {
    if (this.length + size <= this.#bytes.length) return;
    const larger = new Uint8Array(MathMax(this.#bytes.length * 2, this.length + size));
    TypedArraySet(larger, TypedArraySubarray(this.#bytes, 0, this.length));
    this.#bytes = larger;
  }

  byte(value) {
    this.#room(1);
    this.#bytes[this.length++] = value;
  }

  varint(value) {
    let rest = value;
    if (rest < 0x80) {
      if (this.length === this.#bytes.length) this.#room(1);
      this.#bytes[this.length++] = rest;
      return;
    }
    while (rest >= 0x80) {
      this.byte((rest % 0x80) | 0x80);
      rest = MathFloor(rest / 0x80);
    }
    this.byte(rest);
  }

  bigVarint(value) {
    let rest = value;
    for (; rest >= 0x80n; rest >>= 7n) this.byte(Number(rest & 0x7fn) | 0x80);
    this.byte(Number(rest));
  }

  double(value) {
    this.#room(8);
    DataViewSetFloat64(scratch, 0, value, true);
    TypedArraySet(this.#bytes, scratchBytes, this.length);
    this.length += 8;
  }

  raw(bytes) {
    this.#room(bytes.length);
    TypedArraySet(this.#bytes, bytes, this.length);
    this.length += bytes.length;
  }

  /** Writes a tagged one-byte string; returns false, writing nothing, if a character is larger. */
  oneByte(tag, text) {
    const size = text.length;
    if (size > SHORT) {
      if (RegExpTest(LARGER, text)) return false;
      this.byte(tag);
      this.varint(size);
      this.raw(Buffer.from(text, 'latin1'));
      return true;
    }
    this.#room(size + 2);
    const bytes = this.#bytes;
    const start = this.length + 2;
    for (let place = 0; place < size; place++) {
      const code = StringCharCodeAt(text, place);
      if (code > 0xff) return false;
      bytes[start + place] = code;
    }
    bytes[start - 2] = tag;
    bytes[start - 1] = size;
    this.length = start + size;
    return true;
  }

  utf16(text) {
    this.raw(Buffer.from(text, 'utf16le'));
  }

  /** Returns everything written, and starts over. */
  release() {
    const bytes = Buffer.from(TypedArraySlice(this.#bytes, 0, this.length).buffer);
    this.#bytes = new Uint8Array(FIRST_SIZE);
    this.length = 0;
    return bytes;
  }
}

/** Reads the same primitives; undefined at the end of the bytes. */
class ByteReader {
  constructor(bytes) {
    this.bytes = bytes;
    this.at = 0;
  }

  byte() {
    return this.at < this.bytes.length ? this.bytes[this.at++] : undefined;
  }

  bigVarint() {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = this.byte();
      if (byte === undefined) return undefined;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value & 0xffffffffffffffffn;
    }
  }

  varint() {
    if (this.bytes[this.at] < 0x80) return this.bytes[this.at++];
    let value = 0;
    for (let scale = 1; ; scale *= 0x80) {
      const byte = this.byte();
      if (byte === undefined) return undefined;
      if (scale < 2 ** 32) value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value >>> 0;
    }
  }

  double() {
    if (this.at + 8 > this.bytes.length) return undefined;
    for (let place = 0; place < 8; place++) scratchBytes[place] = this.bytes[this.at++];
    return DataViewGetFloat64(scratch, 0, true);
  }

  oneByte(size) {
    if (this.at + size > this.bytes.length) return undefined;
    this.at += size;
    if (size > SHORT) return Buffer.from(this.bytes.buffer, this.bytes.byteOffset + this.at - size, size).latin1Slice();
    let text = '';
    for (let place = this.at - size; place < this.at; place++) text += StringFromCharCode(this.bytes[place]);
    return text;
  }

  raw(size) {
    if (this.at + size > this.bytes.length) return undefined;
    this.at += size;
    return AnySubarray(this.bytes, this.at - size, this.at);
  }
}

module.exports = { ByteWriter, ByteReader };
