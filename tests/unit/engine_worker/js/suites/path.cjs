'use strict';
// Both variants of node:path over paths composed of significant parts.

const theirs = require('node:path');

const PIECES = ['/', '/', 'a', 'b', '..', '.', '//', '.ext', 'foo.js', '.', 'c.d.e', ' ', 'é', '...', '.a', 'b.'];
const WINDOWS = [
  '\\',
  '\\',
  'C:',
  'c:',
  'D:',
  '\\\\',
  '\\\\srv\\sh',
  '//h/s',
  '?',
  'CON',
  'nul:',
  'C:\\',
  'a:',
  '\\\\?\\',
  '\\\\.\\',
];

module.exports = ({ compare, random, ours, rounds }) => {
  const own = ours('node/path/path');
  const make = (pieces) => Array.from({ length: random(7) }, () => pieces[random(pieces.length)]).join('');
  for (const [flavour, pieces] of [
    ['posix', PIECES],
    ['win32', [...PIECES, ...WINDOWS]],
  ]) {
    for (let i = 0; i < rounds; i++) {
      const [a, b, c] = [make(pieces), make(pieces), make(pieces)];
      const calls = [
        ['normalize', a],
        ['join', a, b, c],
        ['resolve', a, b],
        ['relative', a, b],
        ['dirname', a],
        ['basename', a],
        ['basename', a, b.slice(0, 3)],
        ['extname', a],
        ['parse', a],
        ['isAbsolute', a],
        ['toNamespacedPath', a],
      ];
      for (const [method, ...args] of calls) {
        const run = (module) => () => JSON.stringify(module[flavour][method](...args));
        // In Node, case folding that changes lengths splits paths at other positions.
        compare(
          `${flavour}.${method}`,
          run(theirs),
          run(own),
          args,
          () => method === 'relative' && /C:/i.test(a) && /^\\|^\/|\\\\/.test(a + b),
        );
      }
    }
  }
};
