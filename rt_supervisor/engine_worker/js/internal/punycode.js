// @ts-check
'use strict';
// Owns: Punycode (RFC 3492) of single labels and of domains, as in node:punycode.

const {
  ArrayFilter,
  ArrayFrom,
  ArrayJoin,
  ArrayMap,
  ArrayPush,
  ArraySplice,
  MathFloor,
  MathMax,
  MathMin,
  RegExpReplace,
  RegExpTest,
  StringCharCodeAt,
  StringCodePointAt,
  StringFromCharCode,
  StringFromCodePoint,
  StringLastIndexOf,
  StringSlice,
  StringSplit,
  StringToLowerCase,
  intact,
} = require('internal/primordials');

const BASE = 36;
const T_MIN = 1;
const T_MAX = 26;
const SKEW = 38;
const DAMP = 700;
const FIRST_BIAS = 72;
const FIRST_CODE = 128;
const LARGEST = 2147483647;

const overflow = () => new RangeError('Overflow: input needs wider integers to process');
const invalid = () => new RangeError('Invalid input');

function adapt(delta, count, isFirst) {
  delta = isFirst ? MathFloor(delta / DAMP) : delta >> 1;
  delta += MathFloor(delta / count);
  let k = 0;
  for (; delta > ((BASE - T_MIN) * T_MAX) >> 1; k += BASE) delta = MathFloor(delta / (BASE - T_MIN));
  return k + MathFloor(((BASE - T_MIN + 1) * delta) / (delta + SKEW));
}

const threshold = (k, bias) => MathMin(MathMax(k - bias, T_MIN), T_MAX);
const digitToChar = (digit) => StringFromCharCode(digit < 26 ? digit + 97 : digit + 22);

function digitOf(code) {
  if (code >= 48 && code <= 57) return code - 22;
  const lower = code | 32;
  return lower >= 97 && lower <= 122 ? lower - 97 : BASE;
}

function ucs2Decode(text) {
  return ArrayFrom(intact(text), (character) => StringCodePointAt(character, 0));
}

const ucs2Encode = (points) => StringFromCodePoint(...intact(points));

function encode(text) {
  const points = /** @type {number[]} */ (ucs2Decode(text));
  let output = ArrayJoin(
    ArrayMap(
      ArrayFilter(points, (point) => point < 128),
      (point) => StringFromCharCode(point),
    ),
    '',
  );
  const basic = output.length;
  let handled = basic;
  if (basic > 0) output += '-';
  let n = FIRST_CODE;
  let delta = 0;
  let bias = FIRST_BIAS;
  while (handled < points.length) {
    let next = LARGEST;
    for (let index = 0; index < points.length; index++) {
      const point = points[index];
      if (point >= n && point < next) next = point;
    }
    if (next - n > MathFloor((LARGEST - delta) / (handled + 1))) throw overflow();
    delta += (next - n) * (handled + 1);
    n = next;
    for (let index = 0; index < points.length; index++) {
      const point = points[index];
      if (point < n && ++delta > LARGEST) throw overflow();
      if (point !== n) continue;
      let q = delta;
      for (let k = BASE; ; k += BASE) {
        const t = threshold(k, bias);
        if (q < t) break;
        output += digitToChar(t + ((q - t) % (BASE - t)));
        q = MathFloor((q - t) / (BASE - t));
      }
      output += digitToChar(q);
      bias = adapt(delta, handled + 1, handled === basic);
      delta = 0;
      handled++;
    }
    delta++;
    n++;
  }
  return output;
}

function decode(text) {
  const points = [];
  const basic = MathMax(StringLastIndexOf(text, '-'), 0);
  for (let i = 0; i < basic; i++) {
    if (StringCharCodeAt(text, i) >= 128) throw new RangeError('Illegal input >= 0x80 (not a basic code point)');
    ArrayPush(points, StringCharCodeAt(text, i));
  }
  let n = FIRST_CODE;
  let bias = FIRST_BIAS;
  let i = 0;
  for (let at = basic > 0 ? basic + 1 : 0; at < text.length;) {
    const before = i;
    for (let weight = 1, k = BASE; ; k += BASE) {
      if (at >= text.length) throw invalid();
      const digit = digitOf(StringCharCodeAt(text, at++));
      if (digit >= BASE) throw invalid();
      if (digit > MathFloor((LARGEST - i) / weight)) throw overflow();
      i += digit * weight;
      const t = threshold(k, bias);
      if (digit < t) break;
      if (weight > MathFloor(LARGEST / (BASE - t))) throw overflow();
      weight *= BASE - t;
    }
    const count = points.length + 1;
    bias = adapt(i - before, count, before === 0);
    n += MathFloor(i / count);
    i %= count;
    if (n > 0x10ffff) throw invalid();
    ArraySplice(points, i++, 0, n);
  }
  return ucs2Encode(points);
}

const SEPARATORS = /[\x2E\u3002\uFF0E\uFF61]/g;

function mapLabels(domain, convert) {
  const at = StringLastIndexOf(domain, '@');
  const prefix = at === -1 ? '' : StringSlice(domain, 0, at + 1);
  return (
    prefix + ArrayJoin(ArrayMap(StringSplit(RegExpReplace(SEPARATORS, StringSlice(domain, at + 1), '.'), '.'), convert), '.')
  );
}

module.exports = {
  version: '2.1.0',
  ucs2: { decode: ucs2Decode, encode: ucs2Encode },
  decode,
  encode,
  toASCII: (domain) => mapLabels(domain, (label) => (RegExpTest(/[^\0-\x7F]/, label) ? `xn--${encode(label)}` : label)),
  toUnicode: (domain) =>
    mapLabels(domain, (label) => (RegExpTest(/^xn--/, label) ? decode(StringToLowerCase(StringSlice(label, 4))) : label)),
};
