// @ts-check
'use strict';
// Owns: the arguments of one console call as text: values joined by spaces, and % directives in every string that is followed
// by values. Follows Bun where it differs from util.format.

const {
  JSONStringify,
  ObjectIs,
  StringCharCodeAt,
  StringSlice,
  StringStartsWith,
  SymbolToString,
} = require('internal/primordials');
const { Printer, FORM } = require('internal/inspect/rt');

/** Formats without a final newline. settings: { depth, colors, indent, singleLine? } of Printer. */
function formatArguments(args, settings) {
  if (args.length === 1 && typeof args[0] === 'string' && settings.indent === 0) return args[0];
  const printer = new Printer(settings);
  printer.writeIndent();
  const values = new Values(args);
  for (let any = false; values.hasMore(); any = true) {
    if (any) printer.out += ' ';
    const value = values.next();
    // A string (or String object) followed by values may contain directives.
    const isText = typeof value === 'string' || printer.formOf(value) === FORM.STRING_OBJECT;
    if (isText && values.hasMore()) formatString(printer, `${value}`, values);
    else printer.print(value);
  }
  return printer.out;
}

class Values {
  constructor(list) {
    this.list = list;
    this.at = 0;
  }

  hasMore() {
    return this.at < this.list.length;
  }

  next() {
    return this.list[this.at++];
  }
}

function formatString(printer, template, values) {
  printer.line += template.length;
  let done = 0; // how much of the template has been written
  for (let i = 0; i < template.length - 1 && values.hasMore(); i++) {
    if (StringCharCodeAt(template, i) !== 37) continue;
    const letter = template[++i];
    if (letter === '%') {
      printer.out += StringSlice(template, done, i);
      done = i + 1;
      i++; // Bun does not examine the character after %%
      continue;
    }
    const write = directives[letter];
    if (write === undefined) continue;
    printer.out += StringSlice(template, done, i - 1);
    done = i + 1;
    write(printer, values.next());
  }
  printer.out += StringSlice(template, done);
}

const writeText = (printer, text) => printer.token(text.length, text);

function writeString(printer, value) {
  if (typeof value === 'symbol') return writeText(printer, SymbolToString(value));
  if (value !== null && typeof value === 'object' && printer.formOf(value) === FORM.STRING_OBJECT) return printer.print(value);
  writeText(printer, `${value}`);
}

function writeInteger(printer, value) {
  if (typeof value === 'bigint') return writeText(printer, `${value}`);
  const number = typeof value === 'symbol' ? NaN : Number(value);
  const integer = parseInt(`${number}`, 10);
  writeText(printer, ObjectIs(integer, -0) ? '0' : `${integer}`);
}

function writeFloat(printer, value) {
  if (typeof value === 'bigint') return writeText(printer, `${value}`);
  writeText(printer, `${typeof value === 'symbol' ? NaN : Number(value)}`);
}

function writeJSON(printer, value) {
  let text;
  try {
    text = JSONStringify(value);
  } catch (error) {
    if (!(error instanceof TypeError) || !StringStartsWith(`${error.message}`, 'Converting circular structure')) throw error;
    text = '[Circular]';
  }
  if (text !== undefined) writeText(printer, text);
}

const directives = {
  __proto__: null,
  s: writeString,
  d: writeInteger,
  i: writeInteger,
  f: writeFloat,
  j: writeJSON,
  o: (printer, value) => printer.print(value),
  O: (printer, value) => printer.print(value),
  c: () => {},
};

module.exports = { formatArguments };
