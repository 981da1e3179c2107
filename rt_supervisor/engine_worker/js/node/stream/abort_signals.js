// @ts-check
'use strict';
// Owns: abort signals of streams: addAbortSignal, and the `signal` option.

const { AbortError, codes } = require('internal/errors/errors');
const { isNodeStream, isWebStream, kControllerErrorFunction } = require('internal/stream_kinds');

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

module.exports = { addAbortSignal, attachSignal };
