// @ts-check
'use strict';
// Owns: validation and conversion of node:fs arguments: paths, flags, modes, encodings, times, positions. Each function
// throws Node's error.

const {
  ArrayBufferIsView,
  ArrayEvery,
  ArrayIsArray,
  DateGetTime,
  DateNow,
  NumberIsFinite,
  NumberIsInteger,
  NumberIsNaN,
  NumberIsSafeInteger,
  ObjectAssign,
  ObjectIs,
  ObjectSetPrototypeOf,
  StringIncludes,
  StringIsWellFormed,
  StringToWellFormed,
  StringTrim,
} = require('internal/primordials');
const { isDate, isUint8Array } = require('internal/brands');
const { codes } = require('internal/errors/errors');
const { parseFileMode, validateEncoding, validateInt32, validateInteger, validateObject } = require('internal/validators');

const constants = {
  UV_FS_SYMLINK_DIR: 1,
  UV_FS_SYMLINK_JUNCTION: 2,
  O_RDONLY: 0,
  O_WRONLY: 1,
  O_RDWR: 2,
  UV_DIRENT_UNKNOWN: 0,
  UV_DIRENT_FILE: 1,
  UV_DIRENT_DIR: 2,
  UV_DIRENT_LINK: 3,
  UV_DIRENT_FIFO: 4,
  UV_DIRENT_SOCKET: 5,
  UV_DIRENT_CHAR: 6,
  UV_DIRENT_BLOCK: 7,
  EXTENSIONLESS_FORMAT_JAVASCRIPT: 0,
  EXTENSIONLESS_FORMAT_WASM: 1,
  S_IFMT: 0o170000,
  S_IFREG: 0o100000,
  S_IFDIR: 0o040000,
  S_IFCHR: 0o020000,
  S_IFBLK: 0o060000,
  S_IFIFO: 0o010000,
  S_IFLNK: 0o120000,
  S_IFSOCK: 0o140000,
  O_CREAT: 0o100,
  O_EXCL: 0o200,
  UV_FS_O_FILEMAP: 0,
  UV_FS_O_TEMPORARY: 0,
  UV_FS_O_SHORT_LIVED: 0,
  UV_FS_O_SEQUENTIAL: 0,
  UV_FS_O_RANDOM: 0,
  O_NOCTTY: 0o400,
  O_TRUNC: 0o1000,
  O_APPEND: 0o2000,
  O_DIRECTORY: 0o200000,
  O_NOATIME: 0o1000000,
  O_NOFOLLOW: 0o400000,
  O_SYNC: 0o4010000,
  O_DSYNC: 0o10000,
  O_DIRECT: 0o40000,
  O_NONBLOCK: 0o4000,
  S_IRWXU: 0o700,
  S_IRUSR: 0o400,
  S_IWUSR: 0o200,
  S_IXUSR: 0o100,
  S_IRWXG: 0o70,
  S_IRGRP: 0o40,
  S_IWGRP: 0o20,
  S_IXGRP: 0o10,
  S_IRWXO: 0o7,
  S_IROTH: 4,
  S_IWOTH: 2,
  S_IXOTH: 1,
  F_OK: 0,
  R_OK: 4,
  W_OK: 2,
  X_OK: 1,
  UV_FS_COPYFILE_EXCL: 1,
  COPYFILE_EXCL: 1,
  UV_FS_COPYFILE_FICLONE: 2,
  COPYFILE_FICLONE: 2,
  UV_FS_COPYFILE_FICLONE_FORCE: 4,
  COPYFILE_FICLONE_FORCE: 4,
};
require('internal/read_only').readOnly(ObjectSetPrototypeOf(constants, null));
const { O_RDONLY, O_WRONLY, O_RDWR, O_CREAT, O_EXCL, O_TRUNC, O_APPEND, O_SYNC } = constants;

const FLAGS = {
  __proto__: null,
  'r': O_RDONLY,
  'rs': O_RDONLY | O_SYNC,
  'sr': O_RDONLY | O_SYNC,
  'r+': O_RDWR,
  'rs+': O_RDWR | O_SYNC,
  'sr+': O_RDWR | O_SYNC,
  'w': O_TRUNC | O_CREAT | O_WRONLY,
  'wx': O_TRUNC | O_CREAT | O_WRONLY | O_EXCL,
  'xw': O_TRUNC | O_CREAT | O_WRONLY | O_EXCL,
  'w+': O_TRUNC | O_CREAT | O_RDWR,
  'wx+': O_TRUNC | O_CREAT | O_RDWR | O_EXCL,
  'xw+': O_TRUNC | O_CREAT | O_RDWR | O_EXCL,
  'a': O_APPEND | O_CREAT | O_WRONLY,
  'ax': O_APPEND | O_CREAT | O_WRONLY | O_EXCL,
  'xa': O_APPEND | O_CREAT | O_WRONLY | O_EXCL,
  'as': O_APPEND | O_CREAT | O_WRONLY | O_SYNC,
  'sa': O_APPEND | O_CREAT | O_WRONLY | O_SYNC,
  'a+': O_APPEND | O_CREAT | O_RDWR,
  'ax+': O_APPEND | O_CREAT | O_RDWR | O_EXCL,
  'xa+': O_APPEND | O_CREAT | O_RDWR | O_EXCL,
  'as+': O_APPEND | O_CREAT | O_RDWR | O_SYNC,
  'sa+': O_APPEND | O_CREAT | O_RDWR | O_SYNC,
};

/** Converts `flags` ('r', 'wx+', a number …) to the bits for open(2). */
function flagsOf(flags, name = 'flags') {
  if (typeof flags === 'number') {
    validateInt32(flags, name);
    return flags;
  }
  if (flags === undefined || flags === null) return O_RDONLY;
  const bits = FLAGS[flags];
  if (bits === undefined || typeof flags !== 'string') throw new codes.ERR_INVALID_ARG_VALUE(name, flags);
  return bits;
}

const isURL = (value) =>
  value !== null &&
  typeof value === 'object' &&
  typeof value.href === 'string' &&
  typeof value.protocol === 'string' &&
  value.auth === undefined &&
  value.path === undefined;

/** Validates a path and converts it to the form that the host takes. */
function pathOf(path, name = 'path') {
  if (typeof path === 'string') {
    if (StringIncludes(path, '\0'))
      throw new codes.ERR_INVALID_ARG_VALUE(name, path, 'must be a string, Uint8Array, or URL without null bytes');
    return StringIsWellFormed(path) ? path : StringToWellFormed(path);
  }
  if (isUint8Array(path)) {
    if (path.includes(0))
      throw new codes.ERR_INVALID_ARG_VALUE(name, path, 'must be a string, Uint8Array, or URL without null bytes');
    const text = host.native.decodeUtf8(path);
    return StringIncludes(text, '\uFFFD') ? path : text; // a name that is not valid UTF-8 is passed as bytes
  }
  if (isURL(path)) return pathOf(require('internal/file_url_host').fileURLToPath(path), name);
  throw new codes.ERR_INVALID_ARG_TYPE(name, ['string', 'Buffer', 'URL'], path);
}

function descriptorOf(fd, name = 'fd') {
  if (typeof fd !== 'number') throw new codes.ERR_INVALID_ARG_TYPE(name, 'number', fd);
  validateInt32(fd, name, 0);
  return ObjectIs(fd, -0) ? 0 : fd;
}

const pathOrDescriptor = (file) => (typeof file === 'number' ? descriptorOf(file) : pathOf(file));

/** Options of read and write functions; a string is shorthand for `{ encoding }`. */
function optionsOf(options, defaults) {
  if (options === null || options === undefined || typeof options === 'function') return defaults;
  if (typeof options === 'string') options = { encoding: options };
  else if (typeof options !== 'object') throw new codes.ERR_INVALID_ARG_TYPE('options', ['string', 'Object'], options);
  else options = { ...defaults, ...options };
  if (options.encoding !== 'buffer') checkEncoding(options.encoding);
  if (options.signal !== undefined) require('internal/validators').validateAbortSignal(options.signal, 'options.signal');
  return options === defaults ? options : { ...defaults, ...options };
}

const isEncoding = (name) => require('internal/encodings').normalizeEncoding(name) !== undefined;

function checkEncoding(encoding) {
  if (encoding === undefined || encoding === null || encoding === 'utf8' || encoding === 'utf-8') return;
  if (!isEncoding(encoding)) {
    throw new codes.ERR_INVALID_ARG_VALUE('encoding', encoding, 'is invalid encoding');
  }
}

/** Validates the mode of `access`. */
function accessModeOf(mode) {
  if (mode === undefined || mode === null) return constants.F_OK;
  if (!NumberIsInteger(mode) || mode !== (mode | 0)) {
    throw ObjectAssign(new TypeError('mode must be int32 or null/undefined'), { code: 'ERR_INVALID_ARG_TYPE' });
  }
  if (mode < 0 || mode > 7)
    throw ObjectAssign(new RangeError('mode is out of range: >= 0 && <= 7'), { code: 'ERR_OUT_OF_RANGE' });
  return mode;
}

const modeOf = (mode, fallback) => parseFileMode(mode, 'mode', fallback);

/** Converts a time to seconds. */
function timeOf(time, name = 'time') {
  if (typeof time === 'string' && +time === Number(time) && StringTrim(time) !== '' && !NumberIsNaN(+time)) return +time;
  if (NumberIsFinite(time)) return time < 0 ? DateNow() / 1000 : time;
  if (isDate(time)) return DateGetTime(time) / 1000;
  throw new codes.ERR_INVALID_ARG_TYPE(name, ['Date', 'Time in seconds'], time);
}

const LAST_OFFSET = 2n ** 63n - 1n;
const BEYOND_FILES = 2n ** 62n;

/** Validates the position of a read of `length` bytes; undefined means the current position. */
function positionOf(position, length) {
  if (position === undefined || position === null) return undefined;
  if (typeof position === 'bigint') {
    const most = LAST_OFFSET - BigInt(length);
    if (position < -1n || position > most) throw new codes.ERR_OUT_OF_RANGE('position', `>= -1 && <= ${most}`, position);
    // A bigint without an exact number is beyond any file; rounding must not bring it into the system's range.
    position = Number(position > BEYOND_FILES ? BEYOND_FILES : position);
  } else if (typeof position === 'number') {
    validateInteger(position, 'position', -1);
  } else {
    throw new codes.ERR_INVALID_ARG_TYPE('position', ['integer', 'bigint'], position);
  }
  return position < 0 ? undefined : position;
}

/**
 * The position of a write; any value that is not a valid position, such as an encoding passed in its place, means the current
 * one.
 */
const writePositionOf = (position) => (NumberIsSafeInteger(position) && position >= 0 ? position : undefined);

function checkBuffer(buffer, name = 'buffer') {
  if (!ArrayBufferIsView(buffer)) throw new codes.ERR_INVALID_ARG_TYPE(name, ['Buffer', 'TypedArray', 'DataView'], buffer);
}

const offsetOf = (offset) => {
  if (offset === undefined || offset === null) return 0;
  validateInteger(offset, 'offset', 0);
  return offset;
};

/** Returns the validated `[offset, length]` of a write from a buffer of `size` bytes. */
function writtenRange(offset, length, size) {
  offset = offsetOf(offset);
  if (typeof length !== 'number') length = size - offset;
  if (offset > size) throw new codes.ERR_OUT_OF_RANGE('offset', `<= ${size}`, offset);
  if (length > size - offset) throw new codes.ERR_OUT_OF_RANGE('length', `<= ${size - offset}`, length);
  if (length < 0) throw new codes.ERR_OUT_OF_RANGE('length', '>= 0', length);
  validateInt32(length, 'length', 0);
  return [offset, length];
}

function checkBuffers(buffers) {
  if (!ArrayIsArray(buffers) || !ArrayEvery(buffers, ArrayBufferIsView))
    throw new codes.ERR_INVALID_ARG_TYPE('buffers', 'ArrayBufferView[]', buffers);
}

/** The arguments of read() after the buffer, as `[offset, length, position]`. */
function readRange(buffer, args) {
  let { 0: offset, 1: length, 2: position } = args;
  if (args.length <= 1 || (offset !== null && typeof offset === 'object')) {
    if (offset !== undefined) validateObject(offset, 'options', { nullable: true });
    ({ offset = 0, length = buffer.byteLength - offset, position = null } = offset ?? {});
  }
  offset = offsetOf(offset);
  const size = buffer.byteLength;
  length = length === undefined || length === null ? size - offset : length | 0;
  if (length === 0) return [offset, 0, undefined];
  if (size === 0) throw new codes.ERR_INVALID_ARG_VALUE('buffer', buffer, 'is empty and cannot be written');
  if (length < 0) throw new codes.ERR_OUT_OF_RANGE('length', '>= 0', length);
  if (offset + length > size) throw new codes.ERR_OUT_OF_RANGE('length', `<= ${size - offset}`, length);
  return [offset, length, positionOf(position, length)];
}

/** The arguments of write() after the descriptor, as `{ text, position }` or `{ bytes, offset, length, position }`. */
function writeArguments(data, offsetOrOptions, length, position) {
  if (typeof data === 'string') {
    // write(fd, text, position, encoding)
    if (length === undefined || length === null || length === 'utf8' || length === 'utf-8' || !isEncoding(length))
      return { text: data, position: writePositionOf(offsetOrOptions) };
    validateEncoding(data, length);
    const bytes = require('node/buffer/buffer').Buffer.from(data, length);
    return { bytes, offset: 0, length: bytes.length, position: writePositionOf(offsetOrOptions) };
  }
  if (!ArrayBufferIsView(data))
    throw new codes.ERR_INVALID_ARG_TYPE('buffer', ['string', 'Buffer', 'TypedArray', 'DataView'], data);
  let offset = offsetOrOptions;
  if (offsetOrOptions !== null && typeof offsetOrOptions === 'object') {
    ({ offset = 0, length = data.byteLength - offset, position = null } = offsetOrOptions);
  }
  ({ 0: offset, 1: length } = writtenRange(offset, length, data.byteLength));
  return { bytes: data, offset, length, position: writePositionOf(position) };
}

function checkCallback(callback) {
  if (typeof callback !== 'function') throw new codes.ERR_INVALID_ARG_TYPE('cb', 'Function', callback);
  return callback;
}

module.exports = {
  constants,
  flagsOf,
  pathOf,
  pathOrDescriptor,
  descriptorOf,
  optionsOf,
  checkEncoding,
  accessModeOf,
  modeOf,
  timeOf,
  positionOf,
  checkBuffer,
  checkCallback,
  checkBuffers,
  readRange,
  writeArguments,
  validateObject,
};
