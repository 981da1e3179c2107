// RT.mmap: accepted and rejected arguments, and writes that reach the file.
import { chmodSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { RT, outcome, show } from './table.mjs';

const folder = mkdtempSync('/tmp/rt-mapped-');
process.chdir(folder);
writeFileSync('small', 'hello world, this is a file');
writeFileSync('large', Buffer.alloc(10_000, 'abc'));
writeFileSync('empty', '');
const hidden = (value) => JSON.parse(JSON.stringify(value).replaceAll(folder, '<folder>'));
const mapped = (...args) => hidden(outcome(() => {
  const bytes = RT.mmap(...args);
  return [bytes.constructor.name, bytes.length, bytes.byteOffset, bytes.buffer.byteLength, Buffer.from(bytes.subarray(0, 12)).toString()];
}));
const rows = [['length', RT.mmap.length]];
for (const path of [undefined, null, 5, {}, 'small', `${folder}/small`, 'nope', '.', 'empty', '/dev/null', '/proc/self/status', new URL(`file://${folder}/small`), Buffer.from('small'), RT.file('small')]) rows.push([`of ${hidden(String(path))}`, mapped(path)]);
for (const options of [null, 5, 'x', {}, { size: 5 }, { size: 5000 }, { size: 0 }, { size: -1 }, { size: 1.5 }, { size: '5' }, { size: NaN }, { offset: 6 }, { offset: 6, size: 3 }, { offset: 27 }, { offset: 4096 }, { offset: -1 }, { offset: '3' }, { shared: false }, { shared: false, sync: true }, { shared: true }]) rows.push([`small ${JSON.stringify(options)}`, mapped('small', options)]);
for (const options of [{ offset: 4096 }, { offset: 4096, size: 10 }, { offset: 5000, size: 10 }, { offset: 9999 }]) rows.push([`large ${JSON.stringify(options)}`, mapped('large', options)]);
const shared = RT.mmap('small');
shared[0] = 72;
rows.push(['a write reaches the file', readFileSync('small', 'utf8')]);
writeFileSync('small', 'Jello world, this is a file');
rows.push(['a write of the file reaches the bytes', String.fromCharCode(shared[0])]);
const own = RT.mmap('small', { shared: false });
own[0] = 90;
rows.push(['a write to bytes of its own', [readFileSync('small', 'utf8'), String.fromCharCode(own[0])]]);
chmodSync('small', 0o444);
if (process.getuid() === 0) rows.push(['read-only, as root', mapped('small')]);
show(rows);
