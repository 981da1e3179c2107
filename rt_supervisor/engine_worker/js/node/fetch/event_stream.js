// @ts-check
'use strict';
// Owns: incremental parsing of event streams: lines end with CR, LF or both, even split between chunks; an empty line ends a
// block, and incomplete blocks are discarded.

const {
  ArrayJoin,
  ArrayPush,
  RegExpExec,
  RegExpTest,
  StringIncludes,
  StringIndexOf,
  StringSlice,
  StringStartsWith,
} = require('internal/primordials');

const BREAK = /\r\n?|\n/g;

class EventParser {
  #pieces = []; // of an incomplete line
  #isAfterCr = false; // a leading LF belongs to the previous line end
  #data = [];
  #type = '';
  #id;

  /** `onEvent(type, data)`, `onRetry(milliseconds)`, `isOver()`; `id` is the last event ID. */
  constructor({ id, onEvent, onRetry, isOver }) {
    this.id = this.#id = id;
    this.onEvent = onEvent;
    this.onRetry = onRetry;
    this.isOver = isOver;
  }

  push(text) {
    if (text === '') return;
    let start = this.#isAfterCr && StringStartsWith(text, '\n') ? 1 : 0;
    this.#isAfterCr = false;
    for (;;) {
      BREAK.lastIndex = start;
      const match = RegExpExec(BREAK, text);
      if (match === null) break;
      const end = StringSlice(text, start, match.index);
      start = match.index + match[0].length;
      this.#isAfterCr = start === text.length && match[0] === '\r';
      this.#line(end);
      if (this.isOver()) return;
    }
    if (start < text.length) ArrayPush(this.#pieces, StringSlice(text, start));
  }

  #line(end) {
    let line = end;
    if (this.#pieces.length > 0) {
      line = ArrayJoin(this.#pieces, '') + end;
      this.#pieces = [];
    }
    if (line === '') this.#endBlock();
    else this.#field(line);
  }

  #field(line) {
    const colon = StringIndexOf(line, ':');
    if (colon === 0) return; // a comment
    const name = colon === -1 ? line : StringSlice(line, 0, colon);
    let value = colon === -1 ? '' : StringSlice(line, colon + 1);
    if (StringStartsWith(value, ' ')) value = StringSlice(value, 1);
    if (name === 'data') ArrayPush(this.#data, value);
    else if (name === 'event') this.#type = value;
    else if (name === 'id' && !StringIncludes(value, '\0')) this.#id = value;
    else if (name === 'retry' && RegExpTest(/^\d+$/, value)) this.onRetry(Number(value));
  }

  #endBlock() {
    const { 0: data, 1: type } = [this.#data, this.#type];
    this.id = this.#id;
    this.#data = [];
    this.#type = '';
    if (data.length > 0) this.onEvent(type || 'message', ArrayJoin(data, '\n'));
  }
}

module.exports = { EventParser };
