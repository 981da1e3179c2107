'use strict';
// Comparisons and messages of assert: sparse arrays, cycles, errors from other contexts, long values, every kind of
// message.
const assert = require('assert'),
  vm = require('vm');
const { inspect } = require('util');
const t = (n, f) => {
  try {
    f();
    console.log(n, 'ok');
  } catch (e) {
    console.log(n, JSON.stringify(e.message), e.code, e.generatedMessage);
  }
};
class ES6Error extends Error {}
class Another extends Error {}
class Named extends Error {
  name = 'N';
}
t('cls', () =>
  assert.throws(() => {
    throw new Another('foo');
  }, ES6Error),
);
t('named', () =>
  assert.throws(() => {
    throw new Named('foo');
  }, ES6Error),
);
t('noname', () =>
  assert.throws(() => {
    const e = new Error('x');
    e.constructor = undefined;
    throw e;
  }, ES6Error),
);
t('str', () =>
  assert.throws(() => {
    throw 'foo';
  }, ES6Error),
);
t('null', () =>
  assert.throws(() => {
    throw null;
  }, ES6Error),
);
t('ctx', () => assert.throws(() => vm.runInNewContext('throw new RangeError("foobar")'), RangeError));
t('ctx2', () => assert.throws(() => vm.runInNewContext('throw new RangeError("foobar")'), TypeError));
t('obj', () =>
  assert.throws(() => {
    throw { a: 1 };
  }, ES6Error),
);
t('nomsg', () =>
  assert.throws(() => {
    throw new Another();
  }, ES6Error),
);
t('anon', () =>
  assert.throws(() => {
    throw new (class extends Error {})('z');
  }, ES6Error),
);
t('ctxmsg', () => assert(false, vm.runInNewContext('new SyntaxError("custom error")')));
t('sym', () => assert(false, Symbol('foo')));
t('symeq', () => assert.equal(1, 2, Symbol('foo')));
t('num', () => assert.equal(1, 2, 5));
t('obj', () => assert.strictEqual(1, 2, {}));
t('fail sym', () => assert.fail(Symbol('q')));
t('dr', () => assert.deepEqual(1, 2, vm.runInNewContext('new SyntaxError("custom error")')));
t('strict keys', () =>
  console.log(
    Object.keys(assert.strict).length,
    Object.keys(assert).length,
    Object.keys(assert.strict).join(),
    Object.keys(assert).join(),
  ),
);
for (const n of [8, 9, 10, 11, 12]) {
  try {
    assert.strictEqual('x\n'.repeat(n) + 'y', '');
  } catch (e) {
    console.log(n, inspect(e).split('actual')[2]);
  }
}
const p = (n, a, b) => {
  for (const m of ['deepEqual', 'deepStrictEqual', 'partialDeepStrictEqual']) {
    for (const [x, y] of [
      [a, b],
      [b, a],
    ])
      try {
        assert[m](x, y);
        console.log(n, m, 'eq');
      } catch (e) {
        console.log(n, m, e.code === 'ERR_ASSERTION' ? 'ne' : e.message);
      }
  }
};
p('set1', new Set([undefined]), new Set(['']));
p('set2', new Set([1, 2, 3]), new Set(['1', 2, 3]));
p('set3', new Set(['1']), new Set([1n]));
p('set4', new Set([{ a: 1 }]), new Set(['x']));
p('set n', new Set([null, '']), new Set([null, 0]));
p('set5', new Set([{ a: 1 }, { b: 1 }]), new Set([{ a: 1 }, 'y']));
p('map1', new Map([[1, undefined]]), new Map([[2, 1]]));
p(
  'map2',
  new Map([
    [{ a: 1 }, 1],
    ['1', 2],
  ]),
  new Map([
    [1, 2],
    [{ a: 1 }, 1],
  ]),
);
p(
  'mapu',
  new Map([
    [undefined, null],
    ['+000', 2n],
  ]),
  new Map([
    [null, undefined],
    [false, '2'],
  ]),
);
p('mapk', new Map([[undefined, 1]]), new Map([[null, 1]]));
p('m', new Map([['1', 5]]), new Map([[1, 6]]));
p('mm', new Map([[null, undefined]]), new Map([[undefined, null]]));
{
  const a = {},
    b = {};
  a.a = a;
  b.a = { a: b };
  p('circ', a, b);
  const c = { x: 1 },
    d = { x: 1 };
  c.a = d;
  d.a = c;
  const e = { x: 1 };
  e.a = e;
  p('circ2', c, e);
  const s1 = new Set(),
    s2 = new Set();
  s1.add(s1);
  s2.add(new Set([s2]));
  p('circ set', s1, s2);
  const s3 = new Set();
  s3.add(s3);
  p('circset2', s1, s3);
  const m1 = new Map(),
    m2 = new Map();
  m1.set('a', m1);
  m2.set('a', m2);
  p('circmap', m1, m2);
}
p('sparse', [1, , 3], [1, undefined, 3]);
p('sparse2', [1, , , 3], [1, , , 3]);
{
  const a = [, 1],
    b = [, 1];
  a.x = 1;
  p('sparsex', a, b);
  const c = [1, 2, , 4],
    d = [1, 2, , 4];
  d.push(5);
  delete d[3];
  p('sp3', c, d);
}
p('sp4', [1, 2, 3, , 4], [1, 2, 3]);
p('sp5', [, , 1], [1, , ,]);
p('sp6', new Array(3), new Array(3));
p('sp7', new Array(3), [undefined, , ,]);
{
  const a = {};
  a[Symbol.for('s')] = 1;
  p('sy', a, {});
  const b = {};
  Object.defineProperty(b, Symbol('q'), { value: 1 });
  p('sy2', b, {});
  const c = [1];
  c[Symbol.for('s')] = 1;
  p('sy3', c, [1]);
  const d = [1];
  d[Symbol.for('s')] = 2;
  p('sy4', c, d);
  const e = new Uint8Array(2),
    f = new Uint8Array(2);
  e[Symbol.for('s')] = 1;
  p('sy5', e, f);
}
{
  const a = new Error('foo'),
    b = new Error('foo');
  p('err', a, b);
  b.x = 1;
  p('errx', a, b);
  const c = new Error('foo', { cause: 1 }),
    d = new Error('foo', { cause: 2 });
  p('cause', c, d);
  p('cause2', a, c);
  const e = new Error('foo', { cause: undefined });
  p('cause3', a, e);
  p('agg', new AggregateError([1], 'm'), new AggregateError([2], 'm'));
  p('type', new TypeError('x'), new RangeError('x'));
  const g = new Error('foo');
  g.name = 'Bar';
  p('name', a, g);
  const h = new Error('foo');
  delete h.stack;
  p('stack', a, h);
  const i = new Error('foo');
  Object.defineProperty(i, 'message', { value: 'foo', enumerable: true });
  p('enum', a, i);
  p('nonnat', a, Object.create(Error.prototype, { message: { value: 'foo' } }));
  p('dom', new DOMException('a', 'b'), new DOMException('a', 'c'));
  p('fake', { __proto__: Error.prototype, message: 'foo' }, { __proto__: Error.prototype, message: 'foo' });
  p('fake2', { __proto__: Error.prototype, message: 'foo' }, { __proto__: Error.prototype, message: 'bar' });
}
{
  const arr = [1, 2];
  p('proxy', arr, new Proxy(arr, {}));
  p('proxy2', new Proxy([1, 2], {}), new Proxy([1, 2], {}));
  p('proxy3', { a: 1 }, new Proxy({ a: 1 }, {}));
  p('pd', new Date(0), new Proxy(new Date(0), {}));
}
const reported = (a, b) => {
  try {
    assert.deepStrictEqual(a, b);
  } catch (e) {
    console.log(e.message);
  }
};
reported({ a: 'xxxxx\n'.repeat(5) }, { a: 1 });
reported({ a: 'xxxxxyyyyyyyyyyyyyyyyyyyy\n'.repeat(5) }, { a: 1 });
reported('xxxxxyyyyyyyyyyyyyyyyyyyy\n'.repeat(5), '');
reported(new Proxy([1, 2], {}), [1, 2, 3]);
reported({ a: new Proxy({}, {}) }, {});
reported(['xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx' + 'xxxxx\n'.repeat(5)], { a: 1 });
reported({ m: 'a'.repeat(70) + '\nb' }, {});
reported({ m: 'a'.repeat(75) + '\nb' }, {});
const loosely = (a, b) => {
  try {
    require('assert').deepEqual(a, b);
    console.log('eq');
  } catch {
    console.log('ne');
  }
};
loosely(
  new Map([
    [3, 0],
    ['3', 0],
  ]),
  new Map([
    [3, 0],
    [4, 0],
  ]),
);
loosely(
  new Map([
    [3, 0],
    [4, 0],
  ]),
  new Map([
    [3, 0],
    ['3', 0],
  ]),
);
loosely(
  new Map([
    ['3', 1],
    [3, 0],
  ]),
  new Map([
    [3, 1],
    ['3', 0],
  ]),
);
loosely(
  new Map([
    ['3', 1],
    [4, 0],
  ]),
  new Map([
    [3, 1],
    ['4', 0],
  ]),
);

// Misleading prototypes and `Symbol.toStringTag` values, proxies, and classes with nothing to compare.
const under = (value, prototype) => Object.setPrototypeOf(value, prototype);
const claiming = (value, tag) => Object.defineProperty(value, Symbol.toStringTag, { value: tag });
const proxy = (value) => new Proxy(value, {});
const unlike = [
  () => Object.create(Error.prototype, { message: { value: Math.random() } }),
  (key) => under(new Map([[key, 1]]), Object.prototype),
  (key) => under(new Map([[key, 1]]), null),
  (key) => under(new Set([key]), null),
  (key) => claiming(new Map([[key, 1]]), 'Object'),
  (key) => claiming({ key }, 'Date'),
  (key) => proxy(new Map([[key, 1]])),
  (key) => proxy([key]),
  (key) => proxy({ key }),
  (key) => new WeakRef({ key }),
  () => (function* () {})(),
  () => Promise.resolve(),
  (key) => ({ constructor: Map, key }),
  (key) => claiming(new Date(key), 'Object'),
];
const verdict = (compare, one, other) => {
  try {
    compare(one, other);
    return '=';
  } catch (error) {
    return error.code === 'ERR_ASSERTION' ? '!' : String(error);
  }
};
for (const [index, make] of unlike.entries()) {
  const pairs = [
    [make(1), make(1)],
    [make(1), make(2)],
    [make(1), {}],
    [{}, make(1)],
    [make(1), new Map([[1, 1]])],
    [new Map([[1, 1]]), make(1)],
  ];
  const verdicts = pairs.map(([one, other]) =>
    [assert.deepStrictEqual, assert.deepEqual, assert.partialDeepStrictEqual].map((compare) => verdict(compare, one, other)).join(''),
  );
  console.log(index, verdicts.join(' '));
}
