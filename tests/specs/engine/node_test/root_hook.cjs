// A failing `after` hook of the root is reported. It is not a test, so the exit status is that of the tests.
const { after, test } = require('node:test');

after(() => {
  throw new Error('after all tests');
});
test('passes', () => {});
