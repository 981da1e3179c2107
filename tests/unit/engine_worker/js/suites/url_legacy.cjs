'use strict';
// url.parse, format, resolve, file conversions and querystring.

const util = require('node:util');

// Node's slow decoder takes the low byte of characters if the text also contains an invalid escape.
const isKnown = (label, info) => /^(qunesc|qparse|parseq)/.test(label) && /[^\x00-\x7f]/.test(JSON.stringify(info));

module.exports = ({ compare, random, ours, rounds }) => {
  const theirs = [require('node:url'), require('node:querystring')];
  const own = [ours('node/url/url'), ours('node/querystring')];
  const J = (value) => (value instanceof Object ? JSON.stringify({ ...value }) : String(value));
  const cmp = (label, f, ...info) =>
    compare(
      label,
      () => J(f(...theirs)),
      () => J(f(...own)),
      info,
      () => isKnown(label, info),
    );
  const A = [
    'http:',
    'https:',
    'file:',
    'mailto:',
    'javascript:',
    'foo:',
    'x:',
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
    '?',
    '#',
    '@',
    ':',
    '80',
    '8080',
    'x=1',
    '&y=2',
    'é',
    '%20',
    '%zz',
    ' ',
    '[::1]',
    'host',
    'example.com',
    'user',
    'user:pass@',
    '"',
    "'",
    '<',
    '{',
    '|',
    '^',
    '`',
    ';',
    '=',
    '&',
    '+',
    '日本',
    'HTTP://',
    'Host',
    '',
  ];
  const gen = (k) => {
    let s = '';
    for (; k > 0; k--) s += A[random(A.length)];
    return s;
  };
  for (let i = 0; i < rounds; i++) {
    const s = random(2)
        ? ['http://', 'https://h', 'file:///', 'foo://', 'mailto:', '//', ''][random(7)] + gen(1 + random(6))
        : gen(1 + random(7)),
      b = ['http://u:p@h:81/a/b?q#f', 'file:///C:/x', 'foo://h/p', 'mailto:a@b', '/a/b/c', 'a/b', 'http://h', gen(3)][random(8)];
    cmp('parse', (U) => U.parse(s), s);
    cmp('parseq', (U) => U.parse(s, true, true), s);
    cmp('resolve', (U) => U.resolve(b, s), b, s);
    const q = gen(random(7));
    cmp('qparse', (U, Q) => Q.parse(q), q);
    cmp('qparse2', (U, Q) => Q.parse(q, '/', ':'), q);
    const gk = gen(1) || 'k';
    cmp('qstr', (U, Q) => Q.stringify({ [gk]: [q, 1, true, null, undefined, NaN, 5n, {}], z: s, y: 1e21 }), q);
    cmp('qunesc', (U, Q) => Q.unescape(q), q);
    cmp('qesc', (U, Q) => Q.escape(q), q);
    cmp('ptf', (U) => U.pathToFileURL('/' + q).href, q);
    cmp('ftp', (U) => U.fileURLToPath('file:///' + q), q);
    const o = {};
    for (const k of ['protocol', 'slashes', 'auth', 'host', 'port', 'hostname', 'hash', 'search', 'query', 'pathname'])
      if (!random(3)) o[k] = k === 'slashes' ? true : k === 'query' ? { a: gen(1) } : gen(1 + random(2));
    cmp('format', (U) => U.format(o), o);
  }
  for (const [l, f] of Object.entries({
    a: (U) => U.parse(5),
    b: (U) => U.format(5),
    c: (U) => U.fileURLToPath('http://x'),
    d: (U) => U.fileURLToPath('file://h/x'),
    e: (U) => U.fileURLToPath('file:///a%2Fb'),
    f: (U) => U.fileURLToPath(5),
    g: (U) => U.pathToFileURL(5),
    h: (U) => U.fileURLToPath('file:///C:/a%20b', { windows: true }),
    i: (U) => U.fileURLToPath('file://srv/a', { windows: true }),
    j: (U) => U.pathToFileURL('C:\\a b\\#', { windows: true }).href,
    k: (U) => U.pathToFileURL('\\\\srv\\sh\\x', { windows: true }).href,
    l: (U) => U.domainToASCII('español.com') + U.domainToASCII('xn--iñvalid.com') + U.domainToUnicode('xn--espaol-zwa.com'),
    m: (U) => U.format(new URL('http://u:p@h/p?q#f'), { auth: false, fragment: false }),
    n: (U) => util.inspect(U.urlToHttpOptions(new URL('http://u:p@h:8/p?q#f'))),
    o: (U) => util.inspect(U.parse('http://a/b?c=d', true)),
    p: (U, Q) => util.inspect(Q.parse('a=1&b=2&a=3')),
    q: (U, Q) => Q.parse('a=1&b=2&c=3', null, null, { maxKeys: 2 }),
    r: (U, Q) => Q.stringify({ a: 'x y' }, null, null, { encodeURIComponent: (x) => '<' + x + '>' }),
    s: (U, Q) => Q.unescapeBuffer('a%20b').toString(),
    t: (U, Q) => Q.escape('\ud800'),
    u: (U) => U.resolveObject('http://a/b', 'c'),
    w: (U) => U.format('http://é.com/x y'),
  }))
    cmp('fixed ' + l, f);
};
