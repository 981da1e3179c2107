// @ts-check
// The user's breakpoints: where they are, when they pause, what they print. They are stored by the browser, so that they outlive
// the program and the page. `binding.js` sets them in a thread.
import { Signal } from '../base/signal.js';
import { readStored, writeStored } from '../base/stored.js';

/**
 * @typedef {object} Breakpoint
 * @property {string} url of the source
 * @property {number} line where the user put it, from zero
 * @property {number | null} [column] null or absent: at the first code of the line
 * @property {string} condition pauses only if it is true; empty: always
 * @property {string} log expressions to print instead of pausing, separated by commas; empty: pauses
 * @property {boolean} isEnabled
 * @property {number | null} [boundLine] where the program pauses; null or absent: not known
 */

/** @typedef {{ url: string, line: number, column?: number | null }} Place of a breakpoint */

const STORED = 'breakpoints';

export class Breakpoints {
  /** @type {Breakpoint[]} */
  all = readStored(STORED, []);
  areActive = true;
  /** @type {Signal<Breakpoint | null>} one that is to be set again; null: only the list or a line has changed */
  changed = new Signal();
  /** @type {Signal<Breakpoint>} */
  removed = new Signal();
  /** @type {Signal<boolean>} */
  activated = new Signal();

  /** @param {Place} place */
  at({ url, line, column = null }) {
    return this.on(url, line).find((each) => (each.column ?? null) === column);
  }

  /** @param {string} url @param {number} line */
  on(url, line) {
    return this.in(url).filter((each) => (each.boundLine ?? each.line) === line);
  }

  /** @param {string} url */
  in(url) {
    return this.all.filter((each) => each.url === url);
  }

  /**
   * Adds a breakpoint on a line, or removes all that are on it.
   * @param {string} url
   * @param {number} line
   */
  toggle(url, line) {
    const found = this.on(url, line);
    if (found.length === 0) this.put({ url, line }, {});
    for (const breakpoint of found) this.remove(breakpoint);
  }

  /**
   * Adds a breakpoint, or removes the one in the same place.
   * @param {Place} place
   */
  toggleAt(place) {
    const found = this.at(place);
    if (found) this.remove(found);
    else this.put(place, {});
  }

  /**
   * Adds a breakpoint, or changes the one in the same place.
   * @param {Place} place
   * @param {Partial<Breakpoint>} changes
   */
  put({ url, line, column = null }, changes) {
    let found = this.at({ url, line, column });
    if (!found) {
      found = { url, line, column, condition: '', log: '', isEnabled: true };
      this.all.push(found);
      this.all.sort((a, b) => (a.url < b.url ? -1 : a.url > b.url ? 1 : a.line - b.line || (a.column ?? -1) - (b.column ?? -1)));
    }
    Object.assign(found, changes);
    this.#store();
    this.changed.emit(found);
  }

  /** @param {Breakpoint} breakpoint */
  remove(breakpoint) {
    this.all = this.all.filter((each) => each !== breakpoint);
    this.#store();
    this.removed.emit(breakpoint);
    this.changed.emit(null);
  }

  /** @param {boolean} areActive */
  activate(areActive) {
    this.areActive = areActive;
    this.activated.emit(areActive);
  }

  /**
   * Records where the program has set a breakpoint.
   * @param {Breakpoint} breakpoint
   * @param {number | null} line
   */
  bound(breakpoint, line) {
    if (breakpoint.boundLine === line) return;
    breakpoint.boundLine = line;
    this.changed.emit(null);
  }

  #store() {
    writeStored(
      STORED,
      this.all.map(({ boundLine: _, ...kept }) => kept),
    );
  }
}

/**
 * Returns the protocol's condition. A log point's prints and is never true.
 * @param {Breakpoint} breakpoint
 */
export function conditionOf({ condition, log }) {
  if (!log) return condition;
  const prints = `(console.log(${log}), false)`;
  return condition ? `(${condition}) && ${prints}` : prints;
}
