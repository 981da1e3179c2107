// @ts-check
'use strict';
// Owns: Buffer's readers and writers of integers, floats and bigints, with Node's range errors.

const {
  FunctionCall,
  MathFloor,
  MathTrunc,
  NumberIsInteger,
  NumberIsNaN,
  ObjectDefineProperty,
  StringReplace,
  intact,
} = require('internal/primordials');
const { codes } = require('internal/errors/errors');

const scratch = new DataView(new ArrayBuffer(8));
const scratchBytes = new Uint8Array(scratch.buffer);

function failOffset(value, length, name) {
  if (MathFloor(value) !== value) {
    require('internal/validators').validateNumber(value, name);
    throw new codes.ERR_OUT_OF_RANGE(name, 'an integer', value);
  }
  if (length < 0) throw new codes.ERR_BUFFER_OUT_OF_BOUNDS();
  throw new codes.ERR_OUT_OF_RANGE(name, `>= 0 and <= ${length}`, value);
}

function checkOffset(buffer, offset, size) {
  if (typeof offset !== 'number') require('internal/validators').validateNumber(offset, 'offset');
  if (!(offset >= 0 && offset + size <= buffer.length && NumberIsInteger(offset)))
    failOffset(offset, buffer.length - size, 'offset');
}

function rangeText(min, max, size, suffix) {
  if (size <= 4 && typeof min === 'number') return `>= ${min} and <= ${max}`;
  return min === 0 || min === 0n
    ? `>= 0${suffix} and < 2${suffix} ** ${size * 8}${suffix}`
    : `>= -(2${suffix} ** ${size * 8 - 1}${suffix}) and < 2${suffix} ** ${size * 8 - 1}${suffix}`;
}

function checkInteger(value, min, max, buffer, offset, size) {
  if (value > max || value < min) {
    const suffix = typeof min === 'bigint' ? 'n' : '';
    // Node prints bounds of more than four bytes as powers of two.
    const range = size > 3 ? rangeText(min, max, size > 4 || suffix ? size : 5, suffix) : `>= ${min} and <= ${max}`;
    throw new codes.ERR_OUT_OF_RANGE('value', size === 4 ? `>= ${min} and <= ${max}` : range, value);
  }
  checkOffset(buffer, offset, size);
}

function readUnsigned(buffer, offset, size, isLittle) {
  let value = 0;
  for (let i = 0; i < size; i++) value = value * 256 + buffer[isLittle ? offset + size - 1 - i : offset + i];
  return value;
}

function writeBytes(buffer, value, offset, size, isLittle) {
  for (let i = 0; i < size; i++) {
    buffer[isLittle ? offset + i : offset + size - 1 - i] = value;
    value = MathFloor(value / 256);
  }
  return offset + size;
}

const toSigned = (value, size) => (value >= 2 ** (8 * size - 1) ? value - 2 ** (8 * size) : value);

function checkByteLength(byteLength) {
  if (byteLength === undefined) throw new codes.ERR_INVALID_ARG_TYPE('byteLength', 'number', byteLength);
  if (typeof byteLength !== 'number') throw new codes.ERR_INVALID_ARG_TYPE('byteLength', 'number', byteLength);
  if (!(byteLength >= 1 && byteLength <= 6 && NumberIsInteger(byteLength))) {
    throw MathFloor(byteLength) === byteLength
      ? new codes.ERR_OUT_OF_RANGE('byteLength', '>= 1 and <= 6', byteLength)
      : new codes.ERR_OUT_OF_RANGE('byteLength', 'an integer', byteLength);
  }
}

function failUndefinedOffset(offset) {
  if (offset === undefined) throw new codes.ERR_INVALID_ARG_TYPE('offset', 'number', offset);
}

/** Adds the methods of one integer size: readUInt16LE, readUint16LE, writeUInt16LE …. */
function addIntegers(prototype, size) {
  const bits = size * 8;
  for (const isSigned of intact([false, true])) {
    const min = isSigned ? -(2 ** (bits - 1)) : 0;
    const max = isSigned ? 2 ** (bits - 1) - 1 : 2 ** bits - 1;
    for (const order of intact(size === 1 ? [''] : ['LE', 'BE'])) {
      const isLittle = order === 'LE';
      const name = `${isSigned ? 'Int' : 'UInt'}${bits}${order}`;
      define(prototype, `read${name}`, function (offset = 0) {
        checkOffset(this, offset, size);
        const value = readUnsigned(this, offset, size, isLittle);
        return isSigned ? toSigned(value, size) : value;
      });
      define(prototype, `write${name}`, function (value, offset = 0) {
        value = +value;
        if (size === 1) require('internal/validators').validateNumber(offset, 'offset'); // checked before the value, as in Node
        checkInteger(value, min, max, this, offset, size);
        return writeBytes(this, NumberIsNaN(value) ? 0 : MathTrunc(value), offset, size, isLittle);
      });
      if (!isSigned) aliasOf(prototype, name, StringReplace(name, 'UInt', 'Uint'));
    }
  }
}

function addVariable(prototype) {
  for (const isSigned of intact([false, true])) {
    for (const order of intact(['LE', 'BE'])) {
      const isLittle = order === 'LE';
      const name = `${isSigned ? 'Int' : 'UInt'}${order}`;
      define(prototype, `read${name}`, function (offset, byteLength) {
        failUndefinedOffset(offset);
        checkByteLength(byteLength);
        checkOffset(this, offset, byteLength);
        const value = readUnsigned(this, offset, byteLength, isLittle);
        return isSigned ? toSigned(value, byteLength) : value;
      });
      define(prototype, `write${name}`, function (value, offset, byteLength) {
        checkByteLength(byteLength);
        if (byteLength === 1) require('internal/validators').validateNumber(offset, 'offset');
        value = +value;
        const bits = byteLength * 8;
        checkInteger(
          value,
          isSigned ? -(2 ** (bits - 1)) : 0,
          isSigned ? 2 ** (bits - 1) - 1 : 2 ** bits - 1,
          this,
          offset,
          byteLength,
        );
        return writeBytes(this, NumberIsNaN(value) ? 0 : MathTrunc(value), offset, byteLength, isLittle);
      });
      if (!isSigned) aliasOf(prototype, name, StringReplace(name, 'UInt', 'Uint'));
    }
  }
}

function addScratch(prototype, name, size, getter, setter, check) {
  for (const order of intact(['LE', 'BE'])) {
    const isLittle = order === 'LE';
    define(prototype, `read${name}${order}`, function (offset = 0) {
      checkOffset(this, offset, size);
      for (let i = 0; i < size; i++) scratchBytes[i] = this[offset + i];
      return FunctionCall(getter, scratch, 0, isLittle);
    });
    define(prototype, `write${name}${order}`, function (value, offset = 0) {
      value = check(value, this, offset);
      checkOffset(this, offset, size);
      FunctionCall(setter, scratch, 0, value, isLittle);
      for (let i = 0; i < size; i++) this[offset + i] = scratchBytes[i];
      return offset + size;
    });
  }
}

function define(prototype, name, method) {
  ObjectDefineProperty(method, 'name', { __proto__: null, value: name, configurable: true });
  prototype[name] = method;
}

function aliasOf(prototype, name, alias) {
  prototype[`read${alias}`] = prototype[`read${name}`];
  prototype[`write${alias}`] = prototype[`write${name}`];
}

const bigRange = (min, max) => (value, buffer, offset) => {
  checkInteger(value, min, max, buffer, offset, 8);
  void (value & 0n); // throws TypeError for a number
  return value;
};

function addNumberMethods(prototype) {
  for (const size of intact([1, 2, 4])) addIntegers(prototype, size);
  addVariable(prototype);
  const { prototype: view } = DataView;
  addScratch(prototype, 'BigInt64', 8, view.getBigInt64, view.setBigInt64, bigRange(-(2n ** 63n), 2n ** 63n - 1n));
  addScratch(prototype, 'BigUInt64', 8, view.getBigUint64, view.setBigUint64, bigRange(0n, 2n ** 64n - 1n));
  for (const order of intact(['LE', 'BE'])) aliasOf(prototype, `BigUInt64${order}`, `BigUint64${order}`);
  addScratch(prototype, 'Float', 4, view.getFloat32, view.setFloat32, Number);
  addScratch(prototype, 'Double', 8, view.getFloat64, view.setFloat64, Number);
}

module.exports = { addNumberMethods };
