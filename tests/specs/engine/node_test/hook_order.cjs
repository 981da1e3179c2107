// Hooks of every ancestor run, also those declared after the test; `before` of the root runs where it is declared.
const t = require('node:test');
const lines = [];
const say = (text) => () => lines.push(text);
process.on('exit', () => console.log(lines.join('\n')));
t.before(async () => {
  lines.push('root before');
  await new Promise((resolve) => setTimeout(resolve, 1));
  lines.push('root before, later');
});
lines.push('declared');
t.describe('outer', () => {
  t.afterEach(say('outer after each, first'));
  t.beforeEach(say('outer before each, first'));
  t.it('shallow', say('shallow'));
  t.describe('inner', () => {
    t.it('deep', say('deep'));
    t.before(say('inner before'));
    t.beforeEach(say('inner before each'));
    t.afterEach(say('inner after each, first'));
    t.afterEach(say('inner after each, second'));
  });
  t.beforeEach(say('outer before each, second'));
  t.afterEach(say('outer after each, second'));
});
t.beforeEach(say('root before each'));
t.afterEach(say('root after each, first'));
t.afterEach(say('root after each, second'));
t.test('subtests', async (context) => {
  context.before(say('before, first'));
  context.before(say('before, second'));
  await context.test('one', say('one'));
  context.before(say('before, third'));
  context.beforeEach(say('before each'));
  context.afterEach(say('after each, first'));
  context.afterEach(say('after each, second'));
  await context.test('two', say('two'));
});
t.describe.skip('skipped', () => {
  t.before(say('never'));
  t.it('never', say('never'));
});
t.before(say('root before, last'));
t.after(say('root after'));
