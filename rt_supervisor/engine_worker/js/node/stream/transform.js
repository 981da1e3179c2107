'use strict';
// Owns: Transform: _transform converts written chunks, _flush emits the rest before the end; and PassThrough.

const { FunctionCall, ObjectSetPrototypeOf } = require('internal/primordials');
const Duplex = require('node/stream/duplex');
const { highWaterMarkOf } = require('node/stream/marks');
const { nextTick } = require('internal/timers');
const { codes } = require('internal/errors/errors');

const kCallback = Symbol('kCallback'); // of a write whose output has not been read yet

function Transform(options) {
  if (!(this instanceof Transform)) return new Transform(options);
  // A readable side that buffers nothing makes the writable side's default 0 as well.
  const mark = options
    ? highWaterMarkOf(
        { objectMode: Boolean(options.objectMode || options.readableObjectMode) },
        options,
        'readableHighWaterMark',
        true,
      )
    : null;
  if (mark === 0) {
    options = {
      ...options,
      highWaterMark: null,
      readableHighWaterMark: mark,
      writableHighWaterMark: options.writableHighWaterMark || 0,
    };
  }
  FunctionCall(Duplex, this, options);
  this._readableState.sync = false; // _read is Transform's, so push is never called inside one
  this[kCallback] = null;
  if (options) {
    if (typeof options.transform === 'function') this._transform = options.transform;
    if (typeof options.flush === 'function') this._flush = options.flush;
  }
  this.on('prefinish', onPrefinish);
}
ObjectSetPrototypeOf(Transform.prototype, Duplex.prototype);
ObjectSetPrototypeOf(Transform, Duplex);

function final(callback) {
  if (typeof this._flush !== 'function' || this.destroyed) {
    this.push(null);
    callback?.();
    return;
  }
  this._flush((error, data) => {
    if (error) {
      if (callback) callback(error);
      else this.destroy(error);
      return;
    }
    if (data != null) this.push(data);
    this.push(null);
    callback?.();
  });
}

/** Flushes streams whose own _final has replaced Transform's. */
function onPrefinish() {
  if (this._final !== final) FunctionCall(final, this);
}
Transform.prototype._final = final;

Transform.prototype._transform = function _transform() {
  throw new codes.ERR_METHOD_NOT_IMPLEMENTED('_transform()');
};

Transform.prototype._write = function _write(chunk, encoding, callback) {
  const reading = this._readableState;
  const writing = this._writableState;
  const before = reading.length;
  this._transform(chunk, encoding, (error, value) => {
    if (error) {
      callback(error);
      return;
    }
    if (value != null) this.push(value);
    if (reading.ended)
      nextTick(callback); // the events of push(null) come first
    else if (writing.ended || before === reading.length || reading.length < reading.highWaterMark) callback();
    else this[kCallback] = callback;
  });
};

Transform.prototype._read = function _read() {
  const callback = this[kCallback];
  if (!callback) return;
  this[kCallback] = null;
  callback();
};

function PassThrough(options) {
  if (!(this instanceof PassThrough)) return new PassThrough(options);
  FunctionCall(Transform, this, options);
}
ObjectSetPrototypeOf(PassThrough.prototype, Transform.prototype);
ObjectSetPrototypeOf(PassThrough, Transform);
PassThrough.prototype._transform = function _transform(chunk, encoding, callback) {
  callback(null, chunk);
};

module.exports = { Transform, PassThrough };
