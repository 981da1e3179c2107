'use strict';
// Owns: the lines that were entered before, the newest first, and walking through those that begin as the line does.

const { codes } = require('internal/errors/errors');
const { validateArray, validateNumber } = require('internal/validators');

const USUAL_SIZE = 30;

class History {
  lines;
  index = -1; // the line shown; -1: the one being written
  #size;
  #removesDuplicates;

  constructor({ history, historySize, removeHistoryDuplicates }) {
    if (history !== undefined) validateArray(history, 'history');
    if (historySize !== undefined) {
      validateNumber(historySize, 'size', 0);
      if (Number.isNaN(historySize)) throw new codes.ERR_INVALID_ARG_VALUE('size', historySize);
    }
    this.lines = history ?? [];
    this.#size = historySize ?? USUAL_SIZE;
    this.#removesDuplicates = Boolean(removeHistoryDuplicates);
  }

  /** Keep a line; whether it was. */
  add(line) {
    this.index = -1;
    if (this.#size === 0 || line.trim() === '') return false;
    if (this.lines[0] !== line) {
      if (this.#removesDuplicates) {
        const place = this.lines.indexOf(line);
        if (place !== -1) this.lines.splice(place, 1);
      }
      this.lines.unshift(line);
      if (this.lines.length > this.#size) this.lines.pop();
    }
    return true;
  }

  /** The next older line that begins with `prefix` and is not `current`; `prefix` itself beyond the oldest. */
  older(prefix, current) {
    if (this.index >= this.lines.length || this.lines.length === 0) return undefined;
    do this.index++;
    while (this.index < this.lines.length && (!this.lines[this.index].startsWith(prefix) || this.lines[this.index] === current));
    return this.index === this.lines.length ? prefix : this.lines[this.index];
  }

  newer(prefix, current) {
    if (this.index < 0) return undefined;
    do this.index--;
    while (this.index >= 0 && (!this.lines[this.index].startsWith(prefix) || this.lines[this.index] === current));
    return this.index === -1 ? prefix : this.lines[this.index];
  }
}

module.exports = { History };
