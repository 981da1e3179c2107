// @ts-check
'use strict';
// Owns: options that all streams accept on construction: the default encoding and the abort signal.

const { AbortError, codes } = require('internal/errors/errors');
const { isNodeStream, isWebStream, kControllerErrorFunction } = require('internal/stream_kinds');

const kOnConstructed = Symbol('kOnConstructed');

const isEncoding = (name) =>
  typeof name === 'string' && name !== '' && require('internal/encodings').normalizeEncoding(name) !== undefined;

/** The validated default encoding. */
function checkEncoding(name) {
  if (name === undefined || name === null || name === 'utf8' || name === 'utf-8') return 'utf8';
  if (!isEncoding(name)) throw new codes.ERR_UNKNOWN_ENCODING(name);
  return name;
}

/** Makes `signal` destroy the stream; does not validate its arguments. */
function attachSignal(signal, stream) {
  const abort = isNodeStream(stream)
    ? () => stream.destroy(new AbortError(undefined, { cause: signal.reason }))
    : () => stream[kControllerErrorFunction](new AbortError(undefined, { cause: signal.reason }));
  if (signal.aborted) {
    abort();
  } else {
    const listening = require('web/abort').addAbortListener(signal, abort);
    require('node/stream/finished').finished(stream, () => listening[Symbol.dispose]());
  }
  return stream;
}

function addAbortSignal(signal, stream) {
  require('internal/validators').validateAbortSignal(signal, 'signal');
  if (typeof signal !== 'object' || signal === null) throw new codes.ERR_INVALID_ARG_TYPE('signal', 'AbortSignal', signal);
  if (!isNodeStream(stream) && !isWebStream(stream)) {
    throw new codes.ERR_INVALID_ARG_TYPE('stream', ['ReadableStream', 'WritableStream', 'Stream'], stream);
  }
  return attachSignal(signal, stream);
}

module.exports = { isEncoding, checkEncoding, kOnConstructed, addAbortSignal, attachSignal };
