// @ts-check
// The open files: a tab for each, and the editor below. Tabs outlive the program; their texts are read again when it has
// loaded the files again.
import { element, fill } from '../base/dom.js';
import { icon } from '../base/icons.js';
import { Signal } from '../base/signal.js';
import { pathOf } from '../program/sources.js';
import { Editor } from './editor.js';

/** @typedef {import('../program/program.js').Program} Program */
/** @typedef {import('../program/source_map.js').SourcePosition} SourcePosition */

export class SourcePane {
  /** Another file is shown. @type {Signal<string | null>} */
  shown = new Signal();
  /** @type {string[]} URLs */
  #open = [];
  #request = 0;

  /** @param {{ tabs: HTMLElement, editor: HTMLElement, empty: HTMLElement }} places @param {Program} program */
  constructor({ tabs, editor, empty }, program) {
    this.tabs = tabs;
    this.empty = empty;
    this.program = program;
    this.place = editor;
    this.editor = new Editor(editor, program);
    program.sources.added.listen(({ url }) => url === this.editor.url && this.open({ url, line: -1, column: 0 }));
    program.paused.listen((thread) => {
      const place = thread === program.selected && thread.frame && thread.toSource(thread.frame.location);
      if (place) this.open(place);
    });
    this.#draw();
  }

  /**
   * Shows a place; a negative line keeps the scroll position.
   * @param {SourcePosition} position
   */
  async open(position) {
    const request = ++this.#request;
    const { url } = position;
    const text = await this.#text(url);
    if (request !== this.#request) return; // the user has opened something else
    if (!this.#open.includes(url)) this.#open.push(url);
    if (this.editor.url !== url || this.editor.view.state.doc.toString() !== text) this.editor.show(url, text);
    if (position.line >= 0) this.editor.reveal(position);
    this.#draw();
    this.shown.emit(url);
  }

  /** @param {string} url */
  close(url) {
    const index = this.#open.indexOf(url);
    this.#open.splice(index, 1);
    const next = this.#open[Math.min(index, this.#open.length - 1)];
    const wasShown = this.editor.url === url;
    this.editor.forget(url);
    if (wasShown && next) this.open({ url: next, line: -1, column: 0 });
    else this.#draw();
    if (!next) this.shown.emit(null);
  }

  /** @param {string} url */
  async #text(url) {
    const source = this.program.sources.all.get(url);
    if (source) return source.text().catch(String);
    // A script without a file: code that the program has evaluated.
    for (const thread of this.program.threads) {
      for (const script of thread.scripts.values()) if (script.url === url) return script.text(url).catch(String);
    }
    return `// ${pathOf(url)}\n// The program has not loaded this file.\n`;
  }

  #draw() {
    const tabs = this.#open.map((url) => {
      const isShown = url === this.editor.url;
      const name = decodeURIComponent(url.slice(url.lastIndexOf('/') + 1));
      const show = () => this.open({ url, line: -1, column: 0 });
      return element(
        'div',
        { 'class': 'tab', 'data-selected': isShown },
        element('button', { 'role': 'tab', 'aria-selected': String(isShown), 'title': pathOf(url), 'onclick': show }, name),
        element(
          'button',
          { 'class': 'quiet', 'aria-label': `Close ${name}`, 'title': 'Close', 'onclick': () => this.close(url) },
          icon('close'),
        ),
      );
    });
    fill(this.tabs, ...tabs);
    this.place.hidden = this.#open.length === 0;
    this.empty.hidden = this.#open.length > 0;
    this.tabs.querySelector('[data-selected]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }
}
