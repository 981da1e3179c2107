// @ts-check
'use strict';
// Owns: the lines entered before, newest first, and stepping through those with a given prefix.

const {
  ArrayIndexOf,
  ArrayPop,
  ArraySplice,
  ArrayUnshift,
  NumberIsNaN,
  StringStartsWith,
  StringTrim,
} = require('internal/primordials');
const { codes } = require('internal/errors/errors');
const { validateArray, validateNumber } = require('internal/validators');

const USUAL_SIZE = 30;

class History {
  lines;
  index = -1; // the line shown; -1: the one being edited
  #size;
  #removesDuplicates;

  constructor({ history, historySize, removeHistoryDuplicates }) {
    if (history !== undefined) validateArray(history, 'history');
    if (historySize !== undefined) {
      validateNumber(historySize, 'size', 0);
      if (NumberIsNaN(historySize)) throw new codes.ERR_INVALID_ARG_VALUE('size', historySize);
    }
    this.lines = history ?? [];
    this.#size = historySize ?? USUAL_SIZE;
    this.#removesDuplicates = Boolean(removeHistoryDuplicates);
  }

  /** Adds a line; returns false for an empty one, or without history. */
  add(line) {
    this.index = -1;
    if (this.#size === 0 || StringTrim(line) === '') return false;
    if (this.lines[0] !== line) {
      if (this.#removesDuplicates) {
        const place = ArrayIndexOf(this.lines, line);
        if (place !== -1) ArraySplice(this.lines, place, 1);
      }
      ArrayUnshift(this.lines, line);
      if (this.lines.length > this.#size) ArrayPop(this.lines);
    }
    return true;
  }

  /** The next older line that starts with `prefix` and differs from `current`; beyond the oldest, `prefix` itself. */
  older(prefix, current) {
    if (this.index >= this.lines.length || this.lines.length === 0) return undefined;
    do this.index++;
    while (
      this.index < this.lines.length &&
      (!StringStartsWith(this.lines[this.index], prefix) || this.lines[this.index] === current)
    );
    return this.index === this.lines.length ? prefix : this.lines[this.index];
  }

  newer(prefix, current) {
    if (this.index < 0) return undefined;
    do this.index--;
    while (this.index >= 0 && (!StringStartsWith(this.lines[this.index], prefix) || this.lines[this.index] === current));
    return this.index === -1 ? prefix : this.lines[this.index];
  }
}

module.exports = { History };
