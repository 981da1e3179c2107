const { format } = require('node:util');
console.log = (...values) => process.stdout.write(`${format(...values)}\n`); // as Node prints values

const { ts, js, parse, Lang, parseAsync } = require('@ast-grep/napi');
const r = js.parse('console.log(1); console.log(2)').root();
console.log(r.findAll('console.log($A)').map((n) => n.getMatch('A').text()));
const e = r.find('console.log(1)');
console.log(r.commitEdits([e.replace('x()')]));
try {
  r.find('');
} catch (e) {
  console.log(e.message);
}
parseAsync(Lang.TypeScript, 'let a: number').then((t) => console.log(t.root().kind()));
