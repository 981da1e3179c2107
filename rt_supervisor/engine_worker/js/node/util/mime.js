'use strict';
// Owns: MIMEType and MIMEParams, by the MIME Sniffing standard.

const { codes } = require('internal/errors/errors');

const NOT_TOKEN = /[^!#$%&'*+\-.^_`|~A-Za-z0-9]/g;
const NOT_QUOTED = /[^\t\u0020-\u007E\u0080-\u00FF]/g;
const END_BLANKS = /[\r\n\t ]*$/;
const START_BLANKS = /[^\r\n\t ]|$/;
const NEEDS_QUOTES = /[^!#$%&'*+\-.^_`|~A-Za-z0-9]/;

const firstInvalid = (text, pattern) => text.search(pattern);
const lower = (text) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

function checkToken(text, what, whole) {
  const at = firstInvalid(text, NOT_TOKEN);
  if (text.length === 0 || at !== -1) throw new codes.ERR_INVALID_MIME_SYNTAX(what, whole, at);
  return lower(text);
}

class MIMEParams {
  #data = new Map();

  delete(name) {
    this.#data.delete(`${name}`);
  }
  get(name) {
    return this.#data.get(`${name}`) ?? null;
  }
  has(name) {
    return this.#data.has(`${name}`);
  }

  set(name, value) {
    name = `${name}`;
    value = `${value}`;
    const badName = firstInvalid(name, NOT_TOKEN);
    if (name.length === 0 || badName !== -1) throw new codes.ERR_INVALID_MIME_SYNTAX('parameter name', name, badName);
    const badValue = firstInvalid(value, NOT_QUOTED);
    if (badValue !== -1) throw new codes.ERR_INVALID_MIME_SYNTAX('parameter value', value, badValue);
    this.#data.set(name, value);
  }

  *entries() {
    yield* this.#data.entries();
  }
  *keys() {
    yield* this.#data.keys();
  }
  *values() {
    yield* this.#data.values();
  }

  toString() {
    let text = '';
    for (const [name, value] of this.#data) {
      const shown = value.length === 0 || NEEDS_QUOTES.test(value) ? `"${value.replace(/["\\]/g, '\\$&')}"` : value;
      text += `${text === '' ? '' : ';'}${name}=${shown}`;
    }
    return text;
  }

  toJSON() {
    return this.toString();
  }

  static parse(params, text) {
    let at = 0;
    while (at < text.length) {
      at += text.slice(at).search(START_BLANKS);
      let end = at;
      while (end < text.length && text[end] !== ';' && text[end] !== '=') end++;
      const name = lower(text.slice(at, end));
      at = end;
      let value;
      if (text[at] !== '=') {
        at++;
        continue;
      }
      at++;
      if (text[at] === '"') {
        [value, at] = quotedValue(text, at + 1);
      } else {
        let stop = text.indexOf(';', at);
        if (stop === -1) stop = text.length;
        value = text.slice(at, stop).replace(END_BLANKS, '');
        at = stop;
        if (value === '') {
          at++;
          continue;
        }
      }
      at++;
      if (name !== '' && firstInvalid(name, NOT_TOKEN) === -1 && firstInvalid(value, NOT_QUOTED) === -1 && !params.has(name))
        params.#data.set(name, value);
    }
    return params;
  }
}
MIMEParams.prototype[Symbol.iterator] = MIMEParams.prototype.entries;

/** The text up to the closing quote, and where the next parameter's semicolon is. */
function quotedValue(text, at) {
  let value = '';
  for (; at < text.length && text[at] !== '"'; at++) {
    if (text[at] === '\\' && at + 1 < text.length) at++;
    value += text[at];
  }
  const stop = text.indexOf(';', at);
  return [value, stop === -1 ? text.length : stop];
}

const parseParams = MIMEParams.parse;
delete MIMEParams.parse;

class MIMEType {
  #type;
  #subtype;
  #params;

  constructor(input) {
    const text = `${input}`;
    const start = text.search(START_BLANKS);
    const slash = text.indexOf('/', start);
    if (slash === -1) throw new codes.ERR_INVALID_MIME_SYNTAX('type', text, -1);
    this.#type = checkToken(text.slice(start, slash), 'type', text);
    const semicolon = text.indexOf(';', slash);
    const rawSubtype = text.slice(slash + 1, semicolon === -1 ? undefined : semicolon).replace(END_BLANKS, '');
    this.#subtype = checkToken(rawSubtype, 'subtype', text);
    this.#params = parseParams(new MIMEParams(), semicolon === -1 ? '' : text.slice(semicolon + 1));
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
for (const Class of [MIMEType, MIMEParams]) {
  for (const name of Object.getOwnPropertyNames(Class.prototype)) {
    if (name !== 'constructor') Object.defineProperty(Class.prototype, name, { __proto__: null, enumerable: true });
  }
}

module.exports = { MIMEType, MIMEParams };
