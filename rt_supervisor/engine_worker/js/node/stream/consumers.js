'use strict';
// Owns: node:stream/consumers: the whole contents of a stream as one value.

const { isAnyArrayBuffer } = require('internal/brands');
const { intactAsync } = require('internal/async_iteration');
const { AnySlice } = require('internal/any_kind');
const { ArrayBufferIsView, ArrayPush, JSONParse } = require('internal/primordials');

async function blob(stream) {
  const chunks = [];
  for await (const chunk of intactAsync(stream)) ArrayPush(chunks, chunk);
  return new (require('web/blob/blob').Blob)(chunks);
}

async function chunksOf(stream) {
  const { Buffer } = require('node/buffer/buffer');
  const chunks = [];
  for await (const chunk of intactAsync(stream))
    ArrayPush(chunks, typeof chunk === 'string' ? Buffer.from(chunk) : viewOf(chunk));
  return Buffer.concat(chunks);
}

function viewOf(chunk) {
  if (ArrayBufferIsView(chunk)) return new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  if (isAnyArrayBuffer(chunk)) return new Uint8Array(chunk);
  // Values that Blob accepts; anything else is converted to a string.
  return require('node/buffer/buffer').Buffer.from(`${chunk}`);
}

async function arrayBuffer(stream) {
  const bytes = await chunksOf(stream);
  return AnySlice(bytes.buffer, bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
}

async function buffer(stream) {
  const { Buffer } = require('node/buffer/buffer');
  return Buffer.from(await arrayBuffer(stream));
}

async function bytes(stream) {
  return new Uint8Array(await arrayBuffer(stream));
}

async function text(stream) {
  const { TextDecoder } = require('web/encoding/text');
  const decoder = new TextDecoder();
  let whole = '';
  for await (const chunk of intactAsync(stream))
    whole += typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true });
  return whole + decoder.decode();
}

async function json(stream) {
  return JSONParse(await text(stream));
}

module.exports = { arrayBuffer, blob, buffer, bytes, text, json };
