'use strict';
// Owns: process.stdin, stdout and stderr: event emitters with the methods of streams that programs use on them. Writing
// is synchronous, as Node's is for files and terminals; reading is done by the loop.

const native = host.native;
const timers = require('./timers');
const EventEmitter = require('./events');
const { codes } = require('./errors');

const CSI = '\x1b[';
const HIGH_WATER_MARK = 16384;

function emitSoon(stream, name, ...args) {
  timers.nextTick(() => stream.emit(name, ...args));
}

class Writer extends EventEmitter {
  #hasEnded = false;
  #isWatchingSize = false;

  constructor(descriptor) {
    super();
    this.fd = descriptor;
    this.isTTY = native.core_isTerminal(descriptor) || undefined;
    this._type = this.isTTY ? 'tty' : 'pipe';
    this._isStdio = true;
    this.writableLength = 0;
    this.writableHighWaterMark = HIGH_WATER_MARK;
    this.writableObjectMode = false;
    this.writableCorked = 0;
    this.writableNeedDrain = false;
    this.destroyed = false;
    this.closed = false;
    this.errored = null;
    if (this.isTTY) this.on('newListener', (name) => { if (name === 'resize') this.#watchSize(); });
  }

  get writable() { return !this.#hasEnded && !this.destroyed; }
  get writableEnded() { return this.#hasEnded; }
  get writableFinished() { return this.#hasEnded; }
  get columns() { return this.isTTY ? native.process_terminalSize(this.fd)[0] : undefined; }
  get rows() { return this.isTTY ? native.process_terminalSize(this.fd)[1] : undefined; }

  #watchSize() {
    if (this.#isWatchingSize) return;
    this.#isWatchingSize = true;
    globalThis.process.on('SIGWINCH', () => this.emit('resize'));
  }

  write(chunk, encoding, callback) {
    if (typeof encoding === 'function') [encoding, callback] = [undefined, encoding];
    if (chunk === null) throw new codes.ERR_STREAM_NULL_VALUES();
    if (typeof chunk !== 'string' && !ArrayBuffer.isView(chunk)) {
      throw new codes.ERR_INVALID_ARG_TYPE('chunk', ['string', 'Buffer', 'TypedArray', 'DataView'], chunk);
    }
    if (this.#hasEnded) {
      const error = new codes.ERR_STREAM_WRITE_AFTER_END();
      if (typeof callback === 'function') timers.nextTick(callback, error);
      emitSoon(this, 'error', error);
      return false;
    }
    if (typeof chunk === 'string' && encoding !== undefined && encoding !== null && !/^utf-?8$/i.test(encoding)) {
      chunk = require('./buffer').Buffer.from(chunk, encoding);
    }
    native.core_write(this.fd, chunk);
    if (typeof callback === 'function') timers.nextTick(callback, null);
    return true;
  }

  end(chunk, encoding, callback) {
    if (typeof chunk === 'function') [chunk, encoding, callback] = [undefined, undefined, chunk];
    else if (typeof encoding === 'function') [encoding, callback] = [undefined, encoding];
    if (chunk !== undefined && chunk !== null) this.write(chunk, encoding);
    if (!this.#hasEnded) {
      this.#hasEnded = true;
      emitSoon(this, 'finish');
    }
    if (typeof callback === 'function') timers.nextTick(callback);
    return this;
  }

  cork() { this.writableCorked++; }
  uncork() { if (this.writableCorked > 0) this.writableCorked--; }
  setDefaultEncoding() { return this; }
  destroy(error) {
    // The descriptor stays open: the streams of the process cannot be closed, as in Node.
    if (error) emitSoon(this, 'error', error);
    return this;
  }
  destroySoon() { return this.destroy(); }
  ref() { return this; }
  unref() { return this; }

  getWindowSize() { return [this.columns, this.rows]; }
  getColorDepth(env = globalThis.process.env) { return this.isTTY ? require('./color_depth').colorDepth(env) : 1; }
  hasColors(count, env) {
    if (env === undefined && (count === undefined || (typeof count === 'object' && count !== null))) [count, env] = [16, count];
    return count <= 2 ** this.getColorDepth(env);
  }
  cursorTo(x, y, callback) {
    if (typeof y === 'function') [y, callback] = [undefined, y];
    return this.write(y === undefined ? `${CSI}${x + 1}G` : `${CSI}${y + 1};${x + 1}H`, callback);
  }
  moveCursor(dx, dy, callback) {
    const step = (count, more, less) => (count > 0 ? `${CSI}${count}${more}` : count < 0 ? `${CSI}${-count}${less}` : '');
    return this.write(step(dx, 'C', 'D') + step(dy, 'B', 'A'), callback);
  }
  clearLine(direction, callback) { return this.write(direction < 0 ? `${CSI}1K` : direction > 0 ? `${CSI}0K` : `${CSI}2K`, callback); }
  clearScreenDown(callback) { return this.write(`${CSI}0J`, callback); }
}
const TERMINAL_METHODS = ['getWindowSize', 'getColorDepth', 'hasColors', 'cursorTo', 'moveCursor', 'clearLine', 'clearScreenDown'];

class Reader extends EventEmitter {
  #decoder;
  #encoding = null;
  #isFlowing = null;
  #isReading = false;
  #hasEnded = false;
  #waiting = []; // chunks that came while nobody flowed
  #isReferenced = true;

  constructor(descriptor) {
    super();
    this.fd = descriptor;
    this.isTTY = native.core_isTerminal(descriptor) || undefined;
    this.isRaw = this.isTTY ? false : undefined;
    this.destroyed = false;
    this.readableHighWaterMark = HIGH_WATER_MARK * 4;
    this.readableObjectMode = false;
  }

  get readable() { return !this.#hasEnded && !this.destroyed; }
  get readableEnded() { return this.#hasEnded; }
  get readableFlowing() { return this.#isFlowing; }
  get readableEncoding() { return this.#encoding; }
  get readableLength() { return this.#waiting.reduce((sum, chunk) => sum + chunk.length, 0); }

  on(name, listener) {
    super.on(name, listener);
    if (name === 'data' && this.#isFlowing !== false) this.resume();
    else if (name === 'readable') {
      this.#isFlowing = false;
      this.#readNext();
    }
    return this;
  }
  addListener(name, listener) { return this.on(name, listener); }

  setEncoding(encoding) {
    const { StringDecoder } = require('./string_decoder');
    this.#decoder = new StringDecoder(encoding);
    this.#encoding = this.#decoder.encoding;
    return this;
  }

  isPaused() { return this.#isFlowing === false; }
  resume() {
    this.#isFlowing = true;
    timers.nextTick(() => this.#flow());
    return this;
  }
  pause() {
    this.#isFlowing = false;
    this.emit('pause');
    return this;
  }

  #flow() {
    while (this.#isFlowing && this.#waiting.length > 0) this.emit('data', this.#waiting.shift());
    if (this.#isFlowing) this.#readNext();
  }

  #readNext() {
    if (this.#isReading || this.#hasEnded || this.destroyed) return;
    this.#isReading = true;
    native.process_stdinRead((bytes) => {
      this.#isReading = false;
      if (this.destroyed) return;
      this.#take(bytes);
    });
  }

  #take(bytes) {
    if (bytes === null) {
      const rest = this.#decoder?.end() ?? '';
      if (rest !== '') this.#deliver(rest);
      this.#finish();
      return;
    }
    const { Buffer } = require('./buffer');
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const chunk = this.#decoder ? this.#decoder.write(buffer) : buffer;
    if (chunk.length > 0) this.#deliver(chunk);
    if (this.#isFlowing) this.#readNext();
  }

  #deliver(chunk) {
    if (this.#isFlowing) {
      this.emit('data', chunk);
      return;
    }
    this.#waiting.push(chunk);
    if (this.listenerCount('readable') > 0) this.emit('readable');
  }

  #finish() {
    if (this.#waiting.length > 0 && this.#isFlowing === false && this.listenerCount('readable') === 0) {
      // Paused with something left: it ends when it has been taken.
      const rest = () => (this.#waiting.length > 0 ? undefined : this.#finish());
      super.once('resume', rest);
      return;
    }
    this.#hasEnded = true;
    if (this.listenerCount('readable') > 0) this.emit('readable');
    emitSoon(this, 'end');
    emitSoon(this, 'close');
  }

  read(size) {
    if (this.#waiting.length === 0) {
      this.#readNext();
      return null;
    }
    const all = this.#encoding ? this.#waiting.join('') : require('./buffer').Buffer.concat(this.#waiting);
    if (size !== undefined && size < all.length) {
      this.#waiting = [all.slice(size)];
      return all.slice(0, size);
    }
    this.#waiting = [];
    this.#readNext();
    return all;
  }

  pipe(target, options) {
    this.on('data', (chunk) => {
      if (target.write(chunk) === false && typeof target.once === 'function' && target.writableNeedDrain) {
        this.pause();
        target.once('drain', () => this.resume());
      }
    });
    const isStandard = target === globalThis.process.stdout || target === globalThis.process.stderr;
    if (options?.end !== false && !isStandard) this.on('end', () => target.end());
    target.emit?.('pipe', this);
    return target;
  }

  async* [Symbol.asyncIterator]() {
    let wake = () => {};
    let failure;
    const chunks = [];
    const onData = (chunk) => { chunks.push(chunk); this.pause(); wake(); };
    const onError = (error) => { failure = error; wake(); };
    const onEnd = () => wake();
    this.on('data', onData).on('error', onError).on('end', onEnd);
    try {
      for (;;) {
        while (chunks.length > 0) yield chunks.shift();
        if (failure !== undefined) throw failure;
        if (this.#hasEnded) return;
        const { promise, resolve } = Promise.withResolvers();
        wake = resolve;
        this.resume();
        await promise;
      }
    } finally {
      this.off('data', onData).off('error', onError).off('end', onEnd);
      if (!this.#hasEnded) this.destroy();
    }
  }

  destroy(error) {
    if (this.destroyed) return this;
    this.destroyed = true;
    if (this.#isReading) native.process_stdinStop();
    if (error) emitSoon(this, 'error', error);
    emitSoon(this, 'close');
    return this;
  }
  setRawMode(isRaw) {
    if (!this.isTTY) return this;
    native.process_setRawMode(this.fd, Boolean(isRaw));
    this.isRaw = Boolean(isRaw);
    return this;
  }
  ref() {
    if (!this.#isReferenced) native.process_stdinReference(1);
    this.#isReferenced = true;
    return this;
  }
  unref() {
    if (this.#isReferenced) native.process_stdinReference(-1);
    this.#isReferenced = false;
    return this;
  }
}

const made = new Map();
const once = (make) => (descriptor) => {
  if (!made.has(descriptor)) made.set(descriptor, make(descriptor));
  return made.get(descriptor);
};

function makeWriter(descriptor) {
  const stream = new Writer(descriptor);
  if (!stream.isTTY) for (const name of TERMINAL_METHODS) stream[name] = undefined;
  return stream;
}

module.exports = { writer: once(makeWriter), reader: once((descriptor) => new Reader(descriptor)) };
