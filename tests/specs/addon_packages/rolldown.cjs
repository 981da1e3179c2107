const { format } = require('node:util');
console.log = (...values) => process.stdout.write(`${format(...values)}\n`); // as Node prints values

const fs = require('fs');
fs.mkdirSync('./bundled', { recursive: true });
process.chdir('./bundled');
fs.writeFileSync('in.ts', 'import {a} from "./b"; console.log(a as number)');
fs.writeFileSync('b.ts', 'export const a: number = 5; export const u = 6');
(async () => {
  const { rolldown } = await import('rolldown');
  const b = await rolldown({
    input: 'in.ts',
    plugins: [
      {
        name: 'p',
        transform(c, id) {
          if (id.endsWith('b.ts')) return c.replace('5', '7');
        },
        renderChunk(c) {
          return '/*x*/' + c;
        },
      },
    ],
  });
  const o = await b.generate({ format: 'esm' });
  console.log(o.output[0].code);
  await b.close();
  try {
    const c = await rolldown({ input: 'nope.ts' });
    await c.generate();
  } catch (e) {
    console.log(e.message.split('\n')[0]);
  }
})();
