'use strict';
// Owns: what the debugger knows of the program's scripts: their names as people read them, and excerpts around a place.

const { ArrayJoin, ArrayMap, ArraySlice, ArraySome, MathMax, RegExpReplace, StringPadStart, StringSlice, StringSplit, StringStartsWith } = require('internal/primordials'); // prettier-ignore

const kCustom = Symbol.for('nodejs.util.inspect.custom');
const AROUND = 5; // lines

/** The name of a script, seen from the working folder where it is below that. */
function nameOf(url) {
  const path = StringStartsWith(url, 'file://') ? require('node/url/files').fileURLToPath(url) : url;
  const folder = `${host.cwd()}/`;
  return StringStartsWith(path, folder) ? StringSlice(path, folder.length) : path;
}

const isOfRuntime = (url) => StringStartsWith(url, 'node:');

/** A number behind a mark, as wide as the widest of its list. */
const numbered = (number, mark, last) => `${mark}${StringPadStart(`${number}`, MathMax(2, `${last}`.length), ' ')}`;

/** Lines of a script around a place; the debugger's own breakpoints are marked. */
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
    const shown = ArrayMap(ArraySlice(this.#lines, first - 1, last), (line, index) => {
      const number = first + index;
      const isCurrent = number === lineNumber + 1;
      const isBreakpoint = ArraySome(
        this.#breakpoints,
        ({ location }) => location?.scriptId === scriptId && location.lineNumber + 1 === number,
      );
      const mark = isCurrent ? '>' : isBreakpoint ? '*' : ' ';
      return `${numbered(number, mark, last)} ${isCurrent && colors ? painted(line, columnNumber) : line}`;
    });
    return ArrayJoin(shown, '\n');
  }
}

/** A line whose word at `column` is green. */
function painted(line, column) {
  const marked = RegExpReplace(
    /(.+?)([^\w]|$)/,
    StringSlice(line, column),
    (all, word, rest) => `\u001b[32m${word}\u001b[39m${rest}`,
  );
  return StringSlice(line, 0, column) + marked;
}

module.exports = { AROUND, Excerpt, isOfRuntime, nameOf, numbered };
