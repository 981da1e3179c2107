// @ts-check
'use strict';
// Owns: parsing a component's pattern into parts (fixed text, a segment, a wildcard, a regular expression), and generating from
// parts the regular expression and the text that the component's getter returns.

const { ArrayAt, ArrayForEach, ArrayPush, ArraySome, RegExpReplace, RegExpTest, intact } = require('internal/primordials');
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

/** [source of the regular expression, names of its groups] */
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

/** Returns a component: { text, regExp, names, hasRegExp }. */
function compile(text, encode, options) {
  const parts = parse(text, options, encode);
  const [source, names] = intact(regExpOf(parts, options));
  return {
    text: textOf(parts, options),
    regExp: new RegExp(source, options.ignoreCase ? 'vi' : 'v'),
    names,
    hasRegExp: ArraySome(parts, ({ type }) => type === 'regexp'),
  };
}

module.exports = { compile };
