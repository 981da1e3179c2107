// @ts-check
'use strict';
// Owns: the error page that a browser gets in development: message, location and stack, escaped.

const { isError } = require('internal/brands');
const { RegExpReplace, StringCharCodeAt } = require('internal/primordials');
const escapeText = (text) => RegExpReplace(/[&<>"']/g, text, (each) => `&#${StringCharCodeAt(each, 0)};`);

function page(error) {
  let title = 'Error';
  let text;
  try {
    title = isError(error) ? `${error.name}: ${error.message}` : String(error);
    text = require('internal/errors/report').thrownText(error, { colors: false });
  } catch {
    text = title;
  }
  return `<!doctype html>
<html><head><meta charset="utf-8"><title>${escapeText(title)}</title>
<style>body{font:15px/1.5 system-ui,sans-serif;margin:3em auto;max-width:60em;padding:0 1em}h1{font-size:1.3em;color:#b00020}pre{background:#8881;padding:1em;overflow:auto}</style>
</head><body><h1>${escapeText(title)}</h1><pre>${escapeText(text)}</pre>
<p>RT.serve shows this page in development. Give it an <code>error(error)</code> handler, or set <code>development: false</code>.</p>
</body></html>
`;
}

module.exports = { page };
