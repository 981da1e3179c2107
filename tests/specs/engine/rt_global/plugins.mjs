// Plugins: virtual modules, loaders and resolvers, by import and by require, and rejected arguments.
import { createRequire } from 'node:module';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { RT, outcome, show } from './table.mjs';

const folder = mkdtempSync(`${process.cwd()}/plugins-`);
const require = createRequire(`${folder}/x.js`);
const rows = [];
const result = async (work) => {
  try {
    const value = await work();
    return outcome(() => value);
  } catch (error) {
    return `${error.name}: ${error.message}`;
  }
};
const row = async (label, ...work) => {
  const results = [];
  for (const each of work) results.push(await result(each));
  rows.push([label, results]);
};
const plugin = (setup, more) => RT.plugin({ name: 'a plugin', setup, ...more });

await row('plugin', () => RT.plugin(), () => RT.plugin(5), () => RT.plugin({}), () => RT.plugin({ name: 'x', setup: 5 }), () => plugin(() => 5), () => plugin(async () => 5), () => plugin(() => { throw new Error('in setup'); }), () => plugin(() => {}, { target: 'x' }), () => plugin(() => {}, { target: 'node' }));
await row('builder', () => new Promise((resolve) => plugin((build) => resolve([Object.keys(build), build.target, build.onLoad({ filter: /zzz/ }, () => {}) === build, build.onResolve({ filter: /zzz/ }, () => {}) === build, build.module('zzz', () => {}) === build]))));
await row('onLoad', () => plugin((build) => build.onLoad()), () => plugin((build) => build.onLoad({}, () => {})), () => plugin((build) => build.onLoad({ filter: /zzz/ })), () => plugin((build) => build.onLoad({ filter: 'x' }, () => {})), () => plugin((build) => build.onLoad({ filter: /zzz/, namespace: 'a b' }, () => {})));
await row('module', () => plugin((build) => build.module()), () => plugin((build) => build.module('x')), () => plugin((build) => build.module('', () => {})));

let calls = 0;
plugin((build) => {
  const modules = {
    object: () => ({ exports: { a: 1, default: { d: 2 } }, loader: 'object' }),
    later: async () => ({ exports: { z: 26 }, loader: 'object' }),
    once: () => ({ exports: { calls: ++calls }, loader: 'object' }),
    ts: () => ({ contents: 'export const x: number = 5; export default "ts"', loader: 'ts' }),
    bytes: () => ({ contents: new TextEncoder().encode('export default 9'), loader: 'js' }),
    plain: () => ({ contents: 'export default 10' }),
    imports: () => ({ contents: 'import { a } from "v:object"; export default a + 1' }),
    md: () => ({ contents: '# hi', loader: 'md' }),
    nothing: () => undefined,
    bare: () => ({ loader: 'object' }),
    number: () => ({ exports: 5, loader: 'object' }),
    throws: () => {
      throw new Error('in module');
    },
    loader: () => ({ contents: '', loader: 'zzz' }),
    contents: () => ({ loader: 'js' }),
  };
  for (const [name, make] of Object.entries(modules)) build.module(`v:${name}`, make);
  build.module('a-package', modules.object);
  build.onLoad({ filter: /\.names$/ }, async ({ path }) => ({ exports: { path: path.slice(path.lastIndexOf('/')) }, loader: 'object' }));
  build.onLoad({ filter: /\.typed$/ }, () => ({ contents: 'let x: number = 5; export default x', loader: 'ts' }));
  build.onLoad({ filter: /\.boom$/ }, () => {
    throw new Error('in load');
  });
  build.onLoad({ filter: /\.none$/ }, () => undefined);
  build.onResolve({ filter: /.*/, namespace: 'alias' }, ({ path }) => ({ path, namespace: 'mine' }));
  build.onLoad({ filter: /.*/, namespace: 'mine' }, ({ path }) => ({ contents: `export default 'from ${path}'`, loader: 'js' }));
});
for (const name of ['a.names', 'a.typed', 'a.boom', 'a.none', 'b.names']) writeFileSync(`${folder}/${name}`, '');
const NAMES = ['object', 'later', 'once', 'ts', 'bytes', 'plain', 'imports', 'md', 'nothing', 'bare', 'number', 'throws', 'loader', 'contents'];
const imported = async (name) => ({ ...(await import(name)) });
for (const name of NAMES) await row(name, () => imported(`v:${name}`), () => imported(`v:${name}`));
for (const name of ['v:object', 'v:later', 'v:once', 'a-package', `${folder}/a.names`]) await row(`require ${name.split('/').pop()}`, () => ({ ...require(name) }), () => require(name) === require(name));
for (const name of ['a.names', 'a.typed', 'a.boom', 'a.none']) await row(name, () => imported(`${folder}/${name}`));
await row('namespaces', () => imported('alias:thing'), async () => (await import('alias:thing')) === (await import('alias:thing')), () => imported('a-package'));
writeFileSync(`${folder}/tsconfig.json`, '{"compilerOptions":{"paths":{"app:*":["./*"]}}}');
writeFileSync(`${folder}/thing.ts`, 'export default 5 as number');
writeFileSync(`${folder}/user.ts`, "export { default as thing } from 'app:thing'");
await row('paths of tsconfig.json beside plugins', () => imported(`${folder}/user.ts`));
await row('cleared', () => RT.plugin.clearAll(), () => imported('v:new').catch(() => 'gone'));
show(rows);
