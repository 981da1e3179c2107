// RT.file and RT.write in a temporary folder.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { RT, later, outcome, show } from './table.mjs';

const folder = mkdtempSync('/tmp/rt-files-');
process.chdir(folder);
const rows = [];
const written = async (...args) => [await later(() => RT.write(...args)), typeof args[0] === 'string' ? outcome(() => readFileSync(args[0], 'utf8')) : null];
rows.push(['write', [
  await written('a/b/c.txt', 'text'), await written('no/x', 'x', { createPath: false }), await written('copy', RT.file('a/b/c.txt')), await written('list', ['a', new Uint8Array([98])]), await written('bytes', new Uint8Array([104, 105])),
  await written('buffer', new Uint8Array([104]).buffer), await written('nothing', null), await written('.', 'x'), await later(() => RT.write(RT.file('k'), 'k')), await later(() => RT.write('l', RT.file('nope'))), await later(() => RT.write(undefined, 'x')), await later(() => RT.write({}, 'x')),
]]);
await RT.write('data.json', '{"a":[1,2]}');
const file = RT.file('data.json');
rows.push(['read', [await file.text(), await file.json(), await later(() => file.bytes()), await later(() => file.arrayBuffer()), file.size, file.type, file.name, await file.exists(), Math.abs(file.lastModified - Date.now()) < 60000, (await file.stat()).size]]);
rows.push(['slices', [
  await file.slice(1, 4).text(), await file.slice(-3).text(), await file.slice(2).slice(1, 3).text(), file.slice(1, 4).size, file.slice(-3).size, await file.slice(4, 2).text(), await file.slice(0, 999).text(), file.slice(0, 1, 'x/y').type, file.slice(100).size,
]]);
for (const method of ['text', 'json', 'bytes', 'arrayBuffer', 'stat', 'unlink', 'delete']) rows.push([`missing ${method}`, await later(() => RT.file('nope')[method]())]);
rows.push(['missing', [await RT.file('nope').exists(), RT.file('nope').size, await RT.file('.').exists()]]);
rows.push(['removed', [await later(() => RT.file('list').delete()), await RT.file('list').exists()]]);
rows.push(['bom', [await RT.write('bom', '\ufeffhi'), await RT.file('bom').text()]]);
for (const name of ['a.ts', 'a.mjs', 'a.json', 'a.html', 'a.css', 'a.txt', 'a.svg', 'a.png', 'a.JPG', 'a.wasm', 'a.woff2', 'a.mp4', 'a.yaml', 'a.toml', 'a.xml', 'a.md', 'a.tar.gz', 'a.pdf', 'a.unknown', 'Makefile', '.txt', 'x/.json', 'a.map', 'a.ico', 'a.csv']) {
  rows.push([`type ${name}`, RT.file(name).type]);
}
rows.push(['kinds', [outcome(() => RT.file()), outcome(() => RT.file({})), RT.file(1).name, RT.file(1).type, RT.file(new URL('file:///tmp/a%20b')).name, RT.file(Buffer.from('/tmp/x')).name, RT.file('x', { type: 'text/foo' }).type, RT.file(RT.file('x').name).name, Object.prototype.toString.call(RT.file('x'))]]);
const sink = RT.file('sink').writer({ highWaterMark: 10 });
rows.push(['writer', [sink.write('abc'), sink.write(new Uint8Array([49, 50, 51, 52, 53, 54, 55, 56, 57, 48])), sink.flush(), sink.write('é'), await sink.end(), readFileSync('sink', 'utf8'), outcome(() => RT.file('none/x').writer()), outcome(() => RT.file('y').writer().write(5)), outcome(() => RT.file('y').writer().write())]]);
RT.write('at once', 'there');
rows.push(['at once', readFileSync('at once', 'utf8')]);
const late = RT.file('late').writer();
late.write('by itself');
await RT.sleep(20);
rows.push(['without flush', readFileSync('late', 'utf8')]);
rmSync(folder, { recursive: true });
show(rows);
