// @ts-check
// The files in which the program's scripts were written, by URL. Several scripts may come from one file: each worker compiles its
// own, and a changed file is loaded again. The text shown is that of the newest.
import { Signal } from '../base/signal.js';

/** @typedef {import('./script.js').Script} Script */

/** One file. */
export class Source {
  /** @type {Script[]} oldest first */
  scripts = [];

  /** @param {string} url */
  constructor(url) {
    this.url = url;
    this.path = pathOf(url);
    this.name = this.path.slice(this.path.lastIndexOf('/') + 1) || url;
  }

  /** @returns {Promise<string>} */
  async text() {
    const script = this.scripts.at(-1);
    if (!script) throw new Error(`The program has not loaded ${this.path}`);
    return script.text(this.url);
  }
}

export class Sources {
  /** @type {Map<string, Source>} */
  all = new Map();
  /** A source with a new script; its text may have changed.
   * @type {Signal<Source>} */
  added = new Signal();
  /** @type {Signal<void>} */
  cleared = new Signal();

  /** @param {Script} script */
  add(script) {
    for (const url of script.sourceUrls) {
      const source = this.all.get(url) ?? new Source(url);
      this.all.set(url, source);
      source.scripts.push(script);
      this.added.emit(source);
    }
  }

  /** Forgets all, because the program has ended. */
  clear() {
    this.all.clear();
    this.cleared.emit();
  }
}

/**
 * Returns what a person calls a file: the path of a `file:` URL, otherwise the URL.
 * @param {string} url
 */
export function pathOf(url) {
  if (!url.startsWith('file://')) return url;
  try {
    return decodeURIComponent(url.slice('file://'.length));
  } catch {
    return url.slice('file://'.length);
  }
}
