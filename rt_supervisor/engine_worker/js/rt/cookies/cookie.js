// @ts-check
'use strict';
// Owns: RT.Cookie: one cookie with its attributes, parsed from and serialized to a Set-Cookie header.

const {
  ArrayJoin,
  ArrayMap,
  ArrayPush,
  DateGetTime,
  DateNow,
  DateParse,
  DateToUTCString,
  NumberIsNaN,
  ObjectAssign,
  RegExpTest,
  StringIndexOf,
  StringSlice,
  StringSplit,
  StringStartsWith,
  StringToLowerCase,
  StringTrim,
  intact,
} = require('internal/primordials');
const { isDate } = require('internal/brands');
const { consoleForm } = require('internal/inspect/rt_forms');

const NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const PLAIN = /^[\x20-\x3a\x3c-\x7e]*$/; // printable characters without the semicolon
const SAME_SITE = { __proto__: null, strict: 'Strict', lax: 'Lax', none: 'None' };

function dateOf(value) {
  if (value === undefined || value === null) return undefined;
  const date = isDate(value) ? new Date(value) : typeof value === 'number' ? new Date(value * 1000) : new Date(`${value}`);
  if (NumberIsNaN(DateGetTime(date))) throw new TypeError('Invalid cookie expiration date');
  return date;
}

function plainText(value, what) {
  const text = `${value}`;
  if (!RegExpTest(PLAIN, text)) throw new TypeError(`Invalid cookie ${what}: contains invalid characters`);
  return text;
}

function sameSiteOf(value) {
  const word = `${value}`;
  if (!(word in SAME_SITE)) throw new TypeError("Invalid sameSite value. Must be 'strict', 'lax', or 'none'");
  return word;
}

/** Returns the constructor's arguments for the value of a Set-Cookie header. */
function parseHeader(text) {
  const [first, ...attributes] = intact(ArrayMap(StringSplit(text, ';'), (part) => StringTrim(part)));
  const place = StringIndexOf(first, '=');
  if (place < 0) throw new TypeError('Invalid cookie string: no = sign');
  const options = {};
  for (const attribute of intact(attributes)) {
    const equals = StringIndexOf(attribute, '=');
    const key = StringToLowerCase(StringTrim(equals < 0 ? attribute : StringSlice(attribute, 0, equals)));
    const value = equals < 0 ? '' : StringTrim(StringSlice(attribute, equals + 1));
    if (key === 'domain') options.domain = StringToLowerCase(value);
    else if (key === 'path' && StringStartsWith(value, '/')) options.path = value;
    else if (key === 'expires' && !NumberIsNaN(DateParse(value))) options.expires = value;
    else if (key === 'max-age' && RegExpTest(/^-?\d+$/, value)) options.maxAge = Number(value);
    else if (key === 'samesite' && StringToLowerCase(value) in SAME_SITE) options.sameSite = StringToLowerCase(value);
    else if (key === 'secure' || key === 'httponly' || key === 'partitioned')
      options[key === 'httponly' ? 'httpOnly' : key] = true;
  }
  return [StringTrim(StringSlice(first, 0, place)), StringTrim(StringSlice(first, place + 1)), options];
}

class Cookie {
  #name;
  #value;
  #domain;
  #path;
  #expires;
  #maxAge;
  #secure;
  #httpOnly;
  #partitioned;
  #sameSite;

  constructor(name, value, options = {}) {
    if (arguments.length === 0) throw ObjectAssign(new TypeError('Not enough arguments'), { code: 'ERR_MISSING_ARGS' });
    if (arguments.length === 1 && typeof name === 'string') [name, value, options] = intact(parseHeader(name));
    else if (typeof name === 'object' && name !== null) [name, value, options] = intact([name.name, name.value, name]);
    if (name === undefined || `${name}` === '') throw new TypeError('name is required');
    this.#name = `${name}`;
    if (!RegExpTest(NAME, this.#name)) throw new TypeError('Invalid cookie name: contains invalid characters');
    this.#value = value === undefined ? '' : `${value}`;
    const { domain, path = '/', expires, maxAge, secure, httpOnly, partitioned, sameSite = 'lax' } = options ?? {};
    this.#domain = domain === undefined || domain === null ? null : plainText(domain, 'domain');
    this.#path = plainText(path, 'path');
    this.#expires = dateOf(expires);
    this.#maxAge = maxAge === undefined || maxAge === null ? undefined : Number(maxAge);
    this.#secure = Boolean(secure);
    this.#httpOnly = Boolean(httpOnly);
    this.#partitioned = Boolean(partitioned);
    this.#sameSite = sameSiteOf(sameSite);
  }

  static parse(text) {
    return new Cookie(...intact(parseHeader(`${text}`)));
  }

  static from(name, value, options) {
    return new Cookie(name, value, options);
  }

  get name() {
    return this.#name;
  }
  get value() {
    return this.#value;
  }
  set value(value) {
    this.#value = `${value}`;
  }
  get domain() {
    return this.#domain;
  }
  set domain(value) {
    this.#domain = value === null || value === undefined ? null : plainText(value, 'domain');
  }
  get path() {
    return this.#path;
  }
  set path(value) {
    this.#path = plainText(value, 'path');
  }
  get expires() {
    return this.#expires;
  }
  set expires(value) {
    this.#expires = dateOf(value);
  }
  get maxAge() {
    return this.#maxAge;
  }
  set maxAge(value) {
    this.#maxAge = value === undefined || value === null ? undefined : Number(value);
  }
  get secure() {
    return this.#secure;
  }
  set secure(value) {
    this.#secure = Boolean(value);
  }
  get httpOnly() {
    return this.#httpOnly;
  }
  set httpOnly(value) {
    this.#httpOnly = Boolean(value);
  }
  get sameSite() {
    return this.#sameSite;
  }
  set sameSite(value) {
    this.#sameSite = sameSiteOf(value);
  }
  get partitioned() {
    return this.#partitioned;
  }
  set partitioned(value) {
    this.#partitioned = Boolean(value);
  }

  /** Max-Age takes precedence over Expires. */
  isExpired() {
    if (this.#maxAge !== undefined) return this.#maxAge <= 0;
    return this.#expires !== undefined && DateGetTime(this.#expires) <= DateNow();
  }

  toString() {
    const parts = [`${this.#name}=${encodeURIComponent(this.#value)}`];
    if (this.#domain) ArrayPush(parts, `Domain=${this.#domain}`);
    if (this.#path) ArrayPush(parts, `Path=${this.#path}`);
    if (this.#expires !== undefined) ArrayPush(parts, `Expires=${DateToUTCString(this.#expires)}`);
    if (this.#maxAge !== undefined) ArrayPush(parts, `Max-Age=${this.#maxAge}`);
    if (this.#secure) ArrayPush(parts, 'Secure');
    if (this.#httpOnly) ArrayPush(parts, 'HttpOnly');
    if (this.#partitioned) ArrayPush(parts, 'Partitioned');
    ArrayPush(parts, `SameSite=${SAME_SITE[this.#sameSite]}`);
    return ArrayJoin(parts, '; ');
  }

  serialize() {
    return this.toString();
  }

  toJSON() {
    const json = { __proto__: null, name: this.#name, value: this.#value };
    if (this.#domain) json.domain = this.#domain;
    json.path = this.#path;
    if (this.#expires !== undefined) json.expires = this.#expires;
    if (this.#maxAge !== undefined) json.maxAge = this.#maxAge;
    const { secure, sameSite, httpOnly, partitioned } = this;
    return ObjectAssign(json, { secure, sameSite, httpOnly, partitioned });
  }

  [consoleForm](printer) {
    printer.record('[Object: null prototype]', { ...this.toJSON() });
  }
}

module.exports = { Cookie };
