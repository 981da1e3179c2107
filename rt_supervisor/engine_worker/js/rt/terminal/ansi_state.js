// @ts-check
'use strict';
// Owns: tracking of the active styles and link through control sequences, and the sequences that close and reopen them.

const { mapOf, setOf } = require('internal/collections');
const {
  ArrayFilter,
  ArrayJoin,
  ArrayMap,
  ArrayPush,
  ArrayReverse,
  ArraySlice,
  MapGet,
  MapHas,
  MapValues,
  ObjectValues,
  RegExpExec,
  RegExpReplace,
  SetHas,
  StringSplit,
  intact,
} = require('internal/primordials');
const { colorCodes } = require('internal/ansi');

const STYLE = /^(?:\x1b\[|\x9b)([\d;:]*)m$/;
const LINK = /^\x1b\]8;([^;]*);([^\x07\x1b]*)(?:\x07|\x1b\\)$/;
const LINK_END = '\x1b]8;;\x07';
const EXTENDED = mapOf([
  ['38', '39'],
  ['48', '49'],
  ['58', '59'],
]);

const offCodes = mapOf(ArrayMap(ObjectValues(colorCodes), ({ 0: on, 1: off }) => [`${on}`, `${off}`]));
const closers = setOf([...intact(MapValues(offCodes)), ...intact(MapValues(EXTENDED))]);

class AnsiState {
  #styles = []; // [off code, opening sequence]: at most one for each off code, in the order they were switched on
  #link = null;

  /** Applies one control sequence. Returns whether it was recognised. */
  apply(control) {
    const link = RegExpExec(LINK, control);
    if (link !== null) {
      this.#link = link[2] === '' ? null : control;
      return true;
    }
    const style = RegExpExec(STYLE, control);
    if (style === null) return false;
    const codes = style[1] === '' ? ['0'] : StringSplit(style[1], ';');
    for (let place = 0; place < codes.length; place++) {
      const code = RegExpReplace(/^0+(?=\d)/, codes[place], '');
      if (MapHas(EXTENDED, code)) {
        const size = codes[place + 1] === '5' ? 3 : 5;
        const whole = ArrayJoin(ArraySlice(codes, place, place + size), ';');
        place += size - 1;
        this.#open(MapGet(EXTENDED, code), whole);
      } else if (code === '' || code === '0') this.#styles = [];
      else if (SetHas(closers, code)) this.#styles = ArrayFilter(this.#styles, ({ 0: off }) => off !== code);
      else if (MapHas(offCodes, code)) this.#open(MapGet(offCodes, code), code);
    }
    return true;
  }

  #open(off, code) {
    const isShared = off === '22'; // bold and dim share an off code
    this.#styles = ArrayFilter(this.#styles, ({ 0: other, 1: text }) => other !== off || (isShared && text !== code));
    ArrayPush(this.#styles, [off, code]);
  }

  get isOn() {
    return this.#styles.length > 0 || this.#link !== null;
  }
  opening() {
    return (
      ArrayJoin(
        ArrayMap(this.#styles, ({ 1: code }) => `\x1b[${code}m`),
        '',
      ) + (this.#link ?? '')
    );
  }
  closing() {
    const codes = [...intact(setOf(ArrayReverse(ArrayMap(this.#styles, ({ 0: off }) => off))))];
    return (
      (this.#link === null ? '' : LINK_END) +
      ArrayJoin(
        ArrayMap(codes, (code) => `\x1b[${code}m`),
        '',
      )
    );
  }
}

/** Returns rows of pieces as strings; styles active at the end of a row are switched off there, and on again in the next. */
function styledRows(rows) {
  const state = new AnsiState();
  return ArrayMap(rows, (row, index) => {
    let out = state.opening();
    for (const part of intact(row)) {
      if (part.control !== undefined) state.apply(part.control);
      out += part.control ?? part.text;
    }
    return index < rows.length - 1 ? out + state.closing() : out;
  });
}

module.exports = { AnsiState, styledRows };
