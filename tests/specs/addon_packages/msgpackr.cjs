const { format } = require('node:util');
console.log = (...values) => process.stdout.write(`${format(...values)}\n`); // as Node prints values

const { pack, unpack, Packr } = require('msgpackr');
const e = require('msgpackr-extract');
console.log(Object.keys(e));
const v = { a: 'x'.repeat(100), b: Array.from({ length: 50 }, (_, i) => 'str' + i), c: { d: [1.5, null, true] } };
console.log(JSON.stringify(unpack(pack(v))) === JSON.stringify(v));
console.log(typeof e.extractStrings);
