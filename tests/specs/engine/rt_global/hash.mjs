// RT.hash: every algorithm, the lengths around which they change course, seeds of both kinds.
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
for (const data of ['', 'é✓', 123, {}, [1, 2], null, undefined, Symbol('s'), new Uint16Array([1, 2]), new Uint8Array([1, 2]).buffer, new DataView(new ArrayBuffer(3), 1)]) {
  rows.push([`data ${typeof data}`, outcome(() => RT.hash(data))]);
}
show(rows);
