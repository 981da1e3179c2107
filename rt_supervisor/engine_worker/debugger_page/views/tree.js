// @ts-check
// A tree whose branches are read when they are opened, with the keyboard and the roles of ARIA's tree pattern. Showing other items
// keeps open what was open before, by the items' keys.
import { element, fill } from '../base/dom.js';

/**
 * @typedef {object} Item
 * @property {string} key unique among its siblings
 * @property {Node} content
 * @property {() => (Item[] | Promise<Item[]>)} [children] absent: a leaf
 * @property {boolean} [isOpen] at first
 * @property {string} [title] a tooltip
 * @property {() => void} [activate] on a click, or Enter
 * @property {() => void} [edit] on a double click, or F2
 */

export class Tree {
  /** @type {Map<string, boolean>} path of keys -> whether the user has opened or closed it */
  #choices = new Map();
  /** @type {WeakMap<Element, { item: Item, path: string }>} */
  #rows = new WeakMap();

  /** @param {string} label */
  constructor(label) {
    this.element = element('ul', {
      'class': 'tree',
      'role': 'tree',
      'aria-label': label,
      'onclick': (/** @type {MouseEvent} */ event) => this.#clicked(event),
      'ondblclick': (/** @type {MouseEvent} */ event) => this.#rowOf(event.target)?.row.item.edit?.(),
      'onkeydown': (/** @type {KeyboardEvent} */ event) => this.#pressed(event),
    });
  }

  /** @param {Item[]} items */
  show(items) {
    fill(this.element, ...items.map((item) => this.#made(item, '')));
    this.element.firstElementChild?.setAttribute('tabindex', '0');
  }

  /**
   * Marks one item as the current one.
   * @param {(item: Item) => boolean} isCurrent
   */
  mark(isCurrent) {
    for (const each of this.element.querySelectorAll('[role=treeitem]')) {
      const row = this.#rows.get(each);
      if (row && isCurrent(row.item)) each.setAttribute('aria-current', 'true');
      else each.removeAttribute('aria-current');
    }
  }

  /** @param {Item} item @param {string} parent @returns {HTMLElement} */
  #made(item, parent) {
    const path = `${parent}/${item.key}`;
    const made = element(
      'li',
      { 'role': 'treeitem', 'tabindex': '-1', 'aria-expanded': item.children ? 'false' : null },
      element('div', { 'class': 'row', 'title': item.title }, item.content),
    );
    this.#rows.set(made, { item, path });
    if (item.children && (this.#choices.get(path) ?? item.isOpen)) this.#expand(made);
    return made;
  }

  /** @param {HTMLElement} branch */
  async #expand(branch) {
    const row = this.#rows.get(branch);
    if (!row?.item.children) return;
    branch.setAttribute('aria-expanded', 'true');
    const found = row.item.children();
    const items = Array.isArray(found) ? found : await found;
    if (branch.getAttribute('aria-expanded') !== 'true' || branch.querySelector(':scope > ul')) return;
    branch.append(element('ul', { 'role': 'group' }, ...items.map((item) => this.#made(item, row.path))));
  }

  /** @param {HTMLElement} branch */
  #collapse(branch) {
    branch.setAttribute('aria-expanded', 'false');
    branch.querySelector(':scope > ul')?.remove();
  }

  /** @param {HTMLElement} branch @param {boolean} isOpen */
  #choose(branch, isOpen) {
    const row = this.#rows.get(branch);
    if (row) this.#choices.set(row.path, isOpen);
    if (isOpen) this.#expand(branch);
    else this.#collapse(branch);
  }

  /** @param {EventTarget | null} target */
  #rowOf(target) {
    const found = target instanceof Element ? target.closest('[role=treeitem]') : null;
    const row = found && this.#rows.get(found);
    return row && { branch: /** @type {HTMLElement} */ (found), row };
  }

  /** @param {MouseEvent} event */
  #clicked(event) {
    const found = this.#rowOf(event.target);
    if (!found || (event.target instanceof Element && event.target.closest('button, input, a'))) return;
    this.#focus(found.branch);
    if (found.row.item.activate) found.row.item.activate();
    else if (found.row.item.children) this.#choose(found.branch, found.branch.getAttribute('aria-expanded') !== 'true');
  }

  /** @param {KeyboardEvent} event */
  #pressed(event) {
    if (event.target instanceof HTMLInputElement || event.altKey || event.ctrlKey || event.metaKey) return;
    const found = this.#rowOf(event.target);
    if (!found) return;
    const { branch, row } = found;
    const isOpen = branch.getAttribute('aria-expanded');
    const rows = /** @type {HTMLElement[]} */ ([...this.element.querySelectorAll('[role=treeitem]')]);
    const index = rows.indexOf(branch);
    switch (event.key) {
      case 'ArrowDown':
        this.#focus(rows[index + 1]);
        break;
      case 'ArrowUp':
        this.#focus(rows[index - 1]);
        break;
      case 'ArrowRight':
        if (isOpen === 'false') this.#choose(branch, true);
        else if (isOpen === 'true') this.#focus(rows[index + 1]);
        break;
      case 'ArrowLeft':
        if (isOpen === 'true') this.#choose(branch, false);
        else this.#focus(/** @type {HTMLElement | null} */ (branch.parentElement?.closest('[role=treeitem]')));
        break;
      case 'Home':
        this.#focus(rows[0]);
        break;
      case 'End':
        this.#focus(rows.at(-1));
        break;
      case 'F2':
        row.item.edit?.();
        break;
      case 'Enter':
      case ' ':
        if (row.item.activate) row.item.activate();
        else if (isOpen !== null) this.#choose(branch, isOpen !== 'true');
        else row.item.edit?.();
        break;
      default:
        return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  /** @param {HTMLElement | null | undefined} row */
  #focus(row) {
    if (!row) return;
    for (const each of this.element.querySelectorAll('[tabindex="0"]')) each.setAttribute('tabindex', '-1');
    row.setAttribute('tabindex', '0');
    row.focus();
  }
}
