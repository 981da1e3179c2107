// Star exports of one namespace under one name are one binding; different bindings conflict.
import fs from 'node:fs';

const files = {
  'n.mjs': 'export const v = 1; export const read = async () => (await import("./star.mjs")).n.v;',
  'other.mjs': 'export const v = 2;',
  'c.cjs': 'exports.c = 3;',
  // each way to export a namespace
  'a.mjs': 'export * as n from "./n.mjs"; // a comment at the end',
  'b.mjs': 'export * as n from "./n.mjs"',
  'imported.mjs': 'import * as n from "./n.mjs"; export { n };',
  'renamed.mjs': 'import * as all from "./n.mjs"; export { all as n };',
  'passed.mjs': 'export { n } from "./a.mjs";',
  'named.mjs': 'import { n as mine } from "./imported.mjs"; export { mine as n };',
  'text.mjs': 'export * as "a name" from "./n.mjs";',
  'text2.mjs': 'export * as "a name" from "./n.mjs";',
  'builtin.mjs': 'export * as path from "node:path";',
  'builtin2.mjs': 'export * as path from "path";',
  'cjs.mjs': 'export * as c from "./c.cjs";',
  'cjs2.mjs': 'export * as c from "./c.cjs";',
  'query.mjs': 'export * as n from "./n.mjs?1";',
  'wrong.mjs': 'export * as n from "./other.mjs";',
  'value.mjs': 'export const n = 5;',
  'dead.mjs': 'export { n } from "./n.mjs";',
  // the modules that re-export them
  'star.mjs': 'export * from "./a.mjs"; export * from "./b.mjs";',
  'ways.mjs': ['imported', 'renamed', 'passed', 'named', 'a'].map((name) => `export * from "./${name}.mjs";`).join('\n'),
  'nested.mjs': 'export * from "./star.mjs"; export * from "./ways.mjs"; export const own = 1;',
  'circle.mjs': 'export * from "./circle2.mjs"; export * from "./a.mjs";',
  'circle2.mjs': 'export * from "./circle.mjs"; export * from "./b.mjs";',
  'names.mjs': 'export * from "./text.mjs"; export * from "./text2.mjs";',
  'builtins.mjs': 'export * from "./builtin.mjs"; export * from "./builtin2.mjs";',
  'commonjs.mjs': 'export * from "./cjs.mjs"; export * from "./cjs2.mjs";',
  'explicit.mjs': 'export * from "./a.mjs"; export * from "./b.mjs"; export const n = "mine";',
  'queries.mjs': 'export * from "./a.mjs"; export * from "./query.mjs";',
  'conflict.mjs': 'export * from "./a.mjs"; export * from "./wrong.mjs";',
  'conflict2.mjs': 'export * from "./a.mjs"; export * from "./b.mjs"; export * from "./value.mjs";',
};
for (const [name, text] of Object.entries(files)) fs.writeFileSync(name, text);

for (const name of ['star', 'ways', 'nested', 'circle', 'names', 'builtins', 'commonjs', 'explicit', 'queries', 'conflict', 'conflict2']) {
  const all = await import(`./${name}.mjs`);
  console.log(name, Object.keys(all).join(), all.n?.v ?? all.n, all['a name']?.v, typeof all.path?.join, all.c?.c);
  for (const wanted of ['n', 'path', 'c', '"a name"']) {
    fs.writeFileSync(`import-${name}.mjs`, `import { ${wanted} as it } from "./${name}.mjs"; export { it };`);
    try {
      const { it } = await import(`./import-${name}.mjs?${wanted}`);
      console.log(' ', wanted, typeof it, it === all[wanted.replaceAll('"', '')]);
    } catch (error) {
      console.log(' ', wanted, error.name);
    }
  }
}
const { n } = await import('./star.mjs');
console.log(n === (await import('./n.mjs')), await n.read());
