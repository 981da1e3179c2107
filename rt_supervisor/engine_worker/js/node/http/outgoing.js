// @ts-check
'use strict';
// Owns: OutgoingMessage: what a response of the server and a request of the client have in common: its state, and what
// waits while the connection belongs to another message. Its head is node/http/outgoing_head's, its body node/http/outgoing_body's.

const { AnyPush, AnyToString } = require('internal/any_kind');
const {
  ArrayPush,
  ArrayUnshift,
  FunctionCall,
  ObjectAssign,
  ObjectDefineProperty,
  ObjectSetPrototypeOf,
  SymbolFor,
  intact,
} = require('internal/primordials');
const { Stream } = require('node/stream/legacy');
const { codes } = require('internal/errors/errors');
const { validateHeaderName, validateHeaderValue } = require('node/http/common');
const { headMethods, parseUniqueHeaders } = require('node/http/outgoing_head');
const { bodyMethods } = require('node/http/outgoing_body');
const {
  CRLF,
  HIGH_WATER_MARK,
  kOutHeaders,
  kNeedDrain,
  kCorked,
  kChunkedBuffer,
  kChunkedLength,
  kUniqueHeaders,
  kSocket,
  kBytesWritten,
  kErrored,
  kHighWaterMark,
  kRejectNonStandardBodyWrites,
} = require('node/http/outgoing_symbols');

const nothing = () => {};

function OutgoingMessage(options) {
  FunctionCall(Stream, this);
  // What waits for the connection, or for another message to end.
  this.outputData = [];
  this.outputSize = 0;
  this.writable = true;
  this.destroyed = false;
  this._last = false;
  this.chunkedEncoding = false;
  this.shouldKeepAlive = true;
  this.maxRequestsOnConnectionReached = false;
  this._defaultKeepAlive = true;
  this.useChunkedEncodingByDefault = true;
  this.sendDate = false;
  this._removedConnection = false;
  this._removedContLen = false;
  this._removedTE = false;
  this.strictContentLength = false;
  this[kBytesWritten] = 0;
  this._contentLength = null;
  this._hasBody = true;
  this._trailer = '';
  this[kNeedDrain] = false;
  this.finished = false;
  this._headerSent = false;
  this[kCorked] = 0;
  this[kChunkedBuffer] = [];
  this[kChunkedLength] = 0;
  this._closed = false;
  this[kSocket] = null;
  this._header = null;
  this[kOutHeaders] = null;
  this._keepAliveTimeout = 0;
  this._onPendingData = nothing;
  this[kErrored] = null;
  this[kHighWaterMark] = options?.highWaterMark ?? HIGH_WATER_MARK;
  this[kRejectNonStandardBodyWrites] = options?.rejectNonStandardBodyWrites ?? false;
}
ObjectSetPrototypeOf(OutgoingMessage.prototype, Stream.prototype);
ObjectSetPrototypeOf(OutgoingMessage, Stream);
ObjectAssign(OutgoingMessage.prototype, headMethods, bodyMethods);

const accessor = (name, get, set) =>
  ObjectDefineProperty(OutgoingMessage.prototype, name, { __proto__: null, get, set, enumerable: false, configurable: true });
accessor('errored', function get() {
  return this[kErrored];
});
accessor('closed', function get() {
  return this._closed;
});
accessor('writableFinished', function get() {
  return this.finished && this.outputSize === 0 && (!this[kSocket] || this[kSocket].writableLength === 0);
});
accessor('writableObjectMode', function get() {
  return false;
});
accessor('writableLength', function get() {
  return this.outputSize + this[kChunkedLength] + (this[kSocket] ? this[kSocket].writableLength : 0);
});
accessor('writableHighWaterMark', function get() {
  return this[kSocket] ? this[kSocket].writableHighWaterMark : this[kHighWaterMark];
});
accessor('writableCorked', function get() {
  return this[kCorked];
});
accessor(
  'connection',
  function get() {
    return this[kSocket];
  },
  function set(value) {
    this.socket = value;
  },
);
accessor(
  'socket',
  function get() {
    return this[kSocket];
  },
  function set(value) {
    for (let i = 0; i < this[kCorked]; i++) {
      value?.cork();
      this[kSocket]?.uncork();
    }
    this[kSocket] = value;
  },
);
accessor('headersSent', function get() {
  return Boolean(this._header);
});
accessor('writableEnded', function get() {
  return this.finished;
});
accessor('writableNeedDrain', function get() {
  return !this.destroyed && !this.finished && this[kNeedDrain];
});
accessor('_headers', function get() {
  return this.getHeaders();
});
accessor('_headerNames', function get() {
  const names = { __proto__: null };
  for (const key in this[kOutHeaders] ?? {}) names[key] = this[kOutHeaders][key][0];
  return names;
});

OutgoingMessage.prototype.cork = function cork() {
  this[kCorked]++;
  this[kSocket]?.cork();
};
OutgoingMessage.prototype.uncork = function uncork() {
  this[kCorked]--;
  this[kSocket]?.uncork();
  if (this[kCorked] || this[kChunkedBuffer].length === 0) return;
  // What was written while corked is one chunk.
  const buffered = this[kChunkedBuffer];
  const length = this[kChunkedLength];
  let callbacks;
  this._send(AnyToString(length, 16), 'latin1', null);
  this._send(CRLF, null, null);
  for (let i = 0; i < buffered.length; i += 3) {
    this._send(buffered[i], buffered[i + 1], null);
    if (buffered[i + 2]) AnyPush((callbacks ??= []), buffered[i + 2]);
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
};

OutgoingMessage.prototype.setTimeout = function setTimeout(msecs, callback) {
  if (callback) this.on('timeout', callback);
  if (!this[kSocket])
    this.once('socket', function onSocket(socket) {
      socket.setTimeout(msecs);
    });
  else this[kSocket].setTimeout(msecs);
  return this;
};

OutgoingMessage.prototype.destroy = function destroy(error) {
  if (this.destroyed) return this;
  this.destroyed = true;
  this[kErrored] = error;
  if (this[kSocket]) this[kSocket].destroy(error);
  else
    this.once('socket', function onSocket(socket) {
      socket.destroy(error);
    });
  return this;
};

/** Write, with the head before the first of it. */
OutgoingMessage.prototype._send = function _send(data, encoding, callback, byteLength) {
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
};

OutgoingMessage.prototype._writeRaw = function _writeRaw(data, encoding, callback, byteLength) {
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
};

OutgoingMessage.prototype._implicitHeader = function _implicitHeader() {
  throw new codes.ERR_METHOD_NOT_IMPLEMENTED('_implicitHeader()');
};

OutgoingMessage.prototype._finish = function _finish() {
  this.emit('prefinish');
};

/** The connection is this message's now, or has room again. */
OutgoingMessage.prototype._flush = function _flush() {
  const socket = this[kSocket];
  if (!socket?.writable) return;
  const isMore = this._flushOutput(socket);
  if (this.finished) this._finish();
  else if (isMore && this[kNeedDrain]) {
    this[kNeedDrain] = false;
    this.emit('drain');
  }
};

OutgoingMessage.prototype._flushOutput = function _flushOutput(socket) {
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
};

OutgoingMessage.prototype.flushHeaders = function flushHeaders() {
  if (!this._header) this._implicitHeader();
  this._send('');
};

OutgoingMessage.prototype.pipe = function pipe() {
  this.emit('error', new codes.ERR_STREAM_CANNOT_PIPE());
};

OutgoingMessage.prototype[SymbolFor('nodejs.rejection')] = function onRejection(error) {
  this.destroy(error);
};

module.exports = { OutgoingMessage, parseUniqueHeaders, kHighWaterMark, kUniqueHeaders, validateHeaderName, validateHeaderValue };
