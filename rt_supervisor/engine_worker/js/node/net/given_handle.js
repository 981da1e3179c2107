// @ts-check
'use strict';
// Owns: what a program has put on a socket's handle, as Node's handles have it: a function that connects, others that tell the
// names of both ends.

const { FunctionCall } = require('internal/primordials');
const { nextTick } = require('internal/timers');

/** The name of an end, undefined where there is no such function. @param {any} handle @param {string} side */
function nameFrom(handle, side) {
  const ask = side === 'local' ? 'getsockname' : 'getpeername';
  if (typeof handle[ask] !== 'function') return undefined;
  const name = {};
  return handle[ask](name) ? {} : name;
}

/**
 * Have the program's function connect, which says when it is done. Whether there is one.
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
