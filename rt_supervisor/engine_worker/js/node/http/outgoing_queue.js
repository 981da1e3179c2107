'use strict';
// Owns: data of an outgoing message that its connection does not accept yet: because the connection serves another message,
// or because the message is corked.

const { ArrayPush, ArrayUnshift, NumberToString, intact } = require('internal/primordials');
const {
  CRLF,
  kChunkedBuffer,
  kChunkedLength,
  kCorked,
  kHighWaterMark,
  kNeedDrain,
  kSocket,
} = require('node/http/outgoing_symbols');

function cork() {
  this[kCorked]++;
  this[kSocket]?.cork();
}

function uncork() {
  this[kCorked]--;
  this[kSocket]?.uncork();
  if (this[kCorked] || this[kChunkedBuffer].length === 0) return;
  // Everything written while corked becomes one chunk.
  const buffered = this[kChunkedBuffer];
  const length = this[kChunkedLength];
  let callbacks;
  this._send(NumberToString(length, 16), 'latin1', null);
  this._send(CRLF, null, null);
  for (let i = 0; i < buffered.length; i += 3) {
    this._send(buffered[i], buffered[i + 1], null);
    if (buffered[i + 2]) ArrayPush((callbacks ??= []), buffered[i + 2]);
  }
  this._send(
    CRLF,
    null,
    callbacks === undefined
      ? null
      : (error) => {
          for (const callback of intact(callbacks)) callback(error);
        },
  );
  this[kChunkedBuffer] = [];
  this[kChunkedLength] = 0;
}

/** Writes data, preceded by the header the first time. */
function _send(data, encoding, callback, byteLength) {
  if (!this._headerSent && this._header !== null) {
    const header = this._header;
    if (typeof data === 'string' && (encoding === 'utf8' || encoding === 'utf-8' || encoding === 'latin1' || !encoding)) {
      data = header + data;
    } else {
      ArrayUnshift(this.outputData, { data: header, encoding: 'latin1', callback: null });
      this.outputSize += header.length;
      this._onPendingData(header.length);
    }
    this._headerSent = true;
  }
  return this._writeRaw(data, encoding, callback, byteLength);
}

function _writeRaw(data, encoding, callback, byteLength) {
  const connection = this[kSocket];
  if (connection?.destroyed) return false;
  if (typeof encoding === 'function') {
    callback = encoding;
    encoding = null;
  }
  if (connection && connection._httpMessage === this && connection.writable) {
    if (this.outputData.length) this._flushOutput(connection);
    return connection.write(data, encoding, callback);
  }
  ArrayPush(this.outputData, { data, encoding, callback });
  this.outputSize += data.length;
  this._onPendingData(data.length);
  return this.outputSize < this[kHighWaterMark];
}

/** The message now owns the connection, or the connection has drained. */
function _flush() {
  const socket = this[kSocket];
  if (!socket?.writable) return;
  const isMore = this._flushOutput(socket);
  if (this.finished) this._finish();
  else if (isMore && this[kNeedDrain]) {
    this[kNeedDrain] = false;
    this.emit('drain');
  }
}

function _flushOutput(socket) {
  while (this[kCorked]) {
    this[kCorked]--;
    socket.cork();
  }
  const { length } = this.outputData;
  if (length <= 0) return undefined;
  const { outputData } = this;
  socket.cork();
  let isMore;
  for (let i = 0; i < length; i++) {
    const { data, encoding, callback } = outputData[i];
    outputData[i].data = null;
    isMore = socket.write(data, encoding, callback);
  }
  socket.uncork();
  this.outputData = [];
  this._onPendingData(-this.outputSize);
  this.outputSize = 0;
  return isMore;
}

module.exports = { queueMethods: { cork, uncork, _send, _writeRaw, _flush, _flushOutput } };
