// @ts-check
// The gutter with the markers of breakpoints. A click toggles one; a right click, or a click with Alt, edits it.
import {
  EditorView,
  GutterMarker,
  RangeSetBuilder,
  RangeSet,
  StateEffect,
  StateField,
  gutter,
  lineNumbers,
} from '../vendor/codemirror.js';

/** @typedef {import('../program/breakpoints.js').Breakpoint} Breakpoint */
/** @typedef {{ toggle: (line: number) => void, edit: (line: number) => void }} Actions lines count from zero */

/** Replaces the markers. */
export const showBreakpoints = StateEffect.define(
  /** @type {{ map: (value: Breakpoint[]) => Breakpoint[] }} */ ({ map: (value) => value }),
);

class Marker extends GutterMarker {
  /** @param {Breakpoint} breakpoint */
  constructor({ condition, log, isEnabled }) {
    super();
    this.kind = log ? 'log' : condition ? 'condition' : 'plain';
    this.isEnabled = isEnabled;
    this.title = log ? `Prints ${log}` : condition ? `Pauses if ${condition}` : 'Pauses here';
  }

  /** @param {Marker} other */
  eq(other) {
    return other.kind === this.kind && other.isEnabled === this.isEnabled && other.title === this.title;
  }

  toDOM() {
    const made = document.createElement('div');
    made.className = `breakpoint ${this.kind}${this.isEnabled ? '' : ' disabled'}`;
    made.title = this.title;
    made.textContent = this.kind === 'log' ? '≡' : this.kind === 'condition' ? '?' : '';
    return made;
  }
}

const field = StateField.define({
  create: () => /** @type {RangeSet<GutterMarker>} */ (RangeSet.empty),
  update(markers, transaction) {
    for (const effect of transaction.effects) {
      if (effect.is(showBreakpoints)) return markersOf(effect.value, transaction.state);
    }
    return markers;
  },
});

/** @param {Breakpoint[]} breakpoints @param {import('../vendor/codemirror.js').EditorState} state */
function markersOf(breakpoints, state) {
  /** @type {RangeSetBuilder<GutterMarker>} */
  const builder = new RangeSetBuilder();
  const ordered = breakpoints.toSorted((a, b) => (b.column ?? -1) - (a.column ?? -1)); // the first of a line is shown
  const lines = new Map(ordered.map((each) => [each.boundLine ?? each.line, each]));
  for (const [line, breakpoint] of [...lines].sort(([a], [b]) => a - b)) {
    if (line >= state.doc.lines) continue;
    const { from } = state.doc.line(line + 1);
    builder.add(from, from, new Marker(breakpoint));
  }
  return builder.finish();
}

const theme = EditorView.baseTheme({
  '.cm-breakpoints': { width: '18px' },
  '.cm-breakpoints .cm-gutterElement': { cursor: 'pointer', display: 'flex', alignItems: 'center', justifyContent: 'center' },
  '.cm-breakpoints .cm-gutterElement:hover:empty::after': {
    content: '""',
    width: '11px',
    height: '11px',
    borderRadius: '50%',
    background: 'var(--breakpoint)',
    opacity: '0.3',
  },
  '.breakpoint': {
    width: '12px',
    height: '12px',
    borderRadius: '50%',
    background: 'var(--breakpoint)',
    color: 'var(--on-accent)',
    font: 'bold 10px/12px var(--mono)',
    textAlign: 'center',
  },
  '.breakpoint.condition': { background: 'var(--condition)' },
  '.breakpoint.log': { background: 'var(--log)' },
  '.breakpoint.disabled': { opacity: '0.4' },
});

/** @param {Actions} actions */
export function breakpointGutter({ toggle, edit }) {
  /** @type {(view: EditorView, position: { from: number }, event: Event) => boolean} */
  const pressed = (view, { from }, event) => {
    const mouse = /** @type {MouseEvent} */ (event);
    const line = view.state.doc.lineAt(from).number - 1;
    if (mouse.button !== 0) return false;
    if (mouse.altKey) edit(line);
    else toggle(line);
    return true;
  };
  /** @type {(view: EditorView, position: { from: number }, event: Event) => boolean} */
  const contextmenu = (view, { from }, event) => {
    event.preventDefault();
    edit(view.state.doc.lineAt(from).number - 1);
    return true;
  };
  const domEventHandlers = { mousedown: pressed, contextmenu };
  return [
    field,
    gutter({ class: 'cm-breakpoints', markers: (view) => view.state.field(field), domEventHandlers }),
    lineNumbers({ domEventHandlers }),
    theme,
  ];
}
