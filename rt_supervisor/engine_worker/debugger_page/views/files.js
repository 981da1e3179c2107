// @ts-check
// The tree of the files that the program has loaded. Folders that contain only one folder are joined with it.
import { element, fill } from '../base/dom.js';
import { Tree } from './tree.js';

/** @typedef {import('../program/sources.js').Source} Source */
/** @typedef {import('../program/sources.js').Sources} Sources */
/** @typedef {import('./tree.js').Item} Item */
/** @typedef {{ folders: Map<string, Folder>, files: Source[] }} Folder */

export class Files {
  #tree = new Tree('Files');
  #isDue = false;
  /** @type {string | null} */
  #current = null;

  /** @param {HTMLElement} place @param {Sources} sources @param {(source: Source) => void} open */
  constructor(place, sources, open) {
    this.place = place;
    this.sources = sources;
    this.open = open;
    sources.added.listen(() => this.#schedule());
    sources.cleared.listen(() => this.#schedule());
    this.#show();
  }

  /** @param {string | null} url of the file that is shown beside the tree */
  mark(url) {
    this.#current = url;
    this.#tree.mark((item) => item.key === url);
  }

  /** Scripts arrive by the hundred: the tree is drawn once for all of them. */
  #schedule() {
    if (this.#isDue) return;
    this.#isDue = true;
    requestAnimationFrame(() => {
      this.#isDue = false;
      this.#show();
    });
  }

  #show() {
    const all = [...this.sources.all.values()];
    if (all.length === 0) {
      fill(this.place, element('p', { 'class': 'faint' }, 'No files yet'));
      return;
    }
    this.#tree.show(this.#items(folderOf(all), 0));
    if (this.#tree.element.parentElement !== this.place) fill(this.place, this.#tree.element);
    this.mark(this.#current);
  }

  /** @param {Folder} folder @param {number} depth @returns {Item[]} */
  #items(folder, depth) {
    const items = [...folder.folders].sort(byName).map(([name, inner]) => {
      let [label, found] = [name, inner];
      while (found.files.length === 0 && found.folders.size === 1) {
        const [[next, nested]] = found.folders;
        [label, found] = [`${label}/${next}`, nested];
      }
      return {
        key: name,
        // The folder of the project is known by its last part.
        content: element('span', { 'class': 'folder' }, depth === 0 ? (label.split('/').at(-1) ?? label) : label),
        title: depth === 0 ? `/${label}` : label,
        isOpen: !/(^|\/)node_modules$/.test(label),
        children: () => this.#items(found, depth + 1),
      };
    });
    const files = folder.files
      .sort((a, b) => a.name.localeCompare(b.name))
      .map((source) => ({
        key: source.url,
        content: element('span', { 'class': 'file' }, source.name),
        title: source.path,
        activate: () => this.open(source),
      }));
    return [...items, ...files];
  }
}

/** @param {Source[]} sources @returns {Folder} */
function folderOf(sources) {
  /** @type {Folder} */
  const root = { folders: new Map(), files: [] };
  for (const source of sources) {
    const parts = source.path.split('/').slice(0, -1);
    let folder = root;
    for (const part of source.path.startsWith('/') ? parts.slice(1) : parts) {
      const inner = folder.folders.get(part) ?? { folders: new Map(), files: [] };
      folder.folders.set(part, inner);
      folder = inner;
    }
    folder.files.push(source);
  }
  return root;
}

/** @param {[string, Folder]} a @param {[string, Folder]} b */
function byName([a], [b]) {
  return a.localeCompare(b);
}
