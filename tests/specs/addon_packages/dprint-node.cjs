const { format } = require('node:util');
console.log = (...values) => process.stdout.write(`${format(...values)}\n`); // as Node prints values

const d = require('dprint-node');
console.log(d.format('a.ts', 'let   a:number=1;function f(){return   2}'));
try {
  d.format('a.ts', 'let let');
} catch (e) {
  console.log(e.message.split('\n')[0]);
}
