// @ts-check
// The variables of the selected frame, by scope; their values can be changed.
import { element, fill } from '../base/dom.js';
import { valueItem } from './properties.js';
import { Tree } from './tree.js';
import { valueElement } from './values.js';

/** @typedef {import('devtools-protocol').Protocol.Debugger.CallFrame} ProtocolFrame */
/** @typedef {import('devtools-protocol').Protocol.Debugger.Scope} Scope */
/** @typedef {import('devtools-protocol').Protocol.Runtime.PropertyDescriptor} PropertyDescriptor */
/** @typedef {import('../program/program.js').Program} Program */
/** @typedef {import('../program/thread.js').Thread} Thread */
/** @typedef {import('./tree.js').Item} Item */

/** @type {Record<string, string>} */
const NAMES = {
  'local': 'Local',
  'closure': 'Closure',
  'catch': 'Catch block',
  'block': 'Block',
  'with': 'With block',
  'script': 'Script',
  'eval': 'Eval',
  'module': 'Module',
  'global': 'Global',
  'wasm-expression-stack': 'Expression stack',
};

export class Scopes {
  #tree = new Tree('Variables in scope');

  /** @param {HTMLElement} place @param {Program} program */
  constructor(place, program) {
    this.place = place;
    program.changed.listen(() => this.#show(program.selected));
    this.#show(null);
  }

  /** @param {Thread | null} thread */
  #show(thread) {
    const frame = thread?.frame;
    if (!thread || !frame) {
      fill(this.place, element('p', { 'class': 'faint' }, 'Not paused'));
      return;
    }
    const items = frame.scopeChain.map((scope, index) => scopeItem(thread, frame, scope, index));
    if (frame.returnValue) {
      items.unshift({ key: 'return value', content: element('span', {}, 'Return value: ', valueElement(frame.returnValue)) });
    }
    this.#tree.show(items);
    if (this.#tree.element.parentElement !== this.place) fill(this.place, this.#tree.element);
  }
}

/**
 * @param {Thread} thread
 * @param {ProtocolFrame} frame
 * @param {Scope} scope
 * @param {number} index
 * @returns {Item}
 */
function scopeItem(thread, frame, scope, index) {
  const name = (NAMES[scope.type] ?? scope.type) + (scope.name && scope.type !== 'local' ? ` (${scope.name})` : '');
  return {
    key: `${scope.type} ${frame.scopeChain.slice(0, index).filter(({ type }) => type === scope.type).length}`,
    content: element('span', { 'class': 'scope' }, name),
    isOpen: index === 0 || (scope.type !== 'global' && scope.type !== 'module'),
    children: () => variables(thread, frame, scope, index),
  };
}

/** @param {Thread} thread @param {ProtocolFrame} frame @param {Scope} scope @param {number} index */
async function variables(thread, frame, scope, index) {
  const { objectId } = scope.object;
  const reply = await thread.session.attempt('Runtime.getProperties', { objectId, ownProperties: true, generatePreview: true });
  const found = /** @type {PropertyDescriptor[]} */ (reply?.result ?? []);
  const items = found.map(({ name, value }) => {
    if (!value) return { key: name, content: unset(name) };
    return valueItem(thread, name, value, (argument) => assign(thread, frame, index, name, argument));
  });
  items.sort((a, b) => (scope.type === 'global' ? a.key.localeCompare(b.key) : 0));
  if (scope.type === 'local' && frame.this.type !== 'undefined') items.push(valueItem(thread, 'this', frame.this));
  if (items.length === 0) items.push({ key: 'none', content: element('span', { 'class': 'faint' }, 'No variables') });
  return items;
}

/** A variable before its declaration has run. @param {string} name */
function unset(name) {
  const state = element('span', { 'class': 'faint' }, 'not initialised');
  return element('span', { 'class': 'property' }, element('span', { 'class': 'name' }, name), ': ', state);
}

/**
 * @param {Thread} thread
 * @param {ProtocolFrame} frame
 * @param {number} scopeNumber
 * @param {string} variableName
 * @param {object} newValue
 */
function assign(thread, { callFrameId }, scopeNumber, variableName, newValue) {
  return thread.session.attempt('Debugger.setVariableValue', { callFrameId, scopeNumber, variableName, newValue });
}
