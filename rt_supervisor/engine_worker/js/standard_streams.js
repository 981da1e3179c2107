'use strict';
// Owns: process.stdin, stdout and stderr as far as programs use them without node:stream.

const native = host.native;
const timers = require('./timers');

class Emitter {
  #listeners = new Map();

  on(name, listener) {
    const list = this.#listeners.get(name) ?? [];
    this.#listeners.set(name, [...list, listener]);
    this.listenerAdded?.(name);
    return this;
  }
  addListener(name, listener) { return this.on(name, listener); }
  once(name, listener) {
    const once = (...args) => { this.off(name, once); listener.apply(this, args); };
    once.listener = listener;
    return this.on(name, once);
  }
  off(name, listener) {
    const list = this.#listeners.get(name) ?? [];
    this.#listeners.set(name, list.filter((each) => each !== listener && each.listener !== listener));
    return this;
  }
  removeListener(name, listener) { return this.off(name, listener); }
  removeAllListeners(name) {
    if (name === undefined) this.#listeners.clear();
    else this.#listeners.delete(name);
    return this;
  }
  emit(name, ...args) {
    const list = this.#listeners.get(name) ?? [];
    for (const listener of list) listener.apply(this, args);
    return list.length > 0;
  }
  listenerCount(name) { return this.#listeners.get(name)?.length ?? 0; }
  setMaxListeners() { return this; }
}

class Writer extends Emitter {
  constructor(descriptor) {
    super();
    this.fd = descriptor;
    this.writable = true;
    this.isTTY = native.core_isTerminal(descriptor) || undefined;
    this.writableLength = 0;
    this.writableHighWaterMark = 16384;
    this.destroyed = false;
  }

  get columns() { return this.isTTY ? native.process_terminalSize(this.fd)[0] : undefined; }
  get rows() { return this.isTTY ? native.process_terminalSize(this.fd)[1] : undefined; }

  write(chunk, encoding, callback) {
    if (typeof encoding === 'function') callback = encoding;
    if (typeof chunk !== 'string' && !ArrayBuffer.isView(chunk)) {
      const { ERR_INVALID_ARG_TYPE } = require('./errors').codes;
      throw new ERR_INVALID_ARG_TYPE('chunk', ['string', 'Buffer', 'TypedArray', 'DataView'], chunk);
    }
    native.core_write(this.fd, typeof chunk === 'string' && typeof encoding === 'string' && !/^utf-?8$/i.test(encoding)
      ? globalThis.Buffer.from(chunk, encoding) : chunk);
    if (typeof callback === 'function') timers.nextTick(callback, null);
    return true;
  }
  end(chunk, encoding, callback) {
    if (typeof chunk === 'function') callback = chunk;
    else if (chunk !== undefined && chunk !== null) this.write(chunk, encoding);
    if (typeof callback === 'function') timers.nextTick(callback);
    return this;
  }
  cork() {}
  uncork() {}
  destroy() { return this; }
  getWindowSize() { return [this.columns, this.rows]; }
  hasColors() { return Boolean(this.isTTY); }
  getColorDepth() { return this.isTTY ? 24 : 1; }
  ref() { return this; }
  unref() { return this; }
}

class Reader extends Emitter {
  #encoding;
  #isFlowing = false;
  #isReading = false;
  #hasEnded = false;

  constructor(descriptor) {
    super();
    this.fd = descriptor;
    this.readable = true;
    this.isTTY = native.core_isTerminal(descriptor) || undefined;
  }

  listenerAdded(name) {
    if (name === 'data' || name === 'readable' || name === 'end') this.resume();
  }
  setEncoding(encoding) {
    this.#encoding = encoding;
    this.decoder = new TextDecoder();
    return this;
  }
  resume() {
    this.#isFlowing = true;
    this.#readNext();
    return this;
  }
  pause() {
    this.#isFlowing = false;
    return this;
  }
  #readNext() {
    if (this.#isReading || this.#hasEnded || !this.#isFlowing) return;
    this.#isReading = true;
    native.process_stdinRead((bytes) => {
      this.#isReading = false;
      if (bytes === null) {
        this.#hasEnded = true;
        this.readable = false;
        this.emit('end');
        this.emit('close');
        return;
      }
      const chunk = this.#encoding ? this.decoder.decode(bytes, { stream: true }) : globalThis.Buffer ? globalThis.Buffer.from(bytes.buffer) : bytes;
      this.emit('data', chunk);
      this.#readNext();
    });
  }
  async* [Symbol.asyncIterator]() {
    const chunks = [];
    let wake = () => {};
    let ended = false;
    this.on('data', (chunk) => { chunks.push(chunk); wake(); });
    this.on('end', () => { ended = true; wake(); });
    for (;;) {
      while (chunks.length > 0) yield chunks.shift();
      if (ended) return;
      await new Promise((resolve) => { wake = resolve; });
    }
  }
  setRawMode() { return this; }
  ref() { return this; }
  unref() { return this; }
}

const made = new Map();
const once = (make) => (descriptor) => {
  if (!made.has(descriptor)) made.set(descriptor, make(descriptor));
  return made.get(descriptor);
};

module.exports = { writer: once((descriptor) => new Writer(descriptor)), reader: once((descriptor) => new Reader(descriptor)) };
