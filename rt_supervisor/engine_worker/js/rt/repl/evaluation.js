'use strict';
// Owns: the evaluation of one input: transformed natively, run in V8's REPL mode, which allows top-level `await` and repeated
// declarations. Ctrl-C ends it. A preview is evaluated without side effects.

const runtimeParts = require('internal/parts');
const { AnyThen } = require('internal/any_kind');
const { RegExpTest } = require('internal/primordials');
const report = require('internal/errors/report');

const RESULT = '.repl_result'; // the property in which V8 returns the completion value
const REDECLARED = /^Identifier '.*' has already been declared$/;
const LAST_FORM = 2;
const PREVIEW_LIMIT_MS = 50;

let count = 0;

/** Returns the SyntaxError that the prepared text describes. */
function syntaxErrorOf({ 1: message, 2: line, 3: column, 4: source }, file) {
  const error = new SyntaxError(message);
  error.stack = `SyntaxError: ${message}\n    at ${file}:${line}:${column}`;
  const detail = { message, file, line, column, source, name: 'SyntaxError' };
  return report.describe(error, { whole: (colors) => report.syntaxText(detail, colors) });
}

/** Returns { promise, isImport }: the promise of an object with the completion value. Throws SyntaxErrors. */
function begin(text, isProgram) {
  const { native } = host;
  const file = `REPL${++count}`;
  for (let form = 0; ; form++) {
    const prepared = native.repl_prepare(text, file, form);
    if (prepared[0] === undefined) throw syntaxErrorOf(prepared, file);
    const run = () => native.replEvaluate(`${prepared[0]}\n//# sourceURL=${file}`);
    try {
      const promise = isProgram ? run() : require('node/vm/interruptible').interruptible(run);
      return { promise, isImport: prepared[2] };
    } catch (error) {
      const isRepeated = error instanceof SyntaxError && RegExpTest(REDECLARED, error.message);
      if (!isRepeated || form === LAST_FORM) throw error;
    }
  }
}

/** Returns the outcome of an evaluation that Ctrl-C has interrupted. */
function interruption() {
  const error = new Error('The evaluation was interrupted by Ctrl+C');
  error.stack = `Error: ${error.message}`;
  return { error, isInterrupted: true };
}

/**
 * Evaluates a text and calls `settle` once with { value, isImport } or { error, isInterrupted }. A text of imports
 * alone has no result to print. A program, unlike an input, ends with Ctrl-C.
 */
function evaluate(text, settle, { isProgram = false } = {}) {
  let evaluation;
  try {
    evaluation = begin(text, isProgram);
  } catch (error) {
    settle(error?.code === 'ERR_SCRIPT_EXECUTION_INTERRUPTED' ? interruption() : { error });
    return;
  }
  const { process } = runtimeParts.process;
  let isSettled = false;
  const finish = (outcome) => {
    if (isSettled) return;
    isSettled = true;
    if (!isProgram) process.removeListener('SIGINT', interrupt);
    settle(outcome);
  };
  const interrupt = () => finish(interruption());
  if (!isProgram) process.on('SIGINT', interrupt);
  AnyThen(
    evaluation.promise,
    (result) => finish({ value: result?.[RESULT], isImport: evaluation.isImport }),
    (error) => finish({ error }),
  );
}

/** Returns { value } of an expression evaluated without side effects, or undefined if it has some, throws, or awaits. */
function evaluateQuietly(text) {
  const { native } = host;
  const { 0: code, 1: isExpression } = native.repl_prepare(text, '', 0);
  if (code === undefined || !isExpression) return undefined;
  try {
    return { value: native.replEvaluate(code, PREVIEW_LIMIT_MS) };
  } catch {
    return undefined;
  }
}

module.exports = { evaluate, evaluateQuietly };
