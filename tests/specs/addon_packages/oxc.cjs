const { format } = require('node:util');
console.log = (...values) => process.stdout.write(`${format(...values)}\n`); // as Node prints values

const { parseSync, parseAsync = require('oxc-parser').parse } = require('oxc-parser');
const r = parseSync('a.ts', 'let a: number = 1; // c\nexport default a');
console.log(
  r.program.body.map((n) => n.type),
  r.errors.length,
  r.comments,
);
console.log(parseSync('b.js', 'let = = ').errors[0]?.message);
parseAsync('c.jsx', '<a>{b}</a>').then((r) => console.log(r.program.body[0].expression.type));
const { ResolverFactory, sync } = require('oxc-resolver');
const f = new ResolverFactory({ conditionNames: ['node', 'require'] });
console.log(f.sync(__dirname, 'lmdb').path?.replace(/.*node_modules/, ''), f.sync(__dirname, './nope').error);
f.async(__dirname, 'bufferutil').then((r) => console.log(r.path.replace(/.*node_modules/, '')));
