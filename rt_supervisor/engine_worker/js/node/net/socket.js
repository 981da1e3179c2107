'use strict';
// Owns: net.Socket: a duplex over a descriptor. It reads while the stream is being consumed and writes what fits immediately;
// connecting is in node/net/connect.js.
//
//     new --connect()--> connecting --> open --end() and 'end'--> closed; destroy() closes from any state

const native = host.native;
const { ArrayMap, ArrayReduce, MathMax, intact } = require('internal/primordials');
const { NumberIsNaN, ObjectDefineProperty, ObjectSetPrototypeOf, ReflectConstruct } = require('internal/primordials');
const Duplex = require('node/stream/duplex');
const { PipeHandle } = require('internal/pipe_handle');
const { attachHandle, detachHandle } = require('node/net/active_handle');
const { later } = require('internal/completions');
const { nextTick, setTimeout: startTimer, clearTimeout: stopTimer } = require('internal/timers');
const { durationFor } = require('internal/timer_delays');
const { codes, errnoException } = require('internal/errors/errors');
const { addPlaceOf } = require('internal/errors/places');
const { validateAbortSignal, validateFunction, validateInt32 } = require('internal/validators');

class Socket extends Duplex {
  #timer;
  #isTimed = false;
  #bytesRead = 0;
  #bytesWritten = 0;
  #names = {};
  #onread; // receives bytes instead of 'data'
  #parsing; // { parser, take }: receives parsed messages instead of 'data'
  #settings = {}; // options set by the program, possibly before there is a handle
  #isReferenced = true;

  constructor(options = {}) {
    if (typeof options === 'number') options = { fd: options };
    const { handle, fd, allowHalfOpen = false, onread, signal, noDelay, keepAlive, keepAliveInitialDelay = 0 } = options;
    if (options.objectMode || options.readableObjectMode || options.writableObjectMode) {
      const name = options.objectMode ? 'objectMode' : options.readableObjectMode ? 'readableObjectMode' : 'writableObjectMode';
      throw new codes.ERR_INVALID_ARG_VALUE(`options.${name}`, true, 'is not supported');
    }
    if (signal) validateAbortSignal(signal, 'options.signal');
    super({
      ...options,
      signal: undefined,
      allowHalfOpen: Boolean(allowHalfOpen),
      emitClose: false,
      autoDestroy: true,
      decodeStrings: false,
      readable: options.readable ?? true,
      writable: options.writable ?? true,
      highWaterMark: options.highWaterMark,
    });
    this.connecting = false;
    this._hadError = false;
    this._host = null;
    this._parent = null;
    this._pendingData = null;
    this._pendingEncoding = '';
    this.server = null;
    ObjectDefineProperty(this, '_handle', {
      __proto__: null,
      value: null,
      writable: true,
      enumerable: false,
      configurable: true,
    });
    if (onread !== null && typeof onread === 'object' && typeof onread.callback === 'function') {
      this.#onread = new (require('node/net/onread').OnRead)(onread);
    }
    if (noDelay) this.setNoDelay(true);
    if (keepAlive) this.setKeepAlive(true, MathMax(0, keepAliveInitialDelay));
    this.on('end', () => {
      if (!this.allowHalfOpen) this.write = require('node/net/write_after_end').writeAfterEnd;
    });
    if (handle !== undefined && handle !== null) this.attach(handle);
    else if (fd !== undefined) this.#adopt(fd);
    if (signal) require('node/stream/abort_signals').addAbortSignal(signal, this);
  }

  #adopt(fd) {
    validateInt32(fd, 'fd', 0);
    if (!native.pipes_adopt(fd)) throw errnoException(-9, 'open');
    this.attach(new PipeHandle(fd));
    if (this.readable && !this.isPaused()) this.read(0);
  }

  /** Attaches the descriptor's handle and applies the options set before. */
  attach(handle) {
    attachHandle(this, handle);
    this.#onread?.begin();
    const { noDelay, keepAlive, typeOfService } = this.#settings;
    if (noDelay) handle.setNoDelay?.(true);
    if (keepAlive?.[0]) handle.setKeepAlive?.(...intact(keepAlive));
    if (typeOfService !== undefined) native.net_typeOfService(handle.fd, typeOfService);
    if (!this.#isReferenced) handle.unref();
  }

  // --- reading

  _read(size) {
    if (this.connecting || this._handle === null) this.once('connect', () => this._read(size));
    else if (this.#onread?.hasRest) nextTick(() => this.#onread.resume(this));
    else if (typeof this._handle.read !== 'function')
      this._handle.readStart?.(); // set by the program
    else if (!this._handle.isReading) this.#readHandle();
  }

  #readHandle() {
    if (this.#parsing === undefined) this._handle.read((block) => this.#take(block));
    else this.#parsing.parser.readFrom(this._handle, (items, bytes, size) => this.#takeParsed(items, bytes, size));
  }

  #takeParsed(items, bytes, size) {
    if (size === undefined) {
      this.#take(items); // the end, or an error
      return;
    }
    this.touch();
    this.#bytesRead += size;
    this.#parsing.take(items, bytes);
  }

  /**
   * Lets `parser` read the handle and calls `take(items, bytes)`, without 'data' events, until `endParsing`. Does nothing if that is
   * impossible: the caller listens to 'data' as well.
   */
  parseWith(parser, take) {
    if (typeof this._handle?.read !== 'function' || this.#onread !== undefined || this.readableLength > 0) return;
    if (this.listenerCount('data') > 1 || this.listenerCount('readable') > 0) return;
    this.#parsing = { parser, take };
    this.#readAgain();
  }
  get isParsing() {
    return this.#parsing !== undefined;
  }
  endParsing() {
    if (this.#parsing === undefined) return;
    this.#parsing = undefined;
    if (!this.#readAgain()) this._readableState.reading = false;
  }
  #readAgain() {
    if (!this._handle?.isReading) return false;
    this._handle.stop();
    this.#readHandle();
    return true;
  }

  #take(block) {
    this.touch();
    if (block === null) {
      if (this._handle === null) return;
      this.push(null);
      this.read(0);
    } else if (typeof block === 'number') {
      this.destroy(errnoException(block, 'read'));
    } else {
      this.#bytesRead += block.length;
      if (this.#onread === undefined) {
        if (!this.push(require('node/buffer/views').asBuffer(block))) this._handle?.stop();
      } else if (!this.#onread.give(this, block)) {
        this._handle?.stop();
      }
    }
  }

  resume() {
    super.resume();
    if (this.#onread !== undefined) nextTick(() => this.#onread.resume(this));
    else if (this.#parsing !== undefined && this._handle?.isReading === false) nextTick(() => this.#continueParsing());
    return this;
  }
  /** Nothing was pushed, so for the stream the last read is still pending. */
  #continueParsing() {
    if (this.#parsing !== undefined && this._readableState.reading && !this.destroyed && !this.isPaused()) this._read();
  }
  pause() {
    super.pause();
    if (#parsing in this && this.#parsing !== undefined) this._handle?.stop();
    return this;
  }

  // --- writing

  _write(chunk, encoding, callback) {
    this._writeGeneric(false, chunk, encoding, callback);
  }
  _writev(chunks, callback) {
    this._writeGeneric(true, chunks, '', callback);
  }
  /** All writes pass through this method, as in Node: programs replace it. */
  _writeGeneric(isList, data, encoding, callback) {
    if (this.connecting) {
      require('node/net/pending_write').writeOnceConnected(this, isList, data, encoding, callback);
      return;
    }
    this._pendingData = null;
    this._pendingEncoding = '';
    if (isList) data = ArrayMap(data, (each) => bytesOf(each.chunk, each.encoding));
    if (isList) this.#send(undefined, data, callback);
    else if (typeof data === 'string' && this._handle?.writeText !== undefined && isNative(encoding))
      this.#sendText(data, encoding, callback);
    else this.#send(bytesOf(data, encoding), undefined, callback);
  }

  #onWritten(outcome, callback, reason) {
    if (!this.destroyed) this.touch();
    callback(outcome < 0 ? errnoException(outcome, 'write', reason) : null);
  }

  /** Sends text, which the system encodes. */
  #sendText(text, encoding, callback) {
    this.touch();
    const { _handle: handle } = this;
    handle.lastSize = 0;
    const isDone = handle.writeText(text, encoding === 'latin1', (outcome) => this.#onWritten(outcome, callback));
    this.#bytesWritten += handle.lastSize;
    if (isDone) callback(null);
  }

  /** Sends `bytes`, or all buffers of `list`. */
  #send(bytes, list, callback) {
    if (this._handle === null) {
      callback(new codes.ERR_SOCKET_CLOSED());
      return;
    }
    this.touch();
    this.#bytesWritten += list === undefined ? bytes.length : ArrayReduce(list, (sum, { length }) => sum + length, 0);
    const onWritten = (outcome, reason) => this.#onWritten(outcome, callback, reason);
    // Other handles, such as those of TLS, take one buffer.
    if (list !== undefined && this._handle.writeAll === undefined) bytes = require('node/buffer/buffer').Buffer.concat(list);
    const isOne = list === undefined || this._handle.writeAll === undefined;
    const isDone = isOne ? this._handle.write(bytes, onWritten) : this._handle.writeAll(list, onWritten);
    if (isDone) callback(null);
  }

  _final(callback) {
    if (this.connecting) {
      this.once('connect', () => this._final(callback));
      return;
    }
    const finish = () => {
      this._handle?.end();
      callback(null);
    };
    later(this._handle?.ending?.(finish) ?? finish); // data that has arrived meanwhile comes first
  }

  // --- the end

  destroySoon() {
    if (this.writable) this.end();
    if (this.writableFinished) this.destroy();
    else this.once('finish', this.destroy);
  }

  resetAndDestroy() {
    if (this.connecting) this.once('connect', () => this.#reset());
    else if (this._handle !== null) this.#reset();
    else {
      this.destroy(new codes.ERR_SOCKET_CLOSED());
    }
    return this;
  }
  #reset() {
    if (this._handle !== null) native.net_resetOnClose(this._handle.fd);
    this.destroy();
  }

  _destroy(error, callback) {
    if (error) addPlaceOf(this, error);
    this.connecting = false;
    this.stopConnecting?.();
    stopTimer(this.#timer);
    this.#isTimed = false;
    const hadError = Boolean(error);
    const emitClose = () => this.emit('close', hadError);
    if (this._handle !== null) {
      this.#remember();
      const handle = detachHandle(this);
      handle.close?.(emitClose);
      callback(error);
    } else {
      callback(error);
      nextTick(emitClose);
    }
    if (this._server) {
      const server = this._server;
      this._server = null;
      server.forget(this);
    }
  }

  // --- timeouts

  setTimeout(delay, callback) {
    if (this.destroyed) return this;
    this.timeout = delay;
    delay = durationFor(delay, 'msecs');
    if (callback !== undefined) validateFunction(callback, 'callback');
    // A disabled timer keeps running and does nothing when it fires: the next request enables it again.
    this.#isTimed = delay > 0;
    if (delay === 0) {
      if (callback) this.removeListener('timeout', callback);
      return this;
    }
    if (this.#timer !== undefined && this.#timer._idleTimeout === MathMax(1, delay)) this.#timer.refresh();
    else {
      stopTimer(this.#timer);
      this.#timer = startTimer(() => this.#timeIsUp(), delay).unref();
    }
    if (callback) this.once('timeout', callback);
    return this;
  }
  #timeIsUp() {
    if (this.#isTimed) this._onTimeout();
    else this.#timer = undefined;
  }
  _onTimeout() {
    this.emit('timeout');
  }
  /** Restarts the timeout after activity. */
  touch() {
    if (this.#isTimed) this.#timer.refresh();
  }
  _unrefTimer() {
    this.touch();
  }

  // --- options of the descriptor

  setNoDelay(isOn = true) {
    const wants = Boolean(isOn);
    if (wants === (this.#settings.noDelay ?? false)) return this;
    this.#settings.noDelay = wants;
    this._handle?.setNoDelay?.(wants);
    return this;
  }
  setKeepAlive(isOn = false, delayMs = 0) {
    const wants = Boolean(isOn);
    const seconds = (Number(delayMs) / 1000) | 0;
    const { 0: before, 1: delay } = this.#settings.keepAlive ?? [false, 0];
    if (wants === before && (!wants || seconds === delay)) return this;
    this.#settings.keepAlive = [wants, seconds];
    this._handle?.setKeepAlive?.(wants, seconds);
    return this;
  }
  setTypeOfService(value) {
    if (NumberIsNaN(value)) throw new codes.ERR_INVALID_ARG_TYPE('tos', 'number', value);
    validateInt32(value, 'tos', 0, 255);
    this.#settings.typeOfService = value;
    if (this._handle !== null) native.net_typeOfService(this._handle.fd, value);
    return this;
  }
  getTypeOfService() {
    return this._handle === null ? (this.#settings.typeOfService ?? 0) : native.net_typeOfService(this._handle.fd, -1);
  }
  ref() {
    this.#isReferenced = true;
    this._handle?.ref();
    return this;
  }
  unref() {
    this.#isReferenced = false;
    this._handle?.unref();
    return this;
  }
  get isReferenced() {
    return this.#isReferenced;
  }

  // --- properties

  #name(side) {
    if (this.#names[side] !== undefined) return this.#names[side];
    if (this._handle === null || this.connecting) return undefined;
    const custom = require('node/net/custom_handle').nameFrom(this._handle, side);
    if (custom !== undefined) return (this.#names[side] = custom);
    if (this._handle.fd < 0) return undefined; // TLS over a stream has no socket
    const name = native[side === 'local' ? 'net_localName' : 'net_remoteName'](this._handle.fd);
    if (typeof name === 'number' || name[1] === 'pipe') return undefined;
    const { 0: address, 1: family, 2: port } = name;
    return (this.#names[side] = { address, family, port });
  }
  /** Stores the local address, which the system knows only while the socket is open. */
  #remember() {
    if (this._host !== undefined && !this.connecting) this.#name('local');
  }
  address() {
    return this.#name('local') ?? {};
  }
  get localAddress() {
    return this.#name('local')?.address;
  }
  get localPort() {
    return this.#name('local')?.port;
  }
  get localFamily() {
    return this.#name('local')?.family;
  }
  get remoteAddress() {
    return this.#name('remote')?.address;
  }
  get remotePort() {
    return this.#name('remote')?.port;
  }
  get remoteFamily() {
    return this.#name('remote')?.family;
  }
  get bytesRead() {
    return #bytesRead in this ? this.#bytesRead : undefined;
  }
  get bytesWritten() {
    if (!(#bytesWritten in this)) return undefined;
    // Pending writes count as well.
    let waiting = 0;
    const { pendingBytes, sizeOf } = require('node/net/pending_write');
    for (const { chunk, encoding } of intact(this.writableBuffer ?? [])) waiting += sizeOf(chunk, encoding);
    return this.#bytesWritten + waiting + pendingBytes(this);
  }
  get _bytesDispatched() {
    return this.#bytesWritten;
  }
  get bufferSize() {
    return this._handle === null && !this.connecting ? undefined : this.writableLength;
  }
  get _connecting() {
    return this.connecting;
  }
  get pending() {
    return this._handle === null || this.connecting;
  }
  get readyState() {
    if (this.connecting) return 'opening';
    if (this.readable && this.writable) return 'open';
    if (this.readable) return 'readOnly';
    return this.writable ? 'writeOnly' : 'closed';
  }

  connect(...args) {
    // A socket that reconnects starts counting from zero and has other addresses.
    this.#bytesRead = this.#bytesWritten = 0;
    this.#names = {};
    return require('node/net/connect').connect(this, args);
  }
}

/** Whether a handle can write text in this encoding. */
const isNative = (encoding) => encoding === 'utf8' || encoding === 'utf-8' || encoding === 'latin1';

function bytesOf(chunk, encoding) {
  return typeof chunk === 'string' ? require('node/buffer/buffer').Buffer.from(chunk, encoding) : chunk;
}

/** The class, callable without `new`. */
const callable = function Socket(options) {
  return ReflectConstruct(Class, [options], new.target ?? callable);
};
const Class = Socket;
ObjectSetPrototypeOf(callable, Class);
callable.prototype = Class.prototype;
Class.prototype.constructor = callable;

module.exports = { Socket: callable };
