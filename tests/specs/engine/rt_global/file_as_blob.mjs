// Files as Blobs: in forms, in Files, as object URLs; bodies from generators; requests given as one object.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { RT, later, outcome, show } from './table.mjs';

const folder = mkdtempSync('/tmp/rt-blob-');
process.chdir(folder);
writeFileSync('hello.txt', 'hello file');
const rows = [];
const file = RT.file('hello.txt');
rows.push(['kin', [file instanceof Blob, file.slice(1) instanceof Blob, file instanceof File]]);
const form = new FormData();
form.append('whole', file);
form.append('named', file, 'named.md');
form.set('part', file.slice(1, 4));
const back = await new Response(form).formData();
for (const name of ['whole', 'named', 'part']) {
  const value = back.get(name);
  rows.push([`form ${name}`, [await value.text(), value.size, name === 'named' ? value.name : value.type]]);
}
rows.push(['missing', await later(async () => {
  const bad = new FormData();
  bad.append('a', RT.file('nope'));
  return new Response(bad).text();
})]);
rows.push(['clone', [await structuredClone(file).text(), await structuredClone(file).slice(0, 2).text()]]);
rows.push(['url', await (await fetch(URL.createObjectURL(file))).text()]);
rows.push(['slices', [file.slice(Number.NaN, 3).size, await file.slice(0.9, 2.9).text(), file.slice(0, Number.NaN).size, await file.slice('x/y').text()]]);
const request = (...args) => {
  const made = new Request(...args);
  return [made.url, made.method, made.headers.get('a')];
};
rows.push(['one object', [
  outcome(() => request({ url: 'http://a/b', method: 'POST', headers: { a: 'b' } })), outcome(() => request({ url: 'http://a/b' }, { method: 'PUT' })), outcome(() => request({ url: 'http://a/' })),
  await later(() => new Request({ url: 'http://a/b', method: 'POST', body: 'x' }).text()),
]]);
rows.push(['generators', [
  await later(() => new Response(async function* () {
    yield 'a';
    yield new Uint8Array([66]);
  }).text()),
  await later(() => new Response({ async *[Symbol.asyncIterator]() { yield 'x'; } }).text()),
  await later(() => new Response(async function* () {
    yield 'a';
    throw new RangeError('mine');
  }).text()),
]]);
process.chdir('/');
rmSync(folder, { recursive: true });
show(rows);
