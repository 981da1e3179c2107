'use strict';
// Regular expressions in colours.

const util = require('node:util');

module.exports = ({ compare, random, ours, rounds }) => {
  const own = ours('internal/inspect/inspect');
  const atoms = [
    'a',
    'b',
    '-',
    ',',
    '.',
    '^',
    '$',
    '\\d',
    '\\1',
    '\\12',
    '\\x41',
    '\\u0041',
    '\\u{61}',
    '\\p{L}',
    '\\cA',
    '\\k<n>',
    '\\k',
    '(?<n>',
    '(?:',
    '(?=',
    '(?<=',
    '(?<!',
    '(?!',
    '(',
    '(?i:',
    ')',
    ')',
    ')',
    ']',
    '[',
    '[^',
    '{',
    '}',
    '{1}',
    '{1,2}',
    '{,3}',
    '{2,}',
    '?',
    '*',
    '+',
    '+?',
    '|',
    '\\/',
    '\\-',
    '\\]',
    '{b}',
    'é',
    '😀',
    '1',
    '<',
    '>',
    '\\(',
    '\\0',
  ];

  for (let done = 0; done < rounds;) {
    const source = Array.from({ length: random(9) + 1 }, () => atoms[random(atoms.length)]).join('');
    let value;
    try {
      value = new RegExp(source, ['', 'u', 'v', 'gi'][random(4)]);
    } catch {
      continue;
    }
    done++;
    compare(
      'regexp',
      () => util.inspect(value, { colors: true }),
      () => own.inspect(value, { colors: true }),
      String(value),
    );
  }
};
