'use strict';
// Owns: the text of a .env file as an object (util.parseEnv), as Node reads it: no variables are expanded.

const LINE = /^[ \t]*(?:export[ \t]+)?([^=\n#]+?)[ \t]*=[ \t]*/;

function parseEnv(content) {
  require('internal/validators').validateString(content, 'content');
  const result = { __proto__: null };
  let rest = content.replaceAll('\r\n', '\n').replaceAll('\r', '\n');
  while (rest.length > 0) {
    const lineEnd = endOfLine(rest);
    const match = LINE.exec(rest.slice(0, lineEnd));
    if (match === null) {
      rest = rest.slice(lineEnd + 1);
      continue;
    }
    rest = rest.slice(match[0].length);
    const { value, used } = readValue(rest);
    result[match[1].trim()] = value;
    rest = rest.slice(used);
  }
  return result;
}

const endOfLine = (text) => {
  const at = text.indexOf('\n');
  return at === -1 ? text.length : at;
};

/** The value at the start of `text` and how much of the text its line takes. */
function readValue(text) {
  const quote = text[0];
  if (quote === '"' || quote === "'" || quote === '`') {
    const close = text.indexOf(quote, 1);
    if (close !== -1) {
      const raw = text.slice(1, close);
      const after = close + 1 + endOfLine(text.slice(close + 1)) + 1;
      return { value: quote === '"' ? raw.replaceAll('\\n', '\n') : raw, used: after };
    }
  }
  const end = endOfLine(text);
  const comment = text.slice(0, end).indexOf('#');
  return { value: text.slice(0, comment === -1 ? end : comment).trim(), used: end + 1 };
}

module.exports = { parseEnv };
