'use strict';
// Owns: a child's pipes as node:stream streams. They are read on demand: unread data stays in the pipe, and a child that
// fills it blocks.

const { ObjectDefineProperties, ObjectDefineProperty } = require('internal/primordials');
const { Readable, Writable, Duplex } = require('node/stream/stream');
const { errnoException } = require('internal/errors/errors');
const { removeHandle, addHandle } = require('internal/active_handles');

const HIGH_WATER_MARK = 64 * 1024;

/** The handle of a child that could not be started: reads end immediately, and writes are dropped. */
class NoHandle {
  fd = -1;
  isClosed = false;
  read(callback) {
    host.nextTick(() => {
      if (!this.isClosed) callback(null);
    });
  }
  stop() {}
  write() {
    return true;
  }
  end() {}
  close() {
    this.isClosed = true;
  }
  ref() {}
  unref() {}
}

/** The active-handle name of a pipe that keeps the program alive. */
const activity = (stream) => (stream._handle?.isClosed === false && stream._handle.hasRef?.() ? 'PipeWrap' : undefined);

function read(stream, handle) {
  handle.read((block) => {
    if (block === null) stream.push(null);
    else if (typeof block === 'number') stream.destroy(errnoException(block, 'read'));
    else {
      stream.bytesRead += block.length;
      if (!stream.push(require('node/buffer/views').asBuffer(block))) handle.stop();
    }
  });
}

function write(stream, handle, chunk, callback) {
  stream.bytesWritten += chunk.length;
  const isDone = handle.write(chunk, (outcome) => callback(outcome < 0 ? errnoException(outcome, 'write') : null));
  if (isDone) callback(null);
}

/** Adds the members of sockets to a stream class. */
const onHandle = (Base, methods) => {
  class Stream extends Base {
    constructor(handle, options) {
      super({ highWaterMark: HIGH_WATER_MARK, ...options });
      ObjectDefineProperty(this, '_handle', { __proto__: null, value: handle, writable: true, configurable: true });
      this.bytesRead = 0;
      this.bytesWritten = 0;
      addHandle(this, activity);
    }
    _destroy(error, callback) {
      this._handle?.close();
      this._handle = null;
      removeHandle(this);
      callback(error);
    }
    ref() {
      this._handle?.ref();
      return this;
    }
    unref() {
      this._handle?.unref();
      return this;
    }
    destroySoon() {
      if (this.writable) this.end();
      if (!this.writable || this.writableFinished) this.destroy();
      else this.once('finish', this.destroy);
    }
  }
  ObjectDefineProperties(Stream.prototype, require('internal/primordials').ownDescriptors(methods));
  ObjectDefineProperty(Stream, 'name', { __proto__: null, value: 'Socket' });
  return Stream;
};

const reading = {
  _read() {
    if (this._handle) read(this, this._handle);
  },
};
const writing = {
  _write(chunk, _encoding, callback) {
    if (this._handle) write(this, this._handle, chunk, callback);
    else callback(new (require('internal/errors/errors').codes.ERR_STREAM_DESTROYED)('write'));
  },
};

/** A getter that returns false, for the half that a socket does not have. */
const no = (name) => ({
  get [name]() {
    return false;
  },
});

const ChildReader = onHandle(Readable, { ...reading, ...no('writable') });
const ChildWriter = onHandle(Writable, { ...writing, ...no('readable') });
const ChildDuplex = onHandle(Duplex, {
  ...reading,
  ...writing,
  _final(callback) {
    this._handle?.end();
    callback(null);
  },
});

/** The stream for a child's descriptor `place`: readable, writable, or both. */
function streamFor(place, handle) {
  if (place === 0) return new ChildWriter(handle);
  if (place <= 2) return new ChildReader(handle);
  return new ChildDuplex(handle, { allowHalfOpen: false });
}

module.exports = { streamFor, NoHandle };
