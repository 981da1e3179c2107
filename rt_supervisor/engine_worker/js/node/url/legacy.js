'use strict';
// Owns: the legacy url.parse, url.format and url.resolve, with the class Url. Laxer than the URL standard.

const { AnySlice } = require('internal/any_kind');
const { setOf } = require('internal/collections');
const { RegExpSearch, RegExpSplit } = require('internal/patterns');
const {
  ArrayFlatMap,
  FunctionCall,
  NumberToString,
  RegExpExec,
  RegExpReplace,
  RegExpTest,
  SetHas,
  StringAt,
  StringCharCodeAt,
  StringEndsWith,
  StringIncludes,
  StringIndexOf,
  StringPadStart,
  StringReplace,
  StringReplaceAll,
  StringSlice,
  StringStartsWith,
  StringToLowerCase,
  StringToUpperCase,
} = require('internal/primordials');
const { codes } = require('internal/errors/errors');
const { validateString } = require('internal/validators');

const SLASHED = setOf(ArrayFlatMap(['http', 'https', 'ftp', 'gopher', 'file', 'ws', 'wss'], (name) => [name, `${name}:`]));
const SCRIPTS = setOf(['javascript', 'javascript:']);
const PROTOCOL = /^[a-z0-9.+-]+:/i;
const PORT = /:[0-9]*$/;
const HOST_WITH_SLASHES = /^\/\/[^@/]+@[^@/]+/;
const SIMPLE_PATH = /^(\/\/?(?!\/)[^?\s]*)(\?[^\s]*)?$/;
const LONGEST_HOST = 255;
const FORBIDDEN_IN_HOST = /[\0\t\n\r #%/:<>?@[\\\]^|]/;
const FORBIDDEN_IN_IPV6 = /[\0\t\n\r #%/<>?@\\^|]/;

function Url() {
  this.protocol = null;
  this.slashes = null;
  this.auth = null;
  this.host = null;
  this.port = null;
  this.hostname = null;
  this.hash = null;
  this.search = null;
  this.query = null;
  this.pathname = null;
  this.path = null;
  this.href = null;
}

function parse(url, parseQuery, slashesDenoteHost) {
  return url instanceof Url ? url : new Url().parse(url, parseQuery, slashesDenoteHost);
}

// Escaped anywhere in the rest of the URL.
const AUTO_ESCAPED = /[\t\n\r "'<>\\^`{|}]/g;
const autoEscape = (text) =>
  RegExpReplace(
    AUTO_ESCAPED,
    text,
    (character) => `%${StringPadStart(StringToUpperCase(NumberToString(StringCharCodeAt(character, 0), 16)), 2, '0')}`,
  );

/** Trims, and converts backslashes before the query to slashes. */
function tidy(text) {
  text = RegExpReplace(/^[\0-\x20\xa0\ufeff]+|[\0-\x20\xa0\ufeff]+$/g, text, '');
  const cut = RegExpSearch(/[?#]/, text);
  const head = cut === -1 ? text : StringSlice(text, 0, cut);
  return StringReplaceAll(head, '\\', '/') + (cut === -1 ? '' : StringSlice(text, cut));
}

Url.prototype.parse = function parseUrl(url, parseQuery, slashesDenoteHost) {
  validateString(url, 'url');
  let rest = tidy(url);
  const hasHash = StringIncludes(rest, '#');
  const hasAt = RegExpTest(/@/, RegExpSplit(/[?#]/, rest, 1)[0]);
  if (!slashesDenoteHost && !hasHash && !hasAt) {
    const simple = RegExpExec(SIMPLE_PATH, rest);
    if (simple !== null) {
      this.path = this.href = rest;
      this.pathname = simple[1];
      if (simple[2]) {
        this.search = simple[2];
        this.query = parseQuery ? require('node/querystring').parse(StringSlice(this.search, 1)) : StringSlice(this.search, 1);
      } else if (parseQuery) {
        this.search = null;
        this.query = { __proto__: null };
      }
      return this;
    }
  }
  let protocol = RegExpExec(PROTOCOL, rest)?.[0];
  if (protocol !== undefined) {
    this.protocol = StringToLowerCase(protocol);
    rest = StringSlice(rest, protocol.length);
    protocol = this.protocol;
  }
  let slashes;
  if (slashesDenoteHost || protocol !== undefined || RegExpTest(HOST_WITH_SLASHES, rest)) {
    slashes = StringStartsWith(rest, '//');
    if (slashes && !(protocol !== undefined && SetHas(SCRIPTS, protocol))) {
      rest = StringSlice(rest, 2);
      this.slashes = true;
    }
  }
  if (
    !(protocol !== undefined && SetHas(SCRIPTS, protocol)) &&
    (slashes || (protocol !== undefined && !SetHas(SLASHED, protocol)))
  ) {
    rest = takeHost(this, rest, url);
  }
  if (!(protocol !== undefined && SetHas(SCRIPTS, protocol))) rest = autoEscape(rest);
  splitRest(this, rest, parseQuery);
  const firstIsSlash = protocol !== undefined && SetHas(SLASHED, protocol);
  if (firstIsSlash && this.hostname && !this.pathname) this.pathname = '/';
  if (this.pathname || this.search) this.path = `${this.pathname || ''}${this.search || ''}`;
  this.href = this.format();
  return this;
};

function takeHost(url, rest, whole) {
  // The last @ before the first character that ends a host separates the credentials from it.
  let hostEnd = -1;
  let at = -1;
  let nonHost = -1;
  for (let i = 0; i < rest.length; i++) {
    const character = rest[i];
    if (StringIncludes('\t\n\r', character)) {
      rest = StringSlice(rest, 0, i) + StringSlice(rest, i + 1); // as the URL class does
      i--;
    } else if (StringIncludes(' "%\';<>\\^`{|}', character)) {
      if (nonHost === -1) nonHost = i;
    } else if (StringIncludes('#/?', character)) {
      if (nonHost === -1) nonHost = i;
      hostEnd = i;
    } else if (character === '@') {
      at = i;
      nonHost = -1;
    }
    if (hostEnd !== -1) break;
  }
  let start = 0;
  if (at !== -1) {
    url.auth = decodeURIComponent(AnySlice(rest, 0, at));
    start = at + 1;
  }
  if (nonHost === -1) {
    url.host = AnySlice(rest, start);
    rest = '';
  } else {
    url.host = StringSlice(rest, start, nonHost);
    rest = StringSlice(rest, nonHost);
  }
  takePort(url);
  if (typeof url.hostname !== 'string') url.hostname = '';
  const isIPv6 = url.hostname[0] === '[' && StringAt(url.hostname, -1) === ']';
  if (!isIPv6) rest = cutHostname(url, rest, whole);
  url.hostname = url.hostname.length > LONGEST_HOST ? '' : StringToLowerCase(url.hostname);
  if (url.hostname !== '') {
    if (isIPv6) {
      if (RegExpTest(FORBIDDEN_IN_IPV6, url.hostname)) throw new codes.ERR_INVALID_URL(whole);
    } else {
      const ascii = require('web/url/idna').toASCII(url.hostname);
      // A name that cannot be converted must not become an empty host.
      if (!ascii || RegExpTest(FORBIDDEN_IN_HOST, ascii)) throw new codes.ERR_INVALID_URL(whole);
      url.hostname = ascii;
    }
  }
  url.host = `${url.hostname}${url.port ? `:${url.port}` : ''}`;
  if (isIPv6) {
    url.hostname = StringSlice(url.hostname, 1, -1);
    if (rest[0] !== '/') rest = `/${rest}`;
  }
  return rest;
}

function takePort(url) {
  const port = RegExpExec(PORT, url.host);
  if (port !== null) {
    if (port[0] !== ':') url.port = StringSlice(port[0], 1);
    url.host = StringSlice(url.host, 0, -port[0].length);
  }
  if (url.host) url.hostname = url.host;
}

/** Ends the hostname at the first character that it cannot contain. */
function cutHostname(url, rest, whole) {
  const at = RegExpSearch(/[/\\#?:]/, url.hostname);
  if (at === -1) return rest;
  if (url.hostname[at] === ':') throw new codes.ERR_INVALID_ARG_VALUE('url', 'Invalid port in url', whole);
  rest = `/${StringSlice(url.hostname, at)}${rest}`;
  url.hostname = StringSlice(url.hostname, 0, at);
  return rest;
}

function splitRest(url, rest, parseQuery) {
  const hash = StringIndexOf(rest, '#');
  let search = StringIndexOf(rest, '?');
  if (hash !== -1) url.hash = StringSlice(rest, hash);
  if (search !== -1 && hash !== -1 && search > hash) search = -1;
  const end = hash === -1 ? rest.length : hash;
  if (search !== -1) {
    url.search = StringSlice(rest, search, end);
    url.query = StringSlice(url.search, 1);
    if (parseQuery) url.query = require('node/querystring').parse(url.query);
  } else if (parseQuery) {
    url.search = null;
    url.query = { __proto__: null };
  }
  const pathEnd = search === -1 ? end : search;
  if (pathEnd > 0) url.pathname = StringSlice(rest, 0, pathEnd);
}

function format(url, options) {
  if (typeof url === 'string') {
    url = parse(url);
  } else if (typeof url !== 'object' || url === null) {
    throw new codes.ERR_INVALID_ARG_TYPE('urlObject', ['Object', 'string'], url);
  } else if (require('node/url/files').isURL(url)) {
    return formatStandard(url, options);
  }
  return FunctionCall(Url.prototype.format, url);
}

function formatStandard(url, options) {
  if (options) require('internal/validators').validateObject(options, 'options');
  const { fragment = true, unicode = false, search = true, auth = true } = options ?? {};
  const { URL } = require('web/url/class');
  const copy = new URL(url.href);
  if (!fragment) copy.hash = '';
  if (!search) copy.search = '';
  if (!auth) copy.username = copy.password = '';
  if (!unicode || copy.hostname === '') return copy.href;
  return StringReplace(copy.href, copy.hostname, require('web/url/idna').toUnicode(copy.hostname));
}

const escapeAuth = (text) => RegExpReplace(/%3A/gi, encodeURIComponent(text), ':');

Url.prototype.format = function formatUrl() {
  const auth = this.auth ? `${escapeAuth(this.auth)}@` : '';
  let protocol = this.protocol || '';
  let pathname = this.pathname || '';
  let hash = this.hash || '';
  let host = '';
  if (this.host) {
    host = auth + this.host;
  } else if (this.hostname) {
    const isIPv6 = StringIncludes(this.hostname, ':') && !RegExpTest(/^\[.*\]$/, this.hostname);
    host = `${auth}${isIPv6 ? `[${this.hostname}]` : this.hostname}${this.port ? `:${this.port}` : ''}`;
  }
  let query = '';
  if (this.query !== null && typeof this.query === 'object') query = require('node/querystring').stringify(this.query);
  let search = this.search || (query && `?${query}`) || '';
  if (protocol && !StringEndsWith(protocol, ':')) protocol += ':';
  pathname = RegExpReplace(/[#?]/g, pathname, encodeURIComponent);
  if (this.slashes || SetHas(SLASHED, protocol)) {
    if (this.slashes || host) {
      if (pathname && pathname[0] !== '/') pathname = `/${pathname}`;
      host = `//${host}`;
    } else if (StringStartsWith(protocol, 'file')) {
      host = '//';
    }
  }
  search = StringReplaceAll(search, '#', '%23');
  if (hash && hash[0] !== '#') hash = `#${hash}`;
  if (search && search[0] !== '?') search = `?${search}`;
  return protocol + host + pathname + search + hash;
};

const resolve = (source, relative) => parse(source, false, true).resolve(relative);

function resolveObject(source, relative) {
  return source ? parse(source, false, true).resolveObject(relative) : relative;
}

Url.prototype.resolve = function resolveUrl(relative) {
  return this.resolveObject(parse(relative, false, true)).format();
};

Url.prototype.resolveObject = function resolveUrlObject(relative) {
  if (typeof relative === 'string') relative = parse(relative, false, true);
  return require('web/url/resolve').resolveLegacy(this, relative, () => new Url(), SLASHED);
};

Url.prototype.parseHost = function parseHost() {
  let { host } = this;
  const port = RegExpExec(PORT, host);
  if (port !== null) {
    if (port[0] !== ':') this.port = StringSlice(port[0], 1);
    host = AnySlice(host, 0, -port[0].length);
  }
  if (host) this.hostname = host;
};

module.exports = { Url, parse, resolve, resolveObject, format };
