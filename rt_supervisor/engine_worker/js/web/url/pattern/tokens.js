// @ts-check
'use strict';
// Owns: the tokens of a pattern string, as defined by the URL Pattern standard. `policy` 'lenient' makes an invalid-char token
// of an error (for constructor strings); 'strict' throws.

const { AnySlice } = require('internal/any_kind');
const { ArrayJoin, ArrayPush, RegExpTest, StringCharCodeAt } = require('internal/primordials');
const KINDS = { __proto__: null, '*': 'asterisk', '{': 'open', '}': 'close', '+': 'other-modifier', '?': 'other-modifier' };
const NAME_START = /^[\p{ID_Start}$_]$/u;
const NAME_PART = /^[\p{ID_Continue}$\u200c\u200d]$/u;
const isAscii = (point) => point.length === 1 && StringCharCodeAt(point, 0) < 0x80;

function isNamePoint(point, isFirst) {
  if (!isAscii(point)) return RegExpTest(isFirst ? NAME_START : NAME_PART, point);
  const code = StringCharCodeAt(point, 0);
  const isLetter = (code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a;
  return isLetter || point === '$' || point === '_' || (!isFirst && code >= 0x30 && code <= 0x39);
}

/** Returns the index after the bracket that ends the regular expression opened at `place`, or -1. */
function endOfRegExp(points, place) {
  let depth = 1;
  let at = place + 1;
  for (; at < points.length; at++) {
    const point = points[at];
    if (!isAscii(point) || (at === place + 1 && point === '?')) return -1;
    if (point === '\\') {
      at++;
      if (at >= points.length || !isAscii(points[at])) return -1;
    } else if (point === ')') {
      depth--;
      if (depth === 0) return at === place + 1 ? -1 : at + 1;
    } else if (point === '(') {
      depth++;
      if (points[at + 1] !== '?' || at + 1 >= points.length) return -1;
    }
  }
  return -1;
}

/** Returns tokens { type, index, value }; `index` counts code points. The last one is 'end'. */
function tokenize(points, policy) {
  const tokens = [];
  const add = (type, from, to, valueFrom = from, valueTo = to) => {
    const value = valueTo - valueFrom === 1 ? points[valueFrom] : ArrayJoin(AnySlice(points, valueFrom, valueTo), '');
    ArrayPush(tokens, { type, index: from, value });
    return to;
  };
  const wrong = (from, to) => {
    if (policy === 'strict') throw new TypeError('Invalid pattern');
    return add('invalid', from, to);
  };
  let at = 0;
  while (at < points.length) {
    const point = points[at];
    if (point === '\\') {
      at = at === points.length - 1 ? wrong(at, at + 1) : add('escaped', at, at + 2, at + 1);
    } else if (point === ':') {
      let end = at + 1;
      while (end < points.length && isNamePoint(points[end], end === at + 1)) end++;
      at = end === at + 1 ? wrong(at, end) : add('name', at, end, at + 1);
    } else if (point === '(') {
      const end = endOfRegExp(points, at);
      at = end < 0 ? wrong(at, at + 1) : add('regexp', at, end, at + 1, end - 1);
    } else at = add(KINDS[point] ?? 'char', at, at + 1);
  }
  add('end', at, at);
  return tokens;
}

module.exports = { tokenize, isNamePoint };
