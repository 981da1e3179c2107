'use strict';
// URL and URLSearchParams: absolute, relative, setters, and a table of unusual arguments.

const util = require('node:util');

// Node accepts names that start with xn-- unchanged, and decodes characters beyond Latin-1 in queries with %XX by their low
// byte.
const isKnown = (info) => /xn--|X[Nn]--/.test(JSON.stringify(info) ?? '');

module.exports = ({ compare, random, ours, rounds }) => {
  const T = { URL, URLSearchParams };
  const O = ours('web/url/class');
  const cmp = (label, f, ...info) =>
    compare(
      label,
      () => f(T),
      () => f(O),
      info,
      () => isKnown(info) || (label === 'usp' && /%/.test(info[0]) && /[^\x00-\x7f]/.test(info[0])) || /^fixed [qr]$/.test(label),
    );
  const A = [
    'http:',
    'https:',
    'file:',
    'ftp:',
    'ws:',
    'foo:',
    'data:',
    'blob:',
    'javascript:',
    '/',
    '/',
    '//',
    '///',
    '\\',
    'a',
    'b',
    'c.d',
    '..',
    '.',
    '%2e',
    '%2E%2e',
    '?',
    '#',
    '@',
    ':',
    '80',
    '443',
    '8080',
    '65536',
    'x=1',
    '&y=2',
    'é',
    'ü',
    '日本',
    '%',
    '%41',
    '%zz',
    ' ',
    '\t',
    '\n',
    '[::1]',
    '[1:2::3]',
    '[::ffff:1.2.3.4]',
    '127.1',
    '0x7f',
    '256.256',
    '1.2.3.4',
    '1.2.3',
    '0',
    'C:',
    'C|',
    'd:',
    'localhost',
    'example.com',
    'EXAMPLE.com',
    'user',
    'pass',
    'xn--mnchen-3ya',
    'xn--a',
    'münchen',
    'ß',
    'ſ',
    'Ⅷ',
    '。',
    '．',
    '-',
    '_',
    '~',
    '!',
    '$',
    "'",
    '(',
    ')',
    '*',
    '+',
    ',',
    ';',
    '=',
    '<',
    '>',
    '"',
    '`',
    '{',
    '}',
    '|',
    '^',
    '\\\\',
    '\u0000',
    '\u007f',
    '😀',
    '\ud800',
    '%00',
    'host',
    'path',
    'q',
  ];
  const gen = (k) => {
    let s = '';
    for (; k > 0; k--) s += A[random(A.length)];
    return s;
  };
  const P = ['href', 'origin', 'protocol', 'username', 'password', 'host', 'hostname', 'port', 'pathname', 'search', 'hash'];
  const dump = (u) => P.map((p) => u[p]).join(' | ') + ' || ' + [...u.searchParams].join(';');
  const bases = [
    'http://u:p@h:81/a/b?q#f',
    'file:///C:/x/y',
    'foo://h/p',
    'foo:opaque',
    'data:text/plain,hi',
    'https://example.com',
    'file:///a/b',
    'foo:/p/q',
    'http://h',
  ];
  for (let i = 0; i < rounds; i++) {
    const s = random(2)
      ? ['http://', 'https://', 'file:///', 'foo://', 'foo:', 'ws://', ''][random(7)] + gen(1 + random(6))
      : gen(1 + random(8));
    cmp('abs', (B) => dump(new B.URL(s)), s);
    const b = bases[random(bases.length)];
    cmp('rel', (B) => dump(new B.URL(s, b)), s, b);
    if (i % 3 == 0) {
      const base = bases[random(bases.length)];
      const steps = Array.from({ length: 1 + random(3) }, () => [
        ['protocol', 'username', 'password', 'host', 'hostname', 'port', 'pathname', 'search', 'hash', 'href'][random(10)],
        random(6) ? gen(1 + random(3)) : '',
      ]);
      cmp(
        'set',
        (B) => {
          const u = new B.URL(base);
          let o = '';
          for (const [k, v] of steps) {
            try {
              u[k] = v;
            } catch (e) {
              o += 'E' + e.code;
            }
            o += dump(u) + '\n';
          }
          return o;
        },
        base,
        steps,
      );
    }
    if (i % 4 == 0) {
      const q = gen(random(8));
      cmp(
        'usp',
        (B) => {
          const p = new B.URLSearchParams(q);
          p.append('a b', 'é&=+');
          const o = p.toString() + [...p] + p.size;
          p.sort();
          p.delete('a');
          p.set('x', 'z');
          return o + p.toString() + p.get('x') + p.has('y', '2') + p.getAll('q');
        },
        q,
      );
    }
  }
  for (const [l, f] of Object.entries({
    a: (B) => new B.URL(),
    b: (B) => new B.URL('x'),
    c: (B) => new B.URL('/x', 'y'),
    d: (B) => util.inspect(new B.URL('http://u:p@h/?a=1#x')),
    e: (B) => util.inspect(new B.URLSearchParams('a=1&b=2')),
    f: (B) => util.inspect(new B.URLSearchParams()),
    g: (B) => util.inspect({ u: new B.URL('http://h') }, { depth: 0 }),
    h: (B) => B.URL.canParse('x') + '' + B.URL.canParse('a:b'),
    i: (B) => String(B.URL.parse('zz')),
    j: (B) => new B.URLSearchParams([['a']]),
    k: (B) => new B.URLSearchParams([5]),
    l: (B) => '' + new B.URLSearchParams({ a: 1, b: [1, 2] }),
    m: (B) => '' + new B.URLSearchParams(new Map([['a', 'b']])),
    n: (B) => new B.URLSearchParams().append('a'),
    o: (B) => new B.URLSearchParams().forEach(5),
    p: (B) => JSON.stringify(new B.URL('http://h')),
    q: (B) => Object.keys(B.URL.prototype).join(),
    r: (B) => Object.keys(B.URLSearchParams.prototype).join(),
    s: (B) => Object.prototype.toString.call(new B.URL('a:')) + Object.prototype.toString.call(new B.URLSearchParams()),
    t: (B) => util.inspect(new B.URLSearchParams('a=1&b=2').entries()),
    u: (B) => util.inspect(new B.URLSearchParams('a=1').keys()),
    v: (B) => new B.URLSearchParams(Symbol.iterator),
    w: (B) => {
      const u = new B.URL('http://h/?a=1');
      u.searchParams.append('b', '2');
      u.search = '?c=3';
      return u.href + [...u.searchParams];
    },
    x: (B) => B.URL.length + ',' + B.URL.name + ',' + B.URLSearchParams.length,
    y: (B) => util.inspect(new B.URLSearchParams('a=' + 'x'.repeat(100) + '&b=2')),
  }))
    cmp('fixed ' + l, f);
};
