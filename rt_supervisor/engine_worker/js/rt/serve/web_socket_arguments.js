// @ts-check
'use strict';
// Owns: validation and conversion of the arguments of RT.serve's web socket methods.

const { OPCODE } = require('internal/web_socket/frames');
const { bytesOf } = require('internal/bytes');
const { asBuffer } = require('node/buffer/views');
const { validateString } = require('internal/validators');

const native = host.native;

const BINARY_TYPES = {
  __proto__: null,
  nodebuffer: 'nodebuffer',
  buffer: 'nodebuffer',
  arraybuffer: 'arraybuffer',
  uint8array: 'uint8array',
  Uint8Array: 'uint8array',
  blob: 'blob',
};

function binaryTypeOf(value) {
  if (typeof value !== 'string' || !(value in BINARY_TYPES))
    throw new Error('binaryType must be either "uint8array", "arraybuffer", "nodebuffer" or "blob"');
  return BINARY_TYPES[value];
}

/** Converts received bytes to the socket's `binaryType`. */
function asBinaryType(bytes, type) {
  switch (type) {
    case 'arraybuffer':
      return bytes.buffer.byteLength === bytes.length ? bytes.buffer : new Uint8Array(bytes).buffer;
    case 'uint8array':
      return bytes;
    case 'blob':
      return new (require('web/blob/blob').Blob)([bytes]);
    default:
      return asBuffer(bytes);
  }
}

function topicOf(topic, method) {
  validateString(topic, 'topic');
  if (topic === '') throw new Error(`${method} requires a non-empty topic name`);
  return topic;
}

function compressOf(value, method) {
  if (value === undefined) return true;
  if (typeof value !== 'boolean') throw new Error(`${method} expects compress to be a boolean`);
  return value;
}

const text = (data) => [OPCODE.TEXT, native.encodeUtf8(data)];

/** Returns [opcode, bytes] of a message: binary for bytes, text for anything else. */
function messageOf(data, method) {
  if (data === undefined || data === null) throw new Error(`${method} requires a non-empty message`);
  if (typeof data === 'string') return text(data);
  const bytes = bytesOf(data);
  return bytes === undefined ? text(`${data}`) : [OPCODE.BINARY, bytes];
}

function textMessageOf(data, method) {
  if (typeof data !== 'string') throw new Error(`${method} expects a string`);
  return text(data);
}

function binaryMessageOf(data, method) {
  const bytes = bytesOf(data);
  if (bytes === undefined) throw new Error(`${method} expects a BufferSource`);
  return [OPCODE.BINARY, bytes];
}

/** Returns the payload of a ping or pong. */
function controlOf(data, method) {
  if (typeof data === 'string') return native.encodeUtf8(data);
  const bytes = bytesOf(data);
  if (bytes === undefined) throw new Error(`${method} expects a string or BufferSource`);
  return bytes;
}

module.exports = { asBinaryType, binaryMessageOf, binaryTypeOf, compressOf, controlOf, messageOf, textMessageOf, topicOf };
