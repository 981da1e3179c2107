// @ts-check
'use strict';
// Owns: the translation of V8's syntax error messages to Bun's wording. It applies only to printed text: the error's message is
// V8's.

const { RegExpExec } = require('internal/primordials');

/** @type {[RegExp, (name: string) => string][]} */
const WORDS = [
  [/^Identifier '(.+)' has already been declared$/, (name) => `"${name}" has already been declared`],
  [/^Duplicate export of '(.+)'$/, (name) => `Multiple exports with the same name "${name}"`],
  [/^Export '(.+)' is not defined in module$/, (name) => `"${name}" is not declared in this file`],
  [/^Illegal break statement$/, () => 'Cannot use "break" here'],
  [/^Illegal continue statement(?:: no surrounding iteration statement)?$/, () => 'Cannot use "continue" here'],
  [/^'super' keyword unexpected here$/, () => 'Unexpected "super"'],
  [/^Unexpected end of input$/, () => 'Unexpected end of file'],
  [/^(?:Unexpected token|Unexpected identifier) '(.+)'$/, (found) => `Unexpected ${found}`],
  [/^Invalid left-hand side in assignment$/, () => 'Invalid assignment target'],
  [/^More than one default clause in switch statement$/, () => 'Multiple default clauses are not allowed'],
  [/^Illegal newline after throw$/, () => 'Unexpected newline after "throw"'],
  [
    /^Duplicate parameter name not allowed in this context$/,
    () => 'A parameter cannot be bound multiple times in the same parameter list',
  ],
];

function syntaxWords(message) {
  for (let i = 0; i < WORDS.length; i++) {
    const match = RegExpExec(WORDS[i][0], message);
    if (match !== null) return WORDS[i][1](match[1]);
  }
  return message;
}

module.exports = { syntaxWords };
