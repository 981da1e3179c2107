'use strict';
// Owns: HTTP/2 settings: their names, numbers and bounds, as an object and as the payload of a frame.

const {
  ArrayBufferIsView,
  ArrayFind,
  ArrayForEach,
  ArrayPush,
  DataViewGetUint16,
  DataViewGetUint32,
  NumberIsInteger,
  NumberIsNaN,
  ObjectAssign,
  ObjectKeys,
  intact,
} = require('internal/primordials');
const { http2Error } = require('node/http2/errors');
const { codes } = require('internal/errors/errors');
const { validateObject } = require('internal/validators');

const MOST = 2 ** 32 - 1;
const MOST_ID = 0xffff;
const MOST_CUSTOM = 10;
const USUAL = {
  __proto__: null,
  headerTableSize: 4096,
  enablePush: true,
  initialWindowSize: 65535,
  maxFrameSize: 16384,
  maxConcurrentStreams: MOST,
  maxHeaderSize: 65535,
  maxHeaderListSize: 65535,
  enableConnectProtocol: false,
};
// number, least, most; in the order in which they are written
const KNOWN = {
  __proto__: null,
  headerTableSize: [1, 0, MOST],
  enablePush: [2],
  maxConcurrentStreams: [3, 0, MOST],
  initialWindowSize: [4, 0, 2 ** 31 - 1],
  maxFrameSize: [5, 16384, 2 ** 24 - 1],
  maxHeaderListSize: [6, 0, MOST],
  enableConnectProtocol: [8],
};
const NAMES = ObjectKeys(KNOWN);

const getDefaultSettings = () => ({ __proto__: null, ...USUAL });

/** The settings of a side that has sent none. */
const initial = () => ({
  headerTableSize: 4096,
  enablePush: true,
  initialWindowSize: 65535,
  maxFrameSize: 16384,
  maxConcurrentStreams: MOST,
  maxHeaderListSize: MOST,
  maxHeaderSize: MOST,
  enableConnectProtocol: false,
});

/** Validates settings without a name, by their numbers. */
function checkCustom(custom) {
  const ids = ObjectKeys(custom);
  if (ids.length > MOST_CUSTOM) throw http2Error('ERR_HTTP2_TOO_MANY_CUSTOM_SETTINGS');
  for (let index = 0; index < ids.length; index++) {
    const id = ids[index];
    const value = custom[id];
    if (NumberIsNaN(+id)) throw http2Error('ERR_HTTP2_INVALID_SETTING_VALUE', 'Range Error', NaN); // with Node's message
    if (!NumberIsInteger(+id) || +id < 0 || +id > MOST_ID)
      throw http2Error('ERR_HTTP2_INVALID_SETTING_VALUE', 'customSettings:id', id);
    if (!NumberIsInteger(value) || value < 0 || value > MOST)
      throw http2Error('ERR_HTTP2_INVALID_SETTING_VALUE', 'customSettings:value', value);
  }
}

function validateSettings(settings) {
  if (settings === undefined) return {};
  validateObject(settings, 'settings');
  const { customSettings, ...given } = settings;
  for (const name of intact([...intact(NAMES), 'maxHeaderSize'])) {
    const value = given[name];
    if (value === undefined) continue;
    const [, least, most] = intact(KNOWN[name] ?? KNOWN.maxHeaderListSize);
    if (
      least === undefined
        ? typeof value !== 'boolean'
        : !(typeof value === 'number' && NumberIsInteger(value) && value >= least && value <= most)
    ) {
      const error = http2Error('ERR_HTTP2_INVALID_SETTING_VALUE', name, value);
      throw least === undefined ? ObjectAssign(new TypeError(error.message), { code: error.code }) : error;
    }
  }
  if (given.maxHeaderSize !== undefined) given.maxHeaderListSize ??= given.maxHeaderSize;
  if (customSettings !== undefined) {
    checkCustom(customSettings);
    given.customSettings = { ...customSettings };
  }
  return given;
}

function packSettings(settings) {
  const numbers = [];
  for (const name of intact(NAMES))
    if (settings[name] !== undefined) ArrayPush(numbers, [KNOWN[name][0], Number(settings[name])]);
  const custom = settings.customSettings ?? {};
  for (let index = 0, ids = ObjectKeys(custom); index < ids.length; index++) {
    ArrayPush(numbers, [+ids[index], custom[ids[index]]]);
  }
  const { Buffer } = require('node/buffer/buffer');
  const bytes = Buffer.alloc(6 * numbers.length);
  ArrayForEach(numbers, ({ 0: id, 1: value }, index) => {
    bytes.writeUInt16BE(id, 6 * index);
    bytes.writeUInt32BE(value >>> 0, 6 * index + 2);
  });
  return bytes;
}

/** Decodes a payload to an object; settings without a name are its `customSettings`. */
function unpackSettings(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const settings = {};
  let problem;
  for (let place = 0; place < bytes.length; place += 6) {
    const id = DataViewGetUint16(view, place);
    const value = DataViewGetUint32(view, place + 2);
    const name = ArrayFind(NAMES, (each) => KNOWN[each][0] === id);
    if (name === undefined) {
      (settings.customSettings ??= {})[id] = value;
      continue;
    }
    settings[name] = KNOWN[name][1] === undefined ? value !== 0 : value;
    if (name === 'maxHeaderListSize') settings.maxHeaderSize = value;
    if (KNOWN[name][1] === undefined && value > 1) problem = 1;
  }
  if (problem !== undefined) return { settings, problem };
  if (settings.initialWindowSize > 2 ** 31 - 1) return { settings, problem: 3 };
  const { maxFrameSize } = settings;
  return { settings, problem: maxFrameSize < 16384 || maxFrameSize > 2 ** 24 - 1 ? 1 : undefined };
}

function getPackedSettings(settings) {
  return packSettings(validateSettings(settings));
}
function getUnpackedSettings(buffer, options = {}) {
  const isList = ArrayBufferIsView(buffer) && buffer.length !== undefined;
  if (!isList) throw new codes.ERR_INVALID_ARG_TYPE('buf', ['Buffer', 'TypedArray'], buffer);
  if (buffer.length % 6 !== 0) {
    throw ObjectAssign(new RangeError('Packed settings length must be a multiple of six'), {
      code: 'ERR_HTTP2_INVALID_PACKED_SETTINGS_LENGTH',
    });
  }
  const { settings } = unpackSettings(new Uint8Array(buffer));
  if (options?.validate) validateSettings(settings);
  return settings;
}

module.exports = {
  getDefaultSettings,
  getPackedSettings,
  getUnpackedSettings,
  initial,
  validateSettings,
  packSettings,
  unpackSettings,
};
