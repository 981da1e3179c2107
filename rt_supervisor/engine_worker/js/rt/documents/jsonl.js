// @ts-check
'use strict';
// Owns: RT.JSONL: one JSON value a line, as a whole (`parse`) or from an incomplete stream (`parseChunk`).

const {
  ArrayPush,
  ArraySome,
  JSONParse,
  ObjectDefineProperty,
  RegExpExec,
  RegExpReplace,
  RegExpTest,
  StringIndexOf,
  StringSlice,
  StringSplit,
  StringStartsWith,
  StringTrim,
  StringTrimEnd,
  TypedArraySubarray,
} = require('internal/primordials');
const native = host.native;
const { bytesOf } = require('internal/bytes');

const failure = () => new SyntaxError('Failed to parse JSONL');

/** Returns whether `text` could be the beginning of a JSON value. */
function isUnfinished(text) {
  try {
    JSONParse(text);
    return false;
  } catch (error) {
    return (
      RegExpTest(
        /end of JSON input|Unterminated string|after property name|double-quoted property name|Expected '[,\]}]'/,
        error.message,
      ) && isAtEnd(error.message, text)
    );
  }
}

function isAtEnd(message, text) {
  const place = RegExpExec(/at position (\d+)/, message);
  return place === null || Number(place[1]) >= text.length || RegExpTest(/Unterminated string/, message);
}

/** Parses lines; `read` is the number of consumed characters. The last line may be incomplete. */
function read(text) {
  const values = [];
  let used = 0;
  for (let start = 0; start < text.length;) {
    let end = StringIndexOf(text, '\n', start);
    const isLast = end < 0;
    if (isLast) end = text.length;
    const line = StringTrim(StringSlice(text, start, end));
    if (line !== '') {
      try {
        ArrayPush(values, JSONParse(line));
      } catch {
        const isWaiting =
          isLast &&
          (isUnfinished(line) || ArraySome(StringSplit('true false null', ' '), (word) => StringStartsWith(word, line)));
        return { values, used, error: isWaiting ? null : failure(), isDone: false };
      }
      used = start + StringTrimEnd(StringSlice(text, start, end)).length;
    }
    start = end + 1;
  }
  return { values, used, error: null, isDone: true };
}

function parse(input) {
  if (input === undefined || input === null) throw new TypeError('JSONL.parse requires a string argument');
  const { values, error, isDone } = read(textOf(input));
  if (error !== null && values.length === 0) throw error;
  if (!isDone && error === null && values.length === 0) throw failure();
  return values;
}

const textOf = (input) => {
  const bytes = typeof input === 'object' ? bytesOf(input) : undefined;
  return RegExpReplace(/^\ufeff/, bytes === undefined ? `${input}` : native.decodeUtf8(bytes), '');
};

/** Parses the available part of a stream. Returns its values and how much was consumed (bytes or characters, as given). */
function parseChunk(input, start = 0, end = undefined) {
  if (input === undefined || input === null) throw new TypeError('JSONL.parseChunk requires a string argument');
  const bytes = typeof input === 'object' ? bytesOf(input) : undefined;
  const part =
    bytes === undefined ? StringSlice(`${input}`, start, end) : native.decodeUtf8(TypedArraySubarray(bytes, start, end));
  const { values, used, error, isDone } = read(part);
  const size = bytes === undefined ? used : native.encodeUtf8(StringSlice(part, 0, used)).length;
  return { values, read: start + size, done: isDone, error };
}

const JSONL = { parse, parseChunk };
ObjectDefineProperty(JSONL, Symbol.toStringTag, { __proto__: null, value: 'JSONL', configurable: true });

module.exports = { JSONL };
