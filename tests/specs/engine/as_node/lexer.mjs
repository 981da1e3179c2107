// Which names the lexer finds in CommonJS: a name that it does not find cannot be imported. The files need not run.
import { mkdirSync, writeFileSync } from 'node:fs';

const TEXTS = [
  "module.exports = { a: true, b };",
  "module.exports = { a: function () {}, b };",
  "module.exports = { a() {}, b };",
  "module.exports = { get a() {}, b };",
  "module.exports = { async a() {}, b };",
  "module.exports = { [a]: b, c };",
  "module.exports = { 1: a, b };",
  "module.exports = { a: -b, c };",
  "module.exports = { a: 'x', b };",
  "module.exports = { 'a': 1, b };",
  "module.exports = { 'a': b, c };",
  "module.exports = { a: class {}, b };",
  "module.exports = { a: {}, b };",
  "module.exports = { a: async () => {}, b };",
  "module.exports = { a: b || c, d };",
  "module.exports = { ...x, b };",
  "module.exports = { ...x.y, b };",
  "module.exports = { ...require('./base.cjs'), d };",
  "module.exports = { a: new b, c };",
  "module.exports = { a, b: c, d: e.f, c };",
  "exports.a ||= 1; exports.b += 1; exports.c = 1;",
  "module.exports = require('./base.cjs').default;",
  "module.exports = x ? require('./base.cjs') : 1;",
  "module.exports = require('./base.cjs'); module.exports = require('./other.cjs');",
  "exports = module.exports = { a }; module.exports.b = exports.c = 1;",
  "module.exports = Object.assign({}, require('./base.cjs'));",
  "0 && (module.exports = { a, b });",
  "Object.defineProperty(exports, 'a', { enumerable: true, value: 1 });",
  "Object.defineProperty(exports, 'a', { enumerable: false, value: 1 });",
  "Object.defineProperty(exports, 'a', { configurable: true, value: 1 });",
  "Object.defineProperty(exports, 'a', { enumerable: true, get: function () { return q.p; } });",
  "Object.defineProperty(exports, 'a', { enumerable: true, get() { return q['p']; } });",
  "Object.defineProperty(exports, 'a', { enumerable: true, get: () => q.p });",
  "Object.defineProperty(exports, 'a', { get: function () { return q; } });",
  "Object.defineProperty(exports, 'a', { get: function () { return q; }, enumerable: true });",
  "Object.defineProperty(exports, 'a', { get: function () { return q.p.x; } });",
  "Object.defineProperty(exports, 'a', { get: function () { return f(); } });",
  "Object.defineProperty(exports, 'a', f());",
  "__exportStar(require('./base.cjs'), exports);",
  "tslib_1.__exportStar(require('./base.cjs'), exports);",
  "__export(require('./base.cjs'));",
  "var x = _interopRequireWildcard(require('./base.cjs')); Object.keys(x).forEach(function (k) { if (k === 'default' || k === '__esModule') return; exports[k] = x[k]; });",
  "this.a = 1; const e = exports; e.b = 1;",
  "function f() { exports.a = 1 } if (0) exports['b'] = 1;",
  "/* exports.a = 1 */ 'exports.b = 1'; `exports.c = 1`;",
];
// What the texts refer to.
Object.assign(globalThis, { a: 1, b: class {}, c: 1, d: 1, e: {}, f: () => ({ value: 1 }), q: { p: {} }, x: {} });
globalThis.tslib_1 = { __exportStar() {} };
Object.assign(globalThis, tslib_1, { __export() {}, _interopRequireWildcard: (module) => module });
mkdirSync('lexed', { recursive: true });
writeFileSync('lexed/base.cjs', 'exports.a = exports.b = 1; exports.default = {};');
writeFileSync('lexed/other.cjs', 'exports.c = 1;');
for (const [index, text] of TEXTS.entries()) {
  writeFileSync(`lexed/${index}.cjs`, text);
  const url = new URL(`lexed/${index}.cjs`, import.meta.url).href;
  const isFound = (name) =>
    import(`data:text/javascript,import { ${name} } from ${JSON.stringify(url)}`).then(
      () => true,
      (error) => !/Named export|does not provide/.test(error.message),
    );
  const names = [];
  for (const name of ['a', 'b', 'c', 'd']) if (await isFound(name)) names.push(name);
  console.log(names.join(' '), '<-', text);
}
