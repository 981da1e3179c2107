// @ts-check
// The buttons that move the program, what pauses it, and the line that says what it does.
import { byId, element, fill } from '../base/dom.js';
import { icon } from '../base/icons.js';
import { placeText } from './call_stack.js';

/** @typedef {import('../base/icons.js').IconName} IconName */
/** @typedef {import('../program/program.js').Program} Program */
/** @typedef {import('../program/thread.js').ExceptionPauses} ExceptionPauses */
/** @typedef {import('../program/thread.js').Thread} Thread */
/** @typedef {import('./commands.js').Command} Command */

export class Toolbar {
  /** @type {Map<string, HTMLButtonElement>} */
  #buttons = new Map();

  /** @param {HTMLElement} place @param {Program} program @param {Command[]} commands those with an icon become buttons */
  constructor(place, program, commands) {
    this.program = program;
    this.status = byId('status');
    for (const command of commands) if (command.icon) this.#buttons.set(command.id, button(command, command.icon));
    fill(place, ...this.#buttons.values());
    const exceptions = /** @type {HTMLSelectElement} */ (byId('exceptions'));
    exceptions.value = program.exceptions;
    exceptions.onchange = () => program.pauseOnExceptions(/** @type {ExceptionPauses} */ (exceptions.value));
    program.changed.listen(() => this.#show());
    program.link.changed.listen(() => this.#show());
    program.breakpoints.activated.listen(() => this.#show());
    this.#show();
  }

  #show() {
    const { program } = this;
    const thread = program.selected;
    const isPaused = Boolean(thread?.pause);
    const resume = this.#buttons.get('resume');
    const label = isPaused ? 'Continue' : 'Pause';
    if (resume) {
      fill(resume, icon(isPaused ? 'resume' : 'pause'));
      resume.title = `${label} (F8)`;
      resume.setAttribute('aria-label', label);
      resume.disabled = !thread;
    }
    for (const id of ['over', 'into', 'out']) this.#buttons.get(id)?.toggleAttribute('disabled', !isPaused);
    this.#buttons.get('breakpoints')?.setAttribute('aria-pressed', String(!program.breakpoints.areActive));
    this.status.dataset.state = program.link.state !== 'open' ? program.link.state : isPaused ? 'paused' : 'running';
    this.status.textContent = statusText(program);
    const { title } = program.link;
    document.title = title ? `${isPaused ? '⏸ ' : ''}${title} – rt` : 'rt debugger';
  }
}

/** @param {Command} command @param {IconName} name */
function button({ id, label, keys, run }, name) {
  const title = keys[0] ? `${label} (${keys[0]})` : label;
  return element(
    'button',
    { 'class': 'tool', 'data-command': id, 'title': title, 'aria-label': label, 'onclick': run },
    icon(name),
  );
}

/** @param {Program} program */
function statusText({ link, selected }) {
  if (link.state === 'connecting') return 'Connecting…';
  if (link.state === 'lost') return 'Not connected; waiting for the program to start…';
  const { title } = link;
  if (!selected?.pause) return title ? `${title} is running` : 'Running';
  const place = selected.frame && selected.toSource(selected.frame.location);
  return `Paused ${reasonText(selected)}${place ? ` at ${placeText(place)}` : ''}`;
}

/** @param {Thread} thread */
function reasonText({ pause }) {
  if (!pause) return '';
  switch (/** @type {string | undefined} */ (pause.reason)) {
    case 'exception':
    case 'promiseRejection':
      return `on ${(pause.data?.description ?? pause.data?.value ?? 'an exception').toString().split('\n')[0]}`;
    case 'Break on start':
      return 'at the start';
    case 'OOM':
      return 'before memory runs out';
    default:
      return pause.isAtBreakpoint ? 'on a breakpoint' : '';
  }
}
