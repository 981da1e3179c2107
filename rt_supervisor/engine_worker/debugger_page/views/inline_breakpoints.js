// @ts-check
// Markers within a line at which the program can pause in several places. A click on one adds or removes a breakpoint there; a right
// click, or a click with Alt, edits it.
import { Decoration, EditorView, StateEffect, StateField, WidgetType } from '../vendor/codemirror.js';

/** @typedef {import('../program/breakpoints.js').Breakpoint} Breakpoint */
/** @typedef {{ line: number, column: number, isFirst: boolean, breakpoint: Breakpoint | null }} Spot lines and columns from zero */
/** @typedef {{ line: number, column: number | null }} SpotPlace `column` null: the first of the line, where its breakpoint is */
/** @typedef {{ toggle: (place: SpotPlace) => void, edit: (place: SpotPlace) => void }} Actions */

/** Replaces the markers. */
export const showSpots = StateEffect.define(/** @type {{ map: (value: Spot[]) => Spot[] }} */ ({ map: (value) => value }));

class Marker extends WidgetType {
  /** @param {Spot} spot @param {Actions} actions */
  constructor(spot, actions) {
    super();
    this.spot = spot;
    this.actions = actions;
    const { breakpoint } = spot;
    const kind = !breakpoint ? 'free' : breakpoint.log ? 'log' : breakpoint.condition ? 'condition' : 'plain';
    this.className = `spot ${kind}${breakpoint && !breakpoint.isEnabled ? ' disabled' : ''}`;
  }

  /** @param {Marker} other */
  eq(other) {
    const { spot } = this;
    return other.className === this.className && other.spot.column === spot.column && other.spot.isFirst === spot.isFirst;
  }

  toDOM() {
    const { line, column, isFirst, breakpoint } = this.spot;
    const place = { line, column: breakpoint ? (breakpoint.column ?? null) : isFirst ? null : column };
    const made = document.createElement('button');
    made.className = this.className;
    made.tabIndex = -1; // F9 with Alt does the same at the cursor
    made.title = `${breakpoint ? 'Remove the' : 'Add a'} breakpoint at column ${column + 1}`;
    made.setAttribute('aria-label', made.title);
    made.setAttribute('aria-pressed', String(breakpoint !== null));
    made.onmousedown = (event) => {
      event.preventDefault();
      event.stopPropagation();
      if (event.button === 0) (event.altKey ? this.actions.edit : this.actions.toggle)(place);
    };
    made.oncontextmenu = (event) => {
      event.preventDefault();
      this.actions.edit(place);
    };
    return made;
  }

  ignoreEvent() {
    return true;
  }
}

const theme = EditorView.baseTheme({
  '.spot': {
    display: 'inline-block',
    boxSizing: 'border-box',
    width: '9px',
    height: '11px',
    margin: '0 2px',
    padding: '0',
    verticalAlign: 'middle',
    border: '0',
    cursor: 'pointer',
    background: 'var(--breakpoint)',
    clipPath: 'polygon(0 0, 60% 0, 100% 50%, 60% 100%, 0 100%)',
  },
  '.spot.free': { opacity: '0.3' },
  '.spot.free:hover': { opacity: '0.7' },
  '.spot.condition': { background: 'var(--condition)' },
  '.spot.log': { background: 'var(--log)' },
  '.spot.disabled': { opacity: '0.4' },
});

/** @param {Actions} actions */
export function inlineBreakpoints(actions) {
  const field = StateField.define({
    create: () => Decoration.none,
    update(decorations, { effects, state }) {
      for (const effect of effects) if (effect.is(showSpots)) return decorationsOf(effect.value, state, actions);
      return decorations;
    },
    provide: (self) => EditorView.decorations.from(self),
  });
  return [field, theme];
}

/** @param {Spot[]} spots @param {import('../vendor/codemirror.js').EditorState} state @param {Actions} actions */
function decorationsOf(spots, state, actions) {
  const markers = spots
    .filter(({ line }) => line < state.doc.lines)
    .map((spot) => {
      const { from, to } = state.doc.line(spot.line + 1);
      return Decoration.widget({ widget: new Marker(spot, actions), side: -1 }).range(Math.min(from + spot.column, to));
    });
  return Decoration.set(markers, true);
}
