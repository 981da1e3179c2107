'use strict';
// Owns: which styles and which link are on after a run of control sequences, and how to close and open them again.

const { colorCodes } = require('internal/ansi');

const STYLE = /^(?:\x1b\[|\x9b)([\d;:]*)m$/;
const LINK = /^\x1b\]8;([^;]*);([^\x07\x1b]*)(?:\x07|\x1b\\)$/;
const LINK_END = '\x1b]8;;\x07';
const EXTENDED = new Map([
  ['38', '39'],
  ['48', '49'],
  ['58', '59'],
]);

const offCodes = new Map(Object.values(colorCodes).map(([on, off]) => [`${on}`, `${off}`]));
const closers = new Set([...offCodes.values(), ...EXTENDED.values()]);

class AnsiState {
  #styles = []; // [off code, opening sequence]: at most one of each off code, in the order they were switched on
  #link = null;

  /** Take one control sequence into account; whether it was one that this class knows. */
  apply(control) {
    const link = LINK.exec(control);
    if (link !== null) {
      this.#link = link[2] === '' ? null : control;
      return true;
    }
    const style = STYLE.exec(control);
    if (style === null) return false;
    const codes = style[1] === '' ? ['0'] : style[1].split(';');
    for (let place = 0; place < codes.length; place++) {
      const code = codes[place].replace(/^0+(?=\d)/, '');
      if (EXTENDED.has(code)) {
        const size = codes[place + 1] === '5' ? 3 : 5;
        const whole = codes.slice(place, place + size).join(';');
        place += size - 1;
        this.#open(EXTENDED.get(code), whole);
      } else if (code === '' || code === '0') this.#styles = [];
      else if (closers.has(code)) this.#styles = this.#styles.filter(([off]) => off !== code);
      else if (offCodes.has(code)) this.#open(offCodes.get(code), code);
    }
    return true;
  }

  #open(off, code) {
    const isShared = off === '22'; // bold and dim are two styles that one code ends
    this.#styles = this.#styles.filter(([other, text]) => other !== off || (isShared && text !== code));
    this.#styles.push([off, code]);
  }

  get isOn() {
    return this.#styles.length > 0 || this.#link !== null;
  }
  opening() {
    return this.#styles.map(([, code]) => `\x1b[${code}m`).join('') + (this.#link ?? '');
  }
  closing() {
    const codes = [...new Set(this.#styles.map(([off]) => off).reverse())];
    return (this.#link === null ? '' : LINK_END) + codes.map((code) => `\x1b[${code}m`).join('');
  }
}

module.exports = { AnsiState };
