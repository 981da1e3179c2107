// @ts-check
// The dialog that opens a file by a part of its path.
import { byId, element, fill } from '../base/dom.js';

/** @typedef {import('../program/sources.js').Source} Source */
/** @typedef {import('../program/sources.js').Sources} Sources */

const MOST = 50;

export class QuickOpen {
  #dialog = /** @type {HTMLDialogElement} */ (byId('open-dialog'));
  #input = /** @type {HTMLInputElement} */ (byId('open-input'));
  #list = byId('open-list');
  /** @type {Source[]} */
  #found = [];
  #selected = 0;

  /** @param {Sources} sources @param {(source: Source) => void} open */
  constructor(sources, open) {
    this.sources = sources;
    this.open = open;
    this.#input.addEventListener('input', () => this.#search());
    sources.added.listen(() => this.#dialog.open && this.#search());
    this.#input.addEventListener('keydown', (event) => this.#pressed(event));
  }

  show() {
    this.#input.value = '';
    this.#search();
    this.#dialog.showModal();
  }

  #search() {
    const parts = this.#input.value.toLowerCase().split(/\s+/);
    const all = [...this.sources.all.values()].filter(({ path }) => parts.every((part) => path.toLowerCase().includes(part)));
    // A match in the name counts more than one in a folder.
    const rank = (/** @type {Source} */ { name }) => (parts.every((part) => name.toLowerCase().includes(part)) ? 0 : 1);
    this.#found = all.sort((a, b) => rank(a) - rank(b) || a.path.length - b.path.length).slice(0, MOST);
    this.#selected = 0;
    this.#draw();
  }

  #draw() {
    const rows = this.#found.map((source, index) =>
      element(
        'li',
        {
          'role': 'option',
          'id': `open-${index}`,
          'aria-selected': String(index === this.#selected),
          'onclick': () => this.#choose(source),
        },
        element('span', { 'class': 'function' }, source.name),
        element('span', { 'class': 'place' }, source.path),
      ),
    );
    fill(this.#list, ...rows);
    this.#input.setAttribute('aria-activedescendant', rows.length > 0 ? `open-${this.#selected}` : '');
    rows[this.#selected]?.scrollIntoView({ block: 'nearest' });
  }

  /** @param {KeyboardEvent} event */
  #pressed(event) {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step) {
      this.#selected = Math.max(0, Math.min(this.#found.length - 1, this.#selected + step));
      this.#draw();
    } else if (event.key === 'Enter') {
      const source = this.#found[this.#selected];
      if (source) this.#choose(source);
    } else return;
    event.preventDefault();
  }

  /** @param {Source} source */
  #choose(source) {
    this.#dialog.close();
    this.open(source);
  }
}
