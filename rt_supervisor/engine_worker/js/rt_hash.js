'use strict';
// Owns: RT.hash: Wyhash and the checksums.

const native = host.native;

function bytesOf(data) {
  if (data !== null && typeof data === 'object' || typeof data === 'string') return require('./rt_file').toBytes(data);
  return native.encodeUtf8(`${data}`);
}

const wyhash = (data, seed = 0n) => native.rt_wyhash(bytesOf(data), BigInt(seed));
const checksum = (name) => ({ [name]: (data, seed = 0) => native.rt_checksum(name, bytesOf(data), Number(seed)) }[name]);

const hash = Object.assign(function hash(data, seed) { return wyhash(data, seed); }, { wyhash, crc32: checksum('crc32'), adler32: checksum('adler32') });

module.exports = { hash };
