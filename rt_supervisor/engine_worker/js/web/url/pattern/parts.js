// @ts-check
'use strict';
// Owns: parsing a component's pattern into parts (fixed text, a segment, a wildcard, a regular expression), and generating from
// parts the regular expression and the text that the component's getter returns.

const {
  ArrayAt,
  ArrayForEach,
  ArrayPush,
  ArraySome,
  RegExpExec,
  RegExpReplace,
  RegExpTest,
  intact,
  setOwn,
} = require('internal/primordials');
const { tokenize, isNamePoint } = require('web/url/pattern/tokens');

const MODIFIERS = { __proto__: null, '?': '?', '*': '*', '+': '+' };
const escapeRegExp = (text) => RegExpReplace(/[.+*?^${}()[\]|/\\]/g, text, (each) => `\\${each}`);
const escapePattern = (text) => RegExpReplace(/[+*?:{}()\\]/g, text, (each) => `\\${each}`);
const segmentOf = (options) => `[^${escapeRegExp(options.delimiter)}]+?`;

/** Returns the parts { type, value, modifier, name, prefix, suffix } of `text`; `encode` canonicalizes fixed text. */
function parse(text, options, encode) {
  const tokens = tokenize([...intact(text)], 'strict');
  const segment = segmentOf(options);
  const parts = [];
  let pending = '';
  let nextName = 0;
  let at = 0;
  const take = (type) => (tokens[at].type === type ? tokens[at++] : undefined);
  const need = (type) => {
    const token = take(type);
    if (token === undefined) throw new TypeError('Invalid pattern');
    return token;
  };
  const modifier = () => (take('other-modifier') ?? take('asterisk'))?.value ?? '';
  const fixed = (prefix, sign = '') => {
    ArrayPush(parts, { type: 'fixed', value: encode(prefix), modifier: sign, name: '', prefix: '', suffix: '' });
  };
  const flush = () => {
    if (pending !== '') fixed(pending);
    pending = '';
  };
  const group = (prefix, name, pattern, suffix, sign) => {
    if (name === undefined && pattern === undefined && sign === '') {
      pending += prefix;
      return;
    }
    flush();
    if (name === undefined && pattern === undefined) {
      if (prefix !== '') fixed(prefix, sign);
      return;
    }
    const source = pattern === undefined ? segment : pattern.type === 'asterisk' ? '.*' : pattern.value;
    const type = source === segment ? 'segment' : source === '.*' ? 'wildcard' : 'regexp';
    const called = name === undefined ? `${nextName++}` : name.value;
    if (ArraySome(parts, (part) => part.name === called)) throw new TypeError('Duplicate name');
    ArrayPush(parts, {
      type,
      value: type === 'regexp' ? source : '',
      modifier: sign,
      name: called,
      prefix: encode(prefix),
      suffix: encode(suffix),
    });
  };
  const pattern = (name) => take('regexp') ?? (name === undefined ? take('asterisk') : undefined);
  const plain = () => {
    let result = '';
    for (let token = take('char') ?? take('escaped'); token !== undefined; token = take('char') ?? take('escaped'))
      result += token.value;
    return result;
  };
  while (at < tokens.length) {
    const char = take('char');
    const name = take('name');
    const matched = pattern(name);
    if (name !== undefined || matched !== undefined) {
      let prefix = char?.value ?? '';
      if (prefix !== '' && prefix !== options.prefix) {
        pending += prefix;
        prefix = '';
      }
      flush();
      group(prefix, name, matched, '', modifier());
      continue;
    }
    const text = char ?? take('escaped');
    if (text !== undefined) {
      pending += text.value;
      continue;
    }
    if (take('open') !== undefined) {
      const prefix = plain();
      const inner = take('name');
      const innerPattern = pattern(inner);
      const suffix = plain();
      need('close');
      group(prefix, inner, innerPattern, suffix, modifier());
      continue;
    }
    flush();
    need('end');
  }
  return parts;
}

const withModifier = (source, sign) => `(?:${source})${sign}`;

/**
 * Returns the source of the regular expression, and the names of its groups.
 * @returns {[string, string[]]}
 */
function regExpOf(parts, options) {
  let source = '^';
  const names = [];
  for (const { type, value, modifier, name, prefix, suffix } of intact(parts)) {
    if (type === 'fixed') {
      source += modifier === '' ? escapeRegExp(value) : withModifier(escapeRegExp(value), modifier);
      continue;
    }
    ArrayPush(names, name);
    const inner = type === 'segment' ? segmentOf(options) : type === 'wildcard' ? '.*' : value;
    const { 0: before, 1: after } = [escapeRegExp(prefix), escapeRegExp(suffix)];
    if (before === '' && after === '') {
      source += modifier === '' || modifier === '?' ? `(${inner})${modifier}` : `(${withModifier(inner, modifier)})`;
    } else if (modifier === '' || modifier === '?') source += `(?:${before}(${inner})${after})${modifier}`;
    else source += `(?:${before}((?:${inner})(?:${after}${before}(?:${inner}))*)${after})${modifier === '*' ? '?' : ''}`;
  }
  return [`${source}$`, names];
}

const isOwnName = (name) => name !== '' && !RegExpTest(/^[0-9]/, name);

/** Returns the pattern text for `parts`. */
function textOf(parts, options) {
  let text = '';
  ArrayForEach(parts, (part, place) => {
    const { type, value, modifier, name, prefix, suffix } = part;
    if (type === 'fixed') {
      text += modifier === '' ? escapePattern(value) : `{${escapePattern(value)}}${modifier}`;
      return;
    }
    const { 0: before, 1: next } = [parts[place - 1], parts[place + 1]];
    const isNamed = isOwnName(name);
    let needsGroup = suffix !== '' || (prefix !== '' && prefix !== options.prefix);
    if (
      !needsGroup &&
      isNamed &&
      type === 'segment' &&
      modifier === '' &&
      next !== undefined &&
      next.prefix === '' &&
      next.suffix === ''
    ) {
      needsGroup = next.type === 'fixed' ? isNamePoint([...intact(next.value)][0] ?? '', false) : !isOwnName(next.name);
    }
    if (
      !needsGroup &&
      prefix === '' &&
      before?.type === 'fixed' &&
      options.prefix !== '' &&
      ArrayAt([...intact(before.value)], -1) === options.prefix
    )
      needsGroup = true;
    if (needsGroup) text += '{';
    text += escapePattern(prefix);
    if (isNamed) text += `:${name}`;
    if (type === 'regexp') text += `(${value})`;
    else if (type === 'segment' && !isNamed) text += `(${segmentOf(options)})`;
    else if (type === 'wildcard') {
      const isBare =
        !isNamed && (before === undefined || before.type === 'fixed' || before.modifier !== '' || needsGroup || prefix !== '');
      text += isBare ? '*' : '(.*)';
    }
    if (type === 'segment' && isNamed && suffix !== '' && isNamePoint([...intact(suffix)][0], false)) text += '\\';
    text += escapePattern(suffix);
    if (needsGroup) text += '}';
    text += MODIFIERS[modifier] ?? '';
  });
  return text;
}

/** The pattern of a component. What a program may never need, its text and the regular expression, is made when it is used. */
class Component {
  #parts;
  #options;
  #text;
  #regExp;
  #names;
  constructor(parts, options) {
    this.#parts = parts;
    this.#options = options;
    this.hasRegExp = ArraySome(parts, ({ type }) => type === 'regexp');
    /** The only text that matches; undefined if there are others. */
    this.only = parts.length === 0 ? '' : parts.length === 1 ? onlyText(parts[0], options) : undefined;
    if (this.hasRegExp) this.#prepare(); // throws a SyntaxError
  }
  #prepare() {
    if (this.#regExp !== undefined) return;
    const { 0: source, 1: names } = regExpOf(this.#parts, this.#options);
    this.#regExp = new RegExp(source, this.#options.ignoreCase ? 'vi' : 'v');
    this.#names = names;
  }
  get text() {
    this.#text ??= textOf(this.#parts, this.#options);
    return this.#text;
  }
  /** Whether the pattern matches `text`. */
  test(text) {
    if (this.only !== undefined) return text === this.only;
    this.#prepare();
    return RegExpTest(this.#regExp, text);
  }
  /** The groups that match `text`, as an object; null if the pattern does not match. */
  groupsOf(text) {
    this.#prepare();
    const found = RegExpExec(this.#regExp, text);
    if (found === null) return null;
    const groups = {};
    for (let place = 0; place < this.#names.length; place++) setOwn(groups, this.#names[place], found[place + 1]);
    return groups;
  }
}

const onlyText = ({ type, value, modifier }, { ignoreCase }) =>
  type === 'fixed' && modifier === '' && !ignoreCase ? value : undefined;

let wildcard; // most components of most patterns

/** Returns the pattern that `text` describes. */
function compile(text, encode, options) {
  if (text !== '*') return new Component(parse(text, options, encode), options);
  wildcard ??= new Component(parse(text, options, encode), options);
  return wildcard;
}

module.exports = { compile };
