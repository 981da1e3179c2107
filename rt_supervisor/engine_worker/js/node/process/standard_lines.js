// @ts-check
'use strict';
// Owns: the lines of standard input, for `for await (const line of console)`. Text after the last line break is a line, too;
// a second loop continues where the first stopped.

const { ArrayPop, ArrayShift, StringSplit } = require('internal/primordials');
const { StringDecoder } = require('node/string_decoder');

const decoder = new StringDecoder('utf8');
let waiting = []; // lines that have not been consumed
let rest = ''; // the start of the next line
let hasRead = false;
let source;

async function* lines(stdin) {
  source ??= stdin[Symbol.asyncIterator]({ destroyOnReturn: false });
  for (;;) {
    while (waiting.length > 0) yield ArrayShift(waiting);
    const { value, done } = await source.next();
    if (done) break;
    hasRead = true;
    const pieces = StringSplit(rest + decoder.write(value), '\n');
    rest = ArrayPop(pieces);
    waiting = pieces;
  }
  if (!hasRead) return;
  hasRead = false;
  const last = rest;
  rest = '';
  yield last;
}

module.exports = { lines };
