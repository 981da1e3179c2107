const { format } = require('node:util');
console.log = (...values) => process.stdout.write(`${format(...values)}\n`); // as Node prints values

const a = require('argon2');
(async () => {
  const h = await a.hash('pw', { salt: Buffer.alloc(16, 1), memoryCost: 4096, timeCost: 2 });
  console.log(h, await a.verify(h, 'pw'), await a.verify(h, 'no'));
  await a.hash('pw', { timeCost: 0 }).catch((e) => console.log(e.message));
})();
