// @ts-check
// Expressions that are evaluated at each pause, in the selected frame. The browser stores them.
import { element, fill } from '../base/dom.js';
import { icon } from '../base/icons.js';
import { readStored, writeStored } from '../base/stored.js';
import { valueItem } from './properties.js';
import { Tree } from './tree.js';

/** @typedef {import('../program/program.js').Program} Program */
/** @typedef {import('./tree.js').Item} Item */

const STORED = 'watches';

export class Watches {
  /** @type {string[]} */
  #expressions = readStored(STORED, []);
  #tree = new Tree('Watched expressions');
  #round = 0;

  /** @param {HTMLElement} place @param {Program} program */
  constructor(place, program) {
    this.program = program;
    this.input = element('input', {
      'class': 'watch-input',
      'placeholder': 'Add an expression',
      'aria-label': 'Add an expression to watch',
    });
    this.input.addEventListener('keydown', (event) => event.key === 'Enter' && this.#add());
    fill(place, this.#tree.element, this.input);
    program.changed.listen(() => this.#show());
    this.#show();
  }

  #add() {
    const text = this.input.value.trim();
    this.input.value = '';
    if (text && !this.#expressions.includes(text)) this.#store([...this.#expressions, text]);
  }

  /** @param {string[]} expressions */
  #store(expressions) {
    this.#expressions = expressions;
    writeStored(STORED, expressions);
    this.#show();
  }

  async #show() {
    const round = ++this.#round;
    const items = await Promise.all(this.#expressions.map((each) => this.#item(each)));
    if (round === this.#round) this.#tree.show(items); // otherwise the program has moved on
  }

  /** @param {string} expression @returns {Promise<Item>} */
  async #item(expression) {
    const thread = this.program.selected;
    const remove = element(
      'button',
      {
        'class': 'quiet',
        'title': 'Remove',
        'aria-label': `Stop watching ${expression}`,
        'onclick': () => this.#store(this.#expressions.filter((each) => each !== expression)),
      },
      icon('close'),
    );
    /** @param {Node} content @param {Item} [item] */
    const row = (content, item) => ({
      ...item,
      key: expression,
      content: element('span', { 'class': 'watch' }, content, remove),
    });
    /** @param {string} text */
    const plain = (text) =>
      row(
        element('span', {}, element('span', { 'class': 'name' }, expression), ': ', element('span', { 'class': 'faint' }, text)),
      );
    const reply = await thread?.evaluate(expression, { silent: true, throwOnSideEffect: !thread.pause }).catch(() => null);
    if (!thread || !reply) return plain('not available');
    const problem = reply.exceptionDetails?.exception?.description?.split('\n')[0];
    if (reply.exceptionDetails) return plain((thread.pause && problem) || 'not available');
    const item = valueItem(thread, expression, reply.result);
    return row(item.content, item);
  }
}
