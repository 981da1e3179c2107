// An error that the asynchronous work of a hook throws after the tests have ended names the hook.
const { after, afterEach, before, beforeEach, test } = require('node:test');

let isOver = false;
const throwLater = (name) => {
  setImmediate(function step() {
    if (isOver) throw new Error(name);
    setImmediate(step);
  });
};
before(() => throwLater('before'));
beforeEach(() => throwLater('beforeEach'));
afterEach(() => throwLater('afterEach'));
after(() => {
  throwLater('after');
  setImmediate(() => {
    isOver = true;
  });
});
test('ok', () => throwLater('test'));
