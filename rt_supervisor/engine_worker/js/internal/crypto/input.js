// @ts-check
'use strict';
// Owns: conversion of program input to bytes (strings in an encoding, buffers, views), and of host bytes to Buffers.

const { isAnyArrayBuffer } = require('internal/brands');
const { AnySlice } = require('internal/any_kind');
const { TypedArraySlice } = require('internal/primordials');
const { codes } = require('internal/errors/errors');
const { normalizeEncoding } = require('internal/encodings');

const { isView } = ArrayBuffer;
const BYTES = ['string', 'ArrayBuffer', 'Buffer', 'TypedArray', 'DataView'];

const isBytes = (value) => isView(value) || isAnyArrayBuffer(value);
const lateBuffer = () => require('internal/late_classes').late.Buffer;

/** Encodes a string. An unknown encoding means UTF-8, as in Node's native code. */
function encodeText(text, encoding) {
  const name = encoding === undefined || encoding === 'utf8' ? 'utf8' : (normalizeEncoding(`${encoding}`) ?? 'utf8');
  return name === 'utf8' ? host.native.encodeUtf8(text) : lateBuffer().from(text, name);
}

/** Encodes a string and rejects unknown encodings; 'buffer' stands for UTF-8. */
const textToBuffer = (text, encoding) => lateBuffer().from(text, encoding === 'buffer' ? 'utf8' : encoding);

function bytesFrom(value, name, encoding) {
  if (isView(value)) return value;
  if (typeof value === 'string') return textToBuffer(value, encoding);
  if (isAnyArrayBuffer(value)) return value;
  throw new codes.ERR_INVALID_ARG_TYPE(name, BYTES, value);
}

/** Like `bytesFrom` without an encoding. The error lists the classes in the order that Node's key derivation functions use. */
function byteSource(value, name) {
  if (typeof value === 'string') return lateBuffer().from(value);
  if (isBytes(value)) return value;
  throw new codes.ERR_INVALID_ARG_TYPE(name, ['string', 'ArrayBuffer', 'TypedArray', 'DataView', 'Buffer'], value);
}

/** Returns a Buffer over the memory of host bytes. */
const asBuffer = (bytes) => lateBuffer().from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Encodes host bytes as a string, or returns a Buffer if the encoding is not set. */
function encodeBytes(bytes, encoding) {
  const buffer = asBuffer(bytes);
  if (!encoding || encoding === 'buffer') return buffer;
  const name = normalizeEncoding(encoding);
  return name === undefined ? buffer : buffer.toString(name);
}

function stringOption(options, key) {
  const value = options ? options[key] : undefined;
  if (value == null) return value;
  require('internal/validators').validateString(value, `options.${key}`);
  return value;
}

/** Copies the bytes of a view or buffer, so that the program cannot change them. */
function copyBytes(value) {
  const view = isView(value) ? new Uint8Array(value.buffer, value.byteOffset, value.byteLength) : new Uint8Array(value);
  return TypedArraySlice(view);
}

/** Returns the ArrayBuffer of bytes that the host has just created. */
const bufferOf = (bytes) => (bytes.byteLength === bytes.buffer.byteLength ? bytes.buffer : AnySlice(bytes).buffer);

module.exports = {
  isAnyArrayBuffer,
  isBytes,
  isView,
  encodeText,
  textToBuffer,
  bytesFrom,
  byteSource,
  asBuffer,
  encodeBytes,
  stringOption,
  copyBytes,
  bufferOf,
};
