// @ts-check
'use strict';
// Owns: OutgoingMessage, the base of server responses and client requests: its state. The header is in
// node/http/outgoing_head, the body in node/http/outgoing_body, pending writes in node/http/outgoing_queue.

const { FunctionCall, ObjectAssign, ObjectDefineProperty, ObjectSetPrototypeOf, SymbolFor } = require('internal/primordials');
const { Stream } = require('node/stream/legacy');
const { codes } = require('internal/errors/errors');
const { validateHeaderName, validateHeaderValue } = require('node/http/fields');
const { headMethods, parseUniqueHeaders } = require('node/http/outgoing_head');
const { bodyMethods } = require('node/http/outgoing_body');
const { queueMethods } = require('node/http/outgoing_queue');
const {
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
  // Data waiting for the connection, or for another message to end.
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
ObjectAssign(OutgoingMessage.prototype, headMethods, bodyMethods, queueMethods);

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

OutgoingMessage.prototype._implicitHeader = function _implicitHeader() {
  throw new codes.ERR_METHOD_NOT_IMPLEMENTED('_implicitHeader()');
};

OutgoingMessage.prototype._finish = function _finish() {
  this.emit('prefinish');
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
