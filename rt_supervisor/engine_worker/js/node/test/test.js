// @ts-check
'use strict';
// Owns: `node:test`.

const { ObjectAssign, ObjectDefineProperties, ObjectDefineProperty, intact } = require('internal/primordials');
const { declare, suite: declareSuite, hook, current } = require('node/test/harness');
const { MockTracker } = require('node/test/mock');
const { register } = require('node/test/assertions');
const { setDefaultSnapshotSerializers, setResolveSnapshotPath } = require('node/test/snapshots');

const VARIANTS = ['expectFailure', 'skip', 'todo', 'only'];

/** A function of (name, options, fn) with its skip, todo and only variants. */
function withVariants(name, act) {
  const fn = {
    [name](...args) {
      return act(args);
    },
  }[name];
  ObjectDefineProperty(fn, 'length', { __proto__: null, configurable: true, value: 3 });
  for (const variant of intact(VARIANTS)) {
    fn[variant] = {
      [variant](...args) {
        return act(args, { [variant]: true });
      },
    }[variant];
    ObjectDefineProperty(fn[variant], 'length', { __proto__: null, configurable: true, value: 3 });
  }
  return fn;
}

const test = withVariants('test', declare);
const suite = withVariants('suite', declareSuite);
let mock;

module.exports = ObjectAssign(test, {
  after: hook('after'),
  afterEach: hook('afterEach'),
  before: hook('before'),
  beforeEach: hook('beforeEach'),
  describe: suite,
  getTestContext: () => current(),
  it: test,
  run: (options) => require('node/test/run').run(options),
  suite,
  test,
});
ObjectDefineProperties(test, {
  mock: { __proto__: null, configurable: true, enumerable: true, get: () => (mock ??= new MockTracker()) },
  snapshot: {
    __proto__: null,
    configurable: true,
    enumerable: true,
    value: { __proto__: null, setDefaultSnapshotSerializers, setResolveSnapshotPath },
  },
  assert: { __proto__: null, configurable: true, enumerable: true, value: { __proto__: null, register } },
});
