// @ts-check
'use strict';
// Owns: MIMEType and MIMEParams, by the WHATWG MIME Sniffing standard.

const { RegExpSearch } = require('internal/patterns');
const {
  MapDelete,
  MapEntries,
  MapGet,
  MapHas,
  MapKeys,
  MapSet,
  MapValues,
  RegExpReplace,
  RegExpTest,
  StringIndexOf,
  StringSlice,
  StringToLowerCase,
  intact,
} = require('internal/primordials');
const { codes } = require('internal/errors/errors');

const NOT_TOKEN = /[^!#$%&'*+\-.^_`|~A-Za-z0-9]/g;
const NOT_QUOTED = /[^\t\u0020-\u007E\u0080-\u00FF]/g;
const END_BLANKS = /[\r\n\t ]*$/;
const START_BLANKS = /[^\r\n\t ]|$/;
const NEEDS_QUOTES = /[^!#$%&'*+\-.^_`|~A-Za-z0-9]/;

const firstInvalid = (text, pattern) => RegExpSearch(pattern, text);
const lower = (text) => RegExpReplace(/[A-Z]/g, text, (letter) => StringToLowerCase(letter));

function checkToken(text, what, whole) {
  const at = firstInvalid(text, NOT_TOKEN);
  if (text.length === 0 || at !== -1) throw new codes.ERR_INVALID_MIME_SYNTAX(what, whole, at);
  return lower(text);
}

class MIMEParams {
  #data = new Map();

  delete(name) {
    MapDelete(this.#data, `${name}`);
  }
  get(name) {
    return MapGet(this.#data, `${name}`) ?? null;
  }
  has(name) {
    return MapHas(this.#data, `${name}`);
  }

  set(name, value) {
    name = `${name}`;
    value = `${value}`;
    const badName = firstInvalid(name, NOT_TOKEN);
    if (name.length === 0 || badName !== -1) throw new codes.ERR_INVALID_MIME_SYNTAX('parameter name', name, badName);
    const badValue = firstInvalid(value, NOT_QUOTED);
    if (badValue !== -1) throw new codes.ERR_INVALID_MIME_SYNTAX('parameter value', value, badValue);
    MapSet(this.#data, name, value);
  }

  *entries() {
    yield* intact(MapEntries(this.#data));
  }
  *keys() {
    yield* intact(MapKeys(this.#data));
  }
  *values() {
    yield* intact(MapValues(this.#data));
  }

  toString() {
    let text = '';
    for (const { 0: name, 1: value } of intact(this.#data)) {
      const quoted =
        value.length === 0 || RegExpTest(NEEDS_QUOTES, value)
          ? `"${RegExpReplace(/["\\]/g, value, (each) => `\\${each}`)}"`
          : value;
      text += `${text === '' ? '' : ';'}${name}=${quoted}`;
    }
    return text;
  }

  toJSON() {
    return this.toString();
  }

  static parse(params, text) {
    let at = 0;
    while (at < text.length) {
      at += RegExpSearch(START_BLANKS, StringSlice(text, at));
      let end = at;
      while (end < text.length && text[end] !== ';' && text[end] !== '=') end++;
      const name = lower(StringSlice(text, at, end));
      at = end;
      let value;
      if (text[at] !== '=') {
        at++;
        continue;
      }
      at++;
      if (text[at] === '"') {
        [value, at] = intact(readQuotedValue(text, at + 1));
      } else {
        let stop = StringIndexOf(text, ';', at);
        if (stop === -1) stop = text.length;
        value = RegExpReplace(END_BLANKS, StringSlice(text, at, stop), '');
        at = stop;
        if (value === '') {
          at++;
          continue;
        }
      }
      at++;
      if (name !== '' && firstInvalid(name, NOT_TOKEN) === -1 && firstInvalid(value, NOT_QUOTED) === -1 && !params.has(name))
        MapSet(params.#data, name, value);
    }
    return params;
  }
}
MIMEParams.prototype[Symbol.iterator] = MIMEParams.prototype.entries;

/** The value up to the closing quote, and the index of the next parameter's semicolon. */
function readQuotedValue(text, at) {
  let value = '';
  for (; at < text.length && text[at] !== '"'; at++) {
    if (text[at] === '\\' && at + 1 < text.length) at++;
    value += text[at];
  }
  const stop = StringIndexOf(text, ';', at);
  return [value, stop === -1 ? text.length : stop];
}

const parseParams = MIMEParams.parse;
// @ts-ignore programs must not see it
delete MIMEParams.parse;

class MIMEType {
  #type;
  #subtype;
  #params;

  constructor(input) {
    const text = `${input}`;
    const start = RegExpSearch(START_BLANKS, text);
    const slash = StringIndexOf(text, '/', start);
    if (slash === -1) throw new codes.ERR_INVALID_MIME_SYNTAX('type', text, -1);
    this.#type = checkToken(StringSlice(text, start, slash), 'type', text);
    const semicolon = StringIndexOf(text, ';', slash);
    const rawSubtype = RegExpReplace(END_BLANKS, StringSlice(text, slash + 1, semicolon === -1 ? undefined : semicolon), '');
    this.#subtype = checkToken(rawSubtype, 'subtype', text);
    this.#params = parseParams(new MIMEParams(), semicolon === -1 ? '' : StringSlice(text, semicolon + 1));
  }

  /** Parses a MIME type; returns null if it is invalid. */
  static parse(string) {
    try {
      return new MIMEType(string);
    } catch (error) {
      if (error?.code === 'ERR_INVALID_MIME_SYNTAX') return null;
      throw error;
    }
  }

  get type() {
    return this.#type;
  }
  set type(value) {
    this.#type = checkToken(`${value}`, 'type', `${value}`);
  }
  get subtype() {
    return this.#subtype;
  }
  set subtype(value) {
    this.#subtype = checkToken(`${value}`, 'subtype', `${value}`);
  }
  get essence() {
    return `${this.#type}/${this.#subtype}`;
  }
  get params() {
    return this.#params;
  }

  toString() {
    const params = this.#params.toString();
    return `${this.essence}${params === '' ? '' : `;${params}`}`;
  }

  toJSON() {
    return this.toString();
  }
}
module.exports = { MIMEType, MIMEParams };
