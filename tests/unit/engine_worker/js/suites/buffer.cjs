'use strict';
// Buffer: strings in all encodings, searching, filling, copying, numbers, and a table of unusual arguments.

const util = require('node:util');
const tb = require('node:buffer');

module.exports = ({ compare, random, ours, rounds }) => {
  const ob = ours('node/buffer/buffer');
  const T = tb.Buffer;
  const O = ob.Buffer;
  const encs = ['utf8', 'hex', 'base64', 'base64url', 'latin1', 'ascii', 'utf16le', 'ucs2', 'UTF-8', 'binary', undefined];
  const strs = [
    '',
    'a',
    'abc',
    'é',
    '€',
    '😀',
    '\ud800',
    '\udc00x',
    'a\u0000b',
    'zz',
    'ff00',
    '0g',
    'YWJj',
    'YW Jj==',
    '_-8=',
    '+/8',
    '日本語',
    'x'.repeat(20),
    '\ud83d',
  ];
  const str = () => {
    let s = '';
    for (let k = random(4); k >= 0; k--) s += strs[random(strs.length)];
    return s;
  };
  const num = () =>
    [
      0,
      1,
      -1,
      2,
      5,
      100,
      -100,
      1.5,
      NaN,
      undefined,
      '1',
      255,
      256,
      -128,
      -129,
      65535,
      65536,
      2 ** 31,
      2 ** 32,
      -(2 ** 31) - 1,
      2 ** 40,
      2 ** 48,
      Infinity,
      null,
      3,
      4,
    ][random(26)];
  const bytes = () =>
    Array.from({ length: random(24) }, () =>
      random(3) ? random(256) : [0xe2, 0x82, 0xac, 0xf0, 0x9f, 0x98, 0x80, 0xc3, 0xff][random(9)],
    );
  const show = (v, B) => {
    if (v instanceof Uint8Array) return v.constructor.name + ':' + [...v].join();
    if (typeof v === 'bigint') return v + 'n';
    if (typeof v === 'object' && v) return JSON.stringify(v);
    return Object.is(v, -0) ? '-0' : String(v);
  };
  const cmp = (label, f) =>
    compare(
      label,
      () => show(f(T), T),
      () => show(f(O), O),
    );
  const rw = [];
  for (const k of Object.keys(T.prototype)) if (/^(read|write)/.test(k) && k !== 'write') rw.push(k);
  compare(
    'members',
    () => '',
    () =>
      Object.getOwnPropertyNames(T.prototype)
        .filter((k) => !(k in O.prototype))
        .concat(Object.getOwnPropertyNames(T).filter((k) => !(k in O)))
        .join(),
  );
  for (let i = 0; i < rounds; i++) {
    const s = str(),
      e = encs[random(encs.length)],
      b = bytes(),
      b2 = bytes(),
      x = num(),
      y = num(),
      z = num(),
      s2 = str();
    cmp('from ' + JSON.stringify([s, e]), (B) => B.from(s, e));
    cmp('byteLength ' + JSON.stringify([s, e]), (B) => B.byteLength(s, e));
    cmp('toString ' + JSON.stringify([b, e, String(x), String(y)]), (B) => B.from(b).toString(e, x, y));
    cmp('toString0 ' + b, (B) => B.from(b).toString());
    cmp('write ' + JSON.stringify([s, x, y, e]), (B) => {
      const q = B.from(b);
      const r = q.write(s, x, y, e);
      return r + show(q);
    });
    cmp('fill ' + JSON.stringify([s, String(x), String(y), e, b.length]), (B) => B.from(b).fill(s, x, y, e));
    cmp('filln', (B) => B.from(b).fill(x, y, z));
    for (const m of ['indexOf', 'lastIndexOf', 'includes']) {
      cmp(m + JSON.stringify([b, s, String(x), e]), (B) => B.from(b)[m](s, x, e));
      cmp(m + 'n', (B) => B.from(b)[m](x, y));
      cmp(m + 'b' + JSON.stringify([b, b2.slice(0, 2), String(x), e]), (B) => B.from(b)[m](B.from(b2.slice(0, 2)), x, e));
      const hs = s + s2 + s;
      cmp(m + 'self' + JSON.stringify([hs, s2, String(x), e]), (B) => B.from(hs, e)[m](s2, x, e));
    }
    cmp('compare', (B) => B.from(b).compare(B.from(b2), x, y, z, undefined));
    cmp('cmp', (B) => B.compare(B.from(b), B.from(b2)));
    cmp('slice', (B) => B.from(b).slice(x, y));
    cmp('subarray', (B) => B.from(b).subarray(x, y));
    cmp('copy' + [x, y, z].map(String) + b.length, (B) => {
      const t = B.alloc(5);
      return B.from(b).copy(t, x, y, z) + show(t);
    });
    cmp('concat', (B) => B.concat([B.from(b), B.from(b2)], x > 1000 ? x % 1000 : x));
    cmp('alloc', (B) => B.alloc(typeof x === 'number' && x > 1000 ? x % 1000 : x, s, e));
    cmp('swap', (B) => B.from(b)[['swap16', 'swap32', 'swap64'][i % 3]]());
    const k = rw[random(rw.length)];
    if (k.startsWith('read')) cmp(k, (B) => B.from(b)[k](x, y));
    else
      cmp(k + [String(x), String(y), String(z)], (B) => {
        const q = B.from(b);
        const v = k.includes('Big') && typeof x === 'number' && Number.isInteger(x) ? BigInt(x) : x;
        const r = q[k](v, y, z);
        return r + show(q);
      });
  }
  for (const [l, f] of Object.entries({
    a: (B) => B.from(5),
    b: (B) => B.from(null),
    c: (B) => B.from({}),
    d: (B) => B.from({ length: 2, 0: 1, 1: 2 }),
    e: (B) => B.from(new String('x')),
    f: (B) => B.from({ type: 'Buffer', data: [1, 2] }),
    g: (B) => B.from(new ArrayBuffer(4), 1, 2),
    h: (B) => B.from(new ArrayBuffer(4), 5),
    i: (B) => B.from(new Uint16Array([1, 256])),
    j: (B) => B.alloc('x'),
    k: (B) => B.alloc(-1),
    l: (B) => B.concat(5),
    m: (B) => B.concat([5]),
    n: (B) => B.byteLength(5),
    o: (B) => JSON.stringify(B.from('a')),
    p: (B) => util.inspect(B.from('abc')),
    q: (B) => util.inspect(Object.assign(B.from('abc'), { x: 1 })),
    r: (B) => util.inspect(B.alloc(60)),
    s: (B) => B.isEncoding('UTF8') + ',' + B.isEncoding('zz') + B.isEncoding(''),
    t: (B) => B.from('x').equals(5),
    u: (B) => B.from('abc').toString('zz'),
    v: (B) => new B(3),
    w: (B) => B('ab'),
    x: (B) => B.of(1, 2, 300),
    y: (B) => B.from([1, 2]).map((x) => x * 2),
    z: (B) => B.from('ab').readUInt8(2),
    aa: (B) => B.from('ab').toLocaleString(),
    bb: (B) => B.copyBytesFrom(new Uint16Array([1, 2]), 1),
    cc: (B) => B.from('abc').at(-1),
    dd: (B) => B.poolSize,
    ee: (B) => B.from('abc').parent instanceof ArrayBuffer,
    ff: (B) => B.name + B.length,
    gg: (B) => Object.prototype.toString.call(B.from('')),
    hh: (B) =>
      B.from({
        [Symbol.toPrimitive]() {
          return 'tp';
        },
      }),
    ii: (B) => B.allocUnsafe(10).length,
    jj: (B) => B.from('a').utf8Slice(0, 1) + B.from('ab').hexSlice(),
    kk: (B) => (B === T ? tb : ob).transcode(B.from('€é'), 'utf8', 'latin1'),
    ll: (B) => (B === T ? tb : ob).isUtf8(B.from([0xff])) + ',' + (B === T ? tb : ob).isAscii(B.from('a')),
    mm: (B) => (B === T ? tb : ob).kMaxLength + ',' + (B === T ? tb : ob).kStringMaxLength,
    nn: (B) => B.from('abc').toJSON(),
    oo: (B) => B.from(B.from('x')),
    pp: (B) => B.from('test').filter((x) => x > 110),
    qq: (B) => [...B.from('ab').entries()],
    rr: (B) => B.from([1.7, -1, '5', 257, null]),
    ss: (B) => B.from(new Set([1])),
    tt: (B) => B.from(() => {}),
    uu: (B) => B.from(Symbol('x')),
    vv: (B) => B.from('a', 'zz'),
    ww: (B) => B.byteLength('aa', 'zz'),
    xx: (B) => B.alloc(3, ''),
  }))
    cmp('fixed ' + l, f);
};
