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

function trimRow(row, fromStart) {
  const rest = [];
  let isInText = false;
  for (const part of intact(fromStart ? row : ArrayReverse([...intact(row)]))) {
    if (part.text !== undefined && !isSpace(part)) isInText = true;
    if (isInText || part.control !== undefined) ArrayPush(rest, part);
  }
  return fromStart ? rest : ArrayReverse(rest);
}

class Wrapper {
  rows = [[]];

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
  }

  /** Adds a word character by character, over as many rows as necessary. */
  #spread(word) {
    let used = widthOf(this.#row);
    for (const part of intact(word)) {
      const width = part.width ?? 0;
      if (part.control === undefined && used + width > this.columns) {
        this.#newRow();
        used = 0;
      }
      ArrayPush(this.#row, part);
      used += width;
    }
    const isInvisible = this.rows.length > 1 && widthOf(this.#row) === 0 && this.#row.length > 0;
    if (isInvisible) ArrayPush(this.rows[this.rows.length - 2], ...intact(ArrayPop(this.rows)));
  }

  #separate() {
    let used = widthOf(this.#row);
    if (used >= this.columns && (!this.wrapsWords || !this.trims)) {
      this.#newRow();
      used = 0;
    }
    if (used > 0 || !this.trims) ArrayPush(this.#row, { text: ' ', width: 1 });
  }

  add(word, isFirst) {
    if (this.trims) this.rows[this.rows.length - 1] = trimRow(this.#row, true);
    if (!isFirst) this.#separate();
    const used = widthOf(this.#row);
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
    if (used + width > this.columns && !this.wrapsWords) this.#spread(word);
    else ArrayPush(this.#row, ...intact(word));
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
  return wrapper.trims ? ArrayMap(wrapper.rows, (row) => trimRow(row, false)) : wrapper.rows;
}

function wrapAnsi(text, columns, options = {}) {
  const whole = StringReplaceAll(StringNormalize(`${text}`), '\r\n', '\n');
  if (!(columns > 0) || columns === Infinity) return whole;
  const rows = ArrayFlatMap(StringSplit(whole, '\n'), (line) => {
    const found = wrapLine(line, MathTrunc(columns), options ?? {});
    return found.length === 0 ? [[]] : found;
  });
  return ArrayJoin(styledRows(rows), '\n');
}

module.exports = { wrapAnsi };
