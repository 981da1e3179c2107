// @ts-check
// The console: the program's messages, a filter, and below them the line in which the user evaluates expressions. Messages are drawn
// once per frame of the screen. They are divided into blocks, and blocks outside the visible part are not laid out
// (`content-visibility`), so that thousands of messages do not slow the page down.
import { byId, element } from '../base/dom.js';
import { MOST_ENTRIES } from '../program/console_log.js';
import { ConsoleInput } from './console_input.js';
import { entryRow, showCount } from './console_row.js';

/** @typedef {import('../program/console_log.js').Entry} Entry */
/** @typedef {import('../program/program.js').Program} Program */
/** @typedef {import('./console_row.js').Open} Open */

const NEAR_END_PX = 24;
const BLOCK = 200; // messages

export class ConsoleView {
  #list = byId('console-list');
  #scroller = byId('console-scroller');
  #filter = /** @type {HTMLInputElement} */ (byId('console-filter'));
  #level = /** @type {HTMLSelectElement} */ (byId('console-level'));
  #dropped = byId('console-dropped');
  /** @type {Entry[]} not drawn yet */
  #pending = [];
  #count = 0;
  /** @type {WeakMap<Entry, HTMLElement>} */
  #rows = new WeakMap();

  /** @param {Program} program @param {Open} open */
  constructor(program, open) {
    this.log = program.console;
    this.open = open;
    this.log.added.listen((entry) => this.#add(entry));
    this.log.repeated.listen((entry) => {
      const row = this.#rows.get(entry);
      if (row) showCount(row, entry);
    });
    this.#filter.addEventListener('input', () => this.#applyFilter());
    this.#level.addEventListener('change', () => this.#applyFilter());
    byId('console-clear').addEventListener('click', () => {
      for (const { session } of program.threads) session.attempt('Runtime.discardConsoleEntries');
      this.log.clear();
    });
    this.input = new ConsoleInput(byId('console-input'), program);
  }

  /** @param {Entry | null} entry */
  #add(entry) {
    if (!entry) {
      this.#pending = [];
      this.#list.replaceChildren();
      this.#count = 0;
      this.#dropped.hidden = true;
      return;
    }
    this.#pending.push(entry);
    if (this.#pending.length === 1) requestAnimationFrame(() => this.#draw());
  }

  #draw() {
    const { scrollHeight, scrollTop, clientHeight } = this.#scroller;
    const isAtEnd = scrollHeight - scrollTop - clientHeight < NEAR_END_PX;
    const entries = this.#pending.slice(-MOST_ENTRIES);
    this.#pending = [];
    const rows = entries.map((entry) => {
      const row = entryRow(entry, this.open);
      row.hidden = !this.#fits(row);
      this.#rows.set(entry, row);
      return row;
    });
    rows.forEach((row) => this.#append(row));
    this.#dropped.hidden = this.log.dropped === 0;
    this.#dropped.textContent = `${this.log.dropped} older messages were dropped`;
    if (!isAtEnd && entries.every(({ level }) => level !== 'command')) return;
    const scroll = () => (this.#scroller.scrollTop = this.#scroller.scrollHeight);
    scroll();
    requestAnimationFrame(scroll); // the heights of blocks are estimates until they are visible
  }

  /** Appends a row to the last block, and removes the oldest row if there are too many. @param {HTMLElement} row */
  #append(row) {
    const last = this.#list.lastElementChild;
    const block = last && last.childElementCount < BLOCK ? last : element('ul', { 'class': 'block' });
    block.append(row);
    if (block !== last) this.#list.append(block);
    if (++this.#count <= MOST_ENTRIES) return;
    this.#count--;
    const first = this.#list.firstElementChild;
    first?.firstElementChild?.remove();
    if (first?.childElementCount === 0) first.remove();
  }

  #applyFilter() {
    // Blocks would keep the heights that they had with all of their rows.
    this.#list.classList.toggle('filtered', this.#level.value !== 'all' || this.#filter.value !== '');
    for (const row of this.#list.querySelectorAll('.entry')) if (row instanceof HTMLElement) row.hidden = !this.#fits(row);
  }

  /** @param {HTMLElement} row */
  #fits(row) {
    const level = this.#level.value;
    const text = this.#filter.value.toLowerCase();
    return (level === 'all' || row.classList.contains(level)) && (!text || (row.textContent ?? '').toLowerCase().includes(text));
  }
}
