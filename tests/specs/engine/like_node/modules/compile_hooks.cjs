// Patched Module.prototype._compile functions: the source and format they receive for every kind of file, and what they
// may pass on.
const Module = require('node:module'), fs = require('node:fs'), path = require('node:path'), os = require('node:os');
const { format } = require('node:util');
const log = (...args) => process.stdout.write(`${format(...args)}\n`);
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'compile-hooks-'));
const write = (name, text) => {
  const file = path.join(folder, name);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, text);
  return file;
};
const shown = (value) => JSON.stringify(Object.entries(value).filter(([name]) => name !== '__esModule'));
const load = (file) => {
  try { log('  gives %s', shown(require(file))); } catch (error) { log('  %s', error instanceof SyntaxError ? error.message : error.name); }
};

const own = Module.prototype._compile;
let change = (text) => text;
Module.prototype._compile = function (text, file, ...rest) {
  log('%s %j %j %s', path.relative(folder, file), text, rest, arguments.length);
  return own.call(this, change(text), file, ...rest);
};
const TEXTS = { 'c.js': 'exports.a = 1', 'e.js': 'export const a = 2', 'a.cjs': 'exports.a = 3', 'a.mjs': 'export const a = 4', 'c.ts': 'exports.a = 5 as number', 'e.ts': 'export const a: number = 6', 'a.cts': 'exports.a = 7 as number', 'a.mts': 'export const a: number = 8' };
const UNLIKE = { m: ['c.js', 'c.ts'], c: ['e.js', 'e.ts'] };
write('package.json', '{}'), write('m/package.json', '{"type":"module"}'), write('c/package.json', '{"type":"commonjs"}');
for (const place of ['', 'm', 'c']) for (const [name, text] of Object.entries(TEXTS)) if (!UNLIKE[place]?.includes(name)) load(write(path.join(place, name), text));
load(write('json.json', '{"a":9}'));

// A hook that changes the source: to other values, and to the other module kind.
change = (text) => text.replace(/\d/, '42');
for (const [name, text] of Object.entries(TEXTS)) load(write(path.join('changed', name), text));
change = (text) => text.replace('export const b =', 'exports.b =');
load(write('kind/e.js', 'export const b = 1')), load(write('kind/a.mjs', 'export const b = 1'));
change = (text) => text.replace('exports.b =', 'export const b =');
load(write('kind/c.js', 'exports.b = 2'));
change = (text) => text.replace('LANGUAGE', 'exports.c');
load(write('own/language.js', 'LANGUAGE = 3')), load(write('own/language.ts', 'LANGUAGE = 3 as number')), load(write('own/broken.js', 'LANGUAGE = = 3'));
Module.prototype._compile = own;

// _compile called on a single module, directly, as transpiling packages do.
const standard = Module._extensions['.js'];
Module._extensions['.js'] = function (module, file) {
  const { _compile } = module;
  module._compile = function (text, name) {
    module._compile = _compile;
    return _compile.call(this, text.replace(/import (\w+) from '(.*)'/, "const $1 = require('$2')").replace('export default', 'exports.d ='), name);
  };
  standard(module, file);
};
load(write('pirate/b.js', 'export default 1')), load(write('pirate/a.js', "import b from './b'; export default b.d + 1"));
Module._extensions['.js'] = standard;
for (const [text, format] of [['exports.a = 1'], ['export const a = 1'], ['export const a = 1', 'module'], ['exports.a = 1 as number', 'typescript'], ['exports.a = 1 as number', 'commonjs-typescript'], ['export const a: number = 1', 'module-typescript'], ['a b']]) {
  const module = new Module(path.join(folder, 'hand.js'));
  try { log(own.call(module, text, path.join(folder, `hand${Math.random()}.js`), format), shown(module.exports)); } catch (error) { log(error.name, error.message.split('\n')[0]); }
}

// A patched fs.readFileSync: one that observes, and one that returns other contents.
const read = fs.readFileSync;
fs.readFileSync = (...args) => read(...args);
load(write('watched/e.js', 'export const a = 1')), load(write('watched/a.mjs', 'export const a = 2')), load(write('watched/c.js', 'exports.a = 3'));
fs.readFileSync = (...args) => (String(args[0]).includes('given') ? String(read(...args)).replace('1', '7') : read(...args));
load(write('given/e.js', 'export const a = 1')), load(write('given/a.mjs', 'export const a = 1')), load(write('given/c.js', 'exports.a = 1'));
fs.readFileSync = read;
fs.rmSync(folder, { recursive: true });

// An ES module as the main file passes through the hooks of a preload and may use top-level await.
const { spawnSync } = require('node:child_process');
const main = fs.mkdtempSync(path.join(os.tmpdir(), 'hooked-main-'));
const put = (name, text) => fs.writeFileSync(path.join(main, name), text);
put('package.json', '{}'), put('hook.cjs', "const m = require('module'), own = m._extensions['.js']; m._extensions['.js'] = (module, file) => { console.log('hook', require('path').basename(file)); own(module, file); };");
put('compile.cjs', "const m = require('module'), own = m.prototype._compile; m.prototype._compile = function (text, file, format) { console.log('compile', require('path').basename(file), format); return own.call(this, text.replace('NAME', '1'), file, format); };");
put('plain.js', 'export {}; console.log(1)'), put('awaits.js', "import './b.js'; await 1; console.log('awaited')"), put('b.js', "console.log('b'); exports.b = 1"), put('named.js', 'exports.x = NAME; console.log(NAME)'), put('m.mjs', 'console.log("mjs")'), put('c.js', 'console.log(require.main === module)');
put('run.cjs', "require('./hook.cjs'); process.argv.splice(1, 1, require('path').resolve(process.argv[2])); require('module').runMain()");
for (const args of [['-r', './hook.cjs', 'plain.js'], ['-r', './hook.cjs', 'awaits.js'], ['-r', './hook.cjs', 'm.mjs'], ['-r', './hook.cjs', 'c.js'], ['-r', './compile.cjs', 'named.js'], ['-r', './compile.cjs', 'awaits.js'], ['run.cjs', 'plain.js'], ['run.cjs', 'm.mjs']])
  log(args.join(' '), String(spawnSync(process.execPath, args, { cwd: main, stdio: ['ignore', 'pipe', 'ignore'] }).stdout).split('\n'));
fs.rmSync(main, { recursive: true });
