// RT.Glob: matching strings, and finding files in a temporary folder.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { RT, outcome, show } from './table.mjs';

const PATTERNS = [
  '*.ts', '**/*.ts', '*', '?', 'a?c', '[abc]', '[!abc]', '[^abc]', '[a-c]x', '{a,b}.ts', '{a,{b,c}}', '!*.ts', '!!a', 'a/*/c', '**/b', 'a**b', '**a', '[', '{a', '}', '{,a}', '*.{ts,tsx}', '**/*.{js,ts}', '.*', '*/.*', './a', 'a/', '/a', 'a//b', '***', '[a-]', '[-a]', 'é?',
  '日*', '{a..c}', '{1..3}', '@(a|b)', '@(a|b).ts', '?(a)b', '*.@(js|ts)', '(a|b)', '', '*a*b*c*', 'a/{b,c/d}/e', 'src/**/test.*',
  '!(a)', '!(a|b)', 'x!(a|b)y', '*.!(ts)', '!(*.ts)', '!(a)/b', 'a/!(x|c)/b', '!(x)a', '!(a|!(b))', '!()', 'a!(x)', '!(a)*', '**/!(*.test).ts', '!!(a)', '@(a|b|!(c))', '{!(a),x}.ts', '!(a', '[\\b]', 'a\\nb', '\\t', '[\\n\\r]', '[[:alpha:]]',
  '**', '**/*', 'a/**', 'a/**/*', '*/**', '**/**', '**/', '/**', '/**/a', 'a/*', '*/', '*/*', '**/a*', 'a/***/b', '{*,**}/a', 'x/{a/**,b}/c', '{a/,}b/**', '[!a]b', '[^/]', '[]a]', '[]-a]', '\\*a', 'a\\', '\\{a,b\\}', '+(a)', '*(a|b)c', '😎/¢£.{ts,js}',
];
const TEXTS = ['a', 'b', 'c', 'd', 'abc', 'a.ts', 'b.ts', 'x.ts', 'x/y.ts', 'x/y/z.ts', '.ts', '.a', 'x/.a', 'a/b', 'a/x/b', 'a/x/y/b', 'ax', 'bx', '1', '3', 'a.js', 'a.tsx', 'ab', 'xa', 'x/a', 'a/x', 'a/b/c', 'axbxc', 'é1', '日本', 'a-', '-', './a', '(a|b)', 'a/c/d/e', 'a/b/e', 'src/test.js', 'src/x/y/test.ts', 'src/test', '', '/', 'a/', '/a', '/a/b', 'a//b', 'a/b/', 'x/c', 'x/a/c', 'x/a/y/c', 'x/b/c', '/b', ']', '^', '*a', 'a\\', '{a,b}', '+(a)', 'aa', 'abbac', 'xby', 'xzy', 'a.test.ts', '!(a)', '\b', '\n', '\t', 'a\nb', 'anb', '😎/¢£.ts'];
const rows = PATTERNS.map((pattern) => [`match ${pattern}`, TEXTS.filter((text) => new RT.Glob(pattern).match(text))]);
for (const value of [5, undefined, null]) rows.push([`no pattern ${value}`, outcome(() => new RT.Glob(value).match('a'))]);

const LONE = [["\uD83D'", 'a'], ['\uD800\uD800', 'a'], ['*', '\uD800\uD800'], ['a/*/b', 'a/\uD800/b'], ["*.{js,\uD83D'}", 'a.js'], ["*.{js,\uD83D'}", 'a.ts']];
rows.push(['lone surrogates', LONE.map(([pattern, text]) => new RT.Glob(pattern).match(text))]);

const folder = mkdtempSync('/tmp/rt-globs-');
for (const name of ['a.ts', 'b.js', '.hidden.ts', 'src/c.ts', 'src/deep/d.ts', 'src/.git/e.ts', 'src/.rc', 'node_modules/p/index.ts', 'empty.txt']) {
  mkdirSync(`${folder}/${name}`.replace(/\/[^/]*$/, ''), { recursive: true });
  writeFileSync(`${folder}/${name}`, '');
}
symlinkSync(`${folder}/src`, `${folder}/link`);
symlinkSync(`${folder}/nowhere`, `${folder}/broken`);
const scan = (pattern, options) => outcome(() => [...new RT.Glob(pattern).scanSync({ cwd: folder, ...options })].map((path) => path.replace(folder, '<folder>').replace(folder.slice(5), '<name>')).sort());
for (const pattern of ['*.ts', '**/*.ts', 'src/*', 'src/**', '**/d.ts', 'src/*/d.ts', '*', '**', '{src,node_modules}/**/*.ts', './*.ts', 'nope/*', 'src', '*/*.ts', 'src/deep/d.ts', '.*', '**/.*', 'src/.git/*', '*/.git/*', '**/.git/**', 'src/../*.ts', 'src/./*', 'src//deep/*', './src/*', `../${folder.split('/').at(-1)}/*`, `${folder}/*/*.ts`, '!src', '!src/**', '!(src)/**', '!(*.ts)', '*.!(ts)', '{src,nope}/{c,d}.ts', 'link/*', 'link/**', '*/deep/**', 's*/**/*.ts', '']) {
  rows.push([`scan ${pattern}`.replace(folder, '<folder>').replace(folder.slice(5), '<name>'), scan(pattern)]);
}
for (const pattern of ['*/', 'src/*/', 'src/', './', '*/*/']) rows.push([`folders ${pattern}`, [scan(pattern, { onlyFiles: false }), scan(pattern)]]);
for (const pattern of ['*', '**/.*', '.*/**', '*/*']) rows.push([`hidden ${pattern}`, scan(pattern, { dot: true, onlyFiles: false })]);
rows.push(['dot', scan('**/*.ts', { dot: true })], ['absolute', scan('*.ts', { absolute: true })], ['folders', scan('*', { onlyFiles: false })], ['links', scan('**/*.ts', { followSymlinks: true })]);
Object.prototype.followSymlinks = true;
rows.push(['options of others', scan('**/*.ts')]);
delete Object.prototype.followSymlinks;
for (const options of [5, true, [], { cwd: 5 }, { cwd: true }]) rows.push([`options ${JSON.stringify(options)}`, [outcome(() => typeof new RT.Glob('*').scan(options)), outcome(() => typeof new RT.Glob('*').scanSync(options))]]);
rows.push(['cwd', outcome(() => [...new RT.Glob('*.js').scanSync(folder)])]);
const found = [];
for await (const path of new RT.Glob('*.js').scan({ cwd: folder })) found.push(path);
rows.push(['later', found]);
rmSync(folder, { recursive: true });
show(rows);
