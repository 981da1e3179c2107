// Digests, compression, UUIDs, raw bytes.
import { drainMicrotasks } from 'bun:jsc';
import { RT, outcome, show } from './table.mjs';

const rows = [];
const TEXTS = ['', 'abc', 'é'.repeat(100), 'x'.repeat(1000)];
for (const name of RT.CryptoHasher.algorithms) {
  rows.push([name, [
    ...TEXTS.map((text) => outcome(() => RT.CryptoHasher.hash(name, text, 'hex'))),
    outcome(() => new RT.CryptoHasher(name).byteLength), outcome(() => new RT.CryptoHasher(name).update('a').update('b').digest('base64')),
  ]]);
}
for (const name of ['md4', 'md5', 'ripemd160', 'sha1', 'sha224', 'sha256', 'sha384', 'sha512', 'sha512-224', 'sha512-256', 'sha3-256', 'blake2b256', 'blake2b512']) {
  rows.push([`keyed ${name}`, ['', 'key', 'k'.repeat(300)].map((key) => outcome(() => new RT.CryptoHasher(name, key).update('abc').digest('hex')))]);
}
for (const name of ['MD4', 'MD5', 'SHA1', 'SHA224', 'SHA256', 'SHA384', 'SHA512', 'SHA512_256']) rows.push([name, [outcome(() => RT[name].hash('abc')), RT[name].byteLength, outcome(() => new RT[name]().update('a').digest('hex'))]]);
rows.push(['sha', [outcome(() => RT.sha('abc')), outcome(() => RT.sha('abc', 'base64'))]]);
const hasher = new RT.CryptoHasher('sha256').update('a');
const copy = hasher.copy();
rows.push(['again', [hasher.digest('hex'), hasher.digest('hex'), copy.update('b').digest('hex'), hasher.algorithm]]);
for (const [algorithm, input, form] of [['nope', 'a'], [5, 'a'], ['sha256', 5], ['sha256'], ['sha256', 'a', 'nope'], ['sha256', 'a', new Uint8Array(5)], ['SHA-256', 'a', 'hex']]) {
  rows.push([`hash ${algorithm} ${input} ${typeof form}`, outcome(() => RT.CryptoHasher.hash(algorithm, input, form))]);
}
const text = (bytes) => Buffer.from(bytes).toString();
rows.push(['round trips', [
  outcome(() => text(RT.gunzipSync(RT.gzipSync('hello hello')))), outcome(() => text(RT.inflateSync(RT.deflateSync('hello hello')))), outcome(() => text(RT.gunzipSync(RT.gzipSync('x'.repeat(9999), { level: 9 }))).length),
  RT.gzipSync('abc').constructor.name, outcome(() => RT.gunzipSync('xx')), outcome(() => RT.inflateSync(new Uint8Array([1, 2, 3]))), outcome(() => RT.gzipSync()), outcome(() => RT.gzipSync(5)), outcome(() => RT.gzipSync('a', { level: 50 })),
]]);
for (const [name, space, form] of [['www.example.com', 'dns'], ['a', 'url', 'base64'], ['a', 'oid', 'buffer'], ['a', 'x500', 'base64url'], ['a', '6ba7b810-9dad-11d1-80b4-00c04fd430c8'], ['a', 'nope'], [5, 'dns'], ['a'], [Buffer.from('a'), Buffer.alloc(16)]]) {
  rows.push([`v5 ${name} ${space}`, outcome(() => RT.randomUUIDv5(name, space, form))]);
}
const form = /^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;
const ids = Array.from({ length: 200 }, () => RT.randomUUIDv7());
rows.push(['v7', [ids.every((id) => form.test(id)), ids.every((id, place) => place === 0 || id > ids[place - 1]), RT.randomUUIDv7('hex', 1e12).slice(0, 13), RT.randomUUIDv7('hex', new Date(5)).slice(0, 13), RT.randomUUIDv7('buffer').length]]);
for (const args of [['nope'], ['hex', -1], ['hex', 2 ** 48]]) rows.push([`v7 ${args}`, outcome(() => RT.randomUUIDv7(...args))]);
const parts = [new Uint8Array([1]), new ArrayBuffer(2), new Uint16Array([3])];
rows.push(['concat', [outcome(() => RT.concatArrayBuffers(parts)), outcome(() => RT.concatArrayBuffers(parts, 2)), outcome(() => RT.concatArrayBuffers(parts, Infinity, true)), outcome(() => RT.concatArrayBuffers(5)), outcome(() => RT.concatArrayBuffers([5])), outcome(() => RT.concatArrayBuffers(parts, -1))]]);
rows.push(['lines', [RT.indexOfLine(Buffer.from('a\nb')), RT.indexOfLine(Buffer.from('a\nb\n'), 2), RT.indexOfLine(Buffer.from('ab')), outcome(() => RT.indexOfLine('ab\n')), RT.indexOfLine(Buffer.from('a\nb'), -1)]]);
rows.push(['unsafe', [RT.allocUnsafe(5).length, outcome(() => RT.allocUnsafe(-1)), outcome(() => RT.allocUnsafe('a')), RT.unsafe.arrayBufferToString(new Uint8Array([104, 105]))]]);
rows.push(['md4 by length', [0, 1, 55, 56, 57, 63, 64, 65, 119, 120, 1000].map((length) => outcome(() => RT.MD4.hash('x'.repeat(length), 'hex')))]);
const pieces = new RT.CryptoHasher('md4');
for (let size = 0; size < 90; size++) pieces.update('y'.repeat(size));
rows.push(['md4 in pieces', [pieces.copy().update('z').digest('hex'), pieces.digest('hex')]]);
const units = new Uint16Array([104, 0xd800, 0, 0x20ac]);
for (const input of [new Uint8Array([104, 200, 0xc3, 0xa9]), new Uint8Array([104, 200]).buffer, units, new Uint16Array(units.buffer, 2, 1), new Int16Array([104]), new Uint32Array([104]), new Float32Array([1]), new Float16Array([1]), new Uint16Array(0), new DataView(new ArrayBuffer(2)), 'a', undefined]) {
  rows.push([`text of ${input?.constructor.name}`, outcome(() => Array.from(RT.unsafe.arrayBufferToString(input), (each) => each.charCodeAt(0)))]);
}
let order = '';
process.nextTick(() => { order += 't'; });
Promise.resolve().then(() => { order += 'a'; });
drainMicrotasks();
rows.push(['microtasks', order]);
show(rows);
