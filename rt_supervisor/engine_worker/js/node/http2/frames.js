// @ts-check
'use strict';
// Owns: HTTP/2 frames (RFC 9113 §4, §6) on the wire: encoding, and decoding from chunks of any size.

const {
  ArrayForEach,
  ArrayPush,
  ArrayShift,
  DataViewSetUint32,
  MathMin,
  StringCharCodeAt,
  TypedArraySet,
  TypedArraySubarray,
  intact,
} = require('internal/primordials');
const { unclearedBytes } = require('internal/bytes');
const TYPE = {
  __proto__: null,
  DATA: 0,
  HEADERS: 1,
  PRIORITY: 2,
  RST_STREAM: 3,
  SETTINGS: 4,
  PUSH_PROMISE: 5,
  PING: 6,
  GOAWAY: 7,
  WINDOW_UPDATE: 8,
  CONTINUATION: 9,
  ALTSVC: 10,
  ORIGIN: 12,
};
const FLAG = { __proto__: null, END_STREAM: 1, ACK: 1, END_HEADERS: 4, PADDED: 8, PRIORITY: 32 };
const HEAD_BYTES = 9;
const PREFACE = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n';

function head(length, type, flags, id) {
  const bytes = new Uint8Array(HEAD_BYTES);
  putHead(bytes, length, type, flags, id);
  return bytes;
}
function putHead(bytes, length, type, flags, id) {
  bytes[0] = length >> 16;
  bytes[1] = length >> 8;
  bytes[2] = length;
  bytes[3] = type;
  bytes[4] = flags;
  putNumber(bytes, 5, id);
}
function putNumber(bytes, place, value) {
  bytes[place] = value >>> 24;
  bytes[place + 1] = value >>> 16;
  bytes[place + 2] = value >>> 8;
  bytes[place + 3] = value;
}
const numberAt = (bytes, place) =>
  ((bytes[place] << 24) | (bytes[place + 1] << 16) | (bytes[place + 2] << 8) | bytes[place + 3]) >>> 0;

/** Encodes a frame. */
function frame(type, flags, id, payload) {
  const bytes = new Uint8Array(HEAD_BYTES + payload.length);
  putHead(bytes, payload.length, type, flags, id);
  TypedArraySet(bytes, payload, HEAD_BYTES);
  return bytes;
}
/** Encodes a frame with a payload of 32-bit integers. */
function frameOfNumbers(type, flags, id, ...numbers) {
  const bytes = new Uint8Array(HEAD_BYTES + 4 * numbers.length);
  putHead(bytes, 4 * numbers.length, type, flags, id);
  ArrayForEach(numbers, (number, index) => putNumber(bytes, HEAD_BYTES + 4 * index, number));
  return bytes;
}

class FrameReader {
  #pieces = []; // chunks of an incomplete frame
  #size = 0; // their total size
  #needed = 0; // bytes needed to make progress
  #isReading = false;
  #later = []; // chunks that arrived while frames were being handled
  limit = 16384;

  constructor(preface) {
    this.preface = preface;
  }

  /**
   * Calls `take(type, flags, id, payload)` for each complete frame until it returns false; `fail(code)` for an invalid one.
   */
  push(piece, take, fail) {
    if (this.#isReading) {
      ArrayPush(this.#later, piece);
      return;
    }
    this.#isReading = true;
    try {
      for (let next = piece; next !== undefined; next = ArrayShift(this.#later)) {
        if (!this.#read(next, take, fail)) return;
      }
    } finally {
      this.#isReading = false;
    }
  }

  /** Returns false if no more frames are wanted. */
  #read(piece, take, fail) {
    let bytes = piece;
    if (this.#pieces.length > 0) {
      ArrayPush(this.#pieces, piece);
      this.#size += piece.length;
      if (this.#size < this.#needed) return true;
      bytes = concatenate(this.#pieces, this.#size);
      this.#pieces = [];
    }
    this.#needed = HEAD_BYTES;
    let place = 0;
    if (this.preface !== undefined) {
      place = this.#preface(bytes, fail);
      if (place < 0) return false;
    }
    while (this.preface === undefined && bytes.length - place >= HEAD_BYTES) {
      const length = (bytes[place] << 16) | (bytes[place + 1] << 8) | bytes[place + 2];
      if (length > this.limit) {
        fail(6);
        return false;
      }
      const end = place + HEAD_BYTES + length;
      if (end > bytes.length) {
        this.#needed = HEAD_BYTES + length;
        break;
      }
      const id = numberAt(bytes, place + 5) & 0x7fffffff;
      const payload = TypedArraySubarray(bytes, place + HEAD_BYTES, end);
      const type = bytes[place + 3];
      const flags = bytes[place + 4];
      place = end;
      if (take(type, flags, id, payload) === false) return false;
    }
    this.#size = bytes.length - place;
    if (this.#size > 0) ArrayPush(this.#pieces, place === 0 ? bytes : TypedArraySubarray(bytes, place));
    return true;
  }

  /** The number of bytes that belong to the preface; negative if it is invalid. */
  #preface(bytes, fail) {
    const count = MathMin(bytes.length, PREFACE.length);
    for (let i = 0; i < count; i++) {
      if (bytes[i] !== StringCharCodeAt(PREFACE, i)) {
        fail(1);
        return -1;
      }
    }
    if (count < PREFACE.length) {
      this.#needed = 0;
      return 0;
    }
    this.preface = undefined;
    return count;
  }
}

function concatenate(pieces, size) {
  const whole = unclearedBytes(size);
  let place = 0;
  for (const piece of intact(pieces)) {
    TypedArraySet(whole, piece, place);
    place += piece.length;
  }
  return whole;
}

/** Encodes a GOAWAY frame: the last handled stream, an error code, and debug data. */
function goawayFrame(lastId, code, data) {
  const extra = data === undefined ? new Uint8Array(0) : new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  const payload = new Uint8Array(8 + extra.length);
  const view = new DataView(payload.buffer);
  DataViewSetUint32(view, 0, lastId);
  DataViewSetUint32(view, 4, code);
  TypedArraySet(payload, extra, 8);
  return frame(TYPE.GOAWAY, 0, 0, payload);
}

module.exports = { TYPE, FLAG, PREFACE, FrameReader, head, frame, frameOfNumbers, goawayFrame, numberAt, concatenate };
