// @ts-check
'use strict';
// Owns: the line on which console output is written: its estimated length, its indentation, and values printed as single
// tokens. internal/inspect/rt.js prints composite values.

const {
  DateGetTime,
  DateToISOString,
  JSONStringify,
  NumberIsNaN,
  ObjectIs,
  RegExpExec,
  StringCharCodeAt,
  StringRepeat,
  StringValueOf,
  SymbolDescription,
} = require('internal/primordials');
const { plainColors, ansiColors } = require('internal/inspect/rt_colors');
const { className } = require('internal/inspect/rt_names');

const LONGEST_LINE = 80;
const BEYOND_LATIN1 = /[^\x00-\xff]/;

class Writer {
  /** @param {{ depth: number, colors: any, sorted?: boolean, singleLine?: boolean, indent?: number, hidesGlobal?: boolean }} options */
  constructor({ depth, colors, sorted, singleLine, indent, hidesGlobal }) {
    this.out = '';
    this.depth = 0;
    this.maxDepth = depth;
    this.hasColors = colors;
    this.color = colors ? ansiColors : plainColors;
    this.isSorted = sorted === true;
    this.isSingleLine = singleLine === true;
    this.indent = indent ?? 0;
    this.line = 0; // estimated length of the current line
    this.quotesStrings = false;
    this.quotesKeys = false;
    this.hidesGlobal = hidesGlobal === true;
    this.open = new Set(); // values being printed that enclose the current one
  }

  // --- lines -------------------------------------------------------------------------------------------------------

  resetLine() {
    this.line = this.indent * 2;
  }

  isLineFull() {
    if (this.line <= LONGEST_LINE) return false;
    this.resetLine();
    return true;
  }

  writeIndent() {
    this.out += StringRepeat('  ', this.indent);
  }

  comma() {
    this.out += this.color.comma;
    this.line += 1;
  }

  space() {
    this.out += ' ';
    this.line += 1;
  }

  /** Between entries of an array: starts a new line if each entry has its own or the current line is full. */
  breakOrSpace() {
    if (!this.isSingleLine && (this.isSorted || this.isLineFull())) {
      this.out += '\n';
      this.writeIndent();
      return true;
    }
    this.space();
    return false;
  }

  // --- values printed as one token ---------------------------------------------------------------------------------

  token(width, text) {
    this.out += text;
    this.line += width;
  }

  number(value) {
    const text = ObjectIs(value, -0) ? '-0' : `${value}`;
    this.token(text.length, `${this.color.yellow}${text}${this.color.reset}`);
  }

  string(value) {
    this.line += value.length;
    if (!this.quotesStrings) this.out += value;
    else if (value === '') this.out += '""';
    else this.out += `${this.color.green}${this.quoted(value)}${this.color.reset}`;
  }

  quoted(value) {
    if (RegExpExec(BEYOND_LATIN1, value) !== null) {
      const text = JSONStringify(value);
      this.line += text.length;
      return text;
    }
    return quoteLatin1(value);
  }

  symbol(value) {
    const name = SymbolDescription(value) ?? '';
    const text = `Symbol(${name})`;
    this.token(name === '' ? 6 : text.length, `${this.color.blue}${text}${this.color.reset}`);
  }

  stringObject(value) {
    const text = StringValueOf(value);
    if (this.quotesStrings) this.string(text);
    else {
      this.line += text.length;
      this.out += `[String: "${text}"]`;
    }
  }

  box(value, type, text) {
    const name = className(value) || 'Object';
    const label = name === type ? `[${type}: ${text}]` : `[${type} (${name}): ${text}]`;
    const width = label.length - (type === 'Number' && name !== type ? 1 : 0); // as Bun counts
    this.token(width, `${this.color.yellow}${label}${this.color.reset}`);
  }

  date(value) {
    if (NumberIsNaN(DateGetTime(value))) return this.token(4, `${this.color.magenta}Invalid Date${this.color.reset}`);
    const text = DateToISOString(value);
    this.token(text.length + 2, `${this.color.magenta}${text}${this.color.reset}`);
  }
}

const NEEDS_ESCAPE = /[\x00-\x1f"\\]/;
const SHORT_ESCAPES = { __proto__: null, 8: '\\b', 9: '\\t', 10: '\\n', 12: '\\f', 13: '\\r', 34: '\\"', 92: '\\\\' };
const HEX = '0123456789ABCDEF';

function quoteLatin1(text) {
  if (RegExpExec(NEEDS_ESCAPE, text) === null) return `"${text}"`;
  let result = '"';
  for (let i = 0; i < text.length; i++) {
    const code = StringCharCodeAt(text, i);
    if (code >= 32 && code !== 34 && code !== 92) result += text[i];
    else result += SHORT_ESCAPES[code] ?? `\\u00${HEX[code >> 4]}${HEX[code & 15]}`;
  }
  return `${result}"`;
}

module.exports = { Writer, quoteLatin1 };
