// @ts-check
'use strict';
// Owns: moving a terminal's cursor and clearing its screen: functions of node:readline that tty.WriteStream also has.

const { NumberIsNaN, intact } = require('internal/primordials');
const { codes } = require('internal/errors/errors');
const { validateFunction } = require('internal/validators');
const { nextTick } = require('internal/timers');

const CSI = '\x1b[';

function write(stream, text, callback) {
  if (callback !== undefined) validateFunction(callback, 'callback');
  if (stream === null || stream === undefined || text === '') {
    if (typeof callback === 'function') nextTick(callback, null);
    return true;
  }
  return stream.write(text, callback);
}

function cursorTo(stream, x, y, callback) {
  if (typeof y === 'function') [y, callback] = intact([undefined, y]);
  if (callback !== undefined) validateFunction(callback, 'callback');
  if (NumberIsNaN(x)) throw new codes.ERR_INVALID_ARG_VALUE('x', x);
  if (NumberIsNaN(y)) throw new codes.ERR_INVALID_ARG_VALUE('y', y);
  if (stream == null || (typeof x !== 'number' && typeof y !== 'number')) return write(null, '', callback);
  if (typeof x !== 'number') throw new codes.ERR_INVALID_CURSOR_POS();
  return write(stream, typeof y !== 'number' ? `${CSI}${x + 1}G` : `${CSI}${y + 1};${x + 1}H`, callback);
}

function moveCursor(stream, dx, dy, callback) {
  const step = (count, more, less) => (count > 0 ? `${CSI}${count}${more}` : count < 0 ? `${CSI}${-count}${less}` : '');
  return write(stream, step(dx, 'C', 'D') + step(dy, 'B', 'A'), callback);
}

/** -1: to the left of the cursor, 1: to its right, 0: the whole line */
function clearLine(stream, direction, callback) {
  return write(stream, direction < 0 ? `${CSI}1K` : direction > 0 ? `${CSI}0K` : `${CSI}2K`, callback);
}

const clearScreenDown = (stream, callback) => write(stream, `${CSI}0J`, callback);

module.exports = { cursorTo, moveCursor, clearLine, clearScreenDown };
