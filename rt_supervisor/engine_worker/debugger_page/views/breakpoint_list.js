// @ts-check
// All breakpoints, by file, each with a box that disables it.
import { element, fill } from '../base/dom.js';
import { icon } from '../base/icons.js';
import { placeText } from './call_stack.js';

/** @typedef {import('../program/breakpoints.js').Breakpoint} Breakpoint */
/** @typedef {import('../program/breakpoints.js').Breakpoints} Breakpoints */
/** @typedef {import('../program/source_map.js').SourcePosition} SourcePosition */

export class BreakpointList {
  /**
   * @param {HTMLElement} place
   * @param {Breakpoints} breakpoints
   * @param {(position: SourcePosition) => void} open
   */
  constructor(place, breakpoints, open) {
    const show = () => {
      const rows = breakpoints.all.map((breakpoint) => row(breakpoint, breakpoints, open));
      if (rows.length === 0) fill(place, element('p', { 'class': 'faint' }, 'Click a line number to add one'));
      else fill(place, element('ul', { 'class': 'list', 'aria-label': 'Breakpoints' }, ...rows));
    };
    breakpoints.changed.listen(show);
    show();
  }
}

/** @param {Breakpoint} breakpoint @param {Breakpoints} breakpoints @param {(position: SourcePosition) => void} open */
function row(breakpoint, breakpoints, open) {
  const { url, isEnabled, log, condition } = breakpoint;
  const at = { url, line: breakpoint.boundLine ?? breakpoint.line, column: breakpoint.column ?? null };
  const place = placeText(at, undefined, at.column);
  const detail = log ? `log ${log}` : condition ? `if ${condition}` : '';
  const box = element('input', {
    'type': 'checkbox',
    'aria-label': `Enable ${place}`,
    'onchange': () => breakpoints.put(at, { isEnabled: box.checked }),
  });
  box.checked = isEnabled;
  return element(
    'li',
    { 'class': 'breakpoint' },
    box,
    element(
      'button',
      { 'class': 'frame', 'onclick': () => open({ ...at, column: at.column ?? 0 }) },
      element('span', { 'class': 'function' }, place),
      element('span', { 'class': 'place' }, detail),
    ),
    element(
      'button',
      { 'class': 'quiet', 'title': 'Remove', 'aria-label': `Remove ${place}`, 'onclick': () => breakpoints.remove(breakpoint) },
      icon('close'),
    ),
  );
}
