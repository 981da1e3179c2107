// Console output of files, Files and Blobs: alone, inside others, and as bodies, after Blob has been loaded.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { RT, show } from './table.mjs';

const folder = mkdtempSync('/tmp/rt-print-');
process.chdir(folder);
writeFileSync('f.txt', '0123456789');
const rows = [];
rows.push(['before Blob', RT.inspect(RT.file('f.txt'))]);
const named = new File(['ab'], 'n.txt', { lastModified: 1 });
const file = RT.file('f.txt');
for (const [label, value] of [
  ['path', file], ['descriptor', RT.file(0)], ['own type', RT.file('f.txt', { type: 'a/b' })], ['no type', RT.file('f.txt', { type: '' })],
  ['missing', RT.file('nope')], ['first part', file.slice(0, 3)], ['member', { a: { b: RT.file('x.png') } }],
  ['File', named], ['Blob', new Blob(['ab'])],
  ['response', new Response(file)], ['request', new Request('http://a/', { method: 'POST', body: file })],
  ['response of a Blob', new Response(new Blob(['ab'], { type: 'a/b' }))], ['response of a text', new Response('ab')],
]) rows.push([label, RT.inspect(value)]);
rows.push(['response of a File', RT.inspect(new Response(named)).replace(/^Response.*\{/, 'Response {')]);
process.chdir('/');
rmSync(folder, { recursive: true });
show(rows);
