// Relative paths are read as text: directories before `..` need not exist. A setter for `exports` is not called.
const fs = require('node:fs');
const path = require('node:path');

Object.defineProperty(Object.prototype, 'exports', { __proto__: null, configurable: true, get() {}, set: () => console.log('setter') });
fs.mkdirSync('gone');
fs.mkdirSync('inner');
fs.writeFileSync('target.cjs', 'module.exports = "target";');
fs.writeFileSync('inner.js', 'module.exports = "file";');
fs.writeFileSync('inner/index.js', 'module.exports = "directory";');
fs.writeFileSync('gone/user.cjs', 'module.exports = () => [require("../target.cjs"), require.resolve("../inner")];');
const use = require('./gone/user.cjs');
fs.rmSync('gone', { recursive: true });
const [value, resolved] = use();
console.log(value, path.basename(resolved));
for (const specifier of ['./inner', './inner/', './inner/.', './inner/none/..', './none/../inner', `${__dirname}/none/../target.cjs`]) {
  console.log(specifier.replace(__dirname, ''), require(specifier));
}
delete Object.prototype.exports;
