// @ts-check
'use strict';
// Owns: util.parseEnv: parses the contents of a .env file as Node does; variables are not expanded.

const { RegExpExec, StringIndexOf, StringReplaceAll, StringSlice, StringTrim } = require('internal/primordials');
const LINE = /^[ \t]*(?:export[ \t]+)?([^=\n#]+?)[ \t]*=[ \t]*/;

function parseEnv(content) {
  require('internal/validators').validateString(content, 'content');
  const result = { __proto__: null };
  let rest = StringReplaceAll(StringReplaceAll(content, '\r\n', '\n'), '\r', '\n');
  while (rest.length > 0) {
    const lineEnd = endOfLine(rest);
    const match = RegExpExec(LINE, StringSlice(rest, 0, lineEnd));
    if (match === null) {
      rest = StringSlice(rest, lineEnd + 1);
      continue;
    }
    rest = StringSlice(rest, match[0].length);
    const { value, used } = readValue(rest);
    result[StringTrim(match[1])] = value;
    rest = StringSlice(rest, used);
  }
  return result;
}

const endOfLine = (text) => {
  const at = StringIndexOf(text, '\n');
  return at === -1 ? text.length : at;
};

/** The value at the start of `text`, and how much of the text its line takes. */
function readValue(text) {
  const quote = text[0];
  if (quote === '"' || quote === "'" || quote === '`') {
    const close = StringIndexOf(text, quote, 1);
    if (close !== -1) {
      const raw = StringSlice(text, 1, close);
      const after = close + 1 + endOfLine(StringSlice(text, close + 1)) + 1;
      return { value: quote === '"' ? StringReplaceAll(raw, '\\n', '\n') : raw, used: after };
    }
  }
  const end = endOfLine(text);
  const comment = StringIndexOf(StringSlice(text, 0, end), '#');
  return { value: StringTrim(StringSlice(text, 0, comment === -1 ? end : comment)), used: end + 1 };
}

module.exports = { parseEnv };
