// @ts-check
'use strict';
// Owns: writing the body of an OutgoingMessage, by length or in chunks, and its end. `this` is the message.

const { isUint8Array } = require('internal/brands');
const { AnyToString } = require('internal/any_kind');
const { ArrayPush, NumberToString, RegExpTest } = require('internal/primordials');
const { codes } = require('internal/errors/errors');
const { nextTick } = require('internal/timers');
const { Buffer } = require('node/buffer/buffer');
const {
  kNeedDrain,
  kCorked,
  kChunkedBuffer,
  kChunkedLength,
  kSocket,
  kBytesWritten,
  kHighWaterMark,
  kRejectNonStandardBodyWrites,
  CRLF,
} = require('node/http/outgoing_symbols');

const nothing = () => {};
const ASCII = /^[\0-\x7f]*$/;

function write(chunk, encoding, callback) {
  if (typeof encoding === 'function') {
    callback = encoding;
    encoding = null;
  }
  const isMore = write_(this, chunk, encoding, callback, false);
  if (!isMore) this[kNeedDrain] = true;
  return isMore;
}

function onError(message, error, callback) {
  if (message.destroyed) return;
  nextTick(() => {
    callback(error);
    if (typeof message.destroy === 'function' && !message.errored && !message.writableErrored) message.emit('error', error);
  });
}

function refuse(message, error, callback) {
  if (!message.destroyed) onError(message, error, typeof callback === 'function' ? callback : nothing);
  else nextTick(typeof callback === 'function' ? callback : nothing, error);
  return false;
}

function write_(message, chunk, encoding, callback, isEnd) {
  if (typeof callback !== 'function') callback = nothing;
  if (chunk === null) throw new codes.ERR_STREAM_NULL_VALUES();
  if (typeof chunk !== 'string' && !isUint8Array(chunk))
    throw new codes.ERR_INVALID_ARG_TYPE('chunk', ['string', 'Buffer', 'Uint8Array'], chunk);
  let error;
  if (message.finished) error = new codes.ERR_STREAM_WRITE_AFTER_END();
  else if (message.destroyed) error = new codes.ERR_STREAM_DESTROYED('write');
  if (error) return refuse(message, error, callback);
  let length;
  if (message.strictContentLength) {
    length = typeof chunk === 'string' ? Buffer.byteLength(chunk, encoding) : chunk.byteLength;
    checkLength(message, message[kBytesWritten] + length, isEnd);
    message[kBytesWritten] += length;
  }
  if (!message._header) {
    if (isEnd)
      message._contentLength = length ??= typeof chunk === 'string' ? Buffer.byteLength(chunk, encoding) : chunk.byteLength;
    message._implicitHeader();
  }
  if (!message._hasBody) {
    if (message[kRejectNonStandardBodyWrites]) throw new codes.ERR_HTTP_BODY_NOT_ALLOWED();
    nextTick(callback);
    return true;
  }
  if (!isEnd && message[kSocket] && !message[kSocket].writableCorked) {
    const socket = message[kSocket];
    socket.cork();
    nextTick(() => socket.uncork());
  }
  if (!message.chunkedEncoding || chunk.length === 0) return message._send(chunk, encoding, callback, length);
  length ??= typeof chunk === 'string' ? Buffer.byteLength(chunk, encoding) : chunk.byteLength;
  if (message[kCorked] && message._headerSent) {
    ArrayPush(message[kChunkedBuffer], chunk, encoding, callback);
    message[kChunkedLength] += length;
    return message[kChunkedLength] < message[kHighWaterMark];
  }
  const isText = typeof chunk === 'string' && (!encoding || encoding === 'utf8' || encoding === 'utf-8' || encoding === 'latin1');
  // Size and chunk are written as one string. A header written with them has the chunk's encoding, so it must be ASCII.
  if (isText && (message._headerSent || RegExpTest(ASCII, message._header))) {
    return message._send(`${NumberToString(length, 16)}\r\n${chunk}\r\n`, encoding, callback);
  }
  message._send(`${AnyToString(length, 16)}\r\n`, 'latin1', null);
  message._send(chunk, encoding, null, length);
  return message._send(CRLF, null, callback);
}

function checkLength(message, size, isEnd) {
  const expected = message._contentLength;
  const isStrict =
    message.strictContentLength &&
    expected !== null &&
    message._hasBody &&
    !message._removedContLen &&
    !message.chunkedEncoding &&
    !message.hasHeader('transfer-encoding');
  if (isStrict && (isEnd ? size !== expected : size > expected)) throw new codes.ERR_HTTP_CONTENT_LENGTH_MISMATCH(size, expected);
}

function onFinish(message) {
  if (message?.socket?._hadError) return;
  message.emit('finish');
}

/**
 * Whether the chunk passed to end() is the whole body and no header exists yet: the header then contains its length and is
 * sent with it.
 */
function isWholeBody(message, chunk) {
  if (message._header !== null || message.destroyed || message.strictContentLength || message[kCorked] || message._trailer !== '')
    return false;
  return typeof chunk === 'string' || isUint8Array(chunk);
}

function endWhole(message, chunk, encoding, callback) {
  const length = typeof chunk === 'string' ? Buffer.byteLength(chunk, encoding) : chunk.byteLength;
  message._contentLength = length;
  message._implicitHeader();
  if (typeof callback === 'function') message.once('finish', callback);
  const finish = () => onFinish(message);
  const socket = message[kSocket];
  const isOwn = socket && socket._httpMessage === message;
  if (!message._hasBody) {
    if (message[kRejectNonStandardBodyWrites]) throw new codes.ERR_HTTP_BODY_NOT_ALLOWED();
    message._send('', 'latin1', finish);
  } else if (message._header === null) {
    // A class with an `_implicitHeader` of its own that makes none: Node sends the end separately.
    message._send(chunk, encoding, null, length);
    message._send('', 'latin1', finish);
  } else if (message.chunkedEncoding) {
    message._send(`${AnyToString(length, 16)}\r\n`, 'latin1', null);
    message._send(chunk, encoding, null, length);
    message._send(`\r\n0\r\n\r\n`, 'latin1', finish);
  } else {
    if (typeof chunk !== 'string' && isOwn) socket.cork();
    message._send(chunk, encoding, finish, length);
  }
  if (socket) {
    // Everything is sent in one write.
    if (socket.writableCorked) {
      socket._writableState.corked = 1;
      socket.uncork();
    }
  }
  message[kCorked] = 1;
  message.uncork();
  message.finished = true;
  if (message.outputData.length === 0 && isOwn) message._finish();
  return message;
}

function end(chunk, encoding, callback) {
  if (typeof chunk === 'function') {
    callback = chunk;
    chunk = null;
    encoding = null;
  } else if (typeof encoding === 'function') {
    callback = encoding;
    encoding = null;
  }
  if (chunk) {
    if (this.finished) {
      onError(this, new codes.ERR_STREAM_WRITE_AFTER_END(), typeof callback === 'function' ? callback : nothing);
      return this;
    }
    if (isWholeBody(this, chunk)) return endWhole(this, chunk, encoding, callback);
    this[kSocket]?.cork();
    write_(this, chunk, encoding, null, true);
  } else if (this.finished) {
    if (typeof callback === 'function') {
      if (!this.writableFinished) this.on('finish', callback);
      else callback(new codes.ERR_STREAM_ALREADY_FINISHED('end'));
    }
    return this;
  } else if (!this._header) {
    this[kSocket]?.cork();
    this._contentLength = 0;
    this._implicitHeader();
  }
  if (typeof callback === 'function') this.once('finish', callback);
  checkLength(this, this[kBytesWritten], true);
  const finish = () => onFinish(this);
  if (this._hasBody && this.chunkedEncoding) {
    this._send(`0\r\n${this._trailer}\r\n`, 'latin1', finish);
  } else if (!this._headerSent || this.writableLength || chunk) {
    this._send('', 'latin1', finish);
  } else {
    nextTick(finish);
  }
  if (this[kSocket]) {
    // Everything is sent in one write.
    this[kSocket]._writableState.corked = 1;
    this[kSocket].uncork();
  }
  this[kCorked] = 1;
  this.uncork();
  this.finished = true;
  if (this.outputData.length === 0 && this[kSocket] && this[kSocket]._httpMessage === this) this._finish();
  return this;
}

module.exports = { bodyMethods: { write, end } };
