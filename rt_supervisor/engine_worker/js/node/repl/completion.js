'use strict';
// Owns: what the REPL proposes for a line that is being typed: commands, members of an object, names of the context, words of the language.

const { setOf } = require('internal/collections');
const { RegExpSplit } = require('internal/patterns');
const {
  ArrayFilter,
  ArrayMap,
  ArraySort,
  ObjectGetOwnPropertyNames,
  ObjectGetPrototypeOf,
  ObjectKeys,
  RegExpExec,
  RegExpReplace,
  RegExpTest,
  SetAdd,
  StringLastIndexOf,
  StringSlice,
  StringStartsWith,
  intact,
} = require('internal/primordials');
const { Script } = require('node/vm/script');

const WORDS = RegExpSplit(
  /\s+/,
  `async await break case catch const continue debugger default delete do else export false finally for function if import in
  instanceof let new null return switch this throw true try typeof undefined var void while with yield`,
);
const PATH = /(?:[a-zA-Z_$][\w$]*(?:\??\.[a-zA-Z_$][\w$]*)*\??\.?)?$/;

function namesOf(value) {
  const names = new Set();
  for (
    let each = value === null || value === undefined ? null : Object(value);
    each !== null;
    each = ObjectGetPrototypeOf(each)
  ) {
    for (const name of intact(ObjectGetOwnPropertyNames(each))) if (RegExpTest(/^[a-zA-Z_$][\w$]*$/, name)) SetAdd(names, name);
  }
  return [...intact(names)];
}

/** [proposals, what of the line they stand for]. */
function complete(repl, line) {
  const command = RegExpExec(/^\s*\.(\w*)$/, line);
  if (command !== null) {
    const { 1: begun } = command;
    return [ArrayFilter(ArraySort(ObjectKeys(repl.commands)), (name) => StringStartsWith(name, begun)), begun];
  }
  const text = RegExpExec(PATH, line)[0];
  const dot = StringLastIndexOf(text, '.');
  if (dot < 0) {
    const names = [...intact(namesOf(repl.context)), ...intact(text === '' ? [] : WORDS)];
    return [ArraySort(ArrayFilter([...intact(setOf(names))], (name) => StringStartsWith(name, text))), text];
  }
  const owner = RegExpReplace(/\?$/, StringSlice(text, 0, dot), '');
  let value;
  try {
    const script = new Script(owner, { filename: 'completion' });
    value = repl.useGlobal ? script.runInThisContext() : script.runInContext(repl.context);
  } catch {
    return [[], text];
  }
  const head = StringSlice(text, 0, dot + 1);
  return [
    ArrayMap(
      ArraySort(ArrayFilter(namesOf(value), (name) => StringStartsWith(name, StringSlice(text, dot + 1)))),
      (name) => head + name,
    ),
    text,
  ];
}

module.exports = { complete };
