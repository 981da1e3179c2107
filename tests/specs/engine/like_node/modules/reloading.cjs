// A file is read again after its removal from require.cache, or when imported under another URL; import() keeps its
// cached module in a program that sees Node only.
const fs = require('node:fs');
const [common, esm, script] = ['c.cjs', 'e.mjs', 's.js'].map((name) => `${__dirname}/${name}`);
const write = (value) => {
  fs.writeFileSync(common, `module.exports = ${value}`);
  fs.writeFileSync(esm, `export default ${value}`);
  fs.writeFileSync(script, `exports.n = ${value}`);
};
const forget = () => [common, esm, script].forEach((each) => delete require.cache[each]);
async function reload() {
  write(1);
  console.log((await import(common)).default, require(common), (await import(esm)).default, require(esm).default, (await import(script)).n);
  write(2);
  console.log(require(common), require(script).n);
  forget();
  console.log(require(common), (await import(common)).default, (await import(esm)).default, require(script).n, (await import(script)).n);
  write(3);
  forget();
  console.log((await import(common)).default, require(common), (await import(script)).n, require(script).n);
  write(4);
  console.log((await import(`${esm}?x`)).default, (await import(`${esm}?y`)).default);
  fs.writeFileSync('data.json', '{"a":1}');
  console.log(require('./data.json').a);
  fs.writeFileSync('data.json', '{"a":2}');
  delete require.cache[require.resolve('./data.json')];
  console.log(require('./data.json').a);
  // A file without module syntax, of either kind, is evaluated again as well; an ES module is not.
  globalThis.runs = [];
  for (const [name, text] of [['plain.js', 'runs.push(1)'], ['module.mjs', 'runs.push(2); export {}']]) {
    const path = `${__dirname}/${name}`;
    for (const each of ['', ';', ';;']) {
      fs.writeFileSync(path, text + each);
      require(path);
      require(path);
      delete require.cache[path];
    }
  }
  console.log(runs.join());
}
if (process.argv[2] === 'reload') reload();
else {
  fs.symlinkSync(process.execPath, 'node');
  require('node:child_process').spawnSync('./node', [__filename, 'reload'], { stdio: 'inherit' });
}
