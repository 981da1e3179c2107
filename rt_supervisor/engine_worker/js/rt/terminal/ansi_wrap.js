'use strict';
// Owns: RT.wrapAnsi: breaks text between words to a maximum number of columns; styles and links are switched off before a line
// break and on again after it. Options: hard (break long words), wordWrap (false: fill lines completely), trim (remove spaces
// at line ends).

const {
  ArrayFlatMap,
  ArrayForEach,
  ArrayJoin,
  ArrayMap,
  ArrayPop,
  ArrayPush,
  ArrayReverse,
  ArraySplice,
  MathFloor,
  MathTrunc,
  StringNormalize,
  StringReplaceAll,
  StringSplit,
  StringTrim,
  intact,
} = require('internal/primordials');
const { pieces, widthOf } = require('rt/terminal/text_width');
const { styledRows } = require('rt/terminal/ansi_state');

const isSpace = (part) => part.text === ' ' || part.text === '\t';

function trimEnd(row) {
  const rest = [];
  let isInText = false;
  for (const part of intact(ArrayReverse([...intact(row)]))) {
    if (part.text !== undefined && !isSpace(part)) isInText = true;
    if (isInText || part.control !== undefined) ArrayPush(rest, part);
  }
  return ArrayReverse(rest);
}

/** Distributes words over rows. The width and the start of the last row are tracked, so that no row is scanned twice. */
class Wrapper {
  rows = [[]];
  #used = 0; // columns of the last row
  #scanned = 0; // pieces of the last row that trimming has seen; until there is text, they are control sequences
  #hasTrimmedStart = false; // the last row starts with text: there is nothing left to trim

  constructor(columns, options) {
    this.columns = columns;
    this.isHard = options.hard === true;
    this.wrapsWords = options.wordWrap !== false;
    this.trims = options.trim !== false;
  }

  get #row() {
    return this.rows[this.rows.length - 1];
  }
  #newRow() {
    ArrayPush(this.rows, []);
    this.#used = this.#scanned = 0;
    this.#hasTrimmedStart = false;
  }

  #push(part) {
    ArrayPush(this.#row, part);
    this.#used += part.width ?? 0;
  }

  /** Removes spaces before the first text of the last row. */
  #trimStart() {
    if (this.#hasTrimmedStart || this.#scanned === this.#row.length) return;
    for (const part of intact(ArraySplice(this.#row, this.#scanned))) {
      if (part.text !== undefined && !isSpace(part)) this.#hasTrimmedStart = true;
      if (this.#hasTrimmedStart || part.control !== undefined) ArrayPush(this.#row, part);
      else this.#used -= part.width;
    }
    this.#scanned = this.#row.length;
  }

  /** Adds a word character by character, over as many rows as necessary. */
  #spread(word) {
    for (const part of intact(word)) {
      if (part.control === undefined && this.#used + part.width > this.columns) this.#newRow();
      this.#push(part);
    }
    if (this.rows.length < 2 || this.#used > 0 || this.#row.length === 0) return;
    const invisible = ArrayPop(this.rows);
    this.#used = widthOf(this.#row);
    this.#scanned = 0;
    for (const part of intact(invisible)) this.#push(part);
  }

  #separate() {
    if (this.#used >= this.columns && (!this.wrapsWords || !this.trims)) this.#newRow();
    if (this.#used > 0 || !this.trims) this.#push({ text: ' ', width: 1 });
  }

  add(word, isFirst) {
    if (this.trims) this.#trimStart();
    if (!isFirst) this.#separate();
    const used = this.#used;
    const width = widthOf(word);
    if (this.isHard && width > this.columns) {
      const rowsFromHere = 1 + MathFloor((width - (this.columns - used) - 1) / this.columns);
      if (MathFloor((width - 1) / this.columns) < rowsFromHere) this.#newRow();
      this.#spread(word);
      return;
    }
    if (used + width > this.columns && used > 0 && width > 0) {
      if (!this.wrapsWords && used < this.columns) {
        this.#spread(word);
        return;
      }
      this.#newRow();
    }
    if (this.#used + width > this.columns && !this.wrapsWords) this.#spread(word);
    else for (const part of intact(word)) this.#push(part);
  }
}

function wrapLine(line, columns, options) {
  if (options.trim !== false && StringTrim(line) === '') return [];
  const wrapper = new Wrapper(columns, options);
  const words = [[]];
  for (const part of intact(pieces(line))) {
    if (part.text === ' ') ArrayPush(words, []);
    else ArrayPush(words[words.length - 1], part);
  }
  ArrayForEach(words, (word, index) => wrapper.add(word, index === 0));
  return wrapper.trims ? ArrayMap(wrapper.rows, trimEnd) : wrapper.rows;
}

function wrapAnsi(text, columns, options = {}) {
  const whole = StringReplaceAll(StringNormalize(`${text}`), '\r\n', '\n');
  if (!(columns > 0) || columns === Infinity) return whole;
  const rows = ArrayFlatMap(StringSplit(whole, '\n'), (line) => {
    const wrapper = wrapLine(line, MathTrunc(columns), options ?? {});
    return wrapper.length === 0 ? [[]] : wrapper;
  });
  return ArrayJoin(styledRows(rows), '\n');
}

module.exports = { wrapAnsi };
