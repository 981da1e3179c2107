'use strict';
// Owns: how an error is printed: source preview with a caret, name and message, properties, frames, cause and children.
// Used for uncaught errors, console.log of an error and RT.inspect.

const native = host.native;
const MOST_LINES = 6;
const WIDEST_PREVIEW = 120;
const FRAME = /^ {4}at (?:(?<name>.*) \()?(?<file>[^()]*?):(?<line>\d+):(?<column>\d+)\)?$/;
const details = new WeakMap();

/** Say more about an error that rt made: `text` replaces its message where it is printed, `place` its frames. */
function describe(error, detail) {
  details.set(error, detail);
  return error;
}

const paint = (colors, code, text) => (colors ? `\x1b[${code}m${text}\x1b[0m` : text);

function framesOf(error) {
  let stack;
  try {
    stack = error.stack;
  } catch {
    return [];
  }
  if (typeof stack !== 'string') return [];
  return stack.split('\n').filter((line) => line.startsWith('    at '));
}

/** The source lines ending at the failing one, numbered, and the caret under the column; '' where there is no source. */
function preview(file, line, column, most, colors) {
  const first = Math.max(1, line - most + 1);
  const lines = native.core_sourceLines(file, first, line);
  if (lines === null || lines === undefined || lines.length < line - first + 1) return '';
  const width = String(line).length;
  let text = '';
  let shift = 0;
  for (let index = 0; index < lines.length; index++) {
    let source = lines[index];
    const isLast = index === lines.length - 1;
    if (source.length > WIDEST_PREVIEW) {
      if (isLast && column > WIDEST_PREVIEW - 20) {
        shift = column - 60;
        source = source.slice(shift, shift + WIDEST_PREVIEW);
      } else source = source.slice(0, WIDEST_PREVIEW);
    }
    if (lines.length > 1 && index === 0 && source.trim() === '') continue;
    text += `${paint(colors, 2, `${String(first + index).padStart(width)} | `)}${source}\n`;
  }
  return `${text}${' '.repeat(width + 3 + Math.max(0, column - 1 - shift))}${paint(colors, 31, '^')}\n`;
}

function headlineOf(error, detail) {
  if (detail?.text !== undefined) return ['error', detail.text];
  let name = 'Error';
  let message = '';
  try {
    name = `${error.name}`;
    message = `${error.message}`;
  } catch {
    return ['error', 'an error whose name or message cannot be read'];
  }
  if (name === 'Error' || name === '') name = 'error';
  return [name, message];
}

const SHOWN_ELSEWHERE = new Set(['stack', 'message', 'name', 'cause', 'errors', 'line', 'column', 'sourceURL']);

function properties(error, colors) {
  const { Printer } = require('./inspect_rt');
  let text = '';
  for (const key of Reflect.ownKeys(error)) {
    if (typeof key === 'symbol' || SHOWN_ELSEWHERE.has(key)) continue;
    const descriptor = Object.getOwnPropertyDescriptor(error, key);
    if (!descriptor.enumerable || descriptor.get || typeof descriptor.value === 'function') continue;
    const printer = new Printer({ depth: 2, colors, sorted: false, singleLine: false });
    printer.quotesStrings = true;
    try {
      printer.print(descriptor.value);
    } catch {
      continue;
    }
    text += ` ${key}: ${printer.out},\n`;
  }
  return text === '' ? '' : `${text.replace(/,\n$/, '\n')}\n`;
}

function oneError(error, colors, seen) {
  const detail = details.get(error);
  if (detail?.whole !== undefined) return detail.whole(colors);
  const frames = detail?.frames ?? framesOf(error);
  let text = '';
  const first = frames.map((frame) => FRAME.exec(frame)).find((match) => match && !match.groups.file.startsWith('node:'));
  if (first && detail?.text === undefined) {
    text += preview(first.groups.file, Number(first.groups.line), Number(first.groups.column), MOST_LINES, colors);
  }
  const [name, message] = headlineOf(error, detail);
  text += `${paint(colors, 31, name)}${message === '' ? '' : `${paint(colors, 2, ':')} ${paint(colors, 1, message)}`}\n`;
  text += properties(error, colors);
  for (const frame of frames) text += `      ${frame.slice(4).replace(/^at <anonymous> \((.*)\)$/, 'at $1')}\n`;
  if (Object.hasOwn(error, 'cause') && isError(error.cause) && !seen.has(error.cause)) {
    seen.add(error.cause);
    text += `\n${oneError(error.cause, colors, seen)}`;
  }
  return text;
}

const isError = (value) => value !== null && typeof value === 'object' && (native.kindOf(value) === 'error' || value instanceof Error);

function errorText(error, { colors = false } = {}) {
  if (error instanceof AggregateError && Array.isArray(error.errors) && error.errors.length > 0) {
    return error.errors.map((child) => thrownText(child, { colors })).join('').replace(/\n$/, '');
  }
  return oneError(error, colors, new Set([error])).replace(/\n$/, '');
}

/** The text for whatever was thrown and not caught, with a newline at its end. */
function thrownText(value, { colors = false } = {}) {
  if (isError(value)) return `${errorText(value, { colors })}\n`;
  const { Printer } = require('./inspect_rt');
  const printer = new Printer({ depth: 2, colors, sorted: false, singleLine: false });
  printer.print(value);
  if (typeof value === 'string') return `${paint(colors, 31, 'error')}${paint(colors, 2, ':')} ${paint(colors, 1, value)}\n${value}\n`;
  return `${paint(colors, 31, 'error')}${paint(colors, 2, ':')} ${printer.out}\n`;
}

/** The text of a syntax error found before anything ran. */
function syntaxText({ file, line, column, source, message }, colors) {
  const width = String(line).length;
  return `${paint(colors, 2, `${line} | `)}${source}\n${' '.repeat(width + 3 + Math.max(0, column - 1))}${paint(colors, 31, '^')}\n`
    + `${paint(colors, 31, 'error')}${paint(colors, 2, ':')} ${paint(colors, 1, message)}\n    at ${file}:${line}:${column}\n`;
}

module.exports = { errorText, thrownText, syntaxText, describe, isError };
