// @ts-check
'use strict';
// Owns: the console form of Blobs and of files of RT, which are Blobs without bytes in memory.

const { ArrayForEach, NumberToFixed, ObjectEntries, intact } = require('internal/primordials');

/** Prints in Bun's form: the size with a unit, then known members. */
function printBlob(printer, name, blob, members) {
  printTitled(printer, `${name} (${sizeText(blob.size)})`, members);
}

/** Prints a title and members, without a trailing comma. */
function printTitled(printer, title, members) {
  printer.out += title;
  const entries = ObjectEntries(members);
  if (entries.length === 0) return;
  printer.out += ' {\n';
  printer.indent++;
  ArrayForEach(entries, ({ 0: key, 1: value }, place) => {
    printer.writeIndent();
    printer.out += `${key}: `;
    const before = printer.quotesStrings;
    printer.quotesStrings = true;
    printer.print(value);
    printer.quotesStrings = before;
    if (place < entries.length - 1) printer.comma();
    printer.out += '\n';
  });
  printer.indent--;
  printer.writeIndent();
  printer.out += '}';
}

const UNITS = ['KB', 'MB', 'GB', 'TB'];

/** Formats a size as Bun does. */
function sizeText(size) {
  if (size === 0) return '0 KB';
  if (size < 512) return `${size} bytes`;
  if (size < 1000) return `${NumberToFixed(size / 1000, 2)} KB`;
  let amount = size;
  let unit = -1;
  while (amount >= 1000) [amount, unit] = intact([amount / 1000, unit + 1]);
  return `${NumberToFixed(amount, 1)} ${UNITS[unit]}`;
}

module.exports = { printBlob, printTitled, sizeText };
