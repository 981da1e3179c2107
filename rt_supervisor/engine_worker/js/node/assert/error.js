'use strict';
// Owns: AssertionError and its generated messages.

const { isError } = require('internal/brands');
const { setOf } = require('internal/collections');
const {
  ArrayJoin,
  ArraySlice,
  ErrorCaptureStackTrace,
  ObjectAssign,
  ObjectCreate,
  ObjectDefineProperty,
  ObjectGetPrototypeOf,
  ObjectHasOwn,
  SetHas,
  StringRepeat,
  StringSlice,
  StringSplit,
  SymbolFor,
  intact,
} = require('internal/primordials');
const { validateObject } = require('internal/validators');
const { diffLines, printDiff } = require('node/assert/diff');

const LONGEST_SIMPLE_LENGTH = 12;
const LINE_WIDTH = 80;
const MOST_LINES = 50;
const LONGEST_VALUE = 512;
const MOST_VALUE_LINES = 10;
const LONGEST_TEXT = 1024;

const HEADS = {
  __proto__: null,
  deepStrictEqual: 'Expected values to be strictly deep-equal:',
  partialDeepStrictEqual: 'Expected values to be partially and strictly deep-equal:',
  strictEqual: 'Expected values to be strictly equal:',
  strictEqualObject: 'Expected "actual" to be reference-equal to "expected":',
  deepEqual: 'Expected values to be loosely deep-equal:',
  notDeepStrictEqual: 'Expected "actual" not to be strictly deep-equal to:',
  notStrictEqual: 'Expected "actual" to be strictly unequal to:',
  notStrictEqualObject: 'Expected "actual" not to be reference-equal to "expected":',
  notDeepEqual: 'Expected "actual" not to be loosely deep-equal to:',
  notIdentical: 'Values have same structure but are not reference-equal:',
  notDeepEqualUnequal: 'Expected values not to be loosely deep-equal:',
};
const WITH_DIFF = setOf(['deepStrictEqual', 'strictEqual', 'partialDeepStrictEqual']);

const isReference = (value) => (typeof value === 'object' && value !== null) || typeof value === 'function';

const inspectValue = (value) =>
  require('internal/inspect/inspect').inspect(value, {
    compact: false,
    customInspect: false,
    depth: 1000,
    maxArrayLength: Infinity,
    showHidden: false,
    showProxy: false,
    sorted: true,
    getters: true,
    breakLength: LINE_WIDTH, // longer strings are split at their line feeds
  });

const truncate = (text, length) => (text.length > length ? `${StringSlice(text, 0, length - 3)}...` : text);

/** Two one-line values on consecutive lines, with a mark under the first difference of two strings. */
function stackValues(actual, actualText, expected, expectedText) {
  let text = `\n+ ${actualText}\n- ${expectedText}`;
  if (typeof actual === 'string' && typeof expected === 'string' && actualText.length + expectedText.length <= LINE_WIDTH) {
    let at = 0;
    while (at < actualText.length && actualText[at] === expectedText[at]) at++;
    if (at >= 3 && at < actualText.length) text += `\n${StringRepeat(' ', at + 2)}^`;
  }
  return text;
}

function differenceMessage(actual, expected, operator, customMessage) {
  if (
    operator === 'strictEqual' &&
    ((typeof actual === 'object' && actual !== null && typeof expected === 'object' && expected !== null) ||
      (typeof actual === 'function' && typeof expected === 'function'))
  )
    operator = 'strictEqualObject';
  const actualText = inspectValue(actual);
  const expectedText = inspectValue(expected);
  const actualLines = StringSplit(actualText, '\n');
  const expectedLines = StringSplit(expectedText, '\n');
  let header = '+ actual - expected';
  let body;
  let isSkipped = false;
  if (actualLines.length === 1 && expectedLines.length === 1 && !(isObject(actual) && isObject(expected))) {
    const quotes = (typeof actual === 'string' ? 2 : 0) + (typeof expected === 'string' ? 2 : 0);
    if (actualText.length + expectedText.length - quotes <= LONGEST_SIMPLE_LENGTH && (actual !== 0 || expected !== 0)) {
      body = `${actualText} !== ${expectedText}`;
      header = '';
    } else {
      body = stackValues(actual, actualText, expected, expectedText);
    }
  } else if (actualText === expectedText) {
    operator = 'notIdentical';
    header = '';
    isSkipped = actualLines.length > MOST_LINES;
    body = isSkipped ? `${ArrayJoin(ArraySlice(actualLines, 0, MOST_LINES), '\n')}\n...}` : actualText;
  } else {
    const printed = printDiff(diffLines(actualLines, expectedLines, isObject(actual)));
    body = printed.text;
    isSkipped = printed.isSkipped;
  }
  const head = customMessage === undefined ? HEADS[operator] : `${customMessage}`;
  return `${head}\n${header}${isSkipped ? '\n... Skipped lines' : ''}\n${body}\n`;
}

const isObject = (value) => typeof value === 'object' && value !== null;

function unequalMessage(actual, operator, isFull) {
  const head = HEADS[operator === 'notStrictEqual' && isReference(actual) ? 'notStrictEqualObject' : operator];
  const lines = StringSplit(inspectValue(actual), '\n');
  if (lines.length > MOST_LINES && !isFull) {
    lines.length = 47;
    lines[46] = '...';
  }
  if (lines.length === 1) return `${head}${lines[0].length > 5 ? '\n\n' : ' '}${lines[0]}`;
  return `${head}\n\n${ArrayJoin(lines, '\n')}\n`;
}

function otherMessage(actual, expected, operator, isFull) {
  const actualText = inspectValue(actual);
  const expectedText = inspectValue(expected);
  if (operator === 'notDeepEqual' && actualText === expectedText)
    return truncate(`${HEADS[operator]}\n\n${actualText}`, isFull ? Infinity : LONGEST_TEXT);
  const longest = isFull ? Infinity : LONGEST_VALUE;
  const left = truncate(actualText, longest);
  const right = truncate(expectedText, longest);
  if (operator === 'deepEqual') return `${HEADS.deepEqual}\n\n${left}\n\nshould loosely deep-equal\n\n${right}`;
  const unequal = HEADS[`${operator}Unequal`];
  if (unequal !== undefined) return `${unequal}\n\n${left}\n\nshould not loosely deep-equal\n\n${right}`;
  return `${left} ${operator} ${right}`;
}

/** A copy of an error without its stack, which is irrelevant for the difference of two errors. */
function stackless(error) {
  const copy = ObjectAssign(ObjectCreate(ObjectGetPrototypeOf(error)), error);
  const hidden = { __proto__: null, writable: true, configurable: true, enumerable: false };
  ObjectDefineProperty(copy, 'message', { __proto__: null, ...hidden, value: error.message });
  for (const name of intact(['cause', 'errors'])) {
    if (!ObjectHasOwn(error, name)) continue;
    const value = error[name];
    ObjectDefineProperty(copy, name, { __proto__: null, ...hidden, value: isError(value) ? stackless(value) : value });
  }
  return copy;
}

function messageFor({ message, operator, actual, expected, diff }) {
  if (isError(actual) && isError(expected)) {
    actual = stackless(actual);
    expected = stackless(expected);
  }
  if (SetHas(WITH_DIFF, operator)) return differenceMessage(actual, expected, operator, message ?? undefined);
  if (message != null) return `${message}`;
  return operator === 'notDeepStrictEqual' || operator === 'notStrictEqual'
    ? unequalMessage(actual, operator, diff === 'full')
    : otherMessage(actual, expected, operator, diff === 'full');
}

class AssertionError extends Error {
  constructor(options) {
    validateObject(options, 'options');
    const { message, operator, stackStartFn, stackStartFunction, actual, expected, diff = 'simple' } = options;
    const limit = Error.stackTraceLimit;
    if (typeof limit === 'number') Error.stackTraceLimit = 0;
    super(messageFor({ message, operator, actual, expected, diff }));
    if (typeof limit === 'number') Error.stackTraceLimit = limit;
    this.generatedMessage = !message;
    ObjectDefineProperty(this, 'name', {
      __proto__: null,
      value: 'AssertionError [ERR_ASSERTION]',
      enumerable: false,
      writable: true,
      configurable: true,
    });
    this.code = 'ERR_ASSERTION';
    this.actual = actual;
    this.expected = expected;
    this.operator = operator;
    ErrorCaptureStackTrace(this, stackStartFn ?? stackStartFunction);
    // The first line of the stack keeps the code; the name loses it.
    void this.stack;
    require('internal/primordials').setOwn(this, 'name', 'AssertionError');
    this.diff = diff;
  }

  toString() {
    return `${this.name} [${this.code}]: ${this.message}`;
  }

  [SymbolFor('nodejs.util.inspect.custom')](depth, context) {
    // Long values are truncated: the message has shown the difference.
    const before = { actual: this.actual, expected: this.expected };
    for (const name of intact(['actual', 'expected'])) if (typeof this[name] === 'string') this[name] = truncateValue(this[name]);
    const text = require('internal/inspect/inspect').inspect(this, { ...context, customInspect: false, depth: 0 });
    ObjectAssign(this, before);
    return text;
  }
}

function truncateValue(text) {
  const lines = StringSplit(text, '\n', MOST_VALUE_LINES + 1);
  if (lines.length > MOST_VALUE_LINES) return `${ArrayJoin(ArraySlice(lines, 0, MOST_VALUE_LINES), '\n')}\n...`;
  // As in Node, the text after the limit is shown, not the text before it.
  return text.length > LONGEST_VALUE ? `${StringSlice(text, LONGEST_VALUE)}...` : text;
}

module.exports = { AssertionError };
