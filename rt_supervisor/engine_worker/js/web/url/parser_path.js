// @ts-check
'use strict';
// Owns: the state machine of the basic URL parser and its last states: path, query and fragment. The other states are in
// web/url/parser.js.

const {
  ArrayPush,
  RegExpReplace,
  RegExpTest,
  StringCharCodeAt,
  StringEndsWith,
  StringIndexOf,
  StringSlice,
} = require('internal/primordials');
const { C0, FRAGMENT, PATH, QUERY, SPECIAL_QUERY, percentEncode } = require('web/url/percent');
const { isSpecialScheme, newRecord, shorten } = require('web/url/record');

const WINDOWS_LETTER = /^[A-Za-z][:|]$/;
const SINGLE_DOT = /^(?:\.|%2e)$/i;
const DOUBLE_DOT = /^(?:\.|%2e){2}$/i;

// Bits for the characters that end a component, and the characters that have them.
const SLASH = 1;
const QUERY_OR_FRAGMENT = 2;
const BACKSLASH = 4;
const STOPS = new Uint8Array(128);
STOPS[47] = SLASH;
STOPS[63] = STOPS[35] = QUERY_OR_FRAGMENT;
STOPS[92] = BACKSLASH;

const isDot = (code) => code === 46 || code === 37; // or % of %2e
const isBlank = (code) => code <= 32;

class PathParser {
  url; // a field, because a program may define a setter of that name on Object.prototype

  constructor(input, base, url, state) {
    this.base = base;
    this.url = url ?? newRecord();
    this.override = state;
    if (url === undefined && (isBlank(StringCharCodeAt(input, 0)) || isBlank(StringCharCodeAt(input, input.length - 1))))
      input = RegExpReplace(/^[\0-\x20]+|[\0-\x20]+$/g, input, '');
    this.input = RegExpTest(/[\t\n\r]/, input) ? RegExpReplace(/[\t\n\r]/g, input, '') : input;
    this.at = 0;
  }

  get rest() {
    return StringSlice(this.input, this.at);
  }
  get isSpecial() {
    return isSpecialScheme(this.url.scheme);
  }

  /** Returns true, or false for an invalid URL. */
  run() {
    let state = this.override ?? 'scheme start';
    while (state !== 'done') {
      state = this[state]();
      if (state === 'failure') return false;
    }
    return true;
  }

  /** Consumes characters up to one of `stops` (and \ in special URLs), exclusive. */
  take(stops) {
    const start = this.at;
    this.at = this.endOfPart(start, this.isSpecial ? stops | BACKSLASH : stops);
    return StringSlice(this.input, start, this.at);
  }

  /** Returns the index of the first of `stops` from `at` on, or the length of the input. */
  endOfPart(at, stops) {
    const { input } = this;
    for (; at < input.length; at++) {
      const code = StringCharCodeAt(input, at);
      if (code < 128 && (STOPS[code] & stops) !== 0) break;
    }
    return at;
  }

  ['path start']() {
    const character = this.input[this.at];
    if (this.isSpecial) {
      if (character === '/' || character === '\\') this.at++;
      return 'path';
    }
    if (this.override === undefined && character === '?') {
      this.url.query = '';
      this.at++;
      return 'query';
    }
    if (this.override === undefined && character === '#') {
      this.url.fragment = '';
      this.at++;
      return 'fragment';
    }
    if (character === undefined) {
      if (this.override !== undefined && this.url.host === null) this.url.path.push('');
      return 'done';
    }
    if (character === '/') this.at++;
    return 'path';
  }

  path() {
    const { url } = this;
    const stops = this.override === undefined ? SLASH | QUERY_OR_FRAGMENT : SLASH;
    for (;;) {
      const segment = percentEncode(this.take(stops), PATH);
      const character = this.input[this.at];
      const isSlash = character === '/' || (this.isSpecial && character === '\\');
      const mayBeDots = isDot(StringCharCodeAt(segment, 0));
      if (mayBeDots && RegExpTest(DOUBLE_DOT, segment)) {
        shorten(url);
        if (!isSlash) url.path.push('');
      } else if (mayBeDots && RegExpTest(SINGLE_DOT, segment)) {
        if (!isSlash) url.path.push('');
      } else if (url.scheme === 'file' && url.path.length === 0 && RegExpTest(WINDOWS_LETTER, segment)) {
        ArrayPush(url.path, `${segment[0]}:`);
      } else {
        ArrayPush(url.path, segment);
      }
      if (character === undefined) return 'done';
      this.at++;
      if (isSlash) continue;
      if (character === '?') {
        url.query = '';
        return 'query';
      }
      url.fragment = '';
      return 'fragment';
    }
  }

  ['opaque path']() {
    const { url } = this;
    let end = this.at;
    while (end < this.input.length && this.input[end] !== '?' && this.input[end] !== '#') end++;
    let text = StringSlice(this.input, this.at, end);
    // A space before the query or fragment would be lost when the URL is parsed again.
    if (end < this.input.length && StringEndsWith(text, ' ')) text = `${StringSlice(text, 0, -1)}%20`;
    url.path = percentEncode(text, C0);
    this.at = end + 1;
    if (this.input[end] === '?') {
      url.query = '';
      return 'query';
    }
    if (this.input[end] === '#') {
      url.fragment = '';
      return 'fragment';
    }
    return 'done';
  }

  query() {
    const { url } = this;
    let end = this.override === undefined ? StringIndexOf(this.input, '#', this.at) : -1;
    const hasFragment = end !== -1;
    if (!hasFragment) end = this.input.length;
    url.query += percentEncode(StringSlice(this.input, this.at, end), this.isSpecial ? SPECIAL_QUERY : QUERY);
    this.at = end + 1;
    if (!hasFragment) return 'done';
    url.fragment = '';
    return 'fragment';
  }

  fragment() {
    this.url.fragment += percentEncode(this.rest, FRAGMENT);
    return 'done';
  }
}

module.exports = { PathParser, WINDOWS_LETTER, SLASH, QUERY_OR_FRAGMENT, BACKSLASH };
