// File routes found by FileSystemRouter.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { RT, outcome, show } from './table.mjs';

const rows = [];
const folders = [];

function folder(files) {
  const made = mkdtempSync(join(tmpdir(), 'routes-'));
  folders.push(made);
  for (const file of files) {
    mkdirSync(dirname(join(made, file)), { recursive: true });
    writeFileSync(join(made, file), '');
  }
  return made;
}
const without = (dir, value) => JSON.parse((JSON.stringify(value) ?? 'null').replaceAll(dir, 'DIR'));

function asked(label, files, options, addresses) {
  const dir = folder(files);
  const made = outcome(() => without(dir, new RT.FileSystemRouter({ dir, style: 'nextjs', ...options }).routes));
  rows.push([label, [Object.entries(made)]]);
  if (typeof made === 'string') return;
  const router = new RT.FileSystemRouter({ dir, style: 'nextjs', ...options });
  for (const address of addresses) {
    const found = outcome(() => {
      const match = router.match(address);
      if (match === null) return null;
      const { params, query, filePath, pathname, name, kind, src, scriptSrc } = match;
      return without(dir, { params, query, filePath, pathname, name, kind, src, scriptSrc });
    });
    rows.push([`${label}: ${address.url ?? address}`, [found]]);
  }
}

const PAGES = ['index.tsx', 'posts.tsx', 'posts/[id].tsx', 'posts/hey.js', '[a]/[b].ts', 'cat/[...slug].tsx', 'cat/[id]/[...rest].ts', 'opt/[[...slug]].tsx',
  'opt/[id].tsx', '_app.tsx', '[root].tsx', 'api/index.ts', 'skip.css', 'deep/a/b/c.mjs', 'Weird Name.ts', 'data.json', 'x.d.ts', 'node_modules/a/b.ts', '.hidden/a.ts'];
asked('pages', PAGES, { origin: 'https://o.example', assetPrefix: '/_next/' }, ['/', '', '/posts', '/posts/', '/posts/5', '/posts/hey', '/posts/hey?x=1&y=2&x=3', '/a/b',
  '/cat/1', '/cat/1/2/3', '/cat', '/opt', '/opt/a', '/opt/a/b', '/zzz', '/api', '/Weird Name', '/Weird%20Name', '/posts/a%20b', 'http://x.example/posts/5?q=1', '/data',
  '/deep/a/b/c', '/nope/a/b/c', '/posts/5#part', 'posts/5', '/index', '//posts', '/posts/5?id=9', '/posts/../posts/5', '/cat/a//b', '/posts/%', '?a=1', '/?a',
  new Request('http://x.example/posts/5?q=1'), new Response(''), 5, {}]);
asked('letters', ['A.ts', 'b.ts', 'Cc/D.ts'], {}, ['/a', '/A', '/b', '/B', '/cc/d', '/b?x=%20y&z=a+b&&=1&k']);
asked('rest', ['[...all].ts', 'a/[...b].ts', 'a/[c].ts', 'a/d.ts'], {}, ['/', '/q', '/a', '/a/1', '/a/d', '/a/1/2']);
asked('twice', ['u/[id].ts', 'u/[id]/[id].ts'], {}, ['/u/1', '/u/1/2']);
asked('kinds', ['a.mjs', 'b.cjs', 'c.mts', 'd.cts', 'e.jsx', 'f.json'], {}, []);
asked('chosen', ['a.ts', 'b.json'], { fileExtensions: ['.json'] }, ['/a', '/b']);
asked('origin', ['index.ts', 'a/b.ts'], { origin: 'http://x/y', assetPrefix: 'pre' }, ['/', '/a/b', '/pre/a/b']);
asked('prefix', ['a/b.ts'], { assetPrefix: '/pre/', origin: '' }, ['/a/b']);
for (const name of ['[bad', '[]', '[[x]]', '[...a]/b', '[[...a]]/b', '[[...a]', '[.a]', '[..a]', 'ok]']) asked(name, [`${name}.ts`], {}, []);
asked('same', ['a.ts', 'a.tsx'], {}, []);

const dir = folder(['a.ts']);
const WRONG = [undefined, {}, { dir }, { dir, style: 'x' }, { style: 'nextjs' }, { dir: 5, style: 'nextjs' }, { dir: '/not/there', style: 'nextjs' }, { dir, style: 'nextjs', fileExtensions: [5] },
  { dir, style: 'nextjs', fileExtensions: 'x' }, { dir, style: 'nextjs', assetPrefix: 5 }, { dir, style: 'nextjs', origin: 5 }, { dir: join(dir, 'a.ts'), style: 'nextjs' }];
WRONG.forEach((options, place) => rows.push([`wrong ${place}`, [outcome(() => without(dir, new RT.FileSystemRouter(options).routes))]]));
const router = new RT.FileSystemRouter({ dir, style: 'nextjs' });
rmSync(join(dir, 'a.ts'));
writeFileSync(join(dir, 'b.ts'), '');
rows.push(['reload', [router.match('/a')?.name, router.match('/b'), router.reload() === router, router.match('/a'), router.match('/b')?.name, router.style, router.origin, router.assetPrefix]]);
for (const each of folders) rmSync(each, { recursive: true });
show(rows);
