'use strict';
// TextEncoder, TextDecoder, StringDecoder, atob and btoa over bytes that split characters at any position.

const TS = require('node:string_decoder').StringDecoder;

module.exports = ({ compare, random, ours, rounds }) => {
  const O = ours('web/encoding/text');
  const OS = ours('node/string_decoder').StringDecoder;
  const ob = ours('internal/base64');
  // Of invalid bytes at the end of a chunk Node holds back more than could still become a character; the complete text is the
  // same.
  const joined = (text) => {
    try {
      return JSON.parse(text)
        .filter((part) => typeof part === 'string')
        .join('');
    } catch {
      return text;
    }
  };
  const cmp = (label, t, o, info) =>
    compare(
      label,
      () => JSON.stringify(t()),
      () => JSON.stringify(o()),
      info,
      (a, b) => label.startsWith('sd ') && joined(a) === joined(b),
    );
  const B = [
    0x61, 0x62, 0xc3, 0xa9, 0xe2, 0x82, 0xac, 0xf0, 0x9f, 0x98, 0x80, 0xff, 0xfe, 0xef, 0xbb, 0xbf, 0xed, 0xa0, 0x80, 0xc0, 0xf4,
    0x90, 0x00, 0xd8, 0x3d, 0xdc, 0x80, 0xe0,
  ];
  const bytes = () => Uint8Array.from({ length: random(14) }, () => B[random(B.length)]);
  for (let i = 0; i < rounds; i++) {
    const b = bytes(),
      b2 = bytes(),
      b3 = bytes();
    const lab = ['utf-8', 'utf-16le', 'utf-16be', 'latin1'][random(4)],
      opt = { fatal: !!random(2), ignoreBOM: !!random(2) };
    cmp(
      'dec ' + lab,
      () => new TextDecoder(lab, opt).decode(b),
      () => new O.TextDecoder(lab, opt).decode(b),
      [lab, opt, [...b].join()],
    );
    const st = (D) => {
      const d = new D(lab, opt);
      return [d.decode(b, { stream: true }), d.decode(b2, { stream: true }), d.decode(b3), d.decode(b)];
    };
    cmp(
      'stream ' + lab,
      () => st(TextDecoder),
      () => st(O.TextDecoder),
      [lab, opt, [...b].join(), [...b2].join(), [...b3].join()],
    );
    const e = ['utf8', 'utf16le', 'base64', 'hex', 'latin1', 'ascii', 'base64url'][random(7)];
    const sd = (D) => {
      const d = new D(e);
      return [d.write(Buffer.from(b)), d.lastNeed, d.lastTotal, d.write(Buffer.from(b2)), d.end(Buffer.from(b3)), d.end()];
    };
    cmp(
      'sd ' + e,
      () => sd(TS),
      () => sd(OS),
      [e, [...b].join(), [...b2].join(), [...b3].join()],
    );
    const s = String.fromCharCode(...Array.from(b, (x, k) => (k % 3 ? x : x * 200)));
    cmp(
      'enc',
      () => [...new TextEncoder().encode(s)],
      () => [...new O.TextEncoder().encode(s)],
      s,
    );
    cmp(
      'encInto',
      () => {
        const u = new Uint8Array(6);
        const r = new TextEncoder().encodeInto(s, u);
        return [r, [...u]];
      },
      () => {
        const u = new Uint8Array(6);
        const r = new O.TextEncoder().encodeInto(s, u);
        return [r, [...u]];
      },
      s,
    );
    const q = Buffer.from(b).toString('latin1');
    cmp(
      'btoa',
      () => btoa(q),
      () => ob.btoa(q),
      q,
    );
    const a = ['YQ', 'YQ==', 'YQ=', ' Y Q = = ', 'Y', 'YWJj', '*', 'YWI=YWI='][random(8)] + (random(3) ? '' : q.slice(0, 2));
    cmp(
      'atob',
      () => {
        try {
          return atob(a);
        } catch (e) {
          return e.name;
        }
      },
      () => {
        try {
          return ob.atob(a);
        } catch (e) {
          return e.name;
        }
      },
      a,
    );
  }
};
