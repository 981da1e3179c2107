// @ts-check
// The mark of the line at which the program is paused, or that a caller of it has reached.
import { Decoration, EditorView, StateEffect, StateField } from '../vendor/codemirror.js';

/** @typedef {{ line: number, column: number, isTop: boolean }} PausedAt lines and columns count from zero */

/** Moves the mark; null removes it. */
export const showPause = StateEffect.define(
  /** @type {{ map: (value: PausedAt | null) => PausedAt | null }} */ ({ map: (value) => value }),
);

const theme = EditorView.baseTheme({
  '.cm-line.paused-line': { backgroundColor: 'var(--paused)' },
  '.cm-line.caller-line': { backgroundColor: 'var(--caller)' },
  '.paused-at': { outline: '1px solid var(--paused-edge)', borderRadius: '2px' },
});

const field = StateField.define({
  create: () => Decoration.none,
  update(decorations, { effects, state }) {
    for (const effect of effects)
      if (effect.is(showPause)) return effect.value ? decorationsOf(effect.value, state) : Decoration.none;
    return decorations;
  },
  provide: (self) => EditorView.decorations.from(self),
});

/** @param {PausedAt} at @param {import('../vendor/codemirror.js').EditorState} state */
function decorationsOf({ line, column, isTop }, state) {
  if (line >= state.doc.lines) return Decoration.none;
  const { from, to, text } = state.doc.line(line + 1);
  const decorations = [Decoration.line({ class: isTop ? 'paused-line' : 'caller-line' }).range(from)];
  const word = /^[\w$]+|^./.exec(text.slice(column));
  if (word && from + column < to) {
    decorations.push(Decoration.mark({ class: 'paused-at' }).range(from + column, from + column + word[0].length));
  }
  return Decoration.set(decorations);
}

export const pausedLine = [field, theme];
