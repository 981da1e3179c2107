// @ts-check
'use strict';
// Owns: the URL class: a parsed record with the standard's getters and setters.

const {
  ObjectDefineProperty,
  ObjectGetOwnPropertyNames,
  StringSlice,
  StringToWellFormed,
  SymbolFor,
  intact,
} = require('internal/primordials');
const { codes } = require('internal/errors/errors');
const { URLSearchParams, link } = require('web/url/search_params');
const { parse, parseInto, serialize, serializePath, isSpecialScheme } = require('web/url/parser');
const { USERINFO, percentEncode } = require('web/url/percent');

const custom = SymbolFor('nodejs.util.inspect.custom');
const toText = (value) => StringToWellFormed(`${value}`);

function parseWithBase(input, base) {
  let baseRecord = null;
  if (base !== undefined) {
    baseRecord = parse(toText(base));
    if (baseRecord === null) return null;
  }
  return parse(input, baseRecord);
}

const kContext = Symbol('context');

function hasNoCredentials({ host, scheme }) {
  return host === null || host === '' || scheme === 'file';
}

class URL {
  #record;
  #searchParams;

  static {
    require('internal/cloneable').registerUncloneable((value) => #record in value);
  }

  constructor(input, base = undefined) {
    if (arguments.length === 0) throw new codes.ERR_MISSING_ARGS('url');
    const text = toText(input);
    const record = parseWithBase(text, base);
    if (record === null) {
      throw new codes.ERR_INVALID_URL(text, base === undefined ? undefined : toText(base));
    }
    this.#record = record;
  }

  static canParse(input, base = undefined) {
    if (arguments.length === 0) throw new codes.ERR_MISSING_ARGS('url');
    return parseWithBase(toText(input), base) !== null;
  }

  static parse(input, base = undefined) {
    if (arguments.length === 0) throw new codes.ERR_MISSING_ARGS('url');
    return parseWithBase(toText(input), base) === null ? null : new URL(input, base);
  }

  get href() {
    return this.#text();
  }
  set href(value) {
    void this.#record; // refuses another receiver first
    const text = toText(value);
    const record = parse(text);
    if (record === null) throw new codes.ERR_INVALID_URL(text);
    this.#record = record;
    this.#resetParams();
  }

  get origin() {
    const { scheme, host, port, path } = this.#record;
    if (scheme === 'blob') {
      const inner = typeof path === 'string' ? parse(path) : null;
      return inner !== null && (inner.scheme === 'http' || inner.scheme === 'https') ? new URL(path).origin : 'null';
    }
    if (!isSpecialScheme(scheme) || scheme === 'file') return 'null';
    return `${scheme}://${host}${port === null ? '' : `:${port}`}`;
  }

  get protocol() {
    return `${this.#record.scheme}:`;
  }
  set protocol(value) {
    parseInto(this.#record, `${toText(value)}:`, 'scheme start');
  }

  get username() {
    return this.#record.username;
  }
  set username(value) {
    if (!hasNoCredentials(this.#record)) this.#record.username = percentEncode(toText(value), USERINFO);
  }

  get password() {
    return this.#record.password;
  }
  set password(value) {
    if (!hasNoCredentials(this.#record)) this.#record.password = percentEncode(toText(value), USERINFO);
  }

  get host() {
    const { host, port } = this.#record;
    return host === null ? '' : port === null ? host : `${host}:${port}`;
  }
  set host(value) {
    if (typeof this.#record.path !== 'string') this.#tryParse(toText(value), 'host');
  }

  get hostname() {
    return this.#record.host ?? '';
  }
  set hostname(value) {
    if (typeof this.#record.path !== 'string') this.#tryParse(toText(value), 'hostname');
  }

  get port() {
    return this.#record.port === null ? '' : `${this.#record.port}`;
  }
  set port(value) {
    if (hasNoCredentials(this.#record)) return;
    const text = toText(value);
    if (text === '') this.#record.port = null;
    else this.#tryParse(text, 'port');
  }

  get pathname() {
    return serializePath(this.#record);
  }
  set pathname(value) {
    if (typeof this.#record.path === 'string') return;
    this.#record.path = [];
    parseInto(this.#record, toText(value), 'path start');
  }

  get search() {
    return this.#question();
  }
  set search(value) {
    const text = toText(value);
    if (text === '') {
      this.#record.query = null;
      this.#stripOpaqueSpaces();
    } else {
      this.#record.query = '';
      parseInto(this.#record, text[0] === '?' ? StringSlice(text, 1) : text, 'query');
    }
    this.#resetParams();
  }

  get searchParams() {
    if (this.#searchParams === undefined) {
      const params = new URLSearchParams();
      link.reset(params, this.#record.query);
      link.tie(params, () => {
        const text = params.toString();
        this.#record.query = text === '' ? null : text;
        if (text === '') this.#stripOpaqueSpaces();
      });
      this.#searchParams = params;
    }
    return this.#searchParams;
  }

  get hash() {
    return this.#record.fragment ? `#${this.#record.fragment}` : '';
  }
  set hash(value) {
    const text = toText(value);
    if (text === '') {
      this.#record.fragment = null;
      this.#stripOpaqueSpaces();
    } else {
      this.#record.fragment = '';
      parseInto(this.#record, text[0] === '#' ? StringSlice(text, 1) : text, 'fragment');
    }
  }

  toString() {
    return this.#text();
  }
  toJSON() {
    return this.#text();
  }

  [custom](depth, options) {
    if (typeof depth === 'number' && depth < 0) return this;
    const { href, origin, protocol, username, password, host, hostname, port, pathname, search, searchParams, hash } = this;
    const parts = { href, origin, protocol, username, password, host, hostname, port, pathname, search, searchParams, hash };
    const shown = options?.showHidden ? { ...parts, [kContext]: require('web/url/context').contextOf(this.#record) } : parts;
    return `${this.constructor.name} ${require('internal/inspect/inspect').inspect(shown, options)}`;
  }

  // Private methods, because V8 words the error of another receiver differently from that of a private field.
  #text() {
    return serialize(this.#record);
  }
  #question() {
    const { query } = this.#record;
    return query ? `?${query}` : '';
  }

  /** A setter that fails changes nothing. */
  #tryParse(text, state) {
    const copy = { ...this.#record };
    if (parseInto(copy, text, state)) this.#record = copy;
    else if (state === 'host' && copy.host !== this.#record.host) this.#record.host = copy.host;
  }

  #resetParams() {
    if (this.#searchParams !== undefined) link.reset(this.#searchParams, this.#record.query);
  }

  #stripOpaqueSpaces() {
    const record = this.#record;
    if (typeof record.path !== 'string' || record.fragment !== null || record.query !== null) return;
    let end = record.path.length;
    // A pattern such as / +$/ would take quadratic time.
    while (end > 0 && record.path[end - 1] === ' ') end--;
    record.path = StringSlice(record.path, 0, end);
  }
}

for (const name of intact(ObjectGetOwnPropertyNames(URL.prototype))) {
  if (name !== 'constructor') ObjectDefineProperty(URL.prototype, name, { __proto__: null, enumerable: true });
}
for (const name of intact(['createObjectURL', 'revokeObjectURL'])) {
  URL[name] = {
    [name](...args) {
      return require('web/blob/object_urls')[name](...intact(args));
    },
  }[name];
  ObjectDefineProperty(URL[name], 'length', { __proto__: null, value: 1 });
}
for (const name of intact(['canParse', 'parse', 'createObjectURL', 'revokeObjectURL']))
  ObjectDefineProperty(URL, name, { __proto__: null, enumerable: true });
ObjectDefineProperty(URL.prototype, Symbol.toStringTag, { __proto__: null, value: 'URL', configurable: true });

require('internal/late_classes').late.URL = URL;

module.exports = { URL, URLSearchParams };
