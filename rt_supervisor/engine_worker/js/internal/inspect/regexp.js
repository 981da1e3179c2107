// @ts-check
'use strict';
// Owns: regular expressions in colours: five colours that shift by one with every group, so that brackets, literals,
// quantifiers and assertions of one level differ from each other and from the next level. Reads the pattern leniently: V8 has
// already accepted it, and legacy patterns allow nearly everything.

const { MathMax, RegExpExec, StringCharCodeAt, StringIndexOf, StringSlice, intact } = require('internal/primordials');

// Offsets into the palette, relative to the group's depth.
const SLASH = 0;
const BRACKET = 1;
const LITERAL = 2;
const RANGE = 3;
const OPERATOR = 4;

const DELIMITED_ESCAPE = /^\\(?:u|p|P)\{/;
const GROUP_HEAD = /^\?(?:[:=!]|<[=!]|<)/;
const isDigit = (code) => code >= 48 && code <= 57;

function highlightRegExp(text) {
  const { inspect } = require('internal/inspect/inspect');
  const palette = highlightRegExp.colors?.length > 0 ? highlightRegExp.colors : DEFAULT_COLORS;
  let output = '';
  const write = (token, offset) => {
    const codes = inspect.colors[palette[MathMax(offset, 0) % palette.length]] ?? [39, 39];
    output += `\u001b[${codes[0]}m${token}\u001b[${codes[1]}m`;
  };
  write('/', SLASH);
  const highlighter = new Highlighter(text, write);
  highlighter.run();
  write('/', highlighter.depth + SLASH);
  const flags = StringSlice(text, highlighter.at + 1);
  if (flags !== '') write(flags, highlighter.depth + BRACKET);
  return output;
}

const DEFAULT_COLORS = ['green', 'red', 'yellow', 'cyan', 'magenta'];
highlightRegExp.colors = [...intact(DEFAULT_COLORS)];

class Highlighter {
  constructor(text, write) {
    this.text = text;
    this.at = 1;
    this.depth = 0;
    this.write = write;
  }

  token(length, offset) {
    this.write(StringSlice(this.text, this.at, this.at + length), this.depth + offset);
    this.at += length;
  }

  run() {
    // An unescaped slash outside a class ends the pattern.
    while (this.at < this.text.length && this.text[this.at] !== '/') this.next();
  }

  next() {
    switch (this.text[this.at]) {
      case '\\':
        return this.escape(LITERAL);
      case '[':
        return this.characterClass();
      case '(':
        return this.openGroup();
      case ')':
        this.depth--; // negative after the parenthesis of a group that began inside of a delimited escape
        return this.token(1, BRACKET);
      case '{':
        return this.braces();
      case '.':
        return this.token(1, RANGE);
      case '+':
      case '*':
      case '?':
      case '|':
      case '^':
      case '$':
      case ',':
        return this.token(1, OPERATOR);
      default:
        return this.token(1, LITERAL);
    }
  }

  openGroup() {
    this.token(1, BRACKET);
    this.depth++;
    if (this.text[this.at] !== '?') return;
    const head = RegExpExec(GROUP_HEAD, StringSlice(this.text, this.at, this.at + 3));
    if (head === null) return this.token(1, BRACKET);
    this.depth--;
    this.token(head[0].length, BRACKET);
    if (head[0] === '?<') this.name(LITERAL, BRACKET);
    this.depth++;
  }

  name(nameOffset, closeOffset) {
    const close = StringIndexOf(this.text, '>', this.at);
    this.token(close - this.at, nameOffset);
    this.token(1, closeOffset);
  }

  escape(plain) {
    const { text, at } = this;
    const letter = text[at + 1];
    if (RegExpExec(DELIMITED_ESCAPE, StringSlice(text, at, at + 3)) !== null) {
      const close = StringIndexOf(text, '}', at);
      if (close !== -1 && close < this.text.length) {
        this.token(3, BRACKET);
        this.token(close - this.at, LITERAL);
        return this.token(1, BRACKET);
      }
      return this.token(3, plain);
    }
    if (letter === 'x') return this.token(4, plain);
    if (letter === 'k' && text[at + 2] === '<' && plain === LITERAL) {
      const close = StringIndexOf(text, '>', at);
      if (close === -1 || close >= this.text.length) return this.token(3, plain);
      this.token(3, SLASH);
      return this.name(BRACKET, SLASH);
    }
    let length = 2;
    if (plain === LITERAL && isDigit(StringCharCodeAt(text, at + 1)))
      while (isDigit(StringCharCodeAt(text, at + length))) length++;
    this.token(length, plain);
  }

  characterClass() {
    this.token(1, BRACKET);
    this.depth++;
    const start = this.at;
    while (this.at < this.text.length && this.text[this.at] !== ']') {
      const character = this.text[this.at];
      if (character === '\\') this.escape(BRACKET);
      else if (character === '-' && this.at > start && this.text[this.at + 1] !== ']') this.token(1, LITERAL);
      else this.token(1, BRACKET);
    }
    this.depth--;
    if (this.at < this.text.length) this.token(1, BRACKET);
  }

  /** A quantifier counts as a level; an unclosed one extends to the end. */
  braces() {
    const code = StringCharCodeAt(this.text, this.at + 1);
    if (!isDigit(code) && code !== 44) return this.token(1, LITERAL);
    this.token(1, BRACKET);
    this.depth++;
    for (;;) {
      let digits = 0;
      while (isDigit(StringCharCodeAt(this.text, this.at + digits))) digits++;
      if (digits > 0) this.token(digits, LITERAL);
      else if (this.text[this.at] === ',') this.token(1, BRACKET);
      else break;
    }
    if (this.text[this.at] !== '}') return;
    this.depth--;
    this.token(1, BRACKET);
  }
}

module.exports = { highlightRegExp };
