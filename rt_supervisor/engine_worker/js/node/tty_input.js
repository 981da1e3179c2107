'use strict';
// Owns: tty.ReadStream as programs construct it, such as node-pty for its side of a pseudoterminal: a net.Socket on the
// descriptor, which can also be written to. `process.stdin` on a terminal is node/process/standard_input's TerminalInput.

const { NumberIsInteger, ObjectDefineProperty } = require('internal/primordials');
const { codes } = require('internal/errors/errors');
const { PipeHandle } = require('internal/pipe_handle');
const { Socket } = require('node/net/socket');
const { isatty } = require('node/tty');
const native = host.native;

const EINVAL = -22;

class ReadStream extends Socket {
  constructor(fd, options) {
    if (!NumberIsInteger(fd) || fd < 0 || fd > 2147483647) throw new codes.ERR_INVALID_FD(fd);
    if (!isatty(fd)) {
      const { systemError } = require('internal/errors/system_error');
      const info = { errno: EINVAL, code: 'EINVAL', message: 'invalid argument', syscall: 'uv_tty_init' };
      throw systemError('ERR_TTY_INIT_FAILED', 'TTY initialization failed', info);
    }
    super({ highWaterMark: 0, ...options, handle: new PipeHandle(fd) });
    this.fd = fd;
    this.isRaw = false;
    this.isTTY = true;
  }

  setRawMode(isRaw) {
    native.process_setRawMode(this.fd, Boolean(isRaw));
    this.isRaw = Boolean(isRaw);
    return this;
  }

  _destroy(error, callback) {
    if (this.isRaw) this.setRawMode(false);
    super._destroy(error, callback);
  }
}
ObjectDefineProperty(ReadStream, Symbol.hasInstance, {
  __proto__: null,
  value(value) {
    if (this !== ReadStream) return Function.prototype[Symbol.hasInstance].call(this, value);
    const { TerminalInput } = require('node/process/standard_input');
    return value instanceof TerminalInput || Function.prototype[Symbol.hasInstance].call(this, value);
  },
});

module.exports = { ReadStream };
