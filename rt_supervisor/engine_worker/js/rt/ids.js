'use strict';
// Owns: RT.randomUUIDv7 (in the order of time) and RT.randomUUIDv5 (of a name within a namespace).

const native = host.native;
const { codes } = require('internal/errors/errors');

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

const wrongType = (message) => Object.assign(new TypeError(message), { code: 'ERR_INVALID_ARG_TYPE' });

function mark(bytes, version) {
  bytes[6] = (bytes[6] & 0x0f) | (version << 4);
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
}

function encoded(bytes, encoding) {
  const { Buffer } = require('node/buffer/buffer');
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (encoding === 'buffer') return buffer;
  if (encoding !== 'hex') return buffer.toString(encoding);
  return buffer.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

function checkedEncoding(encoding) {
  if (encoding === undefined) return 'hex';
  if (!['hex', 'base64', 'base64url', 'buffer'].includes(encoding)) {
    const error = new TypeError('Encoding must be one of base64, base64url, hex, or buffer');
    throw Object.assign(error, { code: 'ERR_UNKNOWN_ENCODING' });
  }
  return encoding;
}

function checkedTime(timestamp) {
  if (timestamp === undefined) return Date.now();
  const time = Math.trunc(Number(timestamp));
  if (!(time >= 0 && time <= LATEST)) throw new codes.ERR_OUT_OF_RANGE('timestamp', `>= 0 and <= ${LATEST}`, Number(timestamp));
  return time;
}

/** The arguments may start with the encoding or the timestamp (milliseconds or a Date). */
function randomUUIDv7(encoding, timestamp) {
  if (typeof encoding === 'number' || encoding instanceof Date) [encoding, timestamp] = [undefined, encoding];
  const form = checkedEncoding(encoding);
  const time = checkedTime(timestamp);
  const bytes = native.rt_randomBytes(16);
  // Ids of one millisecond keep their order by a counter that starts somewhere in its lower half.
  if (time === latest && counter + 1 < COUNTER_LIMIT) counter++;
  else {
    latest = time;
    counter = ((bytes[6] << 8) | bytes[7]) & (COUNTER_LIMIT / 2 - 1);
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  view.setUint32(0, Math.floor(time / 2 ** 16));
  view.setUint16(4, time % 2 ** 16);
  view.setUint16(6, counter);
  mark(bytes, 7);
  return encoded(bytes, form);
}

function bytesOf(value, name) {
  if (typeof value === 'string') return native.encodeUtf8(value);
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  if (value instanceof ArrayBuffer || value instanceof SharedArrayBuffer) return new Uint8Array(value);
  throw wrongType(`${name} must be a string, ArrayBuffer or ArrayBufferView`);
}

function namespaceBytes(namespace) {
  if (typeof namespace !== 'string') {
    const bytes = bytesOf(namespace, 'namespace');
    if (bytes.length !== 16)
      throw Object.assign(new TypeError('Namespace must be exactly 16 bytes'), { code: 'ERR_INVALID_ARG_VALUE' });
    return bytes;
  }
  const text = NAMESPACES[namespace] ?? namespace;
  if (!UUID.test(text))
    throw Object.assign(new TypeError('Invalid UUID format for namespace'), { code: 'ERR_INVALID_ARG_VALUE' });
  return Uint8Array.from(text.replaceAll('-', '').match(/../g), (pair) => parseInt(pair, 16));
}

function randomUUIDv5(name, namespace, encoding) {
  const nameBytes = bytesOf(name, 'name');
  const space = namespaceBytes(namespace);
  const form = checkedEncoding(encoding);
  const whole = new Uint8Array(space.length + nameBytes.length);
  whole.set(space);
  whole.set(nameBytes, space.length);
  const bytes = native.digests_digest('sha1', whole).slice(0, 16);
  mark(bytes, 5);
  return encoded(bytes, form);
}

module.exports = { randomUUIDv5, randomUUIDv7 };
