// @ts-check
'use strict';
// Owns: transcode, isUtf8 and isAscii of node:buffer.

const { ArrayBufferIsView, ArrayIncludes, RegExpReplace } = require('internal/primordials');
const { isAnyArrayBuffer, isDataView, isUint8Array } = require('internal/brands');
const { isDetached } = require('internal/bytes');
const { codes } = require('internal/errors/errors');
const { encodingOf, normalizeEncoding } = require('internal/encodings');
const { Buffer } = require('node/buffer/buffer');

function transcode(source, fromEncoding, toEncoding) {
  if (!isUint8Array(source)) throw new codes.ERR_INVALID_ARG_TYPE('source', ['Buffer', 'Uint8Array'], source);
  if (source.length === 0) return Buffer.alloc(0);
  const from = normalizeEncoding(fromEncoding);
  const to = normalizeEncoding(toEncoding);
  const supported = ['utf8', 'utf16le', 'latin1', 'ascii'];
  if (!ArrayIncludes(supported, from) || !ArrayIncludes(supported, to)) {
    const error = new Error('Unable to transcode Buffer [U_ILLEGAL_ARGUMENT_ERROR]');
    error.code = 'U_ILLEGAL_ARGUMENT_ERROR';
    error.errno = 1;
    throw error;
  }
  let text = encodingOf(from).text(source, 0, source.length);
  const limit = to === 'latin1' ? /[^\x00-\xff]/gu : to === 'ascii' ? /[^\x00-\x7f]/gu : undefined;
  if (limit !== undefined) text = RegExpReplace(limit, text, '?');
  return Buffer.from(text, to);
}

function bytesOf(input) {
  const isView = ArrayBufferIsView(input) && !isDataView(input);
  if (isView || isAnyArrayBuffer(input)) {
    if (isDetached(isView ? input.buffer : input)) return new Uint8Array(0);
    return isView ? new Uint8Array(input.buffer, input.byteOffset, input.byteLength) : new Uint8Array(input);
  }
  throw new codes.ERR_INVALID_ARG_TYPE('input', ['ArrayBuffer', 'Buffer', 'TypedArray'], input);
}

const isUtf8 = (input) => host.native.isUtf8(bytesOf(input));
const isAscii = (input) => host.native.isAscii(bytesOf(input));

module.exports = { transcode, isUtf8, isAscii };
