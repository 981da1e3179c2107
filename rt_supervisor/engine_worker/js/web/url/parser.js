// @ts-check
'use strict';
// Owns: the basic URL parser of the URL standard (https://url.spec.whatwg.org/#concept-basic-url-parser): the states from the
// scheme to the host. Path, query and fragment are in web/url/parser_path.js, records and their serialization in
// web/url/record.js. State names are the standard's.

const { AnySlice } = require('internal/any_kind');
const {
  ObjectAssign,
  RegExpTest,
  StringCharCodeAt,
  StringIncludes,
  StringIndexOf,
  StringLastIndexOf,
  StringSlice,
  StringStartsWith,
  StringToLowerCase,
  intact,
} = require('internal/primordials');
const { USERINFO, percentEncode } = require('web/url/percent');
const { parseHost } = require('web/url/host');
const { PathParser, WINDOWS_LETTER, SLASH, QUERY_OR_FRAGMENT, BACKSLASH } = require('web/url/parser_path');
const { NORMALIZED_LETTER, SPECIAL_PORTS, SPECIAL_SCHEMES, isSpecialScheme } = require('web/url/record');
const { parsePlain } = require('web/url/plain');
const { serialize, serializePath, shorten } = require('web/url/record');

const isAlpha = (code) => (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
const isDigit = (code) => code >= 48 && code <= 57;
const isSchemeCode = (code) => isAlpha(code) || isDigit(code) || code === 43 || code === 45 || code === 46;

const startsWithWindowsLetter = (text) => RegExpTest(/^[A-Za-z][:|](?:[/\\?#]|$)/, text);

class Parser extends PathParser {
  ['scheme start']() {
    if (isAlpha(StringCharCodeAt(this.input, 0))) return 'scheme';
    return this.override === undefined ? 'no scheme' : 'failure';
  }

  scheme() {
    const { url, input } = this;
    let end = 0;
    while (end < input.length && isSchemeCode(StringCharCodeAt(input, end))) end++;
    if (input[end] !== ':') {
      if (this.override !== undefined) {
        if (end < input.length) return 'failure';
        return 'failure';
      }
      this.at = 0;
      return 'no scheme';
    }
    const text = StringToLowerCase(StringSlice(input, 0, end));
    const scheme = SPECIAL_SCHEMES[text] ?? text; // the interned string that later comparisons use
    if (this.override !== undefined) {
      if (isSpecialScheme(url.scheme) !== isSpecialScheme(scheme)) return 'done';
      if ((url.username !== '' || url.password !== '' || url.port !== null) && scheme === 'file') return 'done';
      if (url.scheme === 'file' && url.host === '') return 'done';
      url.scheme = scheme;
      if (url.port === SPECIAL_PORTS[scheme]) url.port = null;
      return 'done';
    }
    url.scheme = scheme;
    this.at = end + 1;
    if (scheme === 'file') return 'file';
    if (this.isSpecial) {
      if (this.base !== null && this.base.scheme === scheme) return 'special relative or authority';
      return 'special authority slashes';
    }
    if (this.input[this.at] === '/') {
      this.at++;
      return 'path or authority';
    }
    url.path = '';
    return 'opaque path';
  }

  ['no scheme']() {
    const { base, url } = this;
    if (base === null) return 'failure';
    if (typeof base.path === 'string') {
      if (this.input[this.at] !== '#') return 'failure';
      ObjectAssign(url, { scheme: base.scheme, path: base.path, query: base.query, fragment: '' });
      this.at++;
      return 'fragment';
    }
    return base.scheme === 'file' ? 'file' : 'relative';
  }

  ['special relative or authority']() {
    if (!StringStartsWith(this.rest, '//')) return 'relative';
    this.at += 2;
    return 'special authority ignore slashes';
  }

  ['path or authority']() {
    if (this.input[this.at] !== '/') return 'path';
    this.at++;
    return 'authority';
  }

  relative() {
    const { base, url } = this;
    url.scheme = base.scheme;
    const character = this.input[this.at];
    if (character === '/' || (this.isSpecial && character === '\\')) {
      this.at++;
      return 'relative slash';
    }
    ObjectAssign(url, {
      username: base.username,
      password: base.password,
      host: base.host,
      port: base.port,
      path: [...intact(base.path)],
      query: base.query,
    });
    return this.afterBase(character);
  }

  /** A relative reference: only a query or fragment keeps the base's path. */
  afterBase(character) {
    const { url } = this;
    if (character === '?') {
      url.query = '';
      this.at++;
      return 'query';
    }
    if (character === '#') {
      url.fragment = '';
      this.at++;
      return 'fragment';
    }
    if (character === undefined) return 'done';
    url.query = null;
    shorten(url);
    return 'path';
  }

  ['relative slash']() {
    const { base, url } = this;
    const character = this.input[this.at];
    if (this.isSpecial && (character === '/' || character === '\\')) {
      this.at++;
      return 'special authority ignore slashes';
    }
    if (character === '/') {
      this.at++;
      return 'authority';
    }
    ObjectAssign(url, { username: base.username, password: base.password, host: base.host, port: base.port });
    return 'path';
  }

  ['special authority slashes']() {
    if (StringStartsWith(this.rest, '//')) this.at += 2;
    return 'special authority ignore slashes';
  }

  ['special authority ignore slashes']() {
    while (this.input[this.at] === '/' || this.input[this.at] === '\\') this.at++;
    return 'authority';
  }

  authority() {
    const { url } = this;
    const start = this.at;
    const text = this.take(SLASH | QUERY_OR_FRAGMENT);
    const at = StringLastIndexOf(text, '@');
    this.at = start;
    if (at === -1) return 'host';
    const credentials = StringSlice(text, 0, at);
    if (at === text.length - 1) return 'failure';
    const colon = StringIndexOf(credentials, ':');
    url.username = percentEncode(colon === -1 ? credentials : StringSlice(credentials, 0, colon), USERINFO);
    url.password = colon === -1 ? '' : percentEncode(StringSlice(credentials, colon + 1), USERINFO);
    this.at = start + at + 1;
    return 'host';
  }

  host() {
    const { url } = this;
    if (this.override !== undefined && url.scheme === 'file') return 'file host';
    const start = this.at;
    let end = this.endOfPart(start, SLASH | QUERY_OR_FRAGMENT | (this.isSpecial ? BACKSLASH : 0));
    let isInBrackets = false;
    for (let at = start; at < end; at++) {
      const code = StringCharCodeAt(this.input, at);
      if (code === 91) isInBrackets = true;
      else if (code === 93) isInBrackets = false;
      else if (code === 58 && !isInBrackets) end = at;
    }
    const text = StringSlice(this.input, start, end);
    const hasPort = this.input[end] === ':';
    if (hasPort) {
      if (text === '') return 'failure';
      if (this.override === 'hostname') return 'failure';
    } else if (this.isSpecial && text === '') {
      return 'failure';
    } else if (this.override !== undefined && text === '' && (url.username !== '' || url.password !== '' || url.port !== null)) {
      return 'failure';
    }
    const host = text === '' ? '' : parseHost(text, this.isSpecial);
    if (host === null) return 'failure';
    url.host = host;
    this.at = end;
    if (hasPort) {
      this.at++;
      return 'port';
    }
    return this.override === undefined ? 'path start' : 'done';
  }

  hostname() {
    return this.host();
  }

  port() {
    const { url } = this;
    let end = this.at;
    while (isDigit(StringCharCodeAt(this.input, end))) end++;
    const digits = AnySlice(this.input, this.at, end);
    const next = this.input[end];
    const isEnd = next === undefined || StringIncludes('/?#', next) || (this.isSpecial && next === '\\');
    if (!isEnd && this.override === undefined) return 'failure';
    if (!isEnd && digits === '') return 'failure';
    if (digits !== '') {
      const port = parseInt(digits, 10);
      if (port > 65535) return 'failure';
      url.port = port === SPECIAL_PORTS[url.scheme] ? null : port;
    }
    this.at = end;
    return this.override === undefined ? 'path start' : 'done';
  }

  file() {
    const { base, url } = this;
    url.scheme = 'file';
    url.host = '';
    const character = this.input[this.at];
    if (character === '/' || character === '\\') {
      this.at++;
      return 'file slash';
    }
    if (base === null || base.scheme !== 'file') return 'path';
    ObjectAssign(url, { host: base.host, path: [...intact(base.path)], query: base.query });
    if (character !== undefined && character !== '?' && character !== '#' && startsWithWindowsLetter(this.rest)) {
      url.query = null;
      url.path = [];
      return 'path';
    }
    return this.afterBase(character);
  }

  ['file slash']() {
    const { base, url } = this;
    const character = this.input[this.at];
    if (character === '/' || character === '\\') {
      this.at++;
      return 'file host';
    }
    if (base !== null && base.scheme === 'file') {
      url.host = base.host;
      if (!startsWithWindowsLetter(this.rest) && base.path.length > 0 && RegExpTest(NORMALIZED_LETTER, base.path[0]))
        url.path.push(base.path[0]);
    }
    return 'path';
  }

  ['file host']() {
    const { url } = this;
    const start = this.at;
    const text = this.take(SLASH | QUERY_OR_FRAGMENT | BACKSLASH);
    if (this.override === undefined && RegExpTest(WINDOWS_LETTER, text)) {
      this.at = start; // a drive letter, not a host
      return 'path';
    }
    let host = '';
    if (text !== '') {
      host = parseHost(text, true);
      if (host === null) return 'failure';
      if (host === 'localhost') host = '';
    }
    url.host = host;
    return this.override === undefined ? 'path start' : 'done';
  }
}

/** Returns the record, or null for an invalid URL. */
function parse(input, base = null) {
  const plain = parsePlain(input);
  if (plain !== null) return plain;
  const parser = new Parser(input, base, undefined, undefined);
  return parser.run() ? parser.url : null;
}

/** Runs a setter's state override on `url`. An invalid value may leave it unchanged. */
function parseInto(url, input, state) {
  return new Parser(input, null, url, state).run();
}

module.exports = { parse, parseInto, serialize, serializePath, isSpecialScheme };
