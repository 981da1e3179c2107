'use strict';
// Owns: how the REPL compiles its input: incomplete input, object literals versus blocks, and top-level `await`.

const { RegExpSplit } = require('internal/patterns');
const {
  ArrayJoin,
  ArrayMap,
  ArrayPush,
  RegExpExec,
  RegExpReplace,
  RegExpTest,
  StringIncludes,
  StringSlice,
  StringStartsWith,
  StringTrim,
  intact,
} = require('internal/primordials');
const { Script } = require('node/vm/script');

class Recoverable extends SyntaxError {
  constructor(err) {
    super();
    this.err = err;
  }
}

/** The SyntaxError of a text; undefined if it is valid. */
function problemOf(text, filename = 'repl') {
  try {
    new Script(text, { filename });
    return undefined;
  } catch (error) {
    return error;
  }
}

const wrapInAsync = (text) => `(async () => { ${text}\n})`;

/** Whether an invalid text is merely incomplete: then the parser rejects an appended token that is valid nowhere. */
function isUnfinished(text, error, isAsync = false) {
  const { message } = error;
  if (StringStartsWith(message, 'Unterminated template')) return true;
  if (RegExpTest(/\\\n?$/, text) && message === 'Invalid or unexpected token') return true;
  const closing = isAsync ? wrapInAsync(`${text}*/`) : `${text}*/`;
  if (message === 'Invalid or unexpected token' && StringIncludes(text, '/*') && problemOf(closing) === undefined) return true;
  if (message === 'Unexpected end of input') return true;
  if (message === 'Invalid or unexpected token' || StringStartsWith(message, 'Invalid regular expression')) return false;
  const further = problemOf(isAsync ? `(async () => { ${text}\n\u0000` : `${text}\n\u0000`);
  return further?.message === 'Invalid or unexpected token';
}

const isValidSyntax = (text) => problemOf(text) === undefined || problemOf(`_=${text}`) === undefined;

// What can continue an expression at the start of a line; `++` and `--` belong to what follows.
const GOES_ON = /^(?:\s|\/\/[^\n]*\n|\/\*[^]*?\*\/)*(?:(?!\+\+|--|\/[/*])[.,([`+\-*/%<>=&|^?:]|in(?:stanceof)?\b)/;

/** Whether `rest` continues the statement `text`, which is valid without it; declarations and blocks are never continued. */
const isContinued = (text, rest) =>
  RegExpTest(GOES_ON, rest) && !RegExpTest(/;\s*$/, text) && problemOf(wrapInAsync(`${text}\n.name`)) === undefined;

/** Splits a text into top-level statements: at line ends or semicolons where the part before is valid. */
function statementsOf(text) {
  const statements = [];
  let pending = '';
  let end = 0;
  for (const piece of intact(RegExpSplit(/(?<=[;\n])/, text))) {
    pending += piece;
    end += piece.length;
    const isWhole = StringTrim(pending) !== '' && problemOf(wrapInAsync(pending)) === undefined;
    if (isWhole && !isContinued(pending, StringSlice(text, end))) {
      ArrayPush(statements, StringTrim(pending));
      pending = '';
    }
  }
  if (StringTrim(pending) !== '') ArrayPush(statements, StringTrim(pending));
  return statements;
}

/**
 * Rewrites code with top-level `await` to a script whose value is a promise of `[value]`; its declarations become globals
 * of the context. Undefined for other code.
 */
function awaiting(text) {
  if (!RegExpTest(/\bawait\b/, text) || problemOf(wrapInAsync(text)) !== undefined) return undefined;
  const statements = ArrayMap(statementsOf(text), (statement, place, all) => {
    const declared = RegExpExec(/^(?:const|let|var)\s+([^]*?);?$/, statement);
    if (declared !== null) {
      const bare = RegExpTest(/^[\w$]+$/, declared[1]) ? `${declared[1]} = undefined` : declared[1];
      return `void (${bare});`;
    }
    const match = RegExpExec(/^(?:async\s+)?(?:function\s*\*?|class)\s*([\w$]+)/, statement);
    if (match !== null) return `globalThis.${match[1]} = ${RegExpReplace(/;$/, statement, '')};`;
    const value = RegExpReplace(/;$/, statement, '');
    return place === all.length - 1 && problemOf(wrapInAsync(`return [(${value}\n)]`)) === undefined
      ? `return [(${value}\n)];`
      : `${statement}\n`;
  });
  return `(async () => { ${ArrayJoin(statements, '\n')} })()`;
}

/** Compiles a text: { script, isAwaiting }. Throws a Recoverable if it is incomplete, a SyntaxError if it is invalid. */
function scriptOf(text, filename, options = {}) {
  const { isStrict = false } = options;
  const head = isStrict ? "'use strict'; void 0; " : '';
  const isObject = RegExpTest(/^\s*\{/, text) && !RegExpTest(/;\s*$/, text);
  if (isObject && problemOf(`(${StringTrim(text)})\n`) === undefined)
    return { script: new Script(`${head}(${StringTrim(text)})\n`, { ...options.script, filename }) };
  const soon = awaiting(text); // without top-level await, `await (x)` is a call
  if (soon !== undefined) return { script: new Script(head + soon, { ...options.script, filename }), isAwaiting: true };
  try {
    return { script: new Script(head + text, { ...options.script, filename }) };
  } catch (error) {
    const isAsync = RegExpTest(/\bawait\b/, text);
    if (isUnfinished(text, error)) throw new Recoverable(error);
    const inside = isAsync ? problemOf(wrapInAsync(text)) : undefined;
    if (inside !== undefined && isUnfinished(text, inside, true)) throw new Recoverable(error);
    throw error;
  }
}

module.exports = { Recoverable, scriptOf, isValidSyntax };
