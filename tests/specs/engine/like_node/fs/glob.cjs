// The files that glob patterns match, with every option and in every form.
'use strict';
const fs = require('node:fs');
const path = require('node:path');

for (const folder of ['a/b/c', 'd/e', '.h/i', 'x y']) fs.mkdirSync(folder, { recursive: true });
const FILES = ['a.js', 'b.js', '!x.js', '.dot.js', '[z].js', 'a(b).js', 'a,b.js', 'A.JS', 'a/a.js', 'a/b.ts', 'a/b/c.js', 'a/b/c/d.txt', 'd/e/f.js', 'd/a.js', '.h/i/j.js', 'x y/é.js'];
for (const file of FILES) fs.writeFileSync(file, '');
for (const [target, link] of [['a', 'linked'], ['a.js', 'linked.js'], ['nowhere', 'broken'], ['../..', 'a/b/up']]) fs.symlinkSync(target, link);

const PATTERNS = ['!(a).js', '!(a|b).js', '*.!(js)', '!(*.js)/*', '**/!(a).js', '!x.js', '!*', '*', '**', '**/*.js', '.*', '*/', 'a/*/.', '+(a|b).js', '?(a)', '[!a]*', '[^a].js', '[[:alpha:]].js', '{a,d}/**', '{a,b}.js', 'a{.js,/b}', '{1..3}', 'a(b).js', '[z].js', '*,*', 'linked/*', 'linked/**', '*/b', './*.js', 'a/../d/*', 'a/*/../*.ts', '/', 'nope', 'a\\b', '.!(a)', '(a)', '@(a'];
const OPTIONS = [{}, { exclude: ['a/**'] }, { exclude: ['a', '**/*.ts'] }, { exclude: (name) => name === 'd' }, { cwd: 'a' }, { followSymlinks: true }, { maxDepth: 1 }, { maxDepth: 0 }];
const shown = (found) => (typeof found === 'string' ? found : [found.parentPath, found.name, found.isDirectory(), found.isSymbolicLink()].join());
for (const pattern of PATTERNS) {
  for (const options of OPTIONS) {
    if (options.followSymlinks && pattern.includes('**')) continue;
    console.log(pattern, JSON.stringify(options), fs.globSync(pattern, options).map(shown).sort().join(' '));
  }
  console.log(fs.globSync(pattern, { withFileTypes: true, exclude: (entry) => entry.name === 'd' }).map(shown).sort().join(' '));
}
console.log(fs.globSync(['*.ts', 'a/*.ts', path.resolve('d/*')]).map((found) => path.basename(found)).sort().join(' '));
for (const options of [{ maxDepth: -1 }, { maxDepth: 'x' }, { followSymlinks: 1 }, { exclude: 1 }, { exclude: [1] }, 1]) {
  try {
    console.log(fs.globSync('*', options).length);
  } catch (error) {
    console.log(error.code, error.message);
  }
}
(async () => {
  const found = [];
  for await (const each of fs.promises.glob('!(a).js', { exclude: ['b*'] })) found.push(each);
  console.log(found.sort().join(' '));
  fs.glob('**/!(a).js', { withFileTypes: true }, (error, all) => console.log(error, all.map(shown).sort().join(' ')));
})();
