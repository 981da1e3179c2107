'use strict';
// Structural equality in its three modes over values and modified copies of them.

const util = require('node:util');
const A = require('node:assert');

module.exports = ({ compare, random, ours, rounds }) => {
  const O = ours('node/assert/deep_equal');
  class P {
    constructor(a) {
      this.a = a;
    }
  }
  class Q {
    constructor(a) {
      this.a = a;
    }
  }
  const s1 = Symbol('s');
  const leaf = [
    () => 1,
    () => '1',
    () => 0,
    () => -0,
    () => NaN,
    () => null,
    () => undefined,
    () => true,
    () => 'a',
    () => 1n,
    () => '',
    () => [],
    () => ({}),
    () => new Date(0),
    () => new Date(1),
    () => /a/g,
    () => /a/,
    () => new Error('x'),
    () => new Error('y'),
    () => new TypeError('x'),
    () => new Number(1),
    () => new String('1'),
    () => new Uint8Array([1, 2]),
    () => new Float32Array([0, NaN]),
    () => new Float32Array([-0, NaN]),
    () => new ArrayBuffer(2),
    () => new Map(),
    () => new Set(),
    () => Object.create(null),
    () => [, 1],
    () => [undefined, 1],
    () => new URL('http://a'),
    () => new URL('http://b'),
    () => Symbol.iterator,
    () => new Error('x', { cause: 1 }),
    () => Buffer.from('ab'),
    () =>
      (function () {
        return arguments;
      })(1),
    () => new WeakSet(),
    () => Promise.resolve(1),
    () => f1,
    () => new DataView(new ArrayBuffer(2)),
    () => new BigInt64Array([1n]),
  ];
  function f1() {}
  const gen = (d) => {
    if (d <= 0 || random(3) == 0) return leaf[random(leaf.length)]();
    const g = () => gen(d - 1);
    const k = random(8);
    const n = random(4);
    if (k == 0) return Array.from({ length: n }, g);
    if (k == 1) {
      const o = {};
      for (let i = 0; i < n; i++) o['abc'[random(3)]] = g();
      if (!random(5)) o[s1] = g();
      return o;
    }
    if (k == 2) return new Map(Array.from({ length: n }, () => [g(), g()]));
    if (k == 3) return new Set(Array.from({ length: n }, g));
    if (k == 4) return new (random(2) ? P : Q)(g());
    if (k == 5) return Object.assign(leaf[random(leaf.length)]() ?? {}, { x: 1 });
    if (k == 6) {
      const o = { v: g() };
      o.me = o;
      return o;
    }
    return Object.assign(Object.create(null), { a: g() });
  };
  const clone = (v, seen = new Map()) => {
    if (v === null || typeof v !== 'object' || Object.prototype.toString.call(v) === '[object Arguments]') return v;
    if (seen.has(v)) return seen.get(v);
    if (Array.isArray(v)) {
      const r = [];
      seen.set(v, r);
      r.length = v.length;
      for (const k of Object.keys(v)) r[k] = clone(v[k], seen);
      return r;
    }
    if (v instanceof Map) {
      const r = new Map();
      seen.set(v, r);
      for (const [a, b] of [...v].reverse()) r.set(clone(a, seen), clone(b, seen));
      return r;
    }
    if (v instanceof Set) {
      const r = new Set();
      seen.set(v, r);
      for (const a of [...v].reverse()) r.add(clone(a, seen));
      return r;
    }
    if (Object.getPrototypeOf(v) === Object.prototype || Object.getPrototypeOf(v) === null || v instanceof P || v instanceof Q) {
      const r = Object.create(Object.getPrototypeOf(v));
      seen.set(v, r);
      for (const k of Reflect.ownKeys(v).reverse()) r[k] = clone(v[k], seen);
      return r;
    }
    return v;
  };
  const mutate = (v) => {
    if (random(2)) return v;
    if (Array.isArray(v)) {
      const r = v.slice();
      random(2) ? r.push(gen(0)) : r.pop();
      return r;
    }
    if (v && typeof v === 'object' && Object.keys(v).length) {
      const k = Object.keys(v)[0];
      try {
        const r = clone(v);
        if (random(2)) delete r[k];
        else r[k] = gen(1);
        return r;
      } catch {}
    }
    return v;
  };

  const ok = (f) => {
    try {
      f();
      return true;
    } catch (e) {
      if (e.code !== 'ERR_ASSERTION') return `E${e.message}`;
      return false;
    }
  };
  for (let i = 0; i < rounds; i++) {
    const a = gen(3);
    const b = random(3) ? mutate(clone(a)) : gen(3);
    const info = `${util.inspect(a).slice(0, 300)} <> ${util.inspect(b).slice(0, 300)}`;
    // Node gives up on some equal collections of collections; the opposite must never happen.
    const isKnown = (theirs, own) => own === 'true' || theirs.startsWith('E') || /DataView|Promise|WeakSet/.test(info);
    compare(
      'strict',
      () => util.isDeepStrictEqual(a, b),
      () => O.isDeepStrictEqual(a, b),
      info,
      isKnown,
    );
    compare(
      'loose',
      () => ok(() => A.deepEqual(a, b)),
      () => O.isDeepEqual(a, b),
      info,
      isKnown,
    );
    compare(
      'partial',
      () => ok(() => A.partialDeepStrictEqual(a, b)),
      () => O.isPartialStrictEqual(a, b),
      info,
      isKnown,
    );
  }
};
