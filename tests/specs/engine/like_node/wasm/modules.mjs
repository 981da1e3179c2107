// WebAssembly files as ES modules: instances, their imports, and their sources before anything runs.
import fs from 'node:fs';
import util from 'node:util';
const print = (...values) => console.log(util.format(...values));
const section = (id, ...bytes) => [id, bytes.length, ...bytes];
const name = (text) => [Buffer.byteLength(text), ...Buffer.from(text)];
const wasm = (...sections) => Buffer.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, ...sections.flat()]);
const NOTHING = section(1, 1, 0x60, 0, 0); // the function type without parameters and results
const importing = (module, it) => wasm(NOTHING, section(2, 1, ...name(module), ...name(it), 0, 0), section(8, 0));
const exporting = (...names) =>
  wasm(NOTHING, section(3, 1, 0), section(7, names.length, ...names.flatMap((it) => [...name(it), 0, 0])), section(10, 1, 2, 0, 0x0b));
const GLOBALS = [section(6, 2, 0x7f, 1, 0x41, 7, 0x0b, 0x7e, 0, 0x42, 9, 0x0b), section(7, 2, ...name('count'), 3, 0, ...name('big one'), 3, 1)];
fs.writeFileSync('starts.wasm', importing('./reported.mjs', 'report'));
fs.writeFileSync('reported.mjs', 'export let reported = 0; export function report() { reported++; console.log("started", reported); }');
fs.writeFileSync('globals.wasm', wasm(...GLOBALS));
fs.writeFileSync('below.wasm', wasm(section(2, 1, ...name('./globals.wasm'), ...name('count'), 3, 0x7f, 1), section(7, 1, ...name('same'), 3, 0)));
fs.writeFileSync('functions.wasm', exporting('run', 'a name;'));
fs.writeFileSync('reserved.wasm', exporting('wasm:x'));
fs.writeFileSync('reserved_import.wasm', importing('./reported.mjs', 'wasm-js:x'));
fs.writeFileSync('reserved_module.wasm', importing('wasm-js:x', 'y'));
fs.writeFileSync('absent_name.wasm', importing('./reported.mjs', 'absent'));
fs.writeFileSync('broken.wasm', Buffer.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 99, 99]));
fs.writeFileSync('uses.mjs', `
import { run, 'a name;' as other } from './functions.wasm';
import * as functions from './functions.wasm';
import { same } from './below.wasm';
import { count, 'big one' as big } from './globals.wasm';
import './starts.wasm';
import source module from './functions.wasm';
export { run as again } from './functions.wasm';
console.log(typeof run, run(), other === functions['a name;'], same, count, big, run === functions.run);
console.log(module instanceof WebAssembly.Module, Object.prototype.toString.call(Object.getPrototypeOf(WebAssembly.Module)));
`);
const seen = (value) => (value instanceof WebAssembly.Module ? 'source' : Object.keys(value).filter((key) => key !== 'default'));
const fail = (error) => [error.name, error.code, error.message.replaceAll(import.meta.dirname, '').replaceAll('file://', '')];
print(Object.keys(await import('./uses.mjs')));
for (const it of ['functions', 'globals', 'below', 'starts', 'reserved', 'reserved_import', 'reserved_module', 'absent_name', 'broken']) {
  print(it, await import(`./${it}.wasm`).then(seen, fail));
  print(it, await import.source(`./${it}.wasm`).then(seen, fail));
}
print((await import('./functions.wasm')) === (await import('./functions.wasm')), (await import('./functions.wasm?again')) === (await import('./functions.wasm')));
for (const it of ['./reported.mjs', 'node:fs', 'data:text/javascript,1']) print(it, await import.source(it).then(seen, fail));
const inUrl = `data:application/wasm;base64,${exporting('far').toString('base64')}`;
print(await import(inUrl).then(seen, fail), await import.source(inUrl).then(seen, fail), seen(await eval('import.source("./functions.wasm")')));
print(await import('data:text/javascript;base64, ZXhwb3J0IGRlZmF1bHQ gNQ').then((it) => it.default, fail));
