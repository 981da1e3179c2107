// `new Assert({ diff: 'full' })` truncates no message.
const { Assert } = require('node:assert');
const lines = (text, count) => Array.from({ length: count }, (_, index) => `${text}${index}`).join('\n');
const numbers = Array.from({ length: 300 }, (_, index) => index);
const cases = [
  ['strictEqual', 'a'.repeat(2000), 'b'.repeat(2000)],
  ['notStrictEqual', lines('a', 80), lines('a', 80)],
  ['deepEqual', 'a'.repeat(2000), 'b'.repeat(2000)],
  ['deepStrictEqual', numbers, numbers.slice(1)],
  ['notDeepEqual', numbers, numbers],
  ['notDeepStrictEqual', numbers, numbers],
  ['equal', lines('a', 300), lines('b', 300)],
  ['notEqual', 'a'.repeat(3000), 'a'.repeat(3000)],
];
for (const diff of ['full', 'simple']) {
  for (const strict of [true, false]) {
    const assert = new Assert({ diff, strict });
    for (const [name, actual, expected] of cases) {
      try {
        assert[name](actual, expected);
      } catch (error) {
        console.log(diff, strict, name, error.message.length, error.message.slice(-20));
      }
    }
  }
}
