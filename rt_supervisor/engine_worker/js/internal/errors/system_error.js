// @ts-check
'use strict';
// Owns: Node's SystemError: an error with a Node code whose `info` describes the system call that failed or would have failed.

const { ErrorCaptureStackTrace, ObjectDefineProperties } = require('internal/primordials');

class SystemError extends Error {
  toString() {
    return `${this.name} [${this.code}]: ${this.message}`;
  }
}
ObjectDefineProperties(SystemError.prototype, {
  constructor: { __proto__: null, value: Error, writable: true, enumerable: false, configurable: true },
});

/** `head` describes the problem; info: { code, message, syscall, errno, path?, dest? } of the call. */
function systemError(code, head, info) {
  let message = `${head}: ${info.syscall} returned ${info.code} (${info.message})`;
  if (info.path !== undefined) message += ` ${info.path}`;
  if (info.dest !== undefined) message += ` => ${info.dest}`;
  const limit = Error.stackTraceLimit;
  if (typeof limit === 'number') Error.stackTraceLimit = 0;
  const error = new SystemError();
  if (typeof limit === 'number') Error.stackTraceLimit = limit;
  const hidden = { writable: true, enumerable: false, configurable: true };
  const shown = { enumerable: true, configurable: true };
  const property = (name) => ({
    __proto__: null,
    ...shown,
    get: () => info[name],
    set(value) {
      info[name] = value;
    },
  });
  ObjectDefineProperties(error, {
    name: { __proto__: null, ...hidden, value: `SystemError [${code}]` },
    message: { __proto__: null, ...hidden, value: message },
    info: { __proto__: null, ...shown, value: info },
    errno: property('errno'),
    syscall: property('syscall'),
  });
  ErrorCaptureStackTrace(error, systemError);
  ObjectDefineProperties(error, { name: { __proto__: null, ...hidden, value: 'SystemError' } });
  error.code = code;
  if (info.path !== undefined) ObjectDefineProperties(error, { path: property('path') });
  if (info.dest !== undefined) ObjectDefineProperties(error, { dest: property('dest') });
  return error;
}

module.exports = { systemError };
