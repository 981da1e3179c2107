// @ts-check
'use strict';
// Owns: text fragments that error messages share: lists, descriptions of received values, digit grouping.

const {
  ArrayAt,
  ArrayJoin,
  ArraySlice,
  RegExpReplace,
  StringEndsWith,
  StringIncludes,
  StringSlice,
} = require('internal/primordials');

const LONGEST_RECEIVED = 28;

/** "a", "a or b", "a, b, or c". */
function joinAlternatives(items, word) {
  if (items.length < 2) return ArrayJoin(items, '');
  if (items.length === 2) return `${items[0]} ${word} ${items[1]}`;
  return `${ArrayJoin(ArraySlice(items, 0, -1), ', ')}, ${word} ${ArrayAt(items, -1)}`;
}

/** Describes an argument for "Received …". */
function describeReceived(value) {
  if (value == null) return `${value}`;
  const { inspect } = require('internal/inspect/inspect');
  if (typeof value === 'function') return value.name ? `function ${value.name}` : 'function ';
  if (typeof value === 'object') {
    return value.constructor?.name ? `an instance of ${value.constructor.name}` : inspect(value, { depth: -1 });
  }
  let text = inspect(value, { colors: false });
  if (text.length > LONGEST_RECEIVED) text = `${StringSlice(text, 0, LONGEST_RECEIVED - 3)}...`;
  return `type ${typeof value} (${text})`;
}

/** Returns `"name" argument` or `"a.b" property`; a name that already ends in " argument" is unchanged. */
const argumentOrProperty = (name) =>
  StringEndsWith(name, ' argument') ? name : `"${name}" ${StringIncludes(name, '.') ? 'property' : 'argument'}`;

/** Groups digits in threes: 1_000_000. */
const groupDigits = (digits) => RegExpReplace(/\B(?=(\d{3})+$)/g, digits, '_');

module.exports = { joinAlternatives, describeReceived, argumentOrProperty, groupDigits };
