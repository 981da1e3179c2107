// @ts-check
'use strict';
// Owns: the tags of tests, and filter expressions (`--experimental-test-tag-filter`): names, in which `*` matches any
// characters; `not`, `and` and `or`, in this order of precedence; and parentheses.

const {
  ArrayEvery,
  ArrayIncludes,
  ArrayJoin,
  ArrayMap,
  ArrayPush,
  ArraySome,
  ObjectFreeze,
  RegExpExec,
  RegExpReplace,
  RegExpTest,
  StringIncludes,
  StringSlice,
  StringSplit,
  StringToLowerCase,
  StringTrim,
  intact,
} = require('internal/primordials');
const { codes } = require('internal/errors/errors');
const { validateArray, validateString } = require('internal/validators');

/** @type {any} */
const NONE = ObjectFreeze([]);
const RESERVED = ['and', 'or', 'not'];
const KINDS = {
  __proto__: null,
  '&&': 'AND',
  'and': 'AND',
  '||': 'OR',
  'or': 'OR',
  '!': 'NOT',
  'not': 'NOT',
  '(': 'LPAREN',
  ')': 'RPAREN',
};
const FORBIDDEN =
  'contains a forbidden character. Tags must not contain whitespace, operator characters (&, |, !, (, ), *), ' +
  "or be the reserved words 'and', 'or', or 'not'";

const warn = () => require('node/process/warnings').warnOfExperiment('Test tags');

/** A test's own and inherited tags: in lower case, without duplicates. */
function tagsOf(value, inherited = NONE) {
  if (value === undefined) return inherited;
  validateArray(value, 'options.tags');
  if (value.length === 0) return inherited;
  warn();
  const tags = [...intact(inherited)];
  for (let index = 0; index < value.length; index++) {
    const name = `options.tags[${index}]`;
    const tag = value[index];
    validateString(tag, name);
    if (tag === '') throw new codes.ERR_INVALID_ARG_VALUE(name, tag, 'must not be empty');
    if (RegExpTest(/[\t-\r &|!()*]/, tag)) throw new codes.ERR_INVALID_ARG_VALUE(name, tag, FORBIDDEN);
    const lower = StringToLowerCase(tag);
    if (ArrayIncludes(RESERVED, lower))
      throw new codes.ERR_INVALID_ARG_VALUE(name, tag, "must not be the reserved word 'and', 'or', or 'not'");
    if (!ArrayIncludes(tags, lower)) ArrayPush(tags, lower);
  }
  return ObjectFreeze(tags);
}

/** The tokens of an expression: `{ kind, text, place }`, the last one of kind EOF. */
function wordsOf(text, refuse) {
  const words = [];
  for (let place = 0; place < text.length;) {
    const rest = StringSlice(text, place);
    const match = RegExpExec(/^(?:[\t-\r ]+|&&|\|\||[!()]|[^\t-\r &|!()]+)/, rest);
    if (match === null) {
      const sign = rest[0];
      throw refuse(`unexpected '${sign}' at position ${place}; use '${sign}${sign}' or '${sign === '&' ? 'and' : 'or'}'`);
    }
    const word = match[0];
    if (StringTrim(word) !== '') ArrayPush(words, { kind: KINDS[StringToLowerCase(word)] ?? 'IDENT', text: word, place });
    place += word.length;
  }
  ArrayPush(words, { kind: 'EOF', text: '', place: text.length });
  return words;
}

/** A predicate on tags for the name `word`. */
function matchesName(word) {
  const lower = StringToLowerCase(word);
  if (!StringIncludes(lower, '*')) return (tags) => ArrayIncludes(tags, lower);
  const parts = ArrayMap(StringSplit(lower, '*'), (part) => RegExpReplace(/[.+?^${}()|[\]\\]/g, part, (each) => `\\${each}`));
  const pattern = new RegExp(`^${ArrayJoin(parts, '.*')}$`);
  return (tags) => ArraySome(tags, (tag) => RegExpTest(pattern, tag));
}

/** Compiles an expression to a predicate on tags; `name` is the option that holds it. */
function filterOf(text, name) {
  validateString(text, name);
  const refuse = (problem) => new codes.ERR_INVALID_ARG_VALUE(name, text, problem);
  if (StringTrim(text) === '') throw refuse('must not be empty');
  const words = wordsOf(text, refuse);
  let next = 0;
  const isNext = (kind) => words[next].kind === kind;

  function either() {
    const first = both();
    if (!isNext('OR')) return first;
    next++;
    const second = either();
    return (tags) => first(tags) || second(tags);
  }
  function both() {
    const first = one();
    if (!isNext('AND')) return first;
    next++;
    const second = both();
    return (tags) => first(tags) && second(tags);
  }
  function one() {
    const { kind, text: word, place } = words[next];
    if (kind !== 'NOT' && kind !== 'LPAREN' && kind !== 'IDENT') throw refuse(`unexpected token '${kind}' at position ${place}`);
    next++;
    if (kind === 'IDENT') return matchesName(word);
    if (isNext('EOF'))
      throw refuse(kind === 'NOT' ? `expected operand after 'not' at position ${place}` : `unmatched '(' at position ${place}`);
    if (kind === 'NOT') {
      const inner = one();
      return (tags) => !inner(tags);
    }
    const inner = either();
    if (!isNext('RPAREN')) throw refuse(`expected ')' at position ${words[next].place}`);
    next++;
    return inner;
  }

  const filter = either();
  if (!isNext('EOF')) throw refuse(`unexpected token at position ${words[next].place}`);
  return filter;
}

/** Compiles a list of expressions; null if there are none. */
function filtersOf(expressions, nameOf) {
  if (expressions === undefined || expressions === null || expressions.length === 0) return null;
  warn();
  return ArrayMap(expressions, (text, index) => filterOf(text, nameOf(index)));
}

/** Whether all `filters` select a test with these tags. */
const isChosenBy = (filters, tags) => ArrayEvery(filters, (filter) => filter(tags));

module.exports = { tagsOf, filtersOf, isChosenBy };
