// Compiled CommonJS in a package of type "module": the default export is module.exports, and `__esModule` is an
// ordinary name.
import fs from 'node:fs';
fs.mkdirSync('package');
fs.writeFileSync('package/package.json', '{"type":"module"}');
fs.writeFileSync('package/assigned.cjs', 'exports.__esModule = true; exports.default = 1; exports.a = 2;');
fs.writeFileSync('package/defined.cjs', 'Object.defineProperty(exports, "__esModule", { value: true }); exports.default = 1;');
fs.writeFileSync('package/plain.cjs', 'exports.default = 1; exports.a = 2;');
fs.writeFileSync('package/static.mjs', 'import all, { a, __esModule } from "./assigned.cjs"; export default [all, a, __esModule];');
for (const name of ['assigned.cjs', 'defined.cjs', 'plain.cjs', 'static.mjs']) {
  const { default: all, ...others } = await import(`./package/${name}`);
  delete others['module.exports'];
  console.log(name, JSON.stringify(all), JSON.stringify(others));
}
