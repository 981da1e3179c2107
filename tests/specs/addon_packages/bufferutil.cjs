const { format } = require('node:util');
console.log = (...values) => process.stdout.write(`${format(...values)}\n`); // as Node prints values

const b = require('bufferutil');
const m = Buffer.from([1, 2, 3, 4]);
const s = Buffer.from('hello world, this is');
const o = Buffer.alloc(s.length);
b.mask(s, m, o, 0, s.length);
console.log(o.toString('hex'));
b.unmask(o, m);
console.log(o.toString());
const u = require('utf-8-validate');
console.log(u(Buffer.from('ok ä')), u(Buffer.from([0xff, 0xfe])));
