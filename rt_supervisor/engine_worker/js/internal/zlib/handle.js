// @ts-check
'use strict';
// Owns: a stream of zlib, brotli or zstd in the host, identified by a number, and the libraries' errors. A step returns at most
// `limit` bytes; `resume` continues it if more output is available or input is left. Only one step runs at a time.

const { ArrayFind, ObjectKeys } = require('internal/primordials');
const native = host.native;
const EMPTY = new Uint8Array(0);

/** A step returns [bytes, number of unread input bytes, whether more output may follow, message or null, errno, code]. */
class Handle {
  constructor(number) {
    this.number = number;
    this.isBusy = false;
    this.isClosePending = false;
    this.onerror = undefined;
  }

  run(data, flush, limit) {
    return native.zlib_run(this.number, data, flush, limit);
  }

  resume(flush, limit) {
    return native.zlib_resume(this.number, flush, limit);
  }

  runLater(data, flush, limit, callback) {
    this.isBusy = true;
    native.zlib_runLater(this.number, data, flush, limit, (...answer) => this.handleStep(callback, answer));
  }

  resumeLater(flush, limit, callback) {
    this.isBusy = true;
    native.zlib_resumeLater(this.number, flush, limit, (...answer) => this.handleStep(callback, answer));
  }

  handleStep(callback, answer) {
    this.isBusy = false;
    if (this.isClosePending) this.close();
    else callback(answer);
  }

  params(level, strategy) {
    return native.zlib_setParams(this.number, level, strategy);
  }

  reset() {
    return native.zlib_reset(this.number);
  }

  /** Closes the stream after a running step, whose callback is then not called. */
  close() {
    if (this.isBusy) this.isClosePending = true;
    else native.zlib_close(this.number);
  }
}

/** Opens a stream of `kind`; throws ERR_ZLIB_INITIALIZATION_FAILED for settings that the library rejects. */
function open(kind, settings, dictionary) {
  const stream = native.zlib_create(kind, { ...settings, hasDictionary: dictionary !== undefined }, dictionary ?? EMPTY);
  if (typeof stream === 'number') return new Handle(stream);
  const { codes } = require('internal/errors/errors');
  throw new codes.ERR_ZLIB_INITIALIZATION_FAILED(stream);
}

function libraryError(message, errno, code) {
  const error = new Error(message);
  error.errno = errno;
  error.code = message === 'Decompression failed' ? brotliCode(errno) : code;
  return error;
}

/** Returns Node's code of a brotli decoder error, by its number. */
function brotliCode(errno) {
  const names = ObjectKeys(BROTLI_ERRORS);
  return `ERR__ERROR_${ArrayFind(names, (name) => BROTLI_ERRORS[name] === errno)}`;
}

const BROTLI_ERRORS = {
  __proto__: null,
  FORMAT_EXUBERANT_NIBBLE: -1,
  FORMAT_RESERVED: -2,
  FORMAT_EXUBERANT_META_NIBBLE: -3,
  FORMAT_SIMPLE_HUFFMAN_ALPHABET: -4,
  FORMAT_SIMPLE_HUFFMAN_SAME: -5,
  FORMAT_CL_SPACE: -6,
  FORMAT_HUFFMAN_SPACE: -7,
  FORMAT_CONTEXT_MAP_REPEAT: -8,
  FORMAT_BLOCK_LENGTH_1: -9,
  FORMAT_BLOCK_LENGTH_2: -10,
  FORMAT_TRANSFORM: -11,
  FORMAT_DICTIONARY: -12,
  FORMAT_WINDOW_BITS: -13,
  FORMAT_PADDING_1: -14,
  FORMAT_PADDING_2: -15,
  FORMAT_DISTANCE: -16,
  COMPOUND_DICTIONARY: -18,
  DICTIONARY_NOT_SET: -19,
  INVALID_ARGUMENTS: -20,
  ALLOC_CONTEXT_MODES: -21,
  ALLOC_TREE_GROUPS: -22,
  ALLOC_CONTEXT_MAP: -25,
  ALLOC_RING_BUFFER_1: -26,
  ALLOC_RING_BUFFER_2: -27,
  ALLOC_BLOCK_TYPE_TREES: -30,
  UNREACHABLE: -31,
};

module.exports = { Handle, open, libraryError };
