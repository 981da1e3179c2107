'use strict';
// Prints values as rt's console does (under Node), or as the peer's console does (under the peer), one JSON line each way.
// Request: { source, prelude?, mode: "log" | "inspect", options }; answer: { text } or { error }.

const readline = require('node:readline');

const isPeer = typeof Bun === 'object';
let print;
if (isPeer) {
  print = {
    inspect: (value, options) => Bun.inspect(value, options),
    log: (args) => Bun.inspect(args, { depth: 2 }),
  };
} else {
  const { load } = require('./load.cjs');
  const { host } = require('./host.cjs');
  const requireModule = load(host);
  print = { inspect: (value, options) => requireModule('rt_inspect').inspect(value, options) };
}

let prelude = '';
readline.createInterface({ input: process.stdin }).on('line', (line) => {
  const request = JSON.parse(line);
  if (request.prelude !== undefined) prelude = request.prelude;
  let answer;
  try {
    const [value, options] = (0, eval)(
      `(() => { ${prelude}\nreturn [(${request.source}), (${request.options ?? '{}'})]; })()`,
    );
    answer = { text: print[request.mode](value, options) };
  } catch (error) {
    answer = { error: String(error) };
  }
  process.stdout.write(`${JSON.stringify(answer)}\n`);
});
process.on('unhandledRejection', () => {});
