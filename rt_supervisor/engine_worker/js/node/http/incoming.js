// @ts-check
'use strict';
// Owns: IncomingMessage: a request on the server, a response on the client. The header objects are created on first access.

const { AnyPush } = require('internal/any_kind');
const { setOf } = require('internal/collections');
const {
  ArrayPush,
  FunctionCall,
  ObjectDefineProperty,
  ObjectHasOwn,
  ObjectSetPrototypeOf,
  SetHas,
  StringToLowerCase,
} = require('internal/primordials');
const Readable = require('node/stream/readable');
const { nextTick } = require('internal/timers');

const kHeaders = Symbol('kHeaders');
const kHeadersDistinct = Symbol('kHeadersDistinct');
const kHeadersCount = Symbol('kHeadersCount');
const kTrailers = Symbol('kTrailers');
const kTrailersCount = Symbol('kTrailersCount');
const kTrailersDistinct = Symbol('kTrailersDistinct');
const kSignal = Symbol('kSignal');

function IncomingMessage(socket) {
  FunctionCall(Readable, this, socket ? { highWaterMark: socket.readableHighWaterMark } : undefined);
  this._readableState.readingMore = true;
  this.socket = socket;
  this.httpVersionMajor = null;
  this.httpVersionMinor = null;
  this.httpVersion = null;
  this.complete = false;
  this[kHeaders] = null;
  this[kHeadersCount] = 0;
  this.rawHeaders = [];
  this[kTrailers] = null;
  this[kTrailersCount] = 0;
  this.rawTrailers = [];
  this.joinDuplicateHeaders = false;
  this.aborted = false;
  this.upgrade = null;
  // requests
  this.url = '';
  this.method = null;
  // responses
  this.statusCode = null;
  this.statusMessage = null;
  this.client = socket;
  this._consuming = false; // its data has been requested
  this._dumped = false; // its data is discarded
}
ObjectSetPrototypeOf(IncomingMessage.prototype, Readable.prototype);
ObjectSetPrototypeOf(IncomingMessage, Readable);

const accessor = (name, get, set) =>
  ObjectDefineProperty(IncomingMessage.prototype, name, { __proto__: null, get, set, enumerable: false, configurable: true });

accessor(
  'connection',
  function get() {
    return this.socket;
  },
  function set(value) {
    this.socket = value;
  },
);
accessor(
  'headers',
  function get() {
    if (!this[kHeaders]) {
      this[kHeaders] = {};
      for (let i = 0; i < this[kHeadersCount]; i += 2)
        this._addHeaderLine(this.rawHeaders[i], this.rawHeaders[i + 1], this[kHeaders]);
    }
    return this[kHeaders];
  },
  function set(value) {
    this[kHeaders] = value;
  },
);
accessor(
  'headersDistinct',
  function get() {
    return (this[kHeadersDistinct] ??= distinct(this, this.rawHeaders, this[kHeadersCount]));
  },
  function set(value) {
    this[kHeadersDistinct] = value;
  },
);
accessor(
  'trailers',
  function get() {
    if (!this[kTrailers]) {
      this[kTrailers] = {};
      for (let i = 0; i < this[kTrailersCount]; i += 2)
        this._addHeaderLine(this.rawTrailers[i], this.rawTrailers[i + 1], this[kTrailers]);
    }
    return this[kTrailers];
  },
  function set(value) {
    this[kTrailers] = value;
  },
);
accessor(
  'trailersDistinct',
  function get() {
    return (this[kTrailersDistinct] ??= distinct(this, this.rawTrailers, this[kTrailersCount]));
  },
  function set(value) {
    this[kTrailersDistinct] = value;
  },
);
accessor('signal', function get() {
  if (this[kSignal] === undefined) {
    const controller = new (require('web/abort').AbortController)();
    this[kSignal] = controller.signal;
    if (this.destroyed) controller.abort();
    else this.once('close', () => controller.abort());
  }
  return this[kSignal];
});

function distinct(message, raw, count) {
  const all = { __proto__: null };
  for (let i = 0; i < count; i += 2) message._addHeaderLineDistinct(raw[i], raw[i + 1], all);
  return all;
}

IncomingMessage.prototype.setTimeout = function setTimeout(msecs, callback) {
  if (callback) this.on('timeout', callback);
  this.socket.setTimeout(msecs);
  return this;
};

IncomingMessage.prototype._read = function _read() {
  if (!this._consuming) {
    this._readableState.readingMore = false;
    this._consuming = true;
  }
  if (this.socket?.readable) readStart(this.socket);
};

IncomingMessage.prototype._destroy = function _destroy(error, callback) {
  if (!this.readableEnded || !this.complete) {
    this.aborted = true;
    this.emit('aborted');
  }
  // A message destroyed before its end destroys the connection too; after a complete message the connection may be reused.
  if (this.socket && !this.socket.destroyed && this.aborted) {
    this.socket.destroy(error);
    const onClosed = (failure) => {
      clean();
      nextTick(onError, this, failure || error, callback);
    };
    const clean = require('node/stream/finished').finished(this.socket, { error: false }, (failure) =>
      onClosed(failure?.code === 'ERR_STREAM_PREMATURE_CLOSE' ? null : failure),
    );
  } else {
    nextTick(onError, this, error, callback);
  }
};

function onError(message, error, callback) {
  // Without an 'error' listener a broken connection is not an error.
  if (message.listenerCount('error') === 0) callback();
  else callback(error);
}

IncomingMessage.prototype._addHeaderLines = function _addHeaderLines(headers, count) {
  if (!headers?.length) return;
  let target;
  if (this.complete) {
    this.rawTrailers = headers;
    this[kTrailersCount] = count;
    target = this[kTrailers];
  } else {
    this.rawHeaders = headers;
    this[kHeadersCount] = count;
    target = this[kHeaders];
  }
  if (target) for (let i = 0; i < count; i += 2) this._addHeaderLine(headers[i], headers[i + 1], target);
};

// For these only the first value counts.
const ONCE = setOf([
  'age',
  'authorization',
  'content-length',
  'content-type',
  'etag',
  'expires',
  'from',
  'host',
  'if-modified-since',
  'if-unmodified-since',
  'last-modified',
  'location',
  'max-forwards',
  'proxy-authorization',
  'referer',
  'retry-after',
  'server',
  'user-agent',
]);

IncomingMessage.prototype._addHeaderLine = function _addHeaderLine(field, value, target) {
  const name = StringToLowerCase(field);
  const before = target[name];
  if (name === 'set-cookie') {
    if (before === undefined) target[name] = [value];
    else ArrayPush(before, value);
  } else if (before === undefined || (!ObjectHasOwn(target, name) && typeof before !== 'string')) {
    target[name] = value;
  } else if (name === 'cookie') {
    target[name] = `${before}; ${value}`;
  } else if (!SetHas(ONCE, name) || this.joinDuplicateHeaders) {
    target[name] = `${before}, ${value}`;
  }
};

IncomingMessage.prototype._addHeaderLineDistinct = function _addHeaderLineDistinct(field, value, target) {
  const name = StringToLowerCase(field);
  if (target[name] === undefined) target[name] = [value];
  else AnyPush(target[name], value);
};

IncomingMessage.prototype._dumpAndCloseReadable = function _dumpAndCloseReadable() {
  this._dumped = true;
  this._readableState.ended = true;
  this._readableState.endEmitted = true;
  this._readableState.destroyed = true;
  this._readableState.closed = true;
  this._readableState.closeEmitted = true;
};

/** Reads and discards the body. */
IncomingMessage.prototype._dump = function _dump() {
  if (this._dumped) return;
  this._dumped = true;
  this.removeAllListeners('data');
  this.resume();
};

function readStart(socket) {
  if (socket && !socket._paused && socket.readable) socket.resume();
}
function readStop(socket) {
  if (socket) socket.pause();
}

module.exports = { IncomingMessage, readStart, readStop };
