// @ts-check
'use strict';
// Owns: the transport of encrypted bytes: a net.Socket, whose handle is read and written directly, or any Duplex. Both have
// the interface of internal/pipe_handle.

const { ArrayPush } = require('internal/primordials');
const { whenClosed } = require('internal/timers');

/** An open net.Socket. Its handle is used directly; its streams see none of the bytes. */
class SocketTransport {
  #socket;

  constructor(socket) {
    this.#socket = socket;
  }
  get #handle() {
    return this.#socket._handle;
  }
  get fd() {
    return this.#handle?.fd ?? -1;
  }
  get isReading() {
    return this.#handle?.isReading ?? false;
  }
  /** The descriptor for direct sends; -1 if they are not possible. */
  get freeDescriptor() {
    return this.#handle?.freeDescriptor ?? -1;
  }
  /** Bytes were sent directly. */
  touch() {
    this.#socket.touch();
  }
  read(callback) {
    const parts = [];
    for (let part = this.#socket.read(); part !== null && part !== undefined; part = this.#socket.read()) ArrayPush(parts, part);
    if (parts.length > 0) {
      // Deferred, so that the code that started this can add its listeners first.
      host.nextTick(() => {
        for (let index = 0; index < parts.length; index++) callback(parts[index]);
      });
    }
    // Stops the socket's own reading.
    this.#handle?.stop();
    this.#handle?.read(callback);
  }
  stop() {
    this.#handle?.stop();
  }
  write(bytes, callback) {
    this.#socket.touch();
    if (this.#handle) return this.#handle.write(bytes, callback);
    host.nextTick(callback, -32); // EPIPE
    return false;
  }
  end() {
    this.#handle?.end();
  }
  close() {
    this.#socket.destroy();
  }
  setNoDelay(isOn) {
    this.#handle?.setNoDelay?.(isOn);
  }
  setKeepAlive(isOn, seconds) {
    this.#handle?.setKeepAlive?.(isOn, seconds);
  }
  hasRef() {
    return this.#socket.isReferenced;
  }
  ref() {
    this.#socket.ref();
  }
  unref() {
    this.#socket.unref();
  }
}

class StreamTransport {
  #stream;
  #take;
  #isReading = false;

  constructor(stream) {
    this.#stream = stream;
    this.fd = -1;
    stream.on('data', (chunk) =>
      this.#take?.(typeof chunk === 'string' ? require('node/buffer/buffer').Buffer.from(chunk) : chunk),
    );
    stream.on('end', () => this.#take?.(null));
    stream.pause();
  }
  get isReading() {
    return this.#isReading;
  }
  read(callback) {
    this.#take = callback;
    this.#isReading = true;
    this.#stream.resume();
  }
  get freeDescriptor() {
    return -1;
  }
  touch() {}
  stop() {
    this.#isReading = false;
    this.#stream.pause();
  }
  write(bytes, callback) {
    this.#stream.write(require('node/buffer/views').asBuffer(bytes), (error) => callback(error ? -32 : 0));
    return false;
  }
  end() {
    this.#stream.end();
  }
  /** @param {() => void} [callback] */
  close(callback = undefined) {
    if (callback !== undefined) whenClosed(callback);
    this.#stream.destroy?.();
  }
  hasRef() {
    return true;
  }
  ref() {
    this.#stream.ref?.();
  }
  unref() {
    this.#stream.unref?.();
  }
}

module.exports = { SocketTransport, StreamTransport };
