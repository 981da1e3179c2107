'use strict';
// Prints values as the runtime that executes this does: node, Bun or rt. `answer.cjs FILE ANSWER`, where FILE contains {
// prelude, cases: [{ call, source, options }] } as JSON; ANSWER becomes a JSON array with one text for each case.

const fs = require('node:fs');
const util = require('node:util');

const calls = {
  inspect: (value, options) => util.inspect(value, options),
  format: (value) => util.format(...value),
  'RT.inspect': (value, options) => globalThis.Bun.inspect(value, options),
};

async function main() {
  const { prelude, cases } = JSON.parse(fs.readFileSync(process.argv[2], 'utf8'));
  const module = 'export const b = 1, a = { c: [2] }; export default function f() {} export let late;';
  globalThis.namespace = await import(`data:text/javascript,${encodeURIComponent(module)}`);
  const answers = cases.map(({ call, source, options }) => {
    let value;
    let chosen;
    try {
      [value, chosen] = (0, eval)(`(() => { ${prelude}\nreturn [(${source}), (${options ?? '{}'})]; })()`);
    } catch (error) {
      return `NOT EVALUATED ${error}`;
    }
    try {
      return calls[call](value, chosen);
    } catch (error) {
      return `THROWN ${error?.name} ${error?.code} ${error?.message}`;
    }
  });
  fs.writeFileSync(process.argv[3], JSON.stringify(answers));
}

process.on('unhandledRejection', () => {});
main();
