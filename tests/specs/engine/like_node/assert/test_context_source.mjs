// `t.assert` includes the source of the failed call in its message, as assert does.
import assert from 'node:assert';
import { test } from 'node:test';

test('sources', (t) => {
  for (const work of [() => t.assert.ok(1 === 2), () => t.assert.ok(t.name === 'other'), () => assert.ok(0), () => t.assert.equal(1, 2), () => [0].forEach((each) => t.assert.ok(each))]) {
    try {
      work();
    } catch (error) {
      process._rawDebug(error.message);
    }
  }
  process.exit(); // the reporter's output contains durations
});
