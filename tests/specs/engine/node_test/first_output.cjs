// What tests print before reporters write, and hooks around tests that are all skipped.
const { test, describe, before, after, beforeEach, afterEach } = require('node:test');
before(() => console.log('before'));
beforeEach(() => console.log('before each'));
after(() => console.log('after'));
afterEach(() => console.log('after each'));
test('skipped', { skip: true });
test('skipped with a reason', { skip: 'why' }, () => console.log('never'));
describe('a suite of skipped tests', () => {
  before(() => console.log('before of the suite'));
  after(() => console.log('after of the suite'));
  test('inner', { skip: true });
});
describe.skip('a skipped suite', () => {
  before(() => console.log('never'));
  test('inner', () => {});
});
