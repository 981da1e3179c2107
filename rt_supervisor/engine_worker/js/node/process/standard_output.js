'use strict';
// Owns: process.stdout and stderr, and tty.WriteStream. Writes are synchronous, like console.log, and in one order with it;
// the descriptor stays open whatever happens to the stream.

const runtimeParts = require('internal/parts');
const { intact } = require('internal/primordials');
const native = host.native;
const Writable = require('node/stream/writable');
const { nextTick } = require('internal/timers');
const { write: print } = require('node/process/printing');

const isUtf8 = (encoding) => encoding === undefined || encoding === null || encoding === 'utf8' || encoding === 'utf-8';

/** Once the program has an 'error' listener, a closed reader is reported to it; otherwise it ends the program. */
function handleNewListener(name) {
  if (name !== 'error') return;
  this.removeListener('newListener', handleNewListener);
  native.core_listenToOutput();
}

class StandardOutput extends Writable {
  constructor(descriptor) {
    super({ decodeStrings: false, emitClose: false });
    this.fd = descriptor;
    this._type = native.core_isTerminal(descriptor) ? 'tty' : 'pipe';
    this._isStdio = true;
    if (descriptor === 1) this.on('newListener', handleNewListener);
  }

  /** Writes a string synchronously, bypassing the stream's buffer, unless the stream's state or a callback requires it. */
  write(chunk, encoding, callback) {
    const state = this._writableState;
    const isPlain =
      typeof chunk === 'string' &&
      callback === undefined &&
      isUtf8(encoding) &&
      state.length === 0 &&
      state.corked === 0 &&
      !state.ending &&
      !state.destroyed &&
      !state.errored &&
      this._write === StandardOutput.prototype._write;
    if (!isPlain) return super.write(chunk, encoding, callback);
    print(this.fd, chunk);
    return true;
  }

  _write(chunk, encoding, callback) {
    if (typeof chunk === 'string' && !isUtf8(encoding)) chunk = require('node/buffer/buffer').Buffer.from(chunk, encoding);
    print(this.fd, chunk);
    callback();
  }

  _destroy(error, callback) {
    callback(error);
    this._undestroy();
    nextTick(() => this.emit('close'));
  }
  destroySoon(error) {
    return this.destroy(error);
  }
  ref() {
    return this;
  }
  unref() {
    return this;
  }
}

class TerminalOutput extends StandardOutput {
  #isWatchingSize = false;

  constructor(descriptor) {
    super(descriptor);
    this.on('newListener', (name) => {
      if (name === 'resize') this.#watchSize();
    });
  }

  #watchSize() {
    if (this.#isWatchingSize) return;
    this.#isWatchingSize = true;
    runtimeParts.process.process.on('SIGWINCH', () => this.emit('resize'));
  }

  get columns() {
    return native.process_terminalSize(this.fd)[0];
  }
  get rows() {
    return native.process_terminalSize(this.fd)[1];
  }
  getWindowSize() {
    return native.process_terminalSize(this.fd);
  }
  getColorDepth(env = runtimeParts.process.process.env) {
    const { colorDepth, warnOfOverridden } = require('internal/color_depth');
    warnOfOverridden(env);
    return colorDepth(env);
  }
  hasColors(count, env) {
    if (env === undefined && (count === undefined || (typeof count === 'object' && count !== null)))
      [count, env] = intact([16, count]);
    return count <= 2 ** this.getColorDepth(env);
  }
  cursorTo(x, y, callback) {
    return require('node/readline/cursor').cursorTo(this, x, y, callback);
  }
  moveCursor(dx, dy, callback) {
    return require('node/readline/cursor').moveCursor(this, dx, dy, callback);
  }
  clearLine(direction, callback) {
    return require('node/readline/cursor').clearLine(this, direction, callback);
  }
  clearScreenDown(callback) {
    return require('node/readline/cursor').clearScreenDown(this, callback);
  }
}
TerminalOutput.prototype.isTTY = true;

module.exports = { StandardOutput, TerminalOutput };
