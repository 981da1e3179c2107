// @ts-check
'use strict';
// Owns: `node:zlib`: the one-shot functions, synchronous or with a callback, and the exports.

const native = host.native;
const {
  ArrayBufferIsView,
  ArrayPush,
  ObjectAssign,
  ObjectDefineProperties,
  ObjectDefineProperty,
  ObjectKeys,
  StringSlice,
  StringStartsWith,
  StringToLowerCase,
  intact,
} = require('internal/primordials');
const { isAnyArrayBuffer, isUint8Array } = require('internal/brands');
const { Buffer } = require('node/buffer/buffer');
const { asBuffer } = require('node/buffer/views');
const { codes } = require('internal/errors/errors');
const { validateFunction, validateUint32 } = require('internal/validators');
const { constants, codes: resultNames } = require('node/zlib/constants');
const { processChunkSync } = require('node/zlib/base');
const kinds = require('node/zlib/kinds');
const { members } = require('node/missing/missing');

const isBuffer = (value) => isAnyArrayBuffer(value);

function crc32(data, value = 0) {
  if (typeof data !== 'string' && !ArrayBufferIsView(data)) {
    throw new codes.ERR_INVALID_ARG_TYPE('data', ['Buffer', 'TypedArray', 'DataView', 'string'], data);
  }
  validateUint32(value, 'value');
  return native.zlib_crc32(typeof data === 'string' ? native.encodeUtf8(data) : data, value);
}

function runWhole(engine, buffer, callback) {
  validateFunction(callback, 'callback');
  if (ArrayBufferIsView(buffer) && !isUint8Array(buffer)) {
    buffer = asBuffer(buffer);
  } else if (isBuffer(buffer)) buffer = Buffer.from(buffer);
  const pieces = [];
  let total = 0;
  engine.on('data', (piece) => {
    ArrayPush(pieces, piece);
    total += piece.length;
    if (total <= engine._maxOutputLength) return;
    engine.close();
    callback(new codes.ERR_BUFFER_TOO_LARGE(engine._maxOutputLength));
  });
  engine.on('error', (error) => callback(error));
  engine.on('end', () => {
    const whole = pieces.length === 1 ? pieces[0] : Buffer.concat(pieces, total);
    engine.close();
    callback(null, engine._info ? { buffer: whole, engine } : whole);
  });
  engine.end(buffer);
}

function runWholeSync(engine, buffer) {
  if (typeof buffer === 'string') buffer = Buffer.from(buffer);
  else if (!ArrayBufferIsView(buffer)) {
    if (!isBuffer(buffer)) {
      throw new codes.ERR_INVALID_ARG_TYPE('buffer', ['string', 'Buffer', 'TypedArray', 'DataView', 'ArrayBuffer'], buffer);
    }
    buffer = Buffer.from(buffer);
  }
  const whole = processChunkSync(engine, buffer, engine._finishFlushFlag);
  return engine._info ? { buffer: whole, engine } : whole;
}

function withCallback(Class) {
  return function asyncBufferWrapper(buffer, opts, callback) {
    if (typeof opts === 'function') {
      callback = opts;
      opts = {};
    }
    return runWhole(new Class(opts), buffer, callback);
  };
}

function atOnce(Class) {
  return function syncBufferWrapper(buffer, opts) {
    return runWholeSync(new Class(opts), buffer);
  };
}

const exported = { crc32, ...kinds };
for (const name of intact([
  'Deflate',
  'Gzip',
  'DeflateRaw',
  'Unzip',
  'Inflate',
  'Gunzip',
  'InflateRaw',
  'BrotliCompress',
  'BrotliDecompress',
  'ZstdCompress',
  'ZstdDecompress',
])) {
  const lower = StringToLowerCase(name[0]) + StringSlice(name, 1);
  exported[lower] = withCallback(kinds[name]);
  exported[`${lower}Sync`] = atOnce(kinds[name]);
}
for (const name of intact([
  'Deflate',
  'Inflate',
  'DeflateRaw',
  'InflateRaw',
  'Gzip',
  'Gunzip',
  'Unzip',
  'BrotliCompress',
  'BrotliDecompress',
  'ZstdCompress',
  'ZstdDecompress',
])) {
  const create = {
    [`create${name}`](options) {
      return new kinds[name](options);
    },
  }[`create${name}`];
  ObjectDefineProperty(exported, create.name, { __proto__: null, configurable: true, enumerable: true, value: create });
}
ObjectDefineProperties(exported, {
  constants: { __proto__: null, enumerable: true, value: constants },
  codes: { __proto__: null, enumerable: true, value: resultNames },
});
// zlib's constants on the module itself, where they were before `constants` existed.
for (const name of intact(ObjectKeys(constants))) {
  if (!StringStartsWith(name, 'BROTLI')) ObjectDefineProperty(exported, name, { __proto__: null, value: constants[name] });
}
ObjectAssign(
  exported,
  members(
    'zlib',
    'ZipEntry*/0 ZipFile*/0 ZipBuffer*/1 createZipArchive/0 createZipArchiveSync/0 zipFiles/0 ' +
      'getMaxZipContentSize/0 setMaxZipContentSize/0',
  ),
);

module.exports = exported;
