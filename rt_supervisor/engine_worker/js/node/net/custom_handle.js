// @ts-check
'use strict';
// Owns: the functions that a program has put on a socket's handle, as on Node's handles: those that connect, and those that
// return the names of both ends.

const { FunctionCall } = require('internal/primordials');
const { nextTick } = require('internal/timers');

/** The name of an end; undefined without such a function. @param {any} handle @param {string} side */
function nameFrom(handle, side) {
  const ask = side === 'local' ? 'getsockname' : 'getpeername';
  if (typeof handle[ask] !== 'function') return undefined;
  const name = {};
  return handle[ask](name) ? {} : name;
}

/**
 * Connects with the program's function, which calls `done` on completion. Returns whether there is such a function.
 * @param {any} handle @param {any} options @param {string | number} family @param {string} address @param {(status: number) => void} done
 */
function connectThrough(handle, options, family, address, done) {
  const connects = family === 6 ? handle?.connect6 : handle?.connect;
  if (typeof connects !== 'function') return false;
  const { localAddress, localPort, port } = options;
  const request = { address, port, localAddress, localPort, oncomplete: (status) => done(status) };
  const status = FunctionCall(connects, handle, request, address, Number(port));
  if (typeof status === 'number' && status !== 0) nextTick(done, status);
  return true;
}

module.exports = { nameFrom, connectThrough };
