// @ts-check
'use strict';
// Owns: a write to a socket that is still connecting: it is stored in `_pendingData` and `_pendingEncoding`, as in Node, and
// passed to the socket's `_writeGeneric` once connected.

const { ArrayIsArray, ArrayReduce } = require('internal/primordials');
const { codes } = require('internal/errors/errors');

/** @param {any} socket @param {boolean} isList @param {any} data @param {string} encoding @param {(error?: Error) => void} callback */
function writeOnceConnected(socket, isList, data, encoding, callback) {
  socket._pendingData = data;
  socket._pendingEncoding = encoding;
  const onClose = () => callback(new codes.ERR_SOCKET_CLOSED_BEFORE_CONNECTION());
  socket.once('connect', () => {
    socket.off('close', onClose);
    socket._writeGeneric(isList, data, encoding, callback);
  });
  socket.once('close', onClose);
}

const sizeOf = (chunk, encoding) =>
  typeof chunk === 'string' ? require('node/buffer/buffer').Buffer.byteLength(chunk, encoding) : chunk.length;

/** @param {any} socket */
function pendingBytes({ _pendingData: data, _pendingEncoding: encoding }) {
  if (!data) return 0;
  if (!ArrayIsArray(data)) return sizeOf(data, encoding);
  return ArrayReduce(data, (sum, each) => sum + sizeOf(each.chunk, each.encoding), 0);
}

module.exports = { writeOnceConnected, pendingBytes, sizeOf };
