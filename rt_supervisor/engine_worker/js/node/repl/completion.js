'use strict';
// Owns: REPL completions: commands, members of an object, names of the context, keywords, modules. The text to complete is
// determined in `completion_target`. For dotted names no code of the program runs, not even a getter; any other expression
// before the last dot is evaluated, as in Node; a `repl` with its own `evaluate` decides how (rt/repl/completions).

const {
  ArrayFilter,
  ArrayMap,
  ArrayPush,
  ArrayShift,
  ArraySort,
  ArrayUnshift,
  ObjectGetOwnPropertyDescriptor,
  ObjectGetOwnPropertyNames,
  ObjectGetPrototypeOf,
  ObjectKeys,
  ObjectValues,
  RegExpExec,
  RegExpTest,
  SetAdd,
  SetHas,
  StringSplit,
  StringStartsWith,
  StringToLowerCase,
  intact,
} = require('internal/primordials');
const { KIND } = require('internal/kinds');
const { Script } = require('node/vm/script');
const { targetOf } = require('node/repl/completion_target');

const WORDS =
  'async await break case catch const continue debugger default delete do else export false finally for function if import in ' +
  'instanceof let new null return switch this throw true try typeof undefined var void while with yield';
const NAME = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u;
const MODULE = /\b(?:require|import)\s*\(\s*['"`]([^'"`]*)$/;
const NONE = [[], undefined];

const namesOf = (value) =>
  ArrayFilter(
    ObjectGetOwnPropertyNames(value),
    (name) => RegExpTest(NAME, name) && (!StringStartsWith(name, '__') || name === '__proto__'),
  );

/** The names of a value and of each of its prototypes, as one list each. */
function membersOf(value) {
  const isObject = (typeof value === 'object' && value !== null) || typeof value === 'function';
  const groups = isObject ? [namesOf(value)] : [];
  let each = isObject ? ObjectGetPrototypeOf(value) : (value?.constructor?.prototype ?? null);
  for (; each !== null && each !== undefined; each = ObjectGetPrototypeOf(each)) ArrayPush(groups, namesOf(each));
  return groups;
}

/** Merges the groups: each sorted, the first group last, separated by `''`. */
function mergeGroups(groups, prefix) {
  const lower = StringToLowerCase(prefix);
  const names = [];
  const seen = new Set();
  for (const group of intact(groups)) {
    const fitting = ArrayFilter(group, (name) => StringStartsWith(StringToLowerCase(name), lower) && !SetHas(seen, name));
    if (fitting.length === 0) continue;
    ArraySort(fitting, (a, b) => (b > a ? 1 : -1));
    for (const name of intact(fitting)) {
      if (SetHas(seen, name)) continue;
      SetAdd(seen, name);
      ArrayUnshift(names, name);
    }
    ArrayUnshift(names, '');
  }
  if (names[0] === '') ArrayShift(names);
  return names;
}

function evaluateText(repl, text) {
  if (repl.evaluate !== undefined) return repl.evaluate(text);
  const script = new Script(`(${text}\n)`, { filename: 'completion' });
  return repl.useGlobal ? script.runInThisContext() : script.runInContext(repl.context);
}

/** The value of an expression; for dotted names, throws if a getter or a proxy is on the way. */
function valueOf(repl, owner) {
  if (!RegExpTest(/^[\w$]+(?:\??\.[\w$]+)*$/, owner)) return evaluateText(repl, owner);
  const [head, ...rest] = intact(StringSplit(owner, /\??\./));
  let value = repl.isReadable?.(head) ? repl.context[head] : evaluateText(repl, head);
  for (const name of intact(rest)) {
    let holder = Object(value);
    if (host.inspect.kindOf(holder) === KIND.PROXY) throw new Error('a proxy');
    let names;
    while (holder !== null && (names = ObjectGetOwnPropertyDescriptor(holder, name)) === undefined)
      holder = ObjectGetPrototypeOf(holder);
    if (names?.get !== undefined) throw new Error('a getter');
    value = names?.value;
  }
  return value;
}

function modules(prefix) {
  const names = ArrayFilter(require('node/module/builtins').names(), (name) => !RegExpTest(/^_|^(?:rt|bun|sys)\b|:/, name));
  const withScheme = ArrayMap(names, (name) => `node:${name}`);
  return [mergeGroups([names, withScheme], prefix), prefix];
}

/** Returns [completions, the text that they replace]. */
function complete(repl, line) {
  const command = RegExpExec(/^\s*\.(\w*)$/, line);
  if (command !== null) {
    const { 1: begun } = command;
    return [ArrayFilter(ArraySort(ObjectKeys(repl.commands)), (name) => StringStartsWith(name, begun)), begun];
  }
  const module = RegExpExec(MODULE, line);
  if (module !== null) return modules(module[1]);
  const target = targetOf(line);
  if (target === undefined) return NONE;
  const { owner, head, begun } = target;
  if (owner === undefined) {
    const { 0: own, ...inherited } = membersOf(repl.context);
    const groups = [...intact(ObjectValues(inherited)), own]; // the program's own names come first
    if (repl.useGlobal) ArrayPush(groups, host.native.replLexicalNames());
    if (begun !== '') ArrayPush(groups, StringSplit(WORDS, ' '));
    return [mergeGroups(groups, begun), begun];
  }
  let groups;
  try {
    groups = membersOf(valueOf(repl, owner));
  } catch {
    return [[], head + begun];
  }
  return [ArrayMap(mergeGroups(groups, begun), (name) => (name === '' ? '' : head + name)), head + begun];
}

module.exports = { complete };
