// @ts-check
// The text of one file, read only, with its breakpoints and the place of the pause. Each open file keeps its scroll position and
// its selection. The editor lives in a shadow root, where CodeMirror constructs its style sheets.
import {
  EditorState,
  EditorView,
  bracketMatching,
  defaultKeymap,
  foldGutter,
  foldKeymap,
  gotoLine,
  highlightActiveLine,
  highlightSelectionMatches,
  javascript,
  keymap,
  search,
  searchKeymap,
} from '../vendor/codemirror.js';
import { Signal } from '../base/signal.js';
import { breakpointGutter, showBreakpoints } from './breakpoint_gutter.js';
import { codeTheme } from './code_theme.js';
import { hoverValues } from './hover.js';
import { inlineBreakpoints, showSpots } from './inline_breakpoints.js';
import { pausedLine, showPause } from './paused_line.js';

/** @typedef {import('../program/program.js').Program} Program */
/** @typedef {import('../program/breakpoints.js').Place} Place */
/** @typedef {import('./inline_breakpoints.js').Spot} Spot */
/** @typedef {import('./inline_breakpoints.js').SpotPlace} SpotPlace */

export class Editor {
  /** The URL of the file that is shown. @type {string | null} */
  url = null;
  /** The user wants to edit a breakpoint. @type {Signal<Place>} */
  editing = new Signal();
  /** @type {Map<string, { state: EditorState, top: number }>} */
  #files = new Map();
  #marks = 0;

  /** @param {HTMLElement} place @param {Program} program */
  constructor(place, program) {
    this.program = program;
    const root = place.attachShadow({ mode: 'open' });
    const parent = document.createElement('div');
    parent.style.height = '100%';
    root.append(parent);
    this.view = new EditorView({ parent, root, state: this.#stateOf('', '') });
    program.breakpoints.changed.listen(() => this.#mark());
    program.changed.listen(() => this.#mark());
    program.sources.added.listen(({ url }) => url === this.url && this.#mark());
  }

  /** The line of the cursor, from zero. */
  get line() {
    const { doc, selection } = this.view.state;
    return doc.lineAt(selection.main.head).number - 1;
  }

  /** Adds a breakpoint at the last place before the cursor where its line can pause, or removes that one. */
  async toggleAtCursor() {
    const { url, line } = this;
    if (!url) return;
    const { doc, selection } = this.view.state;
    const cursor = selection.main.head - doc.line(line + 1).from;
    const columns = await this.program.breakableColumns(url, line);
    const column = columns.findLast((each) => each <= cursor) ?? columns[0];
    this.program.breakpoints.toggleAt({ url, line, column: column === columns[0] ? null : column });
  }

  /**
   * Shows a file. `text` may differ from that of the last time, because the program has loaded the file again.
   * @param {string} url
   * @param {string} text
   */
  show(url, text) {
    if (this.url) this.#files.set(this.url, { state: this.view.state, top: this.view.scrollDOM.scrollTop });
    const known = this.#files.get(url);
    const isSame = known?.state.doc.toString() === text;
    this.view.setState(known && isSame ? known.state : this.#stateOf(url, text));
    this.view.contentDOM.setAttribute('aria-label', url.slice(url.lastIndexOf('/') + 1));
    if (known) requestAnimationFrame(() => (this.view.scrollDOM.scrollTop = known.top));
    this.url = url;
    this.#mark();
  }

  /** @param {string} url of a file that is no longer open */
  forget(url) {
    this.#files.delete(url);
    if (this.url !== url) return;
    this.url = null;
    this.view.setState(this.#stateOf('', ''));
  }

  /** @param {{ line: number, column: number }} position */
  reveal({ line, column }) {
    const { doc } = this.view.state;
    const { from, to } = doc.line(Math.min(line + 1, doc.lines));
    const anchor = Math.min(from + column, to);
    const effects = EditorView.scrollIntoView(anchor, { y: 'center' });
    requestAnimationFrame(() => this.view.dispatch({ effects })); // after an earlier scroll position was restored
    this.view.dispatch({ selection: { anchor } });
  }

  openGoToLine() {
    gotoLine(this.view);
  }

  #mark() {
    const { url, program } = this;
    if (!url) return;
    const thread = program.selected;
    const place = thread?.frame && thread.toSource(thread.frame.location);
    const at = place?.url === url ? { ...place, isTop: thread?.pause?.frame === 0 } : null;
    this.view.dispatch({ effects: [showBreakpoints.of(program.breakpoints.in(url)), showPause.of(at)] });
    void this.#markSpots(url);
  }

  /**
   * Marks where the lines with breakpoints can pause, if they can in several places.
   * @param {string} url
   */
  async #markSpots(url) {
    const turn = ++this.#marks;
    const { breakpoints } = this.program;
    const lines = new Set(breakpoints.in(url).map((each) => each.boundLine ?? each.line));
    const found = await Promise.all([...lines].map((line) => this.#spotsOf(url, line)));
    if (turn === this.#marks) this.view.dispatch({ effects: showSpots.of(found.flat()) });
  }

  /** @param {string} url @param {number} line @returns {Promise<Spot[]>} */
  async #spotsOf(url, line) {
    const { breakpoints } = this.program;
    const columns = await this.program.breakableColumns(url, line);
    const set = breakpoints.on(url, line);
    const extra = set.flatMap(({ column }) => (typeof column === 'number' && !columns.includes(column) ? [column] : []));
    const all = [...columns, ...extra];
    if (all.length < 2 && extra.length === 0) return [];
    return all.map((column) => {
      const isFirst = column === columns[0];
      const breakpoint = breakpoints.at({ url, line, column }) ?? (isFirst ? breakpoints.at({ url, line }) : undefined);
      return { line, column, isFirst, breakpoint: breakpoint ?? null };
    });
  }

  /** @param {string} url @param {string} doc */
  #stateOf(url, doc) {
    const actions = {
      toggle: (/** @type {number} */ line) => this.program.breakpoints.toggle(url, line),
      edit: (/** @type {number} */ line) => this.editing.emit({ url, line }),
    };
    const spotActions = {
      toggle: (/** @type {SpotPlace} */ place) => this.program.breakpoints.toggleAt({ url, ...place }),
      edit: (/** @type {SpotPlace} */ place) => this.editing.emit({ url, ...place }),
    };
    return EditorState.create({
      doc,
      extensions: [
        breakpointGutter(actions),
        inlineBreakpoints(spotActions),
        foldGutter(),
        EditorState.readOnly.of(true),
        highlightActiveLine(),
        highlightSelectionMatches(),
        bracketMatching(),
        search({ top: true }),
        keymap.of([...searchKeymap, ...foldKeymap, ...defaultKeymap]),
        javascript({ typescript: /\.[cm]?tsx?$/.test(url), jsx: /x$/.test(url) || /\.[cm]?js$/.test(url) }),
        hoverValues(this.program),
        pausedLine,
        codeTheme,
      ],
    });
  }
}
