// @ts-check
'use strict';
// Owns: fs.ReadStream and fs.WriteStream, over the functions of node:fs or the program's replacements. A descriptor is not
// closed during a read or write.

const { AnySubarray, AnyThen } = require('internal/any_kind');
const {
  ArrayBufferIsView,
  ArrayMap,
  ArraySlice,
  FunctionCall,
  MathMin,
  ObjectDefineProperties,
  ObjectSetPrototypeOf,
  ReflectApply,
  intact,
} = require('internal/primordials');
const fs = require('node/fs/fs');
const Readable = require('node/stream/readable');
const Writable = require('node/stream/writable');
const { errorOrDestroy } = require('node/stream/destroy');
const { finished } = require('node/stream/finished');
const { codes } = require('internal/errors/errors');
const {
  validateAbortSignal,
  validateBoolean,
  validateFunction,
  validateInteger,
  validateObject,
} = require('internal/validators');
const { pathOf, optionsOf } = require('node/fs/arguments');
const { nextTick } = require('internal/timers');

const kBusy = Symbol('kIsPerformingIO');
const kIdle = Symbol('kIoDone');
const kFs = Symbol('kFs');
const LARGEST = Number.MAX_SAFE_INTEGER;

const isHandle = (value) =>
  typeof value === 'object' && value !== null && value instanceof require('node/fs/promises').FileHandle;

/** The functions of node:fs for a FileHandle, implemented with its methods. */
const functionsOf = (handle) => ({
  __proto__: null,
  open: () => {},
  close: (fd, callback) => {
    AnyThen(handle.close(), () => callback(), callback);
  },
  fsync: (fd, callback) => {
    AnyThen(handle.sync(), () => callback(), callback);
  },
  read: (fd, buffer, offset, length, position, callback) => {
    AnyThen(handle.read(buffer, offset, length, position), (read) => callback(null, read.bytesRead, buffer), callback);
  },
  write: (fd, buffer, offset, length, position, callback) => {
    AnyThen(handle.write(buffer, offset, length, position), (done) => callback(null, done.bytesWritten, buffer), callback);
  },
  writev: (fd, buffers, position, callback) => {
    AnyThen(handle.writev(buffers, position), (done) => callback(null, done.bytesWritten, buffers), callback);
  },
});

function functionsFor(stream, options, needed) {
  if (isHandle(options.fd)) {
    if (options.fs) throw new codes.ERR_METHOD_NOT_IMPLEMENTED('FileHandle with fs');
    require('node/fs/file_handle').lend(options.fd);
    options.fd.on('close', () => stream.close());
    return functionsOf(options.fd);
  }
  if (options.fs == null) return fs;
  validateObject(options.fs, 'options.fs');
  for (const name of intact(needed)) validateFunction(options.fs[name], `options.fs.${name}`);
  return options.fs;
}

function takeCommon(stream, path, options, flags) {
  if (options.signal !== undefined) validateAbortSignal(options.signal, 'options.signal');
  if (options.fd == null) {
    stream.fd = null;
    stream.path = typeof path === 'string' || ArrayBufferIsView(path) ? path : pathOf(path); // the path of a URL
    pathOf(path); // throws for an invalid path
    stream.flags = options.flags ?? flags;
    stream.mode = options.mode ?? 0o666;
  } else {
    const fd = isHandle(options.fd) ? options.fd.fd : options.fd;
    validateInteger(fd, 'fd', 0, 2147483647);
    stream.fd = fd;
    stream.path = undefined;
  }
}

/** Supports programs that replace `open` of the class; that function opens the file and emits 'open' or 'error'. */
function openByPatch(stream, callback) {
  const emit = stream.emit;
  stream.emit = function (...args) {
    if (args[0] === 'error') {
      this.emit = emit;
      callback(args[1]);
      return undefined;
    }
    if (args[0] === 'open') {
      this.emit = emit;
      callback();
    }
    return ReflectApply(emit, this, args);
  };
  stream.open();
}
const doNothing = { open() {} }.open;

/** _construct of both classes: opens the path. */
function open(callback) {
  if (typeof this.fd === 'number') {
    callback();
    return;
  }
  if (this.open !== doNothing) {
    openByPatch(this, callback);
    return;
  }
  this[kFs].open(this.path, this.flags, this.mode, (error, fd) => {
    if (error) {
      callback(error);
      return;
    }
    this.fd = fd;
    callback();
    this.emit('open', fd);
    this.emit('ready');
  });
}

function close(stream, error, callback) {
  const { fd } = stream;
  if (fd === null || fd === undefined) {
    callback(error);
    return;
  }
  const finish = (problem) => {
    stream[kFs].close(fd, (failure) => callback(failure || problem));
    stream.fd = null;
  };
  if (stream.flush) stream[kFs].fsync(fd, (failure) => finish(error || failure));
  else finish(error);
}

/** Copies the options, inherited ones included, to own properties. */
function copyOptions(source, defaults) {
  optionsOf(source, {}); // throws for invalid options
  if (typeof source === 'string') return { ...defaults, encoding: source };
  const options = { ...defaults };
  for (const name in source) options[name] = source[name];
  return options;
}

/** _destroy of both classes: waits for the pending read or write. */
function destroyWhenIdle(error, callback) {
  if (this[kBusy]) this.once(kIdle, (failure) => close(this, error || failure, callback));
  else close(this, error, callback);
}

function ReadStream(path, options) {
  if (!(this instanceof ReadStream)) return new /** @type {any} */ (ReadStream)(path, options);
  options = copyOptions(options, { highWaterMark: 64 * 1024 });
  options.autoDestroy ??= options.autoClose ?? true;
  this[kFs] = functionsFor(this, options, options.fd == null ? ['open', 'read', 'close'] : ['read', 'close']);
  takeCommon(this, path, options, 'r');
  this.start = options.start;
  this.end = options.end ?? Infinity;
  this.pos = undefined;
  this.bytesRead = 0;
  this[kBusy] = false;
  if (this.start !== undefined) {
    validateInteger(this.start, 'start', 0);
    this.pos = this.start;
  }
  if (this.end !== Infinity) {
    validateInteger(this.end, 'end', 0);
    if (this.start !== undefined && this.start > this.end)
      throw new codes.ERR_OUT_OF_RANGE('start', `<= "end" (here: ${this.end})`, this.start);
  }
  FunctionCall(Readable, this, options);
}
ObjectSetPrototypeOf(ReadStream.prototype, Readable.prototype);
ObjectSetPrototypeOf(ReadStream, Readable);
ReadStream.prototype._construct = open;

ReadStream.prototype._read = function _read(size) {
  const count = MathMin(size, this.end - (this.pos ?? this.bytesRead) + 1);
  if (count <= 0) {
    this.push(null);
    return;
  }
  const buffer = require('node/buffer/buffer').Buffer.allocUnsafeSlow(count);
  this[kBusy] = true;
  this[kFs].read(this.fd, buffer, 0, count, this.pos ?? null, (error, bytesRead) => {
    this[kBusy] = false;
    if (this.destroyed) {
      this.emit(kIdle, error);
    } else if (error) {
      errorOrDestroy(this, error);
    } else if (bytesRead > 0) {
      if (this.pos !== undefined) this.pos += bytesRead;
      this.bytesRead += bytesRead;
      this.push(bytesRead === buffer.length ? buffer : compact(buffer, bytesRead));
    } else {
      this.push(null);
    }
  });
};

/** Copies a short read, so that it does not retain the whole buffer. */
function compact(buffer, count) {
  const copy = require('node/buffer/buffer').Buffer.allocUnsafeSlow(count);
  buffer.copy(copy, 0, 0, count);
  return copy;
}

ReadStream.prototype._destroy = destroyWhenIdle;
ReadStream.prototype.close = function closeReading(callback) {
  if (typeof callback === 'function') finished(this, callback);
  this.destroy();
};

function WriteStream(path, options) {
  if (!(this instanceof WriteStream)) return new /** @type {any} */ (WriteStream)(path, options);
  options = copyOptions(options, { decodeStrings: true });
  options.autoDestroy ??= options.autoClose ?? true;
  this[kFs] = functionsFor(this, options, options.fd == null ? ['open', 'close'] : ['close']);
  if (options.fs != null) {
    if (!options.fs.write && !options.fs.writev)
      throw new codes.ERR_INVALID_ARG_TYPE('options.fs.write', 'function', options.fs.write);
    for (const name of intact(['write', 'writev']))
      if (options.fs[name]) validateFunction(options.fs[name], `options.fs.${name}`);
    if (!options.fs.writev) this._writev = null;
    if (!options.fs.write) this._write = null;
  }
  takeCommon(this, path, options, 'w');
  this.start = options.start;
  this.flush = options.flush ?? false;
  if (options.flush != null) validateBoolean(options.flush, 'options.flush');
  this.pos = undefined;
  this.bytesWritten = 0;
  this[kBusy] = false;
  if (this.start !== undefined) {
    validateInteger(this.start, 'start', 0, LARGEST);
    this.pos = this.start;
  }
  if (options.encoding) options.defaultEncoding = options.encoding;
  FunctionCall(Writable, this, options);
  if (options.encoding) this.setDefaultEncoding(options.encoding);
}
ObjectSetPrototypeOf(WriteStream.prototype, Writable.prototype);
ObjectSetPrototypeOf(WriteStream, Writable);
WriteStream.prototype._construct = open;

/** Writes all of `data`, in as many calls as needed. */
function writeAll(stream, data, callback) {
  stream[kFs].write(stream.fd, data, 0, data.length, stream.pos ?? null, (error, count) => {
    if (error?.code === 'EAGAIN') [error, count] = intact([null, 0]);
    if (stream.destroyed || error) {
      callback(error || new codes.ERR_STREAM_DESTROYED('write'));
      return;
    }
    stream.bytesWritten += count;
    if (stream.pos !== undefined) stream.pos += count;
    if (count < data.length) writeAll(stream, data.subarray(count), callback);
    else callback();
  });
}

/** Marks the stream busy until `work` completes; _destroy waits for that. */
function busily(stream, work, callback) {
  stream[kBusy] = true;
  work((error) => {
    stream[kBusy] = false;
    if (stream.destroyed) {
      callback(error);
      stream.emit(kIdle, error);
    } else {
      callback(error);
    }
  });
}

WriteStream.prototype._write = function _write(data, encoding, callback) {
  busily(this, (done) => writeAll(this, data, done), callback);
};

WriteStream.prototype._writev = function _writev(chunks, callback) {
  const buffers = ArrayMap(chunks, ({ chunk }) => chunk);
  busily(this, (done) => writeAllOf(this, buffers, done), callback);
};

/** Writes all buffers, in as many calls as needed. */
function writeAllOf(stream, buffers, callback) {
  stream[kFs].writev(stream.fd, buffers, stream.pos ?? null, (error, count) => {
    if (error?.code === 'EAGAIN') [error, count] = intact([null, 0]);
    if (stream.destroyed || error) {
      callback(error || new codes.ERR_STREAM_DESTROYED('writev'));
      return;
    }
    stream.bytesWritten += count;
    if (stream.pos !== undefined) stream.pos += count;
    const rest = after(buffers, count);
    if (rest.length > 0) writeAllOf(stream, rest, callback);
    else callback();
  });
}

/** The rest of `buffers` after the first `count` bytes. */
function after(buffers, count) {
  let at = 0;
  while (at < buffers.length && count >= buffers[at].byteLength) count -= buffers[at++].byteLength;
  const rest = ArraySlice(buffers, at);
  if (count > 0) rest[0] = AnySubarray(rest[0], count);
  return rest;
}

WriteStream.prototype._destroy = destroyWhenIdle;
WriteStream.prototype.close = function closeWriting(callback) {
  if (callback) {
    if (this.closed) {
      nextTick(callback);
      return;
    }
    this.on('close', callback);
  }
  // Without autoClose, 'finish' does not close the descriptor.
  if (!this.autoClose) this.on('finish', this.destroy);
  this.end();
};
WriteStream.prototype.destroySoon = WriteStream.prototype.end;

for (const Class of intact([ReadStream, WriteStream])) {
  Class.prototype.open = doNothing;
  ObjectDefineProperties(Class.prototype, {
    autoClose: {
      __proto__: null,
      configurable: true,
      get() {
        const state = this._writableState ?? this._readableState;
        if (state === undefined) throw new codes.ERR_INVALID_THIS(Class.name);
        return state.autoDestroy;
      },
      set(value) {
        (this._writableState ?? this._readableState).autoDestroy = value;
      },
    },
    pending: {
      __proto__: null,
      configurable: true,
      get() {
        return this.fd === null;
      },
    },
  });
}

module.exports = {
  ReadStream,
  WriteStream,
  createReadStream: function createReadStream(path, options) {
    return new /** @type {any} */ (ReadStream)(path, options);
  },
  createWriteStream: function createWriteStream(path, options) {
    return new /** @type {any} */ (WriteStream)(path, options);
  },
};
