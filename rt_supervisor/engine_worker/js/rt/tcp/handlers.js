// @ts-check
'use strict';
// Owns: the handlers of RT.listen and RT.connect: validated as in Bun, and called so that an error that one throws, or that
// `open` returns, goes to the `error` handler, or is uncaught without one.

const { isError, isPromise } = require('internal/brands');
const { codes } = require('internal/errors/errors');

const NAMES = {
  __proto__: null,
  open: 'onOpen',
  data: 'onData',
  drain: 'onWritable',
  close: 'onClose',
  end: 'onEnd',
  error: 'onError',
  timeout: 'onTimeout',
  handshake: 'onHandshake',
  connectError: 'onConnectError',
};
const BINARY = {
  __proto__: null,
  buffer: (chunk) => chunk,
  uint8array: (chunk) => new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength),
  arraybuffer: (chunk) => chunk.buffer.slice(chunk.byteOffset, chunk.byteOffset + chunk.byteLength),
};

function wrong(text) {
  const error = new codes.ERR_INVALID_ARG_TYPE('x', 'string', 0);
  error.message = text;
  return error;
}

class Handlers {
  #calls;

  constructor(socket) {
    this.replace(socket);
  }

  replace(socket) {
    if (socket === undefined || socket === null) throw wrong('SocketOptions.socket is required');
    if (typeof socket !== 'object') throw wrong('SocketHandler must be an object');
    const calls = {};
    for (const name in NAMES) {
      const handler = socket[name];
      if (handler === undefined || handler === null) continue;
      if (typeof handler !== 'function') throw wrong(`Expected "${NAMES[name]}" callback to be a function`);
      calls[name] = handler;
    }
    if (calls.data === undefined && calls.drain === undefined) {
      throw wrong('Expected at least "data" or "drain" callback');
    }
    const { binaryType = 'buffer' } = socket;
    if (!(binaryType in BINARY)) throw wrong('SocketHandler.binaryType must be "arraybuffer", "buffer", or "uint8array"');
    this.shape = BINARY[binaryType];
    this.#calls = calls;
  }

  has(name) {
    return this.#calls[name] !== undefined;
  }

  call(name, socket, value, more) {
    const handler = this.#calls[name];
    if (handler === undefined) return;
    try {
      const outcome = handler(socket, value, more);
      if (name === 'open' && isError(outcome)) this.failed(socket, outcome);
      else if (isPromise(outcome)) outcome.catch((error) => this.failed(socket, error));
    } catch (error) {
      if (name === 'error') host.reportException(error);
      else this.failed(socket, error);
    }
  }

  failed(socket, error) {
    if (this.has('error')) this.call('error', socket, error);
    else host.reportException(error);
  }
}

module.exports = { Handlers, wrong };
