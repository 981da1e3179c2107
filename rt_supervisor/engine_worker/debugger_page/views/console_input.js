// @ts-check
// The line in which the user evaluates expressions: in the selected frame of a paused thread, otherwise in the global scope. Enter
// evaluates what is complete and breaks the line otherwise; the arrow keys go through what was evaluated before.
import {
  EditorState,
  EditorView,
  Prec,
  acceptCompletion,
  autocompletion,
  bracketMatching,
  completionKeymap,
  completionStatus,
  defaultKeymap,
  history,
  historyKeymap,
  javascript,
  keymap,
  moveCompletionSelection,
  placeholder,
  selectedCompletionIndex,
} from '../vendor/codemirror.js';
import { readStored, writeStored } from '../base/stored.js';
import { codeTheme } from './code_theme.js';
import { completionsOf } from './completion.js';

/** @typedef {import('../program/program.js').Program} Program */

const STORED = 'history';
const MOST_HISTORY = 200;
const UNFINISHED = /Unexpected end of input|Unterminated template literal|missing \) after argument list/;

export class ConsoleInput {
  /** @type {string[]} oldest first */
  #history = readStored(STORED, []);
  #at = this.#history.length;
  #draft = '';

  /** @param {HTMLElement} place @param {Program} program */
  constructor(place, program) {
    this.program = program;
    const root = place.attachShadow({ mode: 'open' });
    const run = () => (this.#run(), true);
    this.view = new EditorView({
      parent: root,
      root,
      state: EditorState.create({
        extensions: [
          Prec.highest(
            keymap.of([
              { key: 'Tab', run: acceptFirst },
              { key: 'Enter', run: (view) => acceptCompletion(view) || run() },
              { key: 'ArrowUp', run: () => this.#recall(-1) },
              { key: 'ArrowDown', run: () => this.#recall(1) },
            ]),
          ),
          keymap.of([...completionKeymap, ...historyKeymap, ...defaultKeymap]),
          history(),
          bracketMatching(),
          javascript(),
          autocompletion({
            override: [(context) => completionsOf(context, program)],
            icons: false,
            defaultKeymap: false,
            selectOnOpen: false, // Enter evaluates what is written, unless the user has chosen a completion
            interactionDelay: 0,
          }),
          placeholder('Evaluate JavaScript'),
          EditorView.lineWrapping,
          EditorView.contentAttributes.of({ 'aria-label': 'Expression to evaluate' }),
          EditorView.theme({ '&': { height: 'auto' }, '.cm-content': { padding: '3px 0' } }),
          codeTheme,
        ],
      }),
    });
  }

  focus() {
    this.view.focus();
  }

  /** @param {-1 | 1} step to an older or a newer entry */
  #recall(step) {
    const { state } = this.view;
    const line = state.doc.lineAt(state.selection.main.head).number;
    const isAtEdge = step < 0 ? line === 1 : line === state.doc.lines;
    const next = this.#at + step;
    // The keys move within the list of completions while that is open.
    if (!isAtEdge || next < 0 || next > this.#history.length || completionStatus(state) === 'active') return false;
    if (this.#at === this.#history.length) this.#draft = state.doc.toString();
    this.#at = next;
    this.#write(this.#history[next] ?? this.#draft);
    return true;
  }

  async #run() {
    const text = this.view.state.doc.toString();
    const thread = this.program.selected;
    if (!text.trim() || !thread) return;
    if (!thread.pause && (await this.#isUnfinished(text))) {
      this.view.dispatch(this.view.state.replaceSelection('\n'));
      return;
    }
    this.#remember(text);
    this.#write('');
    const log = this.program.console;
    log.add({ level: 'command', text });
    const options = { objectGroup: 'console', includeCommandLineAPI: true };
    const reply = await thread.evaluate(/^\s*\{.*\}\s*$/s.test(text) ? `(${text})` : text, options).catch((error) => error);
    if (reply instanceof Error) log.add({ level: 'error', text: reply.message });
    else if (reply.exceptionDetails)
      log.addException(thread, { ...reply.exceptionDetails, scriptId: undefined, stackTrace: undefined });
    else log.add({ level: 'result', values: [reply.result], thread });
    this.program.changed.emit(); // variables may have changed
  }

  /** @param {string} expression */
  async #isUnfinished(expression) {
    const params = { expression, sourceURL: '', persistScript: false };
    const reply = await this.program.selected?.session.attempt('Runtime.compileScript', params);
    return UNFINISHED.test(reply?.exceptionDetails?.exception?.description ?? '');
  }

  /** @param {string} text */
  #remember(text) {
    this.#history = [...this.#history.filter((each) => each !== text), text].slice(-MOST_HISTORY);
    this.#at = this.#history.length;
    writeStored(STORED, this.#history);
  }

  /** @param {string} text */
  #write(text) {
    const { doc } = this.view.state;
    this.view.dispatch({ changes: { from: 0, to: doc.length, insert: text }, selection: { anchor: text.length } });
  }
}

/**
 * Accepts the selected completion, or the first one.
 * @param {EditorView} view
 */
function acceptFirst(view) {
  if (completionStatus(view.state) !== 'active') return false;
  if ((selectedCompletionIndex(view.state) ?? -1) < 0) moveCompletionSelection(true)(view);
  return acceptCompletion(view);
}
