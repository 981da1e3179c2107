// @ts-check
'use strict';
// Owns: RT.semver: versions, their order, and the grammar of npm's ranges. A malformed range or version satisfies nothing.

const {
  ArrayEvery,
  ArrayMap,
  ArrayPush,
  ArraySlice,
  ArraySome,
  MathSign,
  NumberIsSafeInteger,
  RegExpExec,
  RegExpReplace,
  RegExpTest,
  StringSplit,
  StringTrim,
  intact,
} = require('internal/primordials');

const LONGEST = 256;
const NUMBER = '0|[1-9]\\d*';
const PART = `(?:${NUMBER}|\\d*[A-Za-z-][\\dA-Za-z-]*)`;
const TAIL = `(?:-(${PART}(?:\\.${PART})*))?(?:\\+[\\dA-Za-z-]+(?:\\.[\\dA-Za-z-]+)*)?`;
const VERSION = new RegExp(`^\\s*v?(${NUMBER})\\.(${NUMBER})\\.(${NUMBER})${TAIL}\\s*$`);
const WILD = `${NUMBER}|x|X|\\*`;
const PARTIAL = `[v=\\s]*(${WILD})(?:\\.(${WILD})(?:\\.(${WILD})${TAIL})?)?`;
const COMPARATOR = new RegExp(`^(<=|>=|<|>|=|~>?|\\^)?${PARTIAL}$`);
const HYPHEN = new RegExp(`^\\s*${PARTIAL}\\s+-\\s+${PARTIAL}\\s*$`);
const OPERATOR_SPACES = /(<=|>=|<|>|=|~>?|\^) /g;

const numbers = (parts) => ArrayMap(parts, Number);
const isWild = (part) => part === undefined || part === 'x' || part === 'X' || part === '*';

/** Returns [major, minor, patch, pre-release parts], or undefined. */
function parse(text) {
  const found = text.length > LONGEST ? null : RegExpExec(VERSION, text);
  if (found === null) return undefined;
  const version = numbers(ArraySlice(found, 1, 4));
  return ArrayEvery(version, NumberIsSafeInteger) ? [...intact(version), preRelease(found[4])] : undefined;
}

const preRelease = (text) =>
  text === undefined ? [] : ArrayMap(StringSplit(text, '.'), (part) => (RegExpTest(/^\d+$/, part) ? Number(part) : part));

function comparePart(a, b) {
  if (a === b) return 0;
  if (typeof a !== typeof b) return typeof a === 'number' ? -1 : 1;
  return a < b ? -1 : 1;
}

function comparePreRelease(a, b) {
  if (a.length === 0 || b.length === 0) return MathSign(b.length - a.length);
  for (let place = 0; place < a.length && place < b.length; place++) {
    const order = comparePart(a[place], b[place]);
    if (order !== 0) return order;
  }
  return MathSign(a.length - b.length);
}

function compare(a, b) {
  for (let place = 0; place < 3; place++) {
    if (a[place] !== b[place]) return a[place] < b[place] ? -1 : 1;
  }
  return comparePreRelease(a[3], b[3]);
}

const FIRST = [0]; // the first pre-release: no version is between it and the release before
const above = (major, minor, patch) => ['<', [major, minor, patch, FIRST]];
const from = (major, minor, patch, pre = []) => ['>=', [major, minor, patch, pre]];
const NOTHING = [above(0, 0, 0)];

/** Returns the [operator, version] pairs for an operator followed by a possibly partial version. */
function expand(operator, parts) {
  const { 0: major, 1: minor, 2: patch } = numbers(parts);
  const pre = preRelease(parts[3]);
  const { 0: hasMajor, 1: hasMinor, 2: hasPatch } = ArrayMap(ArraySlice(parts, 0, 3), (part) => !isWild(part));
  if (!hasMajor) return operator === '<' || operator === '>' ? NOTHING : [];
  const nextMajor = above(major + 1, 0, 0);
  if (!hasMinor) return partial(operator, from(major, 0, 0), nextMajor);
  const nextMinor = above(major, minor + 1, 0);
  const isCaret = operator === '^';
  if (!hasPatch || operator === '~' || operator === '~>' || isCaret) {
    const lowest = hasPatch ? from(major, minor, patch, pre) : from(major, minor, 0);
    if (isCaret && major > 0) return [lowest, nextMajor];
    if (isCaret && hasPatch && minor === 0) return [lowest, above(0, 0, patch + 1)];
    return hasPatch || isCaret ? [lowest, nextMinor] : partial(operator, lowest, nextMinor);
  }
  return [[operator === '' ? '=' : operator, [major, minor, patch, pre]]];
}

/** Applies an operator to a partial version, which stands for the versions from `lowest` up to `next`. */
function partial(operator, lowest, next) {
  switch (operator) {
    case '>':
      return [['>=', [...intact(ArraySlice(next[1], 0, 3)), []]]];
    case '>=':
      return [lowest];
    case '<':
      return [['<', [...intact(ArraySlice(lowest[1], 0, 3)), FIRST]]];
    case '<=':
      return [next];
    default:
      return [lowest, next];
  }
}

/** Returns the pairs of one alternative of a range, or undefined if it is malformed. */
function parseAlternative(text) {
  const plain = RegExpReplace(/\s+/g, StringTrim(text), ' '); // otherwise matching runs of spaces would take quadratic time
  const hyphen = RegExpExec(HYPHEN, plain);
  if (hyphen !== null)
    return [...intact(expand('>=', ArraySlice(hyphen, 1, 5))), ...intact(expand('<=', ArraySlice(hyphen, 5, 9)))];
  const pairs = [];
  const words = StringSplit(
    RegExpReplace(OPERATOR_SPACES, plain, (_, operator) => operator),
    ' ',
  );
  for (let index = 0; index < words.length; index++) {
    const word = words[index];
    if (word === '') continue;
    const match = RegExpExec(COMPARATOR, word);
    if (match === null) return undefined;
    ArrayPush(pairs, ...intact(expand(match[1] ?? '', ArraySlice(match, 2, 6))));
  }
  return pairs;
}

function holds({ 0: operator, 1: limit }, version) {
  const order = compare(version, limit);
  switch (operator) {
    case '<':
      return order < 0;
    case '<=':
      return order <= 0;
    case '>':
      return order > 0;
    case '>=':
      return order >= 0;
    default:
      return order === 0;
  }
}

const isSameCore = (a, b) => a[0] === b[0] && a[1] === b[1] && a[2] === b[2];

/** A pre-release only matches if the range names a pre-release of the same version. */
function allows(pairs, version) {
  if (!ArrayEvery(pairs, (pair) => holds(pair, version))) return false;
  return version[3].length === 0 || ArraySome(pairs, ({ 1: limit }) => limit[3].length > 0 && isSameCore(limit, version));
}

function satisfies(versionText, rangeText) {
  const version = parse(`${versionText}`);
  const range = `${rangeText}`;
  if (version === undefined) return false;
  const alternatives = ArrayMap(StringSplit(range, '||'), parseAlternative);
  return ArrayEvery(alternatives, (pairs) => pairs !== undefined) && ArraySome(alternatives, (pairs) => allows(pairs, version));
}

function order(left, right) {
  const { 0: a, 1: b } = ArrayMap([left, right], (text) => {
    const version = parse(`${text}`);
    if (version === undefined) throw new Error(`Invalid SemVer: ${text}`);
    return version;
  });
  return compare(a, b);
}

module.exports = { semver: { satisfies, order } };
