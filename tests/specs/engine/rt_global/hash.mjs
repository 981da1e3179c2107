// RT.hash: every algorithm, the lengths at which it switches code paths, seeds of both kinds.
import { RT, outcome, sequence, show } from './table.mjs';

const next = sequence(12345);
const LENGTHS = [0, 1, 2, 3, 4, 5, 7, 8, 9, 12, 15, 16, 17, 24, 31, 32, 33, 47, 48, 49, 63, 64, 65, 96, 112, 127, 128, 129, 240, 241, 300, 1024, 1030];
const rows = [];
for (const length of LENGTHS) {
  const data = Uint8Array.from({ length }, () => next(256));
  for (const name of Object.keys(RT.hash)) {
    rows.push([`${name} ${length}`, [0n, 7n, 0xfedcba9876543210n].map((seed) => outcome(() => RT.hash[name](data, seed)))]);
  }
}
for (const seed of [1, -1, 1.5, 2 ** 32, 2 ** 33 + 1, 2 ** 63, 2 ** 64, NaN, Infinity, -Infinity, '5', null, true, -1n, 2n ** 64n + 5n]) {
  rows.push([`seed ${String(seed)}`, [outcome(() => RT.hash('a', seed)), outcome(() => RT.hash.crc32('a', seed))]]);
}
for (const data of ['', 'é✓', 123, {}, [1, 2], null, undefined, Symbol('s'), new Uint16Array([1, 2]), new Uint8Array([1, 2]).buffer, new DataView(new ArrayBuffer(3), 1), new Blob(['a', new Blob(['b'])]), new Blob([])]) {
  rows.push([`data ${typeof data}`, outcome(() => RT.hash(data))]);
}
for (const input of [new Blob(['ab']), new Blob([]), RT.file('/etc/hostname'), null, 5, {}, [1]]) {
  rows.push([`digest of ${typeof input}`, [outcome(() => RT.SHA1.hash(input, 'hex')), outcome(() => new RT.CryptoHasher('md5').update(input).digest('hex'))]]);
}
for (const name of ['sha128', 'sha-512256', 'sha-512_256', 'SHA512/256', 'sha512256', 'sha-512224', 'sha3256', 'ripemd']) {
  rows.push([`algorithm ${name}`, outcome(() => new RT.CryptoHasher(name).update('a').digest('hex'))]);
}
const spent = new RT.CryptoHasher('sha1', 'key').update('x');
spent.digest();
rows.push(['spent', [...['byteLength', 'algorithm'].map((name) => outcome(() => spent[name])), ...['digest', 'copy', 'update'].map((name) => outcome(() => spent[name]('hex')))]]);
for (const signal of [null, '', NaN, undefined, 'SIGKILL', 15]) {
  const child = RT.spawn(['sleep', '100']);
  child.kill(signal);
  await child.exited;
  rows.push([`killed with ${signal}`, child.signalCode]);
}
show(rows);
