// @ts-check
'use strict';
// Owns: high water marks: how much a stream buffers, in bytes or objects, before it applies backpressure.

const { MathCeil, MathFloor, MathLog2, NumberIsInteger } = require('internal/primordials');
const { codes } = require('internal/errors/errors');
const { validateInteger } = require('internal/validators');

let bytesMark = 64 * 1024;
let objectsMark = 16;

const getDefaultHighWaterMark = (isObjectMode) => (isObjectMode ? objectsMark : bytesMark);

function setDefaultHighWaterMark(isObjectMode, value) {
  validateInteger(value, 'value', 0);
  if (isObjectMode) objectsMark = value;
  else bytesMark = value;
}

/** The mark of one side: the common option takes precedence over that of the side, which only a duplex has. */
function highWaterMarkOf(state, options, sideOption, isDuplex) {
  const mark = options?.highWaterMark ?? (isDuplex ? options?.[sideOption] : undefined);
  if (mark === undefined || mark === null) return getDefaultHighWaterMark(state.objectMode);
  if (!NumberIsInteger(mark) || mark < 0) {
    throw new codes.ERR_INVALID_ARG_VALUE(isDuplex ? `options.${sideOption}` : 'options.highWaterMark', mark);
  }
  return MathFloor(mark);
}

const LARGEST = 0x40000000;

/** The mark after a read of `count` units above the old one: the next power of two, as the amount to buffer from then on. */
function raisedMark(count) {
  if (count > LARGEST) throw new codes.ERR_OUT_OF_RANGE('size', '<= 1GiB', count);
  return count <= 1 ? count : 2 ** MathCeil(MathLog2(count));
}

module.exports = { getDefaultHighWaterMark, setDefaultHighWaterMark, highWaterMarkOf, raisedMark };
