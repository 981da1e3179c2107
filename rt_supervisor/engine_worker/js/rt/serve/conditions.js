// @ts-check
'use strict';
// Owns: conditional requests (RFC 9110 §13, §14): whether the client's copy is current, and which range it requests.

const {
  ArraySome,
  DateParse,
  MathFloor,
  MathMin,
  NumberIsNaN,
  NumberToString,
  RegExpExec,
  RegExpReplace,
  StringSplit,
  StringStartsWith,
  StringTrim,
} = require('internal/primordials');
const weakTag = (size, modifiedMs) => `W/"${NumberToString(size, 16)}-${NumberToString(MathFloor(modifiedMs), 16)}"`;
const bare = (tag) => RegExpReplace(/^W\//, StringTrim(tag), '');

/** Returns whether a precondition of the request (If-Match, If-Unmodified-Since) fails. */
function isRefused(exchange, tag, modified) {
  const match = exchange.header('if-match');
  if (match !== undefined)
    return (
      StringTrim(match) !== '*' &&
      (StringStartsWith(tag, 'W/') || !ArraySome(StringSplit(match, ','), (each) => StringTrim(each) === tag))
    );
  const since = DateParse(exchange.header('if-unmodified-since') ?? '');
  return modified !== undefined && !NumberIsNaN(since) && MathFloor(DateParse(modified) / 1000) > MathFloor(since / 1000);
}

/** Returns whether the client's copy is current. */
function isFresh(exchange, tag, modified) {
  const match = exchange.header('if-none-match');
  if (match !== undefined)
    return StringTrim(match) === '*' || ArraySome(StringSplit(match, ','), (each) => bare(each) === bare(tag));
  const since = DateParse(exchange.header('if-modified-since') ?? '');
  return modified !== undefined && !NumberIsNaN(since) && MathFloor(DateParse(modified) / 1000) <= MathFloor(since / 1000);
}

/** Returns [start, end) of a single requested range; undefined for the whole, null if the range is not satisfiable. */
function rangeOf(exchange, size, tag, modified) {
  const text = exchange.header('range');
  if (text === undefined) return undefined;
  const condition = exchange.header('if-range');
  if (condition !== undefined && condition !== modified && (StringStartsWith(condition, 'W/') || condition !== tag))
    return undefined;
  const match = RegExpExec(/^bytes[ \t]*=[ \t]*(\d*)-(\d*)$/i, StringTrim(text));
  if (match === null || (match[1] === '' && match[2] === '')) return undefined; // several ranges, or none
  if (match[1] === '') {
    const count = MathMin(Number(match[2]), size);
    return count === 0 ? null : [size - count, size];
  }
  const start = Number(match[1]);
  const end = match[2] === '' ? size : MathMin(Number(match[2]) + 1, size);
  if (start >= size) return null;
  return start >= end ? undefined : [start, end];
}

module.exports = { weakTag, isRefused, isFresh, rangeOf };
