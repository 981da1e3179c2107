// @ts-check
'use strict';
// Owns: validation of the arguments of a session's methods, as in Node, and the values of `state` of sessions and streams.

const { ArrayBufferIsView } = require('internal/primordials');
const { codes } = require('internal/errors/errors');
const { validateNumber } = require('internal/validators');

const MOST_ID = 2 ** 32 - 1;

function checkGoaway(code, lastId, data) {
  if (data !== undefined && !ArrayBufferIsView(data))
    throw new codes.ERR_INVALID_ARG_TYPE('opaqueData', ['Buffer', 'TypedArray', 'DataView'], data);
  validateNumber(code, 'code');
  validateNumber(lastId, 'lastStreamID');
}

function checkStreamId(id) {
  validateNumber(id, 'id');
  if (id <= 0 || id > MOST_ID) throw new codes.ERR_OUT_OF_RANGE('id', `> 0 and <= ${MOST_ID}`, id);
}

const stateOf = (session, windowSize) => ({
  effectiveLocalWindowSize: windowSize,
  effectiveRecvDataLength: session.owed,
  nextStreamID: session.nextId,
  localWindowSize: session.room,
  lastProcStreamID: session.lastId,
  remoteWindowSize: session.window,
  outboundQueueSize: 0,
  deflateDynamicTableSize: session.encoder.size,
  inflateDynamicTableSize: session.decoder.size,
});

/** The stream states are nghttp2's numbers. */
function streamStateOf(stream, room) {
  const { isLocalEnded, isRemoteEnded } = stream;
  const isOver = stream.closed || (isLocalEnded && isRemoteEnded);
  const state = stream.pending ? 1 : isOver ? 7 : isLocalEnded ? 5 : isRemoteEnded ? 6 : 2;
  return {
    state,
    weight: 16,
    sumDependencyWeight: 0,
    localClose: Number(isLocalEnded),
    remoteClose: Number(isRemoteEnded),
    localWindowSize: room,
  };
}

module.exports = { checkGoaway, checkStreamId, stateOf, streamStateOf };
