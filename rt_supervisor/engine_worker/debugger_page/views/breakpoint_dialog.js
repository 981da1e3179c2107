// @ts-check
// The dialog that changes a breakpoint: its condition, or what it prints instead of pausing. Both are compiled by the program
// before they are accepted, because V8 takes a condition with a syntax error for one that is false.
import { byId } from '../base/dom.js';
import { placeText } from './call_stack.js';

/** @typedef {import('../program/program.js').Program} Program */
/** @typedef {import('../program/breakpoints.js').Place} Place */

export class BreakpointDialog {
  #dialog = /** @type {HTMLDialogElement} */ (byId('breakpoint-dialog'));
  #condition = /** @type {HTMLInputElement} */ (byId('breakpoint-condition'));
  #log = /** @type {HTMLInputElement} */ (byId('breakpoint-log'));
  #problem = byId('breakpoint-problem');
  /** @type {Place | null} */
  #place = null;

  /** @param {Program} program */
  constructor(program) {
    this.program = program;
    this.#dialog.querySelector('form')?.addEventListener('submit', (event) => {
      event.preventDefault();
      this.#save();
    });
    byId('breakpoint-cancel').addEventListener('click', () => this.#dialog.close());
    byId('breakpoint-remove').addEventListener('click', () => this.#remove());
  }

  /** @param {Place} place */
  open(place) {
    const found = this.program.breakpoints.at(place);
    this.#place = place;
    this.#condition.value = found?.condition ?? '';
    this.#log.value = found?.log ?? '';
    this.#problem.textContent = '';
    byId('breakpoint-place').textContent = placeText(place, undefined, place.column);
    byId('breakpoint-remove').hidden = !found;
    this.#dialog.showModal();
    (found?.log ? this.#log : this.#condition).focus();
  }

  async #save() {
    if (!this.#place) return;
    const condition = this.#condition.value.trim();
    const log = this.#log.value.trim();
    const problem = (await this.#problemOf(condition)) ?? (await this.#problemOf(log && `console.log(${log})`));
    this.#problem.textContent = problem ?? '';
    if (problem !== null) return;
    this.program.breakpoints.put(this.#place, { condition, log, isEnabled: true });
    this.#dialog.close();
  }

  #remove() {
    const found = this.#place && this.program.breakpoints.at(this.#place);
    if (found) this.program.breakpoints.remove(found);
    this.#dialog.close();
  }

  /** @param {string} code @returns {Promise<string | null>} */
  async #problemOf(code) {
    if (!code) return null;
    const expression = `(${code}\n)`;
    const reply = await this.program.selected?.session.attempt('Runtime.compileScript', {
      expression,
      sourceURL: '',
      persistScript: false,
    });
    return reply?.exceptionDetails ? (reply.exceptionDetails.exception?.description ?? reply.exceptionDetails.text) : null;
  }
}
