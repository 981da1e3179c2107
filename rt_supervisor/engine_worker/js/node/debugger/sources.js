'use strict';
// Owns: display names of the program's scripts, and source excerpts.

const { ArrayJoin, ArrayMap, ArraySlice, ArraySome, MathMax, RegExpReplace, StringPadStart, StringSlice, StringSplit, StringStartsWith } = require('internal/primordials'); // prettier-ignore

const kCustom = Symbol.for('nodejs.util.inspect.custom');
const AROUND = 5; // lines

/** The display name of a script: relative to the working directory if it is below it. */
function nameOf(url) {
  const path = StringStartsWith(url, 'file://') ? require('node/url/files').fileURLToPath(url) : url;
  const folder = `${host.cwd()}/`;
  return StringStartsWith(path, folder) ? StringSlice(path, folder.length) : path;
}

const isOfRuntime = (url) => StringStartsWith(url, 'node:');

/** A line number behind a marker, padded to the widest of the list. */
const formatNumber = (number, mark, last) => `${mark}${StringPadStart(`${number}`, MathMax(2, `${last}`.length), ' ')}`;

/** Lines of a script around a location; the debugger's breakpoints are marked. */
class Excerpt {
  #lines;
  #place;
  #around;
  #breakpoints;

  constructor(text, place, around, breakpoints) {
    this.#lines = StringSplit(text, '\n');
    this.#place = place;
    this.#around = around;
    this.#breakpoints = breakpoints;
  }

  [kCustom](depth, { colors }) {
    const { scriptId, lineNumber, columnNumber } = this.#place;
    const first = MathMax(1, lineNumber - this.#around + 1);
    const last = lineNumber + this.#around + 1;
    const excerpt = ArrayMap(ArraySlice(this.#lines, first - 1, last), (line, index) => {
      const number = first + index;
      const isCurrent = number === lineNumber + 1;
      const isBreakpoint = ArraySome(
        this.#breakpoints,
        ({ location }) => location?.scriptId === scriptId && location.lineNumber + 1 === number,
      );
      const mark = isCurrent ? '>' : isBreakpoint ? '*' : ' ';
      return `${formatNumber(number, mark, last)} ${isCurrent && colors ? highlightWord(line, columnNumber) : line}`;
    });
    return ArrayJoin(excerpt, '\n');
  }
}

/** A line with the word at `column` in green. */
function highlightWord(line, column) {
  const marked = RegExpReplace(
    /(.+?)([^\w]|$)/,
    StringSlice(line, column),
    (all, word, rest) => `\u001b[32m${word}\u001b[39m${rest}`,
  );
  return StringSlice(line, 0, column) + marked;
}

module.exports = { AROUND, Excerpt, isOfRuntime, nameOf, formatNumber };
