// @ts-check
'use strict';
// Owns: errors with Node's codes: the construction of their names, stacks and messages. The messages are in
// internal/errors/messages.js, system errors (errno) in internal/errors/errno.js.

const runtimeParts = require('internal/parts');
const {
  ArrayIsArray,
  ArrayPush,
  ErrorCaptureStackTrace,
  ObjectCreate,
  ObjectDefineProperty,
  ObjectEntries,
  ReflectApply,
  intact,
} = require('internal/primordials');

const bases = { Error, TypeError, RangeError, SyntaxError, URIError };

/** Creates the class of one code. `name` is that of the base class; the head of the stack is `Name [CODE]: message`. */
function errorClass(code, message, Base) {
  const NodeError = {
    [Base.name]: class extends Base {
      constructor(...args) {
        const limit = Error.stackTraceLimit;
        if (typeof limit === 'number') Error.stackTraceLimit = 0;
        super();
        if (typeof limit === 'number') Error.stackTraceLimit = limit;
        const text = typeof message === 'function' ? ReflectApply(message, this, args) : message;
        const hidden = { writable: true, enumerable: false, configurable: true };
        ObjectDefineProperty(this, 'message', { __proto__: null, ...hidden, value: text });
        ObjectDefineProperty(this, 'name', { __proto__: null, ...hidden, value: `${Base.name} [${code}]` });
        ErrorCaptureStackTrace(this, new.target);
        delete this.name;
        this.code = code;
      }

      toString() {
        return `${this.name} [${code}]: ${this.message}`;
      }
    },
  }[Base.name];
  ObjectDefineProperty(NodeError.prototype, 'constructor', {
    __proto__: null,
    value: Base,
    writable: true,
    enumerable: false,
    configurable: true,
  });
  ObjectDefineProperty(NodeError.prototype, 'toString', {
    __proto__: null,
    value: NodeError.prototype.toString,
    writable: true,
    enumerable: false,
    configurable: true,
  });
  return NodeError;
}

// Classes are created on first use: most programs need none.
/** @typedef {keyof typeof import('internal/errors/messages').messages} Code */
/** @type {Record<Code, new (...args: any[]) => Error>} */
const codes = ObjectCreate(null);
for (const {
  0: code,
  1: { 0: base, 1: message },
} of intact(ObjectEntries(require('internal/errors/messages').messages))) {
  let errors;
  ObjectDefineProperty(codes, code, {
    __proto__: null,
    enumerable: true,
    configurable: true,
    get: () => (errors ??= errorClass(code, message, bases[base])),
  });
}

/** The error of an operation that an AbortSignal aborted. */
class AbortError extends Error {
  /** @param {string} [message] @param {{ cause?: unknown }} [options] */
  constructor(message = 'The operation was aborted', options = undefined) {
    if (options !== undefined && typeof options !== 'object') throw new codes.ERR_INVALID_ARG_TYPE('options', 'Object', options);
    super(message, options);
    this.code = 'ABORT_ERR';
    require('internal/primordials').setOwn(this, 'name', 'AbortError');
  }
}

/** Combines an error raised during clean-up with the one that caused it. */
function aggregateTwoErrors(inner, outer) {
  if (!inner || !outer || inner === outer) return inner || outer;
  if (ArrayIsArray(outer.errors)) {
    ArrayPush(outer.errors, inner);
    return outer;
  }
  const error = new AggregateError([outer, inner], outer.message);
  error.code = outer.code;
  return error;
}

const withCode = (error, code) => {
  error.code = code;
  return error;
};

const wrongType = (message) => withCode(new TypeError(message), 'ERR_INVALID_ARG_TYPE');

/**
 * Creates the error of a failed system call, with the name and message of its number.
 * @param {{ errno: number, syscall: string, path?: string, dest?: string, address?: string, port?: number }} failure
 */
function uvException({ errno, syscall, path, dest, address, port }) {
  const { getSystemErrorMessage, getSystemErrorName } = require('internal/errors/errno');
  const code = getSystemErrorName(errno);
  let text = `${code}: ${getSystemErrorMessage(errno)}, ${syscall}`;
  if (path !== undefined) text += ` '${path}'`;
  if (dest !== undefined) text += ` -> '${dest}'`;
  const error = new Error(text);
  error.errno = errno;
  error.code = code;
  error.syscall = syscall;
  if (path !== undefined) error.path = path;
  if (dest !== undefined) error.dest = dest;
  if (address !== undefined) error.address = address;
  if (port !== undefined) error.port = port;
  return error;
}

/** Creates an error `syscall CODE original`, as sockets and processes report. */
function errnoException(errno, syscall, original) {
  const code = require('internal/errors/errno').getSystemErrorName(errno);
  const error = new Error(original ? `${syscall} ${code} ${original}` : `${syscall} ${code}`);
  error.errno = errno;
  error.code = code;
  error.syscall = syscall;
  return error;
}

function exceptionWithHostPort(errno, syscall, address, port, additional) {
  const code = require('internal/errors/errno').getSystemErrorName(errno);
  let details = '';
  if (port && port > 0) details = ` ${address}:${port}`;
  else if (address) details = ` ${address}`;
  if (additional) details += ` - Local (${additional})`;
  const denial = code === 'ERR_ACCESS_DENIED' ? runtimeParts.permission?.netDenial(address) : undefined; // --permission
  const error = new Error(`${syscall} ${code}${denial === undefined ? details : ` ${denial.message}`}`);
  error.errno = denial ?? errno;
  error.code = code;
  error.syscall = syscall;
  error.address = address;
  if (port) error.port = port;
  return error;
}

/** Returns whether an error reports a call stack overflow. */
const isStackOverflowError = (error) => error instanceof RangeError && error.message === 'Maximum call stack size exceeded';

module.exports = {
  codes,
  AbortError,
  aggregateTwoErrors,
  withCode,
  wrongType,
  uvException,
  errnoException,
  exceptionWithHostPort,
  isStackOverflowError,
};
