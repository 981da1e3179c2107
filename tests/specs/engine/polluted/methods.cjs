'use strict';
// Replaces each method of the language's prototypes and constructors in turn by one that throws, and adds common names to
// Object.prototype; after each, runs a tour of the library. Prints the cases in which a step of the tour failed, with the step.
const { writeSync } = require('fs');
const folder = __dirname;
const madeMap = new Map([[1, 2]]); // values that the tour uses are created before
const madeSet = new Set([1]);
const ownNames = Object.keys;
const tourSteps = {
  console: () => { console.error({ a: [1, { b: madeMap }], e: 5n, d: new Date(0), u: undefined }); },
  error: () => { console.error(new Error('x')); },
  buffer: () => { const h = Buffer.from('abc').toString('hex'); if (h !== '616263') throw new Error(h); Buffer.concat([Buffer.alloc(2), Buffer.from([1])]); Buffer.from([1,2]).toString('base64'); },
  fs: () => { const fs = require('fs'); fs.writeFileSync(folder + '/file', 'x'); if (fs.readFileSync(folder + '/file', 'utf8') !== 'x') throw new Error('read'); fs.readdirSync('/tmp'); fs.statSync('/tmp').isDirectory(); fs.existsSync('/x'); fs.readFileSync(folder + '/file'); },
  fserr: () => { let m; try { require('fs').readFileSync('/nope/x'); } catch (e) { m = e.code; } if (m !== 'ENOENT') throw new Error('code ' + m); },
  path: () => { const p = require('path'); if (p.join('a', '..', 'b') !== 'b' || p.resolve('/a', 'b') !== '/a/b' || p.basename('/x/y.js', '.js') !== 'y' || p.relative('/a/b', '/a/c') !== '../c') throw new Error('path'); },
  url: () => { if (new URL('http://a/b?c=d').href !== 'http://a/b?c=d') throw new Error('url'); },
  require: () => { delete require.cache[folder + '/module.cjs']; if (require(folder + '/module.cjs') !== 5) throw new Error('m'); },
  events: () => { const E = require('events'); const e = new E(); let n = 0; e.on('x', () => n++); e.once('x', () => n++); e.emit('x'); if (n !== 2) throw new Error('n'); },
  nextTick: () => { process.nextTick(() => {}); setTimeout(() => {}, 0); setImmediate(() => {}); queueMicrotask(() => {}); },
  spawn: () => { if (require('child_process').spawnSync('true').status !== 0) throw new Error('spawn'); },
  stdout: () => { process.stderr.write('x'); },
  env: () => { void process.env.PATH; void process.cwd(); process.hrtime(); void process.argv.length; void ownNames(process.env); },
  text: () => { if (new TextDecoder().decode(new TextEncoder().encode('é')) !== 'é') throw new Error('text'); },
  inspect: () => { if (require('util').inspect({ a: [1, madeSet] }) !== '{ a: [ 1, Set(1) { 1 } ] }') throw new Error('inspect'); },
  format: () => { if (require('util').format('%s %d', 'a', 1) !== 'a 1') throw new Error('format'); },
};
require('fs').writeFileSync(folder + '/module.cjs', 'module.exports = 5');
const only = process.argv[2];
for (const f of Object.values(tourSteps)) f(); // loads everything
const { defineProperty, getOwnPropertyDescriptor, getPrototypeOf } = Object;
const ownKeys = Reflect.ownKeys;
const protos = { Object: Object.prototype, Array: Array.prototype, String: String.prototype, Function: Function.prototype, RegExp: RegExp.prototype, Map: Map.prototype, Set: Set.prototype, WeakMap: WeakMap.prototype, Promise: Promise.prototype, Number: Number.prototype, Date: Date.prototype, Symbol: Symbol.prototype, Error: Error.prototype, Uint8Array: Uint8Array.prototype, TypedArray: getPrototypeOf(Uint8Array.prototype), ArrayBuffer: ArrayBuffer.prototype, BigInt: BigInt.prototype, ArrayIterator: getPrototypeOf([][Symbol.iterator]()), MapIterator: getPrototypeOf(new Map().entries()), SetIterator: getPrototypeOf(new Set().values()), StringIterator: getPrototypeOf(''[Symbol.iterator]()), ObjectCtor: Object, ArrayCtor: Array, StringCtor: String, Reflect, JSON, Math, NumberCtor: Number, SymbolCtor: Symbol, PromiseCtor: Promise };
const steps = []; for (const k of Object.keys(tourSteps)) steps[steps.length] = [k, tourSteps[k]];
const out = [];
function run() {
  let bad = '';
  for (let i = 0; i < steps.length; i++) { try { steps[i][1](); } catch { bad += ' ' + steps[i][0]; } }
  return bad;
}
for (const name in protos) {
  const proto = protos[name];
  const keys = ownKeys(proto);
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i]; const d = getOwnPropertyDescriptor(proto, key);
    if (!d.configurable || typeof d.value !== 'function' || key === 'constructor') continue;
    const label = name + '.' + (typeof key === 'symbol' ? key.description : key);
    if (only && label !== only) continue;
    const d2 = { __proto__: null, value: function () { throw new TypeError('polluted ' + label); }, configurable: true, writable: true, enumerable: d.enumerable };
    defineProperty(proto, key, d2);
    const bad = run();
    defineProperty(proto, key, d);
    if (bad) out[out.length] = label + ':' + bad;
  }
}
for (const key of ['get', 'set', 'value', 'writable', 'enumerable', 'configurable', 'then', 'toJSON', 'encoding', 'flag', 'stdio', 'uid', 'timeout', 'shell', 'env', 'cwd', 'depth', 'colors', 'signal', 'length', 'done', 'next', 'code', '0']) {
  for (const [kind, value] of [['number', 1], ['function', function () { throw new TypeError('polluted'); }]]) {
    const label = 'Object.prototype.' + key + '=' + kind;
    if (only && label !== only) continue;
    Object.prototype[key] = value;
    const bad = run();
    delete Object.prototype[key];
    if (bad) out[out.length] = label + ':' + bad;
  }
}
for (let i = 0; i < out.length; i++) writeSync(1, out[i] + '\n');
writeSync(1, 'cases done\n');
