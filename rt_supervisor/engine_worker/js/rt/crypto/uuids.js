'use strict';
// Owns: RT.randomUUIDv7 (time-ordered) and RT.randomUUIDv5 (a name in a namespace).

const { isAnyArrayBuffer, isDate } = require('internal/brands');
const { RegExpMatch } = require('internal/patterns');
const {
  ArrayBufferIsView,
  ArrayIncludes,
  DataViewSetUint16,
  DataViewSetUint32,
  DateNow,
  MathFloor,
  MathTrunc,
  ObjectAssign,
  RegExpReplace,
  RegExpTest,
  StringReplaceAll,
  TypedArraySet,
  Uint8ArrayFrom,
  intact,
} = require('internal/primordials');
const native = host.native;
const { codes, wrongType } = require('internal/errors/errors');

const NAMESPACES = {
  __proto__: null,
  dns: '6ba7b810-9dad-11d1-80b4-00c04fd430c8',
  url: '6ba7b811-9dad-11d1-80b4-00c04fd430c8',
  oid: '6ba7b812-9dad-11d1-80b4-00c04fd430c8',
  x500: '6ba7b814-9dad-11d1-80b4-00c04fd430c8',
};
const UUID = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i;
const LATEST = 2 ** 48 - 1;
const COUNTER_LIMIT = 2 ** 12;

let latest = -1;
let counter = 0;

function mark(bytes, version) {
  bytes[6] = (bytes[6] & 0x0f) | (version << 4);
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
}

function encodeUuid(bytes, encoding) {
  const { asBuffer } = require('node/buffer/views');
  const buffer = asBuffer(bytes);
  if (encoding === 'buffer') return buffer;
  if (encoding !== 'hex') return buffer.toString(encoding);
  return RegExpReplace(/^(.{8})(.{4})(.{4})(.{4})/, buffer.toString('hex'), (_, a, b, c, d) => `${a}-${b}-${c}-${d}-`);
}

function checkedEncoding(encoding) {
  if (encoding === undefined) return 'hex';
  if (!ArrayIncludes(['hex', 'base64', 'base64url', 'buffer'], encoding)) {
    const error = new TypeError('Encoding must be one of base64, base64url, hex, or buffer');
    throw ObjectAssign(error, { code: 'ERR_UNKNOWN_ENCODING' });
  }
  return encoding;
}

function checkedTime(timestamp) {
  if (timestamp === undefined) return DateNow();
  const time = MathTrunc(Number(timestamp));
  if (!(time >= 0 && time <= LATEST)) throw new codes.ERR_OUT_OF_RANGE('timestamp', `>= 0 and <= ${LATEST}`, Number(timestamp));
  return time;
}

/** The first argument may be the encoding or the timestamp (milliseconds or a Date). */
function randomUUIDv7(encoding, timestamp) {
  if (typeof encoding === 'number' || isDate(encoding)) [encoding, timestamp] = intact([undefined, encoding]);
  const form = checkedEncoding(encoding);
  const time = checkedTime(timestamp);
  const bytes = native.rt_randomBytes(16);
  // A counter that starts at random in its lower half keeps ids of one millisecond ordered.
  if (time === latest && counter + 1 < COUNTER_LIMIT) counter++;
  else {
    latest = time;
    counter = ((bytes[6] << 8) | bytes[7]) & (COUNTER_LIMIT / 2 - 1);
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  DataViewSetUint32(view, 0, MathFloor(time / 2 ** 16));
  DataViewSetUint16(view, 4, time % 2 ** 16);
  DataViewSetUint16(view, 6, counter);
  mark(bytes, 7);
  return encodeUuid(bytes, form);
}

function bytesOf(value, name) {
  if (typeof value === 'string') return native.encodeUtf8(value);
  if (ArrayBufferIsView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  if (isAnyArrayBuffer(value)) return new Uint8Array(value);
  throw wrongType(`${name} must be a string, ArrayBuffer or ArrayBufferView`);
}

function namespaceBytes(namespace) {
  if (typeof namespace !== 'string') {
    const bytes = bytesOf(namespace, 'namespace');
    if (bytes.length !== 16)
      throw ObjectAssign(new TypeError('Namespace must be exactly 16 bytes'), { code: 'ERR_INVALID_ARG_VALUE' });
    return bytes;
  }
  const text = NAMESPACES[namespace] ?? namespace;
  if (!RegExpTest(UUID, text))
    throw ObjectAssign(new TypeError('Invalid UUID format for namespace'), { code: 'ERR_INVALID_ARG_VALUE' });
  return Uint8ArrayFrom(intact(RegExpMatch(/../g, StringReplaceAll(text, '-', ''))), (pair) => parseInt(pair, 16));
}

function randomUUIDv5(name, namespace, encoding) {
  const nameBytes = bytesOf(name, 'name');
  const space = namespaceBytes(namespace);
  const form = checkedEncoding(encoding);
  const whole = new Uint8Array(space.length + nameBytes.length);
  TypedArraySet(whole, space);
  TypedArraySet(whole, nameBytes, space.length);
  const bytes = native.digests_digest('sha1', whole).slice(0, 16);
  mark(bytes, 5);
  return encodeUuid(bytes, form);
}

module.exports = { randomUUIDv5, randomUUIDv7 };
