// A failure of a root hook fails every test.
const t = require('node:test');
t.before(() => {
  throw new Error('unprepared');
});
t.test('one', () => {});
t.test('two', () => {});
