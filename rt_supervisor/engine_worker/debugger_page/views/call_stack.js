// @ts-check
// The frames of a pause, and after them those that led to it asynchronously. Frames of the runtime are counted, not listed.
import { element, fill } from '../base/dom.js';
import { pathOf } from '../program/sources.js';

/** @typedef {import('devtools-protocol').Protocol.Runtime.StackTrace} StackTrace */
/** @typedef {import('devtools-protocol').Protocol.Runtime.CallFrame} StackFrame */
/** @typedef {import('../program/program.js').Program} Program */
/** @typedef {import('../program/source_map.js').SourcePosition} SourcePosition */
/** @typedef {import('../program/thread.js').Thread} Thread */
/** @typedef {(position: SourcePosition) => void} Open */

export class CallStack {
  #round = 0;

  /** @param {HTMLElement} place @param {Program} program @param {Open} open */
  constructor(place, program, open) {
    this.place = place;
    this.open = open;
    program.changed.listen(() => this.#show(program.selected));
    this.#show(null);
  }

  /** @param {Thread | null} thread */
  async #show(thread) {
    const round = ++this.#round;
    if (!thread?.pause) {
      fill(this.place, element('p', { 'class': 'faint' }, 'Not paused'));
      return;
    }
    const { pause } = thread;
    const rows = this.#frames(thread);
    for (let stack = await asyncStack(thread, pause); stack; stack = await parentOf(thread, stack)) {
      const frames = stack.callFrames.filter(({ url }) => !url.startsWith('node:'));
      if (frames.length > 0) rows.push(element('li', { 'class': 'async', 'role': 'presentation' }, stack.description || 'async'));
      for (const frame of frames) rows.push(this.#row(frame.functionName, thread.toSource(frame), {}));
    }
    if (round !== this.#round) return;
    fill(this.place, element('ul', { 'class': 'list', 'aria-label': 'Call stack' }, ...rows));
  }

  /** @param {Thread} thread */
  #frames(thread) {
    /** @type {HTMLElement[]} */
    const rows = [];
    let hidden = 0;
    thread.pause?.frames.forEach((frame, index) => {
      const script = thread.scripts.get(frame.location.scriptId);
      if (script?.isInternal && index > 0) return void hidden++;
      const isCurrent = index === thread.pause?.frame;
      rows.push(
        this.#row(frame.functionName, thread.toSource(frame.location), { isCurrent, select: () => thread.selectFrame(index) }),
      );
    });
    if (hidden > 0) rows.push(element('li', { 'class': 'faint' }, `${hidden} frame${hidden > 1 ? 's' : ''} of the runtime`));
    return rows;
  }

  /**
   * @param {string} name
   * @param {SourcePosition | null} position
   * @param {{ isCurrent?: boolean, select?: () => void }} options
   */
  #row(name, position, { isCurrent, select }) {
    const show = () => {
      select?.();
      if (position) this.open(position);
    };
    const button = element(
      'button',
      {
        'class': 'frame',
        'aria-current': isCurrent ? 'true' : null,
        'title': position && placeText(position, pathOf(position.url)),
        'onclick': show,
      },
      element('span', { 'class': 'function' }, name || '(anonymous)'),
      element('span', { 'class': 'place' }, position && placeText(position)),
    );
    return element('li', {}, button);
  }
}

/**
 * Returns `file.ts:12`, counted from one; for a breakpoint at a column, `file.ts:12:5`.
 * @param {{ url: string, line: number }} position
 * @param {string} [name] instead of the file's
 * @param {number | null} [column]
 */
export function placeText({ url, line }, name = url.slice(url.lastIndexOf('/') + 1), column = null) {
  return `${decodeURIComponent(name)}:${line + 1}${column === null ? '' : `:${column + 1}`}`;
}

/** @param {Thread} thread @param {import('../program/thread.js').Pause} pause @returns {Promise<StackTrace | null>} */
async function asyncStack(thread, { asyncStack: stack, asyncStackId }) {
  if (stack || !asyncStackId) return stack ?? null;
  return (await thread.session.attempt('Debugger.getStackTrace', { stackTraceId: asyncStackId }))?.stackTrace ?? null;
}

/** @param {Thread} thread @param {StackTrace} stack @returns {Promise<StackTrace | null>} */
async function parentOf(thread, { parent, parentId }) {
  if (parent || !parentId) return parent ?? null;
  return (await thread.session.attempt('Debugger.getStackTrace', { stackTraceId: parentId }))?.stackTrace ?? null;
}
