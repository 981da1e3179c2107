// @ts-check
'use strict';
// Owns: primitives as text: quoting and escaping of strings, numbers with separators, symbols. All functions are pure; callers
// pass the stylize function of their inspection.

const {
  ObjectIs,
  StringCharCodeAt,
  StringIncludes,
  StringIndexOf,
  StringToUpperCase,
  StringSlice,
  StringRepeat,
  NumberIsFinite,
  NumberToString,
  MathTrunc,
  RegExpExec,
  RegExpReplace,
  SymbolToString,
} = require('internal/primordials');

const NEEDS_ESCAPE = /[\x00-\x1f\x27\x5c\x7f-\x9f]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;
const ESCAPE_SINGLE = /[\x00-\x1f\x27\x5c\x7f-\x9f]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
const ESCAPE_OTHER = /[\x00-\x1f\x5c\x7f-\x9f]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
const SHORT_ESCAPES = { __proto__: null, 8: '\\b', 9: '\\t', 10: '\\n', 12: '\\f', 13: '\\r', 39: "\\'", 92: '\\\\' };
const SHORTEST_SPLIT_LINE = 16;

function escapeUnit(unit) {
  const code = StringCharCodeAt(unit, 0);
  const short = SHORT_ESCAPES[code];
  if (short !== undefined) return short;
  const hex = NumberToString(code, 16);
  if (code < 256) return code < 16 ? `\\x0${hexUpper(hex)}` : `\\x${hexUpper(hex)}`;
  return `\\u${hex}`; // a lone surrogate
}

const hexUpper = (hex) => StringToUpperCase(hex);

function splitAfterNewlines(text) {
  const lines = [];
  let start = 0;
  for (let end = StringIndexOf(text, '\n'); end !== -1 && end < text.length - 1; end = StringIndexOf(text, '\n', start)) {
    lines[lines.length] = StringSlice(text, start, end + 1);
    start = end + 1;
  }
  lines[lines.length] = StringSlice(text, start);
  return lines;
}

/** Quotes with ' unless the text contains one and another kind of quote needs no escaping. */
function quote(text) {
  let mark = "'";
  if (StringIncludes(text, "'")) {
    if (!StringIncludes(text, '"')) mark = '"';
    else if (!StringIncludes(text, '`') && !StringIncludes(text, '${')) mark = '`';
  }
  if (mark === "'")
    return RegExpExec(NEEDS_ESCAPE, text) === null ? `'${text}'` : `'${RegExpReplace(ESCAPE_SINGLE, text, escapeUnit)}'`;
  return `${mark}${RegExpReplace(ESCAPE_OTHER, text, escapeUnit)}${mark}`;
}

/** Escapes without quoting, for keys of symbols and hidden properties. */
const escapeBare = (text) => RegExpReplace(ESCAPE_SINGLE, text, escapeUnit);

function groupFromRight(digits) {
  let result = '';
  let end = digits.length;
  const first = digits[0] === '-' ? 1 : 0;
  for (; end > first + 3; end -= 3) result = `_${StringSlice(digits, end - 3, end)}${result}`;
  return end === digits.length ? digits : `${StringSlice(digits, 0, end)}${result}`;
}

function groupFromLeft(digits) {
  let result = '';
  let start = 0;
  for (; start + 3 < digits.length; start += 3) result += `${StringSlice(digits, start, start + 3)}_`;
  return start === 0 ? digits : `${result}${StringSlice(digits, start)}`;
}

function number(stylize, value, separate) {
  if (ObjectIs(value, -0)) return stylize('-0', 'number');
  const text = `${value}`;
  if (!separate || !NumberIsFinite(value) || StringIncludes(text, 'e')) return stylize(text, 'number');
  const whole = MathTrunc(value);
  if (whole === value) return stylize(groupFromRight(text), 'number');
  const sign = value < 0 && whole === 0 ? '-' : '';
  const integer = `${sign}${whole === 0 ? '0' : whole}`;
  return stylize(`${groupFromRight(integer)}.${groupFromLeft(StringSlice(text, integer.length + 1))}`, 'number');
}

function bigint(stylize, value, separate) {
  const text = `${value}`;
  return stylize(`${separate ? groupFromRight(text) : text}n`, 'bigint');
}

function string(context, value) {
  let tail = '';
  if (value.length > context.maxStringLength) {
    const cut = value.length - context.maxStringLength;
    value = StringSlice(value, 0, context.maxStringLength);
    tail = `... ${cut} more character${cut > 1 ? 's' : ''}`;
  }
  if (
    context.compact !== true &&
    value.length > SHORTEST_SPLIT_LINE &&
    value.length > context.breakLength - context.indentationLvl - 4
  ) {
    const lines = splitAfterNewlines(value);
    const glue = ` +\n${StringRepeat(' ', context.indentationLvl + 2)}`;
    let result = '';
    for (let i = 0; i < lines.length; i++) result += `${i ? glue : ''}${context.stylize(quote(lines[i]), 'string')}`;
    return result + tail;
  }
  return context.stylize(quote(value), 'string') + tail;
}

function primitive(context, value) {
  switch (typeof value) {
    case 'string':
      return string(context, value);
    case 'number':
      return number(context.stylize, value, context.numericSeparator);
    case 'bigint':
      return bigint(context.stylize, value, context.numericSeparator);
    case 'boolean':
      return context.stylize(`${value}`, 'boolean');
    case 'undefined':
      return context.stylize('undefined', 'undefined');
    default:
      return context.stylize(SymbolToString(value), 'symbol');
  }
}

module.exports = { quote, escapeBare, number, bigint, primitive };
