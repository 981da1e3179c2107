const { format } = require('node:util');
console.log = (...values) => process.stdout.write(`${format(...values)}\n`); // as Node prints values

const s = require('snappy');
(async () => {
  const c = await s.compress('hello '.repeat(100));
  console.log(c.length, (await s.uncompress(c, { asBuffer: false })).length);
  console.log(s.uncompressSync(s.compressSync(Buffer.from('abc'))).toString());
  try {
    s.uncompressSync(Buffer.from('zzzz'));
  } catch (e) {
    console.log(e.message);
  }
  await s.uncompress(Buffer.from('zz')).catch((e) => console.log(e.message, e.code));
})();
