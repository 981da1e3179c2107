'use strict';
// Owns: RT.sliceAnsi: the columns from start to end of a text with control sequences; styles active at the start are switched
// on, those active at the end are switched off.

const { MathMax, MathMin, MathTrunc, intact } = require('internal/primordials');
const { pieces, visibleWidth } = require('rt/terminal/text_width');
const { AnsiState } = require('rt/terminal/ansi_state');
const { stripControls } = require('internal/string_width');

function bounds(total, start, end) {
  const from = start < 0 ? MathMax(0, total + start) : start;
  const to = end < 0 ? MathMax(0, total + end) : MathMin(end, total);
  return [from, to];
}

function slice(text, from, to, { before = '', after = '' } = {}) {
  const state = new AnsiState();
  let column = 0;
  let out = '';
  let hasStarted = false;
  for (const piece of intact(pieces(text))) {
    if (piece.control !== undefined) {
      const wasOn = state.isOn;
      const isKnown = state.apply(piece.control);
      // Past the end, only sequences that switch styles off are still needed.
      if (hasStarted && (column < to || (isKnown && wasOn && !state.isOn && column === to))) out += piece.control;
      continue;
    }
    if (column >= to && piece.width > 0) break;
    if (column >= from && column < to) {
      if (!hasStarted) {
        hasStarted = true;
        out += before + state.opening();
      }
      out += piece.text;
    }
    column += piece.width;
  }
  return hasStarted ? [out, state, after] : ['', state, ''];
}

function sliceAnsi(text, start = 0, end = undefined, ellipsis = undefined) {
  const whole = `${text}`;
  const total = visibleWidth(stripControls(whole));
  if (ellipsis !== null && typeof ellipsis === 'object') ellipsis = ellipsis.ellipsis;
  const [from, to] = intact(bounds(total, MathTrunc(start) || 0, end === undefined ? total : MathTrunc(end) || 0));
  if (from >= to) return '';
  const mark = ellipsis === undefined ? '' : `${ellipsis}`;
  const markWidth = visibleWidth(stripControls(mark));
  const before = mark !== '' && from > 0 ? markWidth : 0;
  const after = mark !== '' && to < total ? markWidth : 0;
  if (mark !== '' && to - from <= before + after && before + after > 0) return mark;
  return finishSlice(whole, from + before, to - after, before ? mark : '', after ? mark : '');
}

/** Returns the part between two columns with its marks, and switches off every style that is still on. */
function finishSlice(text, from, to, before, after) {
  const opening = new AnsiState();
  const [out] = intact(slice(text, from, to, { before }));
  for (const piece of intact(pieces(out))) if (piece.control !== undefined) opening.apply(piece.control);
  return out + after + opening.closing();
}

module.exports = { sliceAnsi };
