'use strict';
// Owns: frames on their way to a session's socket. Those of one turn leave in a single write: small ones, and all of an
// encrypted session, are joined, because each write costs a system call and, with TLS, a record.

const { ArrayForEach, ArrayPush, MathMin, TypedArraySet, TypedArraySubarray } = require('internal/primordials');
const { nextTick } = require('internal/timers');
const { Buffer } = require('node/buffer/buffer');
const { Socket } = require('node/net/socket');

const BLOCK = 64 * 1024; // memory of this size is kept for the next block
const LARGE = 4 * 1024; // writing a piece of this size separately is cheaper than copying it

class FrameQueue {
  size = 0; // pending bytes
  #pieces = [];
  #callbacks = [];

  put(bytes, callback) {
    ArrayPush(this.#pieces, bytes);
    this.size += bytes.length;
    if (callback !== undefined) ArrayPush(this.#callbacks, callback);
  }

  /**
   * Passes everything to the socket; returns false if it must drain first. Callbacks are called when the socket has
   * accepted the bytes, or no longer accepts any.
   */
  flush(socket) {
    const pieces = this.#pieces;
    const callbacks = this.#callbacks;
    if (pieces.length === 0) return true;
    this.#pieces = [];
    this.size = 0;
    if (callbacks.length > 0) this.#callbacks = [];
    const onWritten = callbacks.length === 0 ? undefined : () => ArrayForEach(callbacks, (callback) => callback());
    if (socket.destroyed || !socket.writable) {
      if (onWritten !== undefined) nextTick(onWritten);
      return true;
    }
    const blocks = inBlocks(pieces, !joins(socket) ? 0 : socket.encrypted ? Infinity : LARGE);
    if (blocks.length === 1) return socket.write(blocks[0], onWritten);
    socket.cork?.();
    let takesMore = true;
    for (let i = 0; i < blocks.length; i++) takesMore = socket.write(blocks[i], i === blocks.length - 1 ? onWritten : undefined);
    socket.uncork?.();
    return takesMore;
  }
}

/** Whether frames may be joined: a stream supplied by the program receives one frame per write, as in Node. */
const joins = (socket) => socket instanceof Socket;

/** The same bytes in as few buffers as possible; pieces of at least `large` bytes are not copied. */
function inBlocks(pieces, large) {
  const blocks = [];
  let size = 0; // bytes left to copy
  for (let i = 0; i < pieces.length; i++) if (pieces[i].length < large) size += pieces[i].length;
  let block;
  let place = 0;
  const finish = () => {
    if (place > 0) ArrayPush(blocks, place === block.length ? block : block.subarray(0, place));
    block = undefined;
    place = 0;
  };
  for (let i = 0; i < pieces.length; i++) {
    const piece = pieces[i];
    const { length } = piece;
    if (length >= large) {
      finish();
      ArrayPush(blocks, Buffer.from(piece.buffer, piece.byteOffset, length));
      continue;
    }
    for (let done = 0; done < length;) {
      block ??= size >= BLOCK / 4 ? Buffer.allocUnsafeSlow(BLOCK) : Buffer.allocUnsafe(size);
      const part = MathMin(length - done, block.length - place);
      TypedArraySet(block, part === length ? piece : TypedArraySubarray(piece, done, done + part), place);
      place += part;
      done += part;
      size -= part;
      if (place === block.length) finish();
    }
  }
  finish();
  return blocks;
}

module.exports = { FrameQueue, joins };
