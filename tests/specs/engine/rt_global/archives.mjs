// Archives: their contents as a list, as files, and as seen by another tar program.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RT, later, show } from './table.mjs';

const { Archive } = RT;
const rows = [];
const row = async (label, work) => rows.push([label, [await later(work)]]);
const top = mkdtempSync(join(tmpdir(), 'archives-'));
const listed = (path) => readdirSync(path, { recursive: true }).map((name) => `${name} ${(statSync(join(path, name)).mode & 0o777).toString(8)}`).sort();

for (const [name, value] of Object.entries({ none: undefined, null: null, number: 5, text: 'x', list: [1], object: { a: {} }, symbol: { a: Symbol('x') } }))
  await row(`made of ${name}`, async () => (await new Archive(value).bytes()).length);
for (const options of [undefined, null, 5, 'gzip', { compress: 'gzip' }, { compress: 'zstd' }, { compress: 5 }, { compress: 'gzip', level: 0 }, { compress: 'gzip', level: 13 },
  { compress: 'gzip', level: 'x' }, { compress: 'gzip', level: 12 }, { level: 99 }])
  await row(JSON.stringify(options) ?? 'nothing', async () => (await new Archive({ 'a.txt': 'hello' }, options).bytes())[0]);

const CONTENT = { 'a.txt': 'hello', 'dir/b.bin': new Uint8Array([1, 2, 3]), './d.txt': 'x', '/abs.txt': 'y', 'e/../f.txt': 'z', '../up.txt': 'u', blob: new Blob(['bb']),
  buffer: new ArrayBuffer(3), 'ü.txt': 'ü', [`${'long/'.repeat(40)}f.txt`]: 'long', ['n'.repeat(150)]: 'nn', '': 'nameless' };
const archive = new Archive(CONTENT);
await row('size', async () => (await archive.bytes()).length);
await row('blob', async () => [(await archive.blob()).size, (await archive.blob()).type]);
const names = async (glob) => [...(await archive.files(glob)).keys()];
await row('files', () => names());
for (const glob of ['*.txt', ['**', '!*.txt'], [], '!*.txt', '', null, '**/*.{bin,txt}', 5, [5], {}]) await row(`files ${JSON.stringify(glob)}`, () => names(glob));
await row('contents', async () => Promise.all([...(await archive.files()).values()].map(async (file) => [file.name, file.size, file.type, await file.text()])));
await row('extract', () => archive.extract(join(top, 'all')));
await row('extracted', () => listed(join(top, 'all')));
await row('extract some', () => archive.extract(join(top, 'some'), { glob: '*.txt' }));
await row('extracted some', () => listed(join(top, 'some')));
await row('outside', () => readdirSync(top).sort());
for (const [label, ...given] of [['nothing'], ['number', 5], ['options', join(top, 'o'), 5], ['glob', join(top, 'o'), { glob: 5 }], ['null', join(top, 'o'), null]])
  await row(`extract ${label}`, () => archive.extract(...given));

for (const [label, bytes] of [['empty', new Uint8Array(0)], ['short', new Uint8Array(100)], ['zeros', new Uint8Array(1024)], ['junk', Buffer.from('junk'.repeat(300))], ['head of gzip', Buffer.from([0x1f, 0x8b, 8, 0, 0])]]) {
  await row(`${label}: bytes`, async () => (await new Archive(bytes).bytes()).length);
  await row(`${label}: files`, async () => (await new Archive(bytes).files()).size);
}
const whole = await new Archive({ a: 'x'.repeat(3000), b: 'y' }).bytes();
const zipped = await new Archive(whole, { compress: 'gzip' }).bytes();
await row('cut', async () => (await new Archive(whole.subarray(0, 2000)).files()).size);
await row('without its end', async () => (await new Archive(whole.subarray(0, 4608)).files()).size);
await row('gzip', async () => [...(await new Archive(zipped).files()).keys()]);
await row('gzip cut', async () => (await new Archive(zipped.subarray(0, 60)).files()).size);
const changed = new Uint8Array([1, 2, 3]);
const copied = new Archive({ changed });
changed[0] = 9;
await row('copied', async () => (await copied.bytes())[512]);

const written = (name) => [readFileSync(join(top, name))[0], statSync(join(top, name)).size % 512];
for (const [name, ...given] of [['w.tar', { a: '1' }], ['w2.tar', archive], ['w3.tar', whole]]) {
  await row(`write ${name}`, () => Archive.write(join(top, name), ...given));
  await row(`written ${name}`, () => written(name));
}
await row('write gzip', () => Archive.write(join(top, 'w.tgz'), { a: '1' }, { compress: 'gzip', level: 9 }));
await row('written gzip', () => readFileSync(join(top, 'w.tgz'))[0]);
for (const [label, ...given] of [['nothing'], ['number', 5, {}], ['no data', join(top, 'q')], ['bad data', join(top, 'q'), 5], ['no folder', join(top, 'no/such/a'), { a: '1' }]])
  await row(`write ${label}`, () => Archive.write(...given));

// With the system's tar, in both directions.
await Archive.write(join(top, 'ours.tar'), CONTENT);
await row('tar reads it', () => execFileSync('tar', ['--quoting-style=literal', '-tPf', join(top, 'ours.tar')], { stderr: 'ignore' }).toString().split('\n'));
mkdirSync(join(top, 't/sub'), { recursive: true });
writeFileSync(join(top, 't/a'), 'A', { mode: 0o755 });
symlinkSync('a', join(top, 't/link'));
symlinkSync('../../../etc', join(top, 't/away'));
execFileSync('tar', ['--sort=name', '-cf', 'theirs.tar', 't'], { cwd: top });
const theirs = new Archive(readFileSync(join(top, 'theirs.tar')));
await row('it reads tar', async () => [...(await theirs.files()).keys()]);
await row('it extracts tar', () => theirs.extract(join(top, 'theirs')));
await row('extracted', () => listed(join(top, 'theirs')));
rmSync(top, { recursive: true });
show(rows);
