const { format } = require('node:util');
console.log = (...values) => process.stdout.write(`${format(...values)}\n`); // as Node prints values

const { crc32, crc32c } = require('@node-rs/crc32');
console.log(crc32('hello'), crc32c('hello'));
const { Jieba } = require('@node-rs/jieba');
const j = new Jieba();
console.log(j.cut('hello world', false));
const b = require('@node-rs/bcrypt');
const a = require('@node-rs/argon2');
// One after the other: both work on threads, and either could finish first.
b.hash('x', { cost: 4 })
  .then((h) => b.verify('x', h))
  .then(console.log)
  .then(() => a.hash('p', { memoryCost: 4096, salt: Buffer.alloc(16) }))
  .then(console.log);
console.log(b.verifySync('y', b.hashSync('x', { cost: 4 })));
try {
  crc32({});
} catch (e) {
  console.log(e.message, e.code);
}
