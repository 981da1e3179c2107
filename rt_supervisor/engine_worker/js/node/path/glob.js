'use strict';
// Owns: path.matchesGlob: matches a path against a pattern segment by segment, with the rules of Node (minimatch). `**` is
// any number of segments; names with a leading dot match only patterns with one; a backslash in a pattern is a slash.

const { AnyIndexOf, AnySlice } = require('internal/any_kind');
const {
  ArrayAt,
  ArrayEvery,
  ArrayForEach,
  ArrayIncludes,
  ArrayJoin,
  ArrayMap,
  ArrayPop,
  ArrayPush,
  ArraySlice,
  ArraySome,
  MathAbs,
  MathMax,
  RegExpExec,
  RegExpReplace,
  RegExpTest,
  StringCodePointAt,
  StringFromCodePoint,
  StringIncludes,
  StringIndexOf,
  StringPadStart,
  StringReplaceAll,
  StringSlice,
  StringSplit,
  StringStartsWith,
  intact,
} = require('internal/primordials');

const MOST_ALTERNATIVES = 10_000;
const QUOTED = /[\\^$.*+?()[\]{}|/]/g;
const quote = (text) => RegExpReplace(QUOTED, text, (each) => `\\${each}`);

/** The index of the bracket that closes the one at `start`; -1 if there is none. */
function closing(text, start, open, close) {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    if (text[at] === open) depth++;
    else if (text[at] === close && --depth === 0) return at;
  }
  return -1;
}

/** Splits `text` at commas outside nested braces. */
function alternatives(text) {
  const parts = [''];
  let depth = 0;
  for (const character of intact(text)) {
    if (character === ',' && depth === 0) ArrayPush(parts, '');
    else {
      depth += character === '{' ? 1 : character === '}' ? -1 : 0;
      parts[parts.length - 1] += character;
    }
  }
  return parts;
}

function range(text) {
  const match =
    RegExpExec(/^(-?\d+)\.\.(-?\d+)(?:\.\.(-?\d+))?$/, text) ?? RegExpExec(/^([a-zA-Z])\.\.([a-zA-Z])(?:\.\.(-?\d+))?$/, text);
  if (match === null) return undefined;
  const isNumber = RegExpTest(/\d/, match[1]);
  const { 0: from, 1: to } = isNumber
    ? [Number(match[1]), Number(match[2])]
    : [StringCodePointAt(match[1], 0), StringCodePointAt(match[2], 0)];
  const step = MathMax(1, MathAbs(Number(match[3] ?? 1)));
  const width = isNumber && RegExpTest(/^-?0\d/, `${match[1]}`) ? match[1].length : 0;
  const items = [];
  for (let each = from; from <= to ? each <= to : each >= to; each += from <= to ? step : -step) {
    if (items.length >= MOST_ALTERNATIVES) break;
    ArrayPush(items, isNumber ? StringPadStart(`${each}`, width, '0') : StringFromCodePoint(each));
  }
  return items;
}

/** Expands braces: `a{b,c}` -> `ab`, `ac`. */
function expand(pattern) {
  for (let start = StringIndexOf(pattern, '{'); start !== -1; start = AnyIndexOf(pattern, '{', start + 1)) {
    const end = closing(pattern, start, '{', '}');
    if (end === -1) break;
    const inside = AnySlice(pattern, start + 1, end);
    const parts = alternatives(inside);
    const items = parts.length > 1 ? parts : range(inside);
    if (items === undefined) continue;
    const results = [];
    for (const item of intact(items)) {
      ArrayPush(results, ...intact(expand(`${AnySlice(pattern, 0, start)}${item}${AnySlice(pattern, end + 1)}`)));
      if (results.length >= MOST_ALTERNATIVES) break;
    }
    return results;
  }
  return [pattern];
}

const CLASSES = {
  __proto__: null,
  alpha: '\\p{L}\\p{Nl}',
  digit: '\\p{Nd}',
  alnum: '\\p{L}\\p{Nl}\\p{Nd}',
  upper: '\\p{Lu}',
  lower: '\\p{Ll}',
  space: '\\p{Z}\\t\\r\\n\\v\\f',
  punct: '\\p{P}',
  word: '\\p{L}\\p{Nl}\\p{Nd}\\p{Pc}',
  xdigit: 'A-Fa-f0-9',
  blank: '\\p{Zs}\\t',
  cntrl: '\\p{Cc}',
  graph: '\\p{L}\\p{N}\\p{P}\\p{S}',
  print: '\\p{L}\\p{N}\\p{P}\\p{S} ',
  ascii: '\\x00-\\x7f',
};

function classSource(text) {
  const inside = RegExpReplace(/\[:(\w+):\]|([\\\]^])|(\[)/g, RegExpReplace(/^[!^]/, text, ''), (all, name, special, open) =>
    name ? (CLASSES[name] ?? quote(all)) : special ? `\\${special}` : '\\[',
  );
  return `[${RegExpTest(/^[!^]/, text) ? '^/' : ''}${inside}]`;
}

/** Returns [index of its end, source of the regular expression] of the bracket expression at `at`; undefined if there is none. */
function classAt(text, at) {
  const end = StringIndexOf(text, ']', at + (RegExpTest(/^\[[!^]?\]/, StringSlice(text, at, at + 3)) ? 3 : 1));
  const last = StringStartsWith(text, '[[:', at) ? StringIndexOf(text, ']', StringIndexOf(text, ':]', at) + 2) : end;
  return last === -1 ? undefined : [last, classSource(StringSlice(text, at + 1, last))];
}

/** Translates part of a segment to the source of a regular expression. */
function source(text) {
  let result = '';
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (StringIncludes('?*+@!', character) && text[at + 1] === '(') {
      const end = closing(text, at + 1, '(', ')');
      if (end !== -1) {
        const inner = ArrayJoin(ArrayMap(StringSplit(StringSlice(text, at + 2, end), '|'), source), '|');
        const rest = source(StringSlice(text, end + 1));
        if (character === '!') return `${result}(?!(?:${inner})${rest}$)[^/]*?${rest}`;
        return `${result}(?:${inner})${character === '@' ? '' : character}${rest}`;
      }
    }
    const characterClass = character === '[' ? classAt(text, at) : undefined;
    if (characterClass !== undefined) {
      ({ 0: at } = characterClass);
      result += characterClass[1];
      continue;
    }
    if (character === '*') {
      while (text[at + 1] === '*') at++;
      result += '[^/]*?';
    } else result += character === '?' ? '[^/]' : quote(character);
  }
  return result;
}

const MAGIC = /[?*[]|[+@!]\(/;
const isPattern = (text) => RegExpTest(MAGIC, text);

/**
 * Patterns for which a regular expression could divide a text in many ways: repeated groups, several negations or
 * stars.
 */
const AMBIGUOUS = /[+*]\(|!\([^]*!\(|\*[^*][^]*?\*[^*][^]*?\*[^*][^]*?\*/;

/** Compiles one segment to a predicate. */
function segment(text, isCaseless) {
  if (!isPattern(text)) return (name) => name === text;
  const head = StringStartsWith(text, '.') ? '' : RegExpTest(/^[*?[!+@]/, text) ? '(?!\\.)' : '';
  if (RegExpTest(AMBIGUOUS, text)) {
    const { parse, matches: matchesNodes } = require('node/path/extended_segment');
    const nodes = parse(text, { classAt, flags: isCaseless ? 'ui' : 'u' });
    const start = head === '' ? undefined : '.';
    return (name) => nodes !== undefined && name[0] !== start && matchesNodes(nodes, name, isCaseless);
  }
  const needsOne = RegExpTest(/^\*+$/, text) ? '(?=.)' : '';
  const pattern = new RegExp(`^${head}${needsOne}${source(text)}$`, isCaseless ? 'ui' : 'u');
  return (name) => RegExpTest(pattern, name);
}

/** Removes empty inner segments, `.`, and segments undone by `..`. */
function simplifySegments(segments) {
  const parts = [];
  ArrayForEach(segments, (each, index) => {
    if (index > 0 && index < segments.length - 1 && (each === '' || each === '.')) return;
    if (index > 0 && each === '.') return;
    if (each === '..' && parts.length > 0 && !ArrayIncludes(['', '..', '**'], ArrayAt(parts, -1))) ArrayPop(parts);
    else ArrayPush(parts, each);
  });
  return parts;
}

/**
 * Whether the names from `at` on match the tests from `from` on. `failures` holds, for each `**`, the range of positions that do not
 * match, so that several of them take no longer than one.
 */
function matches(names, tests, at = 0, from = 0, failures = []) {
  while (from < tests.length) {
    if (tests[from] === '**') {
      while (tests[from + 1] === '**') from++;
      if (from === tests.length - 1)
        return (
          (from === 0 || at < names.length) &&
          ArrayEvery(
            ArraySlice(names, at),
            (name, index) =>
              (!StringStartsWith(name, '.') && (name !== '' || at + index === names.length - 1)) ||
              (name === '' && at + index === 0),
          )
        );
      const known = failures[from];
      if (known !== undefined && known[0] <= at && at <= known[1]) return false;
      let skip = at;
      for (; skip <= names.length && skip !== known?.[0]; skip++) {
        if (matches(names, tests, skip, from + 1, failures)) return true;
        if (names[skip] == null ? undefined : StringStartsWith(names[skip], '.')) break;
      }
      failures[from] = [at, skip === known?.[0] ? known[1] : skip];
      return false;
    }
    if (at === names.length || !tests[from](names[at])) return false;
    at++;
    from++;
  }
  return at === names.length || (at === names.length - 1 && names[at] === '');
}

/** All patterns that a pattern with braces expands to. */
const expandPattern = (pattern) => expand(StringReplaceAll(pattern, '\\', '/'));

function matchesGlob(path, pattern, isWindows) {
  const names = simplifySegments(StringSplit(isWindows ? StringReplaceAll(path, '\\', '/') : path, '/'));
  return ArraySome(expandPattern(pattern), (each) => {
    if (each === '') return path === '';
    if (each === '/' && path === '/') return true;
    const parts = simplifySegments(StringSplit(each, '/'));
    return matches(
      names,
      ArrayMap(parts, (part) => (part === '**' ? part : segment(part, isWindows))),
    );
  });
}

module.exports = { expandPattern, isPattern, matchesGlob, segment };
