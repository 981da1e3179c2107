'use strict';
// Answers one JSON line per request with the output of Node and of rt's library, evaluated here side by side. Request: { call,
// source, options, prelude? }; answer: { theirs, ours } or { error } if the source does not evaluate.

const util = require('node:util');
const readline = require('node:readline');
const { load } = require('./load.cjs');
const { host } = require('./host.cjs');

const ours = load(host);
const { SOURCES } = ours('node/module/builtins');
const calls = {
  inspect: (value, options) => [
    () => util.inspect(value, options),
    () => ours('internal/inspect/inspect').inspect(value, options),
  ],
  format: (args) => [() => util.format(...args), () => ours('internal/inspect/format').format(...args)],
  // `source` is a function of a module's exports; it runs with both modules.
  module: (run, { name }) => [() => run(require(`node:${name}`)), () => run(ours(SOURCES[name]))],
};

const attempt = (run) => {
  try {
    return String(run());
  } catch (error) {
    return `THROWN ${error?.name} ${error?.code} ${error?.message}`;
  }
};

let prelude = '';
readline.createInterface({ input: process.stdin }).on('line', (line) => {
  const request = JSON.parse(line);
  if (request.prelude !== undefined) prelude = request.prelude;
  let answer;
  try {
    const [value, options] = (0, eval)(`(() => { ${prelude}\nreturn [(${request.source}), (${request.options ?? '{}'})]; })()`);
    const [theirs, own] = calls[request.call](value, options);
    answer = { theirs: attempt(theirs), ours: attempt(own) };
  } catch (error) {
    answer = { error: String(error) };
  }
  process.stdout.write(`${JSON.stringify(answer)}\n`);
});
process.on('unhandledRejection', () => {});
