// What ends tests besides their functions: hooks that fail, limits of suites and hooks, plans that wait, errors of callbacks.
const { after, beforeEach, describe, it, test } = require('node:test');

after(() => {
  throw new Error('after all tests');
});

const never = () => new Promise(() => setTimeout(() => {}, 100_000).unref());

describe('limits', () => {
  describe('of a suite', { timeout: 1 }, () => {
    it('is cancelled by its parent', never);
  });
  describe('of a hook', () => {
    beforeEach(never, { timeout: 1 });
    it('fails', () => {});
  });
});

test('a plan waits until it is met', (t) => {
  t.plan(1, { wait: 10_000 });
  setImmediate(() => t.assert.ok(true));
});
test('a plan waits until its limit', (t) => t.plan(2, { wait: 1 }));
test('an error ends the wait', (t) => {
  t.plan(1, { wait: true });
  setImmediate(() => {
    throw new TypeError('of a callback');
  });
});
