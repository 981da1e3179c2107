'use strict';
// Owns: RT.gzipSync, gunzipSync, deflateSync (raw), inflateSync; they give Uint8Arrays.
// Options: level, memLevel, windowBits, strategy; `library` is accepted, zlib does all.

const native = host.native;
const { bytesOf } = require('./rt_bytes');

const GZIP = 31;
const RAW = -15;
const EITHER = 47;

function inputOf(data) {
  const bytes = typeof data === 'string' ? native.encodeUtf8(data) : bytesOf(data);
  if (bytes !== undefined) return bytes;
  throw Object.assign(new TypeError('data must be a string, ArrayBuffer or ArrayBufferView'), { code: 'ERR_INVALID_ARG_TYPE' });
}

function number(value, fallback, low, high) {
  if (value === undefined || value === null) return fallback;
  const whole = Math.trunc(Number(value)) || 0;
  if (whole < low || whole > high) throw new Error('Zlib error: Invalid argument');
  return whole;
}

function checkLibrary(options) {
  const library = options?.library;
  if (library !== undefined && library !== 'zlib' && library !== 'libdeflate') {
    throw Object.assign(new TypeError("Expected library to be one of 'zlib' or 'libdeflate'"), { code: 'ERR_INVALID_ARG_TYPE' });
  }
}

const compressor = (name, usual) => ({ [name](data, options) {
  const input = inputOf(data);
  checkLibrary(options);
  const level = number(options?.level, 6, -1, 12);
  const window = number(options?.windowBits, usual, -15, 31);
  return native.compression_compress(
    input, Math.min(level, 9), usual === RAW && window > 0 && window < 16 ? -window : window,
    number(options?.memLevel, 8, 1, 9), number(options?.strategy, 0, 0, 4),
  );
} }[name]);

const decompressor = (name, window) => ({ [name](data, options) {
  const input = inputOf(data);
  checkLibrary(options);
  const [bytes, problem] = native.compression_decompress(input, number(options?.windowBits, window, -15, 47));
  if (problem !== null) throw new Error(problem);
  return bytes;
} }[name]);

module.exports = {
  gzipSync: compressor('gzipSync', GZIP), deflateSync: compressor('deflateSync', RAW),
  gunzipSync: decompressor('gunzipSync', EITHER), inflateSync: decompressor('inflateSync', RAW),
};
