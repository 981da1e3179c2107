// @ts-check
'use strict';
// Owns: reading frames of RFC 6455 from chunks of any size, and writing them. The reader rejects what the standard forbids and
// joins fragments; limits are checked before memory is allocated.

const { AnySlice, AnySubarray } = require('internal/any_kind');
const {
  ArrayPush,
  ArrayShift,
  ArraySome,
  DataViewGetUint32,
  DataViewSetUint32,
  MathFloor,
  RegExpTest,
  TypedArraySet,
  TypedArraySubarray,
  intact,
} = require('internal/primordials');
const native = host.native;

const OPCODE = { __proto__: null, CONTINUATION: 0, TEXT: 1, BINARY: 2, CLOSE: 8, PING: 9, PONG: 10 };
const FIN = 0x80;
const RSV1 = 0x40;
const MASKED = 0x80;
const EMPTY = new Uint8Array(0);

class FrameError extends Error {
  constructor(closeCode, message) {
    super(message);
    this.closeCode = closeCode;
  }
}

function unmask(bytes, mask) {
  for (let i = 0; i < bytes.length; i++) bytes[i] ^= mask[i & 3];
}

class FrameReader {
  #pieces = [];
  #size = 0;
  #fragments;
  #fragmentSize = 0;
  #fragmentOpcode = 0;
  #isSqueezed = false;

  /** `inflate(bytes, limit)` is given if messages may be compressed (permessage-deflate). */
  constructor({ isMasked, limit, inflate }) {
    this.isMasked = isMasked;
    this.limit = limit;
    this.inflate = inflate;
  }

  /** Calls `receiver.message(opcode, bytes)` and `receiver.control(opcode, bytes)`; throws FrameError. */
  push(piece, receiver) {
    ArrayPush(this.#pieces, piece);
    this.#size += piece.length;
    while (this.#step(receiver));
  }

  /** Returns a chunk that contains the first `count` bytes without consuming it. */
  #peek(count) {
    if (this.#pieces[0].length < count) {
      const whole = new Uint8Array(this.#size);
      let place = 0;
      for (const piece of intact(this.#pieces)) {
        TypedArraySet(whole, piece, place);
        place += piece.length;
      }
      this.#pieces = [whole];
    }
    return this.#pieces[0];
  }

  #step(receiver) {
    if (this.#size < 2) return false;
    let bytes = this.#peek(2);
    const first = bytes[0];
    const opcode = first & 0x0f;
    const isLast = (first & FIN) !== 0;
    const isMasked = (bytes[1] & MASKED) !== 0;
    let length = bytes[1] & 0x7f;
    let head = 2;
    if (first & 0x30 || (first & RSV1 && (this.inflate === undefined || (opcode !== OPCODE.TEXT && opcode !== OPCODE.BINARY))))
      throw new FrameError(1002, `Received unexpected ${first & RSV1 ? 'RSV1' : first & 0x20 ? 'RSV2' : 'RSV3'} bit`);
    const isControl = opcode >= 8;
    if (opcode > 10 || (opcode > 2 && opcode < 8)) throw new FrameError(1002, 'Received invalid opcode');
    if (isControl && !isLast) throw new FrameError(1002, 'Received fragmented control frame');
    if (isControl && length > 125) throw new FrameError(1002, 'Received too big control frame');
    if (isMasked !== this.isMasked) throw new FrameError(1002, 'Received an incorrectly masked frame');
    if (length === 126) {
      if (this.#size < 4) return false;
      bytes = this.#peek(4);
      length = (bytes[2] << 8) | bytes[3];
      head = 4;
    } else if (length === 127) {
      if (this.#size < 10) return false;
      bytes = this.#peek(10);
      length =
        DataViewGetUint32(new DataView(bytes.buffer, bytes.byteOffset), 2) * 2 ** 32 +
        DataViewGetUint32(new DataView(bytes.buffer, bytes.byteOffset), 6);
      head = 10;
    }
    if (!isControl && length + this.#fragmentSize > this.limit) throw new FrameError(1009, 'Received too big message');
    if (isMasked) head += 4;
    const total = head + length;
    if (this.#size < total) return false;
    bytes = this.#peek(total);
    const payload = length === 0 ? EMPTY : AnySlice(bytes, head, total);
    if (isMasked) unmask(payload, AnySubarray(bytes, head - 4, head));
    if (bytes.length === total) ArrayShift(this.#pieces);
    else this.#pieces[0] = AnySubarray(bytes, total);
    this.#size -= total;
    if (isControl) receiver.control(opcode, payload);
    else this.#data(opcode, payload, isLast, (first & RSV1) !== 0, receiver);
    return !receiver.isOver;
  }

  #data(opcode, payload, isLast, isSqueezed, receiver) {
    if (opcode === OPCODE.CONTINUATION) {
      if (this.#fragments === undefined) throw new FrameError(1002, 'Received continuation frame outside a fragmented message');
      if (payload.length > 0) ArrayPush(this.#fragments, payload); // empty fragments take no memory, however many arrive
      this.#fragmentSize += payload.length;
      if (!isLast) return;
      const whole = new Uint8Array(this.#fragmentSize);
      let place = 0;
      for (const fragment of intact(this.#fragments)) {
        TypedArraySet(whole, fragment, place);
        place += fragment.length;
      }
      opcode = this.#fragmentOpcode;
      this.#fragments = undefined;
      this.#fragmentSize = 0;
      this.#whole(opcode, whole, this.#isSqueezed, receiver);
      return;
    }
    if (this.#fragments !== undefined) throw new FrameError(1002, 'Received new message inside a fragmented message');
    if (isLast) {
      this.#whole(opcode, payload, isSqueezed, receiver);
      return;
    }
    this.#fragments = [payload];
    this.#fragmentSize = payload.length;
    this.#fragmentOpcode = opcode;
    this.#isSqueezed = isSqueezed;
  }

  #whole(opcode, payload, isSqueezed, receiver) {
    if (isSqueezed) {
      try {
        payload = this.inflate(payload, this.limit);
      } catch (error) {
        throw error.code === 'ERR_BUFFER_TOO_LARGE'
          ? new FrameError(1009, 'Received too big message')
          : new FrameError(1007, 'Received invalid compressed data');
      }
    }
    receiver.message(opcode, opcode === OPCODE.TEXT ? textOf(payload) : payload);
  }
}

const hasReplacement = /\ufffd/;
/** Decodes UTF-8 bytes; throws FrameError if they are invalid. */
function textOf(bytes) {
  const text = native.decodeUtf8(bytes);
  if (RegExpTest(hasReplacement, text)) {
    const again = native.encodeUtf8(text);
    if (again.length !== bytes.length || ArraySome(again, (byte, index) => byte !== bytes[index]))
      throw new FrameError(1007, 'Received invalid UTF-8');
  }
  return text;
}

const MASK_BYTES = 4;
let masks = EMPTY; // random bytes for the next masks
let usedMasks = 0;

/** Returns the random mask of a frame that a client sends. */
function newMask() {
  if (usedMasks === masks.length) {
    masks = new Uint8Array(256 * MASK_BYTES);
    require('internal/crypto/random').fill(masks, 0, masks.length);
    usedMasks = 0;
  }
  usedMasks += MASK_BYTES;
  return TypedArraySubarray(masks, usedMasks - MASK_BYTES, usedMasks);
}

/**
 * Encodes a frame; clients pass `mask`.
 * @param {number} opcode
 * @param {any} payload
 * @param {{ mask?: any, isSqueezed?: boolean, isLast?: boolean }} options
 */
function encode(opcode, payload, { mask, isSqueezed = false, isLast = true } = {}) {
  const { length } = payload;
  const extended = length < 126 ? 0 : length < 65536 ? 2 : 8;
  const head = 2 + extended + (mask === undefined ? 0 : 4);
  const frame = new Uint8Array(head + length);
  frame[0] = (isLast ? FIN : 0) | (isSqueezed ? RSV1 : 0) | opcode;
  const bit = mask === undefined ? 0 : MASKED;
  if (extended === 0) frame[1] = bit | length;
  else if (extended === 2) {
    frame[1] = bit | 126;
    frame[2] = length >> 8;
    frame[3] = length & 0xff;
  } else {
    frame[1] = bit | 127;
    const view = new DataView(frame.buffer);
    DataViewSetUint32(view, 2, MathFloor(length / 2 ** 32));
    DataViewSetUint32(view, 6, length >>> 0);
  }
  TypedArraySet(frame, payload, head);
  if (mask !== undefined) {
    TypedArraySet(frame, mask, head - 4);
    unmask(TypedArraySubarray(frame, head), mask);
  }
  return frame;
}

function closePayload(code, reason) {
  if (code === undefined) return EMPTY;
  const text = native.encodeUtf8(reason ?? '');
  const payload = new Uint8Array(2 + text.length);
  payload[0] = code >> 8;
  payload[1] = code & 0xff;
  TypedArraySet(payload, text, 2);
  return payload;
}

/** Returns { code, reason } of a close frame; throws FrameError for a payload that the standard forbids. */
function readClose(payload) {
  if (payload.length === 0) return { code: 1005, reason: '' };
  if (payload.length === 1) throw new FrameError(1002, 'Received invalid close payload');
  const code = (payload[0] << 8) | payload[1];
  if (!isSendable(code)) throw new FrameError(1002, 'Received invalid close code');
  return { code, reason: textOf(AnySubarray(payload, 2)) };
}
const isSendable = (code) =>
  (code >= 1000 && code <= 1014 && code !== 1004 && code !== 1005 && code !== 1006) || (code >= 3000 && code <= 4999);

module.exports = { OPCODE, FrameReader, FrameError, newMask, encode, closePayload, readClose, EMPTY };
