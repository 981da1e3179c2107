// @ts-check
// Tabs that are written in index.html: `[role=tab]` with `aria-controls`. The arrow keys move between them.
import { byId } from '../base/dom.js';

export class Tabs {
  /** @param {HTMLElement} list */
  constructor(list) {
    this.tabs = /** @type {HTMLElement[]} */ ([...list.querySelectorAll('[role=tab]')]);
    for (const tab of this.tabs) {
      tab.addEventListener('click', () => this.select(tab.id));
      tab.addEventListener('keydown', ({ key }) => {
        const step = key === 'ArrowRight' ? 1 : key === 'ArrowLeft' ? -1 : 0;
        const next = this.tabs.at((this.tabs.indexOf(tab) + step) % this.tabs.length);
        if (!step || !next) return;
        this.select(next.id);
        next.focus();
      });
    }
    this.select(this.tabs[0].id);
  }

  /** @param {string} id */
  select(id) {
    for (const tab of this.tabs) {
      const isSelected = tab.id === id;
      tab.setAttribute('aria-selected', String(isSelected));
      tab.tabIndex = isSelected ? 0 : -1;
      byId(tab.getAttribute('aria-controls') ?? '').hidden = !isSelected;
    }
  }
}
