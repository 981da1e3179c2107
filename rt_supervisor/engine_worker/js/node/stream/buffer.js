// @ts-check
'use strict';
// Owns: the buffered chunks of a Readable: `buffer` from `bufferIndex` on. Chunks before the index have been consumed.

const { AnySlice } = require('internal/any_kind');
const { ArrayJoin, ArrayPush, ArraySplice, ArrayUnshift, StringSlice } = require('internal/primordials');

const MOST_SPENT = 1024;

const waiting = (state) => AnySlice(state.buffer, state.bufferIndex);

function clear(state) {
  state.buffer.length = 0;
  state.bufferIndex = 0;
}

function putFirst(state, chunk) {
  if (state.bufferIndex > 0) state.buffer[--state.bufferIndex] = chunk;
  else ArrayUnshift(state.buffer, chunk);
}

function takeFirst(state) {
  const { buffer } = state;
  const chunk = buffer[state.bufferIndex];
  buffer[state.bufferIndex++] = null;
  if (state.bufferIndex === buffer.length) clear(state);
  else if (state.bufferIndex > MOST_SPENT) {
    ArraySplice(buffer, 0, state.bufferIndex);
    state.bufferIndex = 0;
  }
  return chunk;
}

function takeAll(state) {
  const chunks = waiting(state);
  clear(state);
  if (state.decoder) return ArrayJoin(chunks, ''); // buffers that were unshifted become text, too
  if (chunks.length === 1) return chunks[0];
  return require('node/buffer/buffer').Buffer.concat(chunks, state.length);
}

/** Takes `count` bytes or characters that span several chunks. */
function takePart(state, count) {
  const parts = [];
  let missing = count;
  while (missing > 0) {
    const chunk = state.buffer[state.bufferIndex];
    if (chunk.length <= missing) {
      ArrayPush(parts, takeFirst(state));
      missing -= chunk.length;
    } else {
      const isText = typeof chunk === 'string';
      ArrayPush(parts, isText ? StringSlice(chunk, 0, missing) : chunk.subarray(0, missing));
      state.buffer[state.bufferIndex] = isText ? StringSlice(chunk, missing) : chunk.subarray(missing);
      missing = 0;
    }
  }
  if (parts.length === 1) return parts[0];
  return state.decoder ? ArrayJoin(parts, '') : require('node/buffer/buffer').Buffer.concat(parts, count);
}

/** Takes what read(count) returns; the caller updates `length`. Null if nothing is buffered. */
function takeFrom(state, count) {
  if (state.length === 0) return null;
  if (state.objectMode) return takeFirst(state);
  if (!count || count >= state.length) return takeAll(state);
  return takePart(state, count);
}

module.exports = { waiting, clear, putFirst, takeFrom };
