'use strict';
// Owns: what Tab completes: commands, files of `.load`, names of modules and paths in import and require, exports between the
// braces of an import, and, as in Node's REPL, names and members. No code of the program runs.

const {
  ArrayFilter,
  ArrayIncludes,
  ArrayIndexOf,
  ArrayMap,
  ArrayPush,
  ObjectKeys,
  RegExpExec,
  StringEndsWith,
  StringIncludes,
  StringLastIndexOf,
  StringSlice,
  StringStartsWith,
  intact,
} = require('internal/primordials');
const { commands } = require('rt/repl/commands');
const { evaluateQuietly } = require('rt/repl/evaluation');
const { isOwnAccessor } = require('rt/repl/names');

const SPECIFIER = /\b(?:from|import|require)\s*\(?\s*(['"`])([^'"`]*)$/;
const NAMED_IMPORT = /\bimport\b[^;'"]*\{\s*(?:[\w$]+(?:\s+as\s+[\w$]+)?\s*,\s*)*([\w$]*)$/;
const SOURCE = /^[^;]*?\}\s*from\s*(['"])([^'"]+)\1/;
const FILE_COMMAND = /^\s*\.(?:load|save)\s+([^]*)$/;
const COMMAND = /^\s*\.(\w*)$/;
const SCRIPT = /\.(?:[cm]?[jt]sx?|json)$/;

/** Returns [replaced text, display, replacement, display, replacement, …]. */
function listed(replaced, names, replacement = (name) => name) {
  const answer = [replaced];
  for (const name of intact(names)) ArrayPush(answer, name, replacement(name));
  return answer;
}

/** The entries of the folder that a path begins in: names, those of folders with a slash. */
function entries(path, isShown) {
  const fs = require('node/fs/fs');
  const slash = StringLastIndexOf(path, '/') + 1;
  const folder = slash === 0 ? '.' : StringSlice(path, 0, slash);
  const prefix = StringSlice(path, slash);
  let entriesFound;
  try {
    entriesFound = fs.readdirSync(folder, { withFileTypes: true });
  } catch {
    return [prefix];
  }
  const names = ArrayMap(
    ArrayFilter(entriesFound, (entry) => StringStartsWith(entry.name, prefix) && (prefix !== '' || entry.name[0] !== '.')),
    (entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name),
  );
  return listed(
    prefix,
    ArrayFilter(names, (name) => StringEndsWith(name, '/') || isShown(name)),
  );
}

/** Returns the packages in the nearest node_modules folders whose names start with a text. */
function packages(prefix) {
  const fs = require('node/fs/fs');
  const { join } = require('node/path/path');
  const names = [];
  for (const folder of intact(globalThis.module?.paths ?? [])) {
    let found;
    try {
      found = fs.readdirSync(folder);
    } catch {
      continue;
    }
    for (const name of intact(found)) {
      if (name[0] === '.') continue;
      if (name[0] !== '@') ArrayPush(names, name);
      else
        try {
          for (const inner of intact(fs.readdirSync(join(folder, name)))) ArrayPush(names, `${name}/${inner}`);
        } catch {
          // not a folder
        }
    }
  }
  return ArrayFilter(names, (name, index) => StringStartsWith(name, prefix) && ArrayIndexOf(names, name) === index);
}

function specifiers(prefix) {
  if (prefix[0] === '.' || prefix[0] === '/') return entries(prefix, (name) => RegExpExec(SCRIPT, name) !== null);
  const { names } = require('node/module/builtins');
  const moduleNames = ArrayFilter(names(), (name) => name[0] !== '_' && !StringIncludes(name, ':'));
  const all = [...intact(moduleNames), ...intact(ArrayMap(moduleNames, (name) => `node:${name}`))];
  return listed(prefix, [...intact(ArrayFilter(all, (name) => StringStartsWith(name, prefix))), ...intact(packages(prefix))]);
}

/** Returns the exports of a built-in module. Those of other modules are known only after the module has run. */
function exportsOf(specifier, prefix) {
  const { names, load } = require('node/module/builtins');
  const name = StringStartsWith(specifier, 'node:') ? StringSlice(specifier, 5) : specifier;
  if (!ArrayIncludes(names(), name)) return [prefix];
  return listed(
    prefix,
    ArrayFilter(ObjectKeys(load(name)), (each) => StringStartsWith(each, prefix)),
  );
}

/** The interface of node/repl/completion. */
const evaluator = {
  context: globalThis,
  useGlobal: true,
  commands: {},
  isReadable: isOwnAccessor,
  evaluate(text) {
    const outcome = evaluateQuietly(text);
    if (outcome === undefined) throw new Error('it has side effects');
    return outcome.value;
  },
};

/** Names and members: [replaced text, display, replacement, …]. */
function names(before) {
  const { 0: found, 1: replaced } = require('node/repl/completion').complete(evaluator, before);
  if (replaced === undefined) return [''];
  const answer = [replaced];
  for (const whole of intact(found)) {
    if (whole === '') continue; // separates groups
    const dot = StringLastIndexOf(whole, '.');
    ArrayPush(answer, StringSlice(whole, dot + 1), whole);
  }
  return answer;
}

/** Returns [replaced text, display, replacement, …] for the text before the cursor. */
function complete(session, before, after) {
  const command = RegExpExec(COMMAND, before);
  if (command !== null)
    return listed(
      `.${command[1]}`,
      ArrayMap(
        ArrayFilter(ObjectKeys(commands), (name) => StringStartsWith(name, command[1])),
        (name) => `.${name}`,
      ),
    );
  const file = RegExpExec(FILE_COMMAND, before);
  if (file !== null) return entries(file[1], () => true);
  const specifier = RegExpExec(SPECIFIER, before);
  if (specifier !== null) return specifiers(specifier[2]);
  const match = RegExpExec(NAMED_IMPORT, before);
  const source = match === null ? null : RegExpExec(SOURCE, after);
  if (source !== null) return exportsOf(source[2], match[1]);
  return names(before);
}

module.exports = { complete, names };
