// @ts-check
'use strict';
// Owns: how an error is printed: source preview with a caret, name and message, properties, frames, cause and nested errors.
// Used for uncaught errors, console.log of an error, and RT.inspect.

const { AnySlice } = require('internal/any_kind');
const { setOf } = require('internal/collections');
const native = host.native;
const MOST_LINES = 6;
const WIDEST_LINE = 1024; // longer lines are shown as a window around the column
const WINDOW = 120;
const PROPERTY_DEPTH = 0;
const WIDEST_NAME = 10; // property names are aligned up to this width
const THROWN_DEPTH = 8;
// Paths may contain parentheses: a location in parentheses starts at the first ` (` and extends to the end of the line.
const FRAME =
  /^ {4}at (?:async )?(?:[^(]* \((?<named>(?!eval at ).*):(?<line>\d+):(?<column>\d+)\)|(?<bare>.*):(?<bareLine>\d+):(?<bareColumn>\d+))$/;
const {
  ArrayFilter,
  ArrayFindIndex,
  ArrayIsArray,
  ArrayJoin,
  ArrayMap,
  ArrayPop,
  ArrayPush,
  ArraySplice,
  MathMax,
  MathMin,
  ObjectGetOwnPropertyDescriptor,
  ReflectOwnKeys,
  RegExpExec,
  RegExpTest,
  SetAdd,
  SetHas,
  StringPadStart,
  StringRepeat,
  StringSlice,
  StringSplit,
  StringStartsWith,
  WeakMapGet,
  WeakMapSet,
  intact,
} = require('internal/primordials');
const { framesBehindHook } = require('internal/stack');
const details = new WeakMap();

/**
 * Sets how an error created by rt is printed: `text` replaces its message, `frames` its frames, `whole(colors)` the whole
 * report. `place` ({ file, line, column, source }) is the location of a syntax error, for `internal/errors/node_report`.
 */
function describe(error, detail) {
  WeakMapSet(details, error, detail);
  return error;
}

const paint = (colors, code, text) => (colors ? `\x1b[${code}m${text}\x1b[0m` : text);

function framesOf(error) {
  let stack;
  try {
    stack = error.stack;
  } catch {
    stack = undefined; // a getter, or the program's own prepareStackTrace, threw
  }
  const behind = framesBehindHook(error);
  if (behind !== undefined) return behind;
  if (typeof stack !== 'string') return [];
  return ArrayFilter(StringSplit(stack, '\n'), (line) => StringStartsWith(line, '    at '));
}

const TAB_STOP = 8;

/** Returns the number of terminal columns of `text` if it starts after `from` columns. */
function columnsOf(text, from) {
  let columns = from;
  const parts = StringSplit(text, '\t');
  for (let index = 0; index < parts.length; index++) {
    if (index > 0) columns += TAB_STOP - (columns % TAB_STOP);
    columns += RegExpTest(/^[ -~]*$/, parts[index])
      ? parts[index].length
      : require('internal/string_width').stringWidth(parts[index]);
  }
  return columns;
}

/** Returns the caret line for a column (from 1) of a line that is shown after a gutter of `gutter` columns. */
function caretLine(source, column, gutter, colors) {
  const columns = columnsOf(StringSlice(source, 0, MathMax(0, column - 1)), gutter);
  return `${StringRepeat(' ', columns)}${colors ? require('internal/errors/source_colors').caret : '^'}\n`;
}

/** Returns a source line prefixed with its number. */
function numberLine(number, source, colors) {
  if (!colors) return `${number} | ${source}\n`;
  const paints = require('internal/errors/source_colors');
  return `${paints.gutter(`${number} |`)} ${paints.source(source)}\n`;
}

const frameLine = (frame, colors) => (colors ? require('internal/errors/source_colors').frame(frame) : frame);

/** Returns the numbered source lines up to the failing one and the caret line, or '' if the source is unavailable. */
function preview(file, line, column, most, colors) {
  const first = MathMax(1, line - most + 1);
  const lines = native.core_sourceLines(file, first, line);
  if (lines === null || lines === undefined || lines.length < line - first + 1) return '';
  const width = String(line).length;
  let text = '';
  let shift = 0;
  let source = '';
  for (let index = 0; index < lines.length; index++) {
    source = lines[index];
    if (source.length > WIDEST_LINE) {
      if (index === lines.length - 1) shift = MathMax(0, MathMin(column - WINDOW / 2, source.length - WINDOW));
      source = StringSlice(source, shift, shift + WINDOW);
    }
    text += numberLine(StringPadStart(String(first + index), width), source, colors);
  }
  return text + caretLine(source, column - shift, width + 3, colors);
}

/** Returns the result of `read`, or undefined if it throws. */
function attempt(read) {
  try {
    return read();
  } catch {
    return undefined;
  }
}

function headlineOf(error, detail) {
  if (detail?.text !== undefined) return ['error', detail.text];
  let name = attempt(() => error.name);
  if (typeof name !== 'string') name = 'Error';
  const message = attempt(() => `${error.message}`);
  if (message === undefined) return [name === 'Error' ? 'error' : name, 'an error whose message cannot be read'];
  if (message === '' && name === 'Error') return [name, message];
  if (name === 'Error' || name === '') name = 'error';
  return [name, message];
}

const SHOWN_ELSEWHERE = setOf(intact(['stack', 'message', 'name', 'line', 'column', 'sourceURL']));

/** Returns the lines for own properties, names right-aligned and `code` last. Errors among them are added to `nested`. */
function properties(error, { colors, indent }, seen, nested) {
  const shown = [];
  for (let index = 0, list = ReflectOwnKeys(error); index < list.length; index++) {
    const key = list[index];
    const name = typeof key === 'symbol' ? (key.description ?? '') : key;
    if (SetHas(SHOWN_ELSEWHERE, name)) continue;
    const descriptor = ObjectGetOwnPropertyDescriptor(error, key);
    if (descriptor === undefined || (!descriptor.enumerable && name !== 'cause')) continue;
    if (descriptor.get || descriptor.set) continue;
    if (isError(descriptor.value)) {
      if (SetHas(seen, descriptor.value)) ArrayPush(shown, [name, '[Circular]']);
      else ArrayPush(nested, descriptor.value);
    } else {
      ArrayPush(shown, [name, valueText(descriptor.value, PROPERTY_DEPTH, colors, indent)]);
    }
  }
  if (shown.length === 0) return '';
  const width = MathMin(WIDEST_NAME, MathMax(...intact(ArrayMap(shown, ({ 0: name }) => name.length))));
  const code = ArrayFindIndex(shown, ({ 0: name, 1: text }) => name === 'code' && typeof error.code === 'string');
  const last = code < 0 ? [] : ArraySplice(shown, code, 1);
  const line = ({ 0: name, 1: text }) => ` ${StringPadStart(name, width)}: ${text}`;
  return `${ArrayJoin(
    ArrayMap(shown, (each) => `${line(each)},\n`),
    '',
  )}${ArrayJoin(
    ArrayMap(last, (each) => `${line(each)}\n`),
    '',
  )}\n`;
}

function valueText(value, depth, colors, indent) {
  const { Printer } = require('internal/inspect/rt');
  const printer = new Printer({ depth, colors, sorted: false, singleLine: false, indent });
  printer.quotesStrings = true;
  try {
    printer.print(value);
  } catch {
    return '[a value that cannot be printed]';
  }
  return printer.out;
}

/**
 * Returns [file, line, column] of the first frame in a file of the program.
 * @returns {[string, number, number] | undefined}
 */
function firstPlace(frames) {
  for (let index = 0; index < frames.length; index++) {
    const frame = frames[index];
    const groups = RegExpExec(FRAME, frame)?.groups;
    const file = groups?.named ?? groups?.bare;
    if (groups !== undefined && file !== undefined && !StringStartsWith(file, 'node:')) {
      return [file, Number(groups.line ?? groups.bareLine), Number(groups.column ?? groups.bareColumn)];
    }
  }
  return undefined;
}

let isWarning = false;

/** Returns the result of `write()`. Errors that it prints are warnings: without source, labelled `warn` instead of `error`. */
function asWarning(write) {
  const before = isWarning;
  isWarning = true;
  try {
    return write();
  } finally {
    isWarning = before;
  }
}

// Frames of a file's top level, and of anonymous functions whose receiver carries no information.
const NAMELESS =
  /^at (async )?(?:(?:Object\.)?<anonymous>|Timeout\._onTimeout|Immediate\.(?:_onImmediate|<anonymous>)) \((.*)\)$/;
// The receiver's class in the frame of a named function, and the name by which it was called. `Promise.all (index 1)`
// is unchanged.
const TYPED = /^at (async )?(?:[A-Z][\w$]*\.)?([^ ()[\]]+)(?: \[as [^\]]*\])? \((?!index )(.*)\)$/;

/** Returns a frame of `error.stack` as Bun prints it: functions by their names alone, those without one by their receiver. */
function shownFrame(frame) {
  const nameless = RegExpExec(NAMELESS, frame);
  if (nameless !== null) return `at ${nameless[1] ?? ''}${nameless[2]}`;
  const typed = RegExpExec(TYPED, frame);
  if (typed === null || typed[2] === '<anonymous>') return frame;
  return `at ${typed[1] ?? ''}${typed[2]} (${typed[3]})`;
}

/** Returns the text of `error` alone; errors in its properties are added to `nested`. */
function oneError(error, form, seen, nested) {
  const { colors } = form;
  const detail = WeakMapGet(details, error);
  if (detail?.whole !== undefined) return detail.whole(colors);
  const frames = detail?.frames ?? framesOf(error);
  let text = '';
  const first = detail?.text === undefined ? firstPlace(frames) : undefined;
  if (first !== undefined && !isWarning) text += preview(first[0], first[1], first[2], MOST_LINES, colors);
  const { 0: name, 1: message } = headlineOf(error, detail);
  const isPlain = isWarning && name === 'error';
  text += `${paint(colors, isPlain ? 33 : 31, isPlain ? 'warn' : name)}${paint(colors, 2, ':')} ${paint(colors, 1, message)}\n`;
  if (detail?.text === undefined) text += properties(error, form, seen, nested);
  for (let index = 0; index < frames.length; index++) {
    text += `      ${frameLine(shownFrame(StringSlice(frames[index], 4)), colors)}\n`;
  }
  return text;
}

/** Returns the text of `error` and of all errors nested in its properties, each once, depth first. */
function formatWithNested(error, form, seen) {
  const pending = [error];
  const texts = [];
  while (pending.length > 0) {
    const next = ArrayPop(pending);
    if (SetHas(seen, next)) continue;
    SetAdd(seen, next);
    const nested = [];
    ArrayPush(texts, oneError(next, form, seen, nested));
    for (let last = nested.length - 1; last >= 0; last--) ArrayPush(pending, nested[last]);
  }
  return ArrayJoin(texts, '\n');
}

const isError = (value) =>
  value !== null &&
  typeof value === 'object' &&
  (native.kindOf(value) === 'error' || attempt(() => value instanceof Error) === true);

/** Returns the innermost target of nested proxies, so that printing an error runs no traps. */
function unwrapProxy(value) {
  let target = value;
  while (target !== null && typeof target === 'object' && native.kindOf(target) === 'proxy')
    ({ 0: target } = native.proxyDetails(target));
  return isError(target) ? target : value;
}

/** Returns the text of an error, with a final newline. */
function errorText(error, { colors = false, indent = 0, seen = new Set() } = {}) {
  const errors = attempt(() => (error instanceof AggregateError ? error.errors : undefined));
  const children = ArrayIsArray(errors) ? ArrayFilter(errors, (child) => child !== error && !SetHas(seen, child)) : [];
  if (children.length > 0) {
    SetAdd(seen, error);
    return ArrayJoin(
      ArrayMap(children, (child) => thrownText(child, { colors, seen })),
      '',
    );
  }
  return formatWithNested(error, { colors, indent }, seen);
}

/**
 * Returns the text for any uncaught value, with a final newline.
 * @param {any} thrown
 * @param {{ colors?: boolean, seen?: Set<any> }} options `seen`: errors that are in the text already
 */
function thrownText(thrown, { colors = false, seen } = {}) {
  const value = unwrapProxy(thrown);
  if (isError(value)) return errorText(value, { colors, seen });
  const headline = (name, message) =>
    `${paint(colors, 31, name)}${message === undefined ? '' : `${paint(colors, 2, ':')} ${paint(colors, 1, message)}`}\n`;
  if (typeof value === 'symbol') return `${headline('error', value.description ?? '')}${String(value)}\n`;
  if (value === null || (typeof value !== 'object' && typeof value !== 'function')) {
    return `${headline('error', String(value))}${String(value)}${typeof value === 'bigint' ? 'n' : ''}\n`;
  }
  let name = 'error';
  let message;
  try {
    if (typeof value.message === 'string') {
      message = value.message;
      if (typeof value.name === 'string' && value.name !== '') name = value.name;
    }
  } catch {
    message = undefined; // a getter threw
  }
  return `${headline(name, message)}${valueText(value, THROWN_DEPTH, colors)}\n`;
}

/** Returns the text of a syntax error found before any code ran, labelled `name`. */
function syntaxText({ file, line, column, source, message, name = 'error' }, colors) {
  const width = String(line).length;
  let shift = 0;
  if (source.length > WIDEST_LINE) {
    const whole = column > source.length ? (native.core_sourceLines(file, line, line)?.[0] ?? source) : source;
    shift = MathMax(0, column - WINDOW / 2);
    source = AnySlice(whole, shift, shift + WINDOW);
  }
  return (
    `${numberLine(String(line), source, colors)}${caretLine(source, column - shift, width + 3, colors)}` +
    `${paint(colors, 31, name)}${paint(colors, 2, ':')} ${paint(colors, 1, message)}\n    ${frameLine(`at ${file}:${line}:${column}`, colors)}\n`
  );
}

/** Returns what `describe` set for `error`, or undefined. */
const detailOf = (error) => WeakMapGet(details, error);

module.exports = { asWarning, errorText, thrownText, syntaxText, describe, detailOf, firstPlace, framesOf, isError };
