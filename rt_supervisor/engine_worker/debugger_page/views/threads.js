// @ts-check
// The threads of the program: the main one and its workers, each with its state. The panel is hidden while there is only one.
import { element, fill } from '../base/dom.js';

/** @typedef {import('../program/program.js').Program} Program */

export class Threads {
  /** @param {HTMLElement} place @param {HTMLElement} section that is hidden @param {Program} program */
  constructor(place, section, program) {
    const show = () => {
      section.hidden = program.threads.length < 2;
      const rows = program.threads.map((thread) =>
        element(
          'li',
          {},
          element(
            'button',
            {
              'class': 'frame',
              'aria-current': thread === program.selected ? 'true' : null,
              'onclick': () => program.select(thread),
            },
            element('span', { 'class': 'function' }, thread.name),
            element('span', { 'class': thread.pause ? 'place paused' : 'place' }, thread.pause ? 'paused' : 'running'),
          ),
        ),
      );
      fill(place, element('ul', { 'class': 'list', 'aria-label': 'Threads' }, ...rows));
    };
    program.changed.listen(show);
    show();
  }
}
