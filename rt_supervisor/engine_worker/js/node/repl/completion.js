'use strict';
// Owns: what the REPL proposes for a line that is being typed: commands, members of an object, names of the context, words of the language.

const { Script } = require('node/vm/script');

const WORDS =
  `async await break case catch const continue debugger default delete do else export false finally for function if import in
  instanceof let new null return switch this throw true try typeof undefined var void while with yield`.split(/\s+/);
const PATH = /(?:[a-zA-Z_$][\w$]*(?:\??\.[a-zA-Z_$][\w$]*)*\??\.?)?$/;

function namesOf(value) {
  const names = new Set();
  for (
    let each = value === null || value === undefined ? null : Object(value);
    each !== null;
    each = Object.getPrototypeOf(each)
  ) {
    for (const name of Object.getOwnPropertyNames(each)) if (/^[a-zA-Z_$][\w$]*$/.test(name)) names.add(name);
  }
  return [...names];
}

/** [proposals, what of the line they stand for]. */
function complete(repl, line) {
  const command = /^\s*\.(\w*)$/.exec(line);
  if (command !== null) {
    const [, begun] = command;
    return [
      Object.keys(repl.commands)
        .sort()
        .filter((name) => name.startsWith(begun)),
      begun,
    ];
  }
  const text = PATH.exec(line)[0];
  const dot = text.lastIndexOf('.');
  if (dot < 0) {
    const names = [...namesOf(repl.context), ...(text === '' ? [] : WORDS)];
    return [[...new Set(names)].filter((name) => name.startsWith(text)).sort(), text];
  }
  const owner = text.slice(0, dot).replace(/\?$/, '');
  let value;
  try {
    const script = new Script(owner, { filename: 'completion' });
    value = repl.useGlobal ? script.runInThisContext() : script.runInContext(repl.context);
  } catch {
    return [[], text];
  }
  const head = text.slice(0, dot + 1);
  return [
    namesOf(value)
      .filter((name) => name.startsWith(text.slice(dot + 1)))
      .sort()
      .map((name) => head + name),
    text,
  ];
}

module.exports = { complete };
