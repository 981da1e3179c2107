'use strict';
// node:assert: the messages and properties of its errors.

const util = require('node:util');

const walk = async (A) => {
  const out = [];
  const console = { log: (...args) => out.push(util.format(...args)) };
  class P {
    constructor(a) {
      this.a = a;
    }
  }
  const t = (a, b) => {
    try {
      A.partialDeepStrictEqual(a, b);
      console.log('T');
    } catch {
      console.log('F');
    }
  };
  t(new P(1), { a: 1 });
  t({ a: 1 }, new P(1));
  t(Object.create(null), {});
  t({}, Object.create(null));
  t([1], Object.assign([], {}));
  t(new P(1), {});
  t({ a: 1 }, Object.assign(Object.create(null), { a: 1 }));
  t(new Map([[1, 2]]), new Map());
  t(new Error('x'), new Error('x'));
  t([1, 2, 3], [2]);
  t([1, 2, 3], [3, 1]);
  t(new Set([1, 2]), new Set([1]));
  t(new (class X extends Map {})([[1, 2]]), new Map([[1, 2]]));
  for (const f of [
    () => A.strictEqual(1, 2),
    () => A.strictEqual('a\nb', 'a\nc'),
    () => A.deepStrictEqual({ a: 1, b: [1, 2] }, { a: 1, b: [1, 3] }),
    () => A.equal(1, 2),
    () => A.deepEqual([1], [2]),
    () => A.ok(),
    () => A.notStrictEqual(1, 1),
    () => A.notDeepStrictEqual({ a: 1 }, { a: 1 }),
    () => A.throws(() => {}),
    () =>
      A.throws(() => {
        throw new Error('x');
      }, /y/),
    () =>
      A.throws(
        () => {
          throw new Error('x');
        },
        { message: 'y' },
      ),
    () =>
      A.doesNotThrow(() => {
        throw new Error('x');
      }),
    () => A.fail(),
    () => A.fail('boom'),
    () => A.match('abc', /x/),
    () => A.doesNotMatch('abc', /a/),
    () => A.ifError(new Error('e')),
    () => A.ifError('z'),
    () => A.strictEqual(1, 2, 'msg'),
    () => A.strictEqual(NaN, 0),
    () => A.strictEqual([1], [1]),
    () => A.deepStrictEqual(new Map([[1, 2]]), new Map([[1, 3]])),
    () => A.strictEqual('x'.repeat(10), 'y'.repeat(10)),
    () => A.notEqual(1, 1),
    () => A.deepStrictEqual(1, 2),
    () => A.deepStrictEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10], [1, 2, 3, 4, 5, 6, 7, 8, 9, 11]),
    () => A.strictEqual({ a: 1 }, { a: 1 }),
    () => A.partialDeepStrictEqual({ a: 1 }, { b: 1 }),
    () => A.match(5, /x/),
    () =>
      A.throws(() => {
        throw new Error('x');
      }, TypeError),
    () => A.throws('x'),
    () => A.deepStrictEqual('a', 'b'),
    () => A.deepStrictEqual(new Date(0), new Date(1)),
    () => A.strictEqual(undefined, null),
    () => A.deepStrictEqual([], {}),
    () => A.notDeepEqual({ a: 1 }, { a: 1 }),
    () => A.equal(null, undefined, new Error('own')),
    () => A.equal('a'.repeat(600), 'b'),
    () =>
      A.throws(() => {
        throw null;
      }, /x/),
  ])
    try {
      f();
      console.log('no error');
    } catch (e) {
      console.log('##', f.toString().slice(4, 70), '\n' + e.name, e.code, e.generatedMessage, e.operator + '\n' + e.message);
    }

  const e = new A.AssertionError({ actual: 1, expected: 2, operator: 'strictEqual' });
  console.log(e.message);
  try {
    new A.AssertionError();
  } catch (x) {
    console.log(x.message);
  }
  console.log(Object.keys(A.strict) === 0, A.strict.equal === A.strictEqual, A.strict.strict === A.strict, typeof A.Assert);
  A.rejects(Promise.resolve(1)).catch((e) => console.log(e.message));
  A.rejects(async () => {
    throw new Error('q');
  }, /z/).catch((e) => console.log(e.message));
  A.doesNotReject(Promise.reject(new Error('w'))).catch((e) => console.log(e.message));
  A.rejects(5).catch((e) => console.log(e.code, e.message));
  try {
    A.throws(
      () => {
        throw new Error('x');
      },
      (e) => false,
    );
  } catch (e) {
    console.log(e.message);
  }
  try {
    A.throws(() => {}, Error, 'mm');
  } catch (e) {
    console.log(e.message);
  }
  try {
    A.throws(() => {}, TypeError);
  } catch (e) {
    console.log(e.message);
  }
  try {
    A.throws(() => {
      throw new Error('same');
    }, 'same');
  } catch (e) {
    console.log(e.code, e.message);
  }
  try {
    A.throws(
      () => {
        throw 5;
      },
      { message: 'a' },
    );
  } catch (e) {
    console.log(e.message);
  }
  try {
    A.throws(() => {
      throw new Error('a');
    }, {});
  } catch (e) {
    console.log(e.code, e.message);
  }
  try {
    A.throws(
      () => {
        throw new Error('a');
      },
      { message: /b/, name: 'Error' },
    );
  } catch (e) {
    console.log(e.message);
  }
  try {
    A.throws(() => {
      throw new Error('a');
    }, 5);
  } catch (e) {
    console.log(e.message);
  }
  try {
    A.fail(new TypeError('own'));
  } catch (e) {
    console.log(e.name);
  }
  try {
    A.equal(1);
  } catch (e) {
    console.log(e.message);
  }
  try {
    A.strictEqual('a'.repeat(20), 'a'.repeat(10) + 'b' + 'a'.repeat(9));
  } catch (e) {
    console.log(e.message);
  }
  try {
    A.doesNotThrow(
      () => {
        throw new Error('x');
      },
      /x/,
      'mm',
    );
  } catch (e) {
    console.log(e.message);
  }
  try {
    A.throws(
      () => {
        throw Object.assign(new Error('x'), { code: 'E' });
      },
      { code: 'F', message: 'x' },
    );
  } catch (e) {
    console.log(e.message);
  }

  await new Promise((resolve) => setTimeout(resolve, 5));
  return out;
};

module.exports = async ({ compare, ours }) => {
  const theirs = await walk(require('node:assert'));
  const own = await walk(ours('node/assert/assert'));
  for (let i = 0; i < Math.max(theirs.length, own.length); i++)
    compare(
      `step ${i}`,
      () => theirs[i],
      () => own[i],
    );
};
