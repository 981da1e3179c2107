// Specifiers that do not resolve: code, class, message and URL of the error, for `import` and `require`.
import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';

mkdirSync('50%25 #', { recursive: true });
writeFileSync('50%25 #/index.js', '');

const here = new URL('.', import.meta.url);
const shown = (text) => `${text}`.replaceAll(here.href, '<URL>').replaceAll(here.pathname, '<DIR>').split('\nRequire stack')[0];
// Node's JSON parser words the reason of an invalid package.json.
const short = (error) => (error.code === 'ERR_INVALID_PACKAGE_CONFIG' ? shown(error.message).replace(/(package\.json\S*(?: while importing \S+ from \S+\.)?) .*/s, '$1') : shown(error.message));
const SPECIFIERS = [
  './nothing.mjs', './nothing.mjs?a=1#b', './plain', './folder', './folder/', './a%2fb.mjs', 'nothing', 'nothing/path', '@scope', '.nothing', 'a%b',
  'pkg/null', 'pkg/nothing', 'pkg/file', 'pkg/bad', 'pkg/out', 'pkg/lib/nothing', 'pkg/lib/../x', 'mixed', 'numeric', 'main', 'main/nothing',
  '#', '#nothing', '#own', '#null', '#url', '#pkg/nothing', 'node:nothing', 'http://localhost/a.js', 'some:url', 'file://host/a.mjs',
  'pkg/space', 'pkg/noext', 'pkg/folder', 'loose', 'loose/start', 'loose/start.js', 'loose/folder', 'loose/', 'lone.js', '#loose', '#plain/plain',
  '#plain//plain.mjs', '#space', './50%25 #/index.js',
];
for (const specifier of SPECIFIERS) {
  const error = await import(specifier).then(() => ({ code: 'loaded' }), (reason) => reason);
  console.log('import', specifier, error.code, error.constructor?.name, short(error), shown(error.url));
}
const require = createRequire(import.meta.url);
for (const specifier of ['./nothing.mjs', './plain', 'nothing', 'pkg', 'pkg/space', 'loose/folder', 'loose/start', 'lone', '#loose', '#space', 'pkg/null', 'pkg/nothing', 'pkg/bad', 'pkg/lib/../x', 'mixed', 'numeric', '#', '#nothing', '#null', '#url']) {
  try {
    require(specifier);
    console.log('require', specifier, 'loaded');
  } catch (error) {
    console.log('require', specifier, error.code, error.constructor.name, short(error));
  }
}
for (const specifier of ['./nothing', 'loose/', 'loose/folder', 'pkg/space', 'nothing', 'pkg/null', '#loose']) {
  try {
    console.log('resolve', specifier, shown(import.meta.resolve(specifier)));
  } catch (error) {
    console.log('resolve', specifier, error.code);
  }
}
