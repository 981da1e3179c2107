// @ts-check
'use strict';
// Owns: util.styleText: wraps text in the escape sequences of named styles or #rrggbb colours.

const { AnySlice } = require('internal/any_kind');
const {
  ArrayFilter,
  ArrayIsArray,
  ArrayMap,
  ObjectGetOwnPropertyNames,
  ObjectIsEnumerable,
  ObjectKeys,
  RegExpReplace,
  RegExpTest,
  StringSlice,
  StringSplit,
  intact,
} = require('internal/primordials');
const { validateBoolean, validateObject, validateOneOf, validateString } = require('internal/validators');

const BOLD = 1;
const DIM = 2;
const HEX_COLOR = /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i;

function codesOf(name) {
  const { inspect } = require('internal/inspect/inspect');
  if (typeof name === 'string' && RegExpTest(HEX_COLOR, name)) {
    const digits = name.length === 4 ? RegExpReplace(/./g, StringSlice(name, 1), (each) => each + each) : StringSlice(name, 1);
    const { 0: red, 1: green, 2: blue } = ArrayMap([0, 2, 4], (at) => parseInt(AnySlice(digits, at, at + 2), 16));
    return [`38;2;${red};${green};${blue}`, 39];
  }
  const codes = inspect.colors[name];
  if (codes === undefined || codes === null) {
    const hidden = ArrayFilter(ObjectGetOwnPropertyNames(inspect.colors), (one) => !ObjectIsEnumerable(inspect.colors, one));
    validateOneOf(name, 'format', [...intact(ObjectKeys(inspect.colors)), ...intact(hidden)]);
  }
  return codes;
}

/**
 * Reopens the style after each sequence in the text that closes it, except at the end. Bold and dim share a closing sequence,
 * which is kept.
 */
function reopenStyle(text, close, open, isKept) {
  const parts = StringSplit(text, close);
  let joinedText = parts[0];
  for (let i = 1; i < parts.length; i++) {
    const isEnd = i === parts.length - 1 && parts[i] === '';
    joinedText += isEnd ? close : isKept ? close + open : open;
    joinedText += parts[i];
  }
  return joinedText;
}

/** Options: validateStream (true), stream (stdout). The text stays unstyled for a stream without colours. */
function styleText(format, text, options = {}) {
  validateString(text, 'text');
  validateObject(options, 'options');
  const { validateStream = true, stream } = options;
  validateBoolean(validateStream, 'options.validateStream');
  const names = ArrayIsArray(format) ? format : [format];
  const all = ArrayMap(
    ArrayFilter(names, (name) => name !== 'none'),
    codesOf,
  );
  if (validateStream && !hasColors(stream)) return text;
  let open = '';
  let close = '';
  for (const { 0: start, 1: end } of intact(all)) {
    open += `\x1b[${start}m`;
    close = `\x1b[${end}m${close}`;
    text = reopenStyle(text, `\x1b[${end}m`, `\x1b[${start}m`, start === BOLD || start === DIM);
  }
  return `${open}${text}${close}`;
}

function hasColors(stream) {
  if (stream !== undefined) {
    if (typeof stream?.write !== 'function' && typeof stream?.getReader !== 'function') {
      throw new (require('internal/errors/errors').codes.ERR_INVALID_ARG_TYPE)(
        'stream',
        ['ReadableStream', 'WritableStream', 'Stream'],
        stream,
      );
    }
    return Boolean(stream.isTTY) && (stream.hasColors?.() ?? true);
  }
  return host.stdoutHasColors?.() ?? false;
}

module.exports = { styleText };
