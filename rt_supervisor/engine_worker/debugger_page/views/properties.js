// @ts-check
// The members of the program's objects as items of a tree. Each object's members are requested when its item is opened; long lists
// are divided into ranges.
import { element } from '../base/dom.js';
import { valueElement, valueText } from './values.js';

/** @typedef {import('devtools-protocol').Protocol.Runtime.RemoteObject} RemoteObject */
/** @typedef {import('devtools-protocol').Protocol.Runtime.PropertyDescriptor} PropertyDescriptor */
/** @typedef {import('../program/thread.js').Thread} Thread */
/** @typedef {import('./tree.js').Item} Item */
/** @typedef {(argument: { value?: unknown, objectId?: string, unserializableValue?: string }) => Promise<unknown>} Assign */

const RANGE = 100;
const SLICE =
  'function (from, to) { const part = {}; for (let i = from; i < to; i++) if (i in this) part[i] = this[i]; return part; }';
const GET = 'function (name) { return this[name]; }';
const SET = 'function (name, value) { this[name] = value; }';

/**
 * Returns the item of a value with a name.
 * @param {Thread} thread
 * @param {string} name
 * @param {RemoteObject} value
 * @param {Assign} [assign] gives it another value; absent: it cannot be changed
 * @returns {Item}
 */
export function valueItem(thread, name, value, assign) {
  const shown = element('span', {}, valueElement(value));
  const content = element('span', { 'class': 'property' }, element('span', { 'class': 'name' }, name), ': ', shown);
  const edit = assign && (() => editValue(thread, shown, value, assign));
  const { objectId } = value;
  const children = objectId ? () => members(thread, value, objectId) : undefined;
  return { key: name, content, children, edit, title: edit ? `${valueText(value)}\nF2 or a double click changes it` : undefined };
}

/**
 * Returns the items of an object's members.
 * @param {Thread} thread
 * @param {RemoteObject} object
 * @param {string} objectId
 * @returns {Promise<Item[]>}
 */
async function members(thread, object, objectId) {
  const length = lengthOf(object);
  const isLong = length > RANGE;
  const options = { objectId, ownProperties: true, generatePreview: true, nonIndexedPropertiesOnly: isLong };
  const reply = await thread.session.attempt('Runtime.getProperties', options);
  if (!reply) return [{ key: 'gone', content: element('span', { 'class': 'faint' }, 'no longer available') }];
  const items = isLong ? ranges(thread, objectId, length) : [];
  for (const property of reply.result) items.push(memberItem(thread, objectId, property));
  for (const property of reply.privateProperties ?? []) items.push(memberItem(thread, objectId, property));
  for (const { name, value } of reply.internalProperties ?? []) if (value) items.push(valueItem(thread, name, value));
  return items;
}

/**
 * @param {Thread} thread
 * @param {string} objectId
 * @param {PropertyDescriptor} property
 */
function memberItem(thread, objectId, { name, value, get, writable, symbol }) {
  if (value) {
    const assign = /** @type {Assign} */ ((argument) => callOn(thread, objectId, SET, [{ value: name }, argument]));
    return valueItem(thread, name, value, writable && !symbol && !name.startsWith('#') ? assign : undefined);
  }
  return getterItem(thread, objectId, name, Boolean(get?.objectId));
}

/** @param {Thread} thread @param {string} objectId @param {string} name @param {boolean} isReadable @returns {Item} */
function getterItem(thread, objectId, name, isReadable) {
  const shown = element('span', {}, isReadable ? '' : 'undefined');
  if (isReadable) {
    const read = async () => {
      const reply = await callOn(thread, objectId, GET, [{ value: name }]);
      shown.replaceChildren(reply ? valueElement(reply.result) : '');
    };
    shown.append(
      element(
        'button',
        { 'class': 'getter', 'title': 'Call the getter', 'aria-label': `Call the getter ${name}`, 'onclick': read },
        '(…)',
      ),
    );
  }
  return {
    key: name,
    content: element('span', { 'class': 'property' }, element('span', { 'class': 'name' }, name), ': ', shown),
  };
}

/** @param {Thread} thread @param {string} objectId @param {number} length @returns {Item[]} */
function ranges(thread, objectId, length) {
  const size = Math.max(RANGE, RANGE ** (Math.ceil(Math.log(length) / Math.log(RANGE)) - 1));
  return span(0, length, size);

  /** @param {number} from @param {number} to @param {number} step @returns {Item[]} */
  function span(from, to, step) {
    const items = [];
    for (let start = from; start < to; start += step) {
      const end = Math.min(to, start + step);
      const children = step > RANGE ? () => span(start, end, step / RANGE) : () => slice(start, end);
      const label = `[${start} … ${end - 1}]`;
      items.push({ key: label, content: element('span', { 'class': 'name' }, label), children });
    }
    return items;
  }

  /** @param {number} from @param {number} to */
  async function slice(from, to) {
    const reply = await callOn(thread, objectId, SLICE, [{ value: from }, { value: to }]);
    const part = reply?.result.objectId;
    if (!part) return [];
    const found = await thread.session.attempt('Runtime.getProperties', {
      objectId: part,
      ownProperties: true,
      generatePreview: true,
    });
    return (found?.result ?? []).map((/** @type {PropertyDescriptor} */ each) => memberItem(thread, objectId, each));
  }
}

/** @param {RemoteObject} object */
function lengthOf({ subtype, description }) {
  const isList = subtype === 'array' || subtype === 'typedarray';
  return isList ? Number(/\((\d+)\)$/.exec(description ?? '')?.[1] ?? 0) : 0;
}

/** @param {Thread} thread @param {string} objectId @param {string} functionDeclaration @param {object[]} args */
function callOn(thread, objectId, functionDeclaration, args) {
  const params = { objectId, functionDeclaration, arguments: args, generatePreview: true };
  return thread.session.attempt('Runtime.callFunctionOn', params);
}

/**
 * Lets the user type an expression in place of a value.
 * @param {Thread} thread
 * @param {HTMLElement} shown
 * @param {RemoteObject} value
 * @param {Assign} assign
 */
function editValue(thread, shown, value, assign) {
  const before = [...shown.childNodes];
  const input = element('input', { 'class': 'edit', 'aria-label': 'New value', 'value': value.objectId ? '' : valueText(value) });
  let isOver = false;
  /** @param {(string | Node)[]} nodes */
  const finish = (nodes) => {
    if (isOver) return;
    isOver = true;
    const row = /** @type {HTMLElement | null} */ (shown.closest('[role=treeitem]'));
    shown.replaceChildren(...nodes);
    row?.focus();
  };
  const commit = async () => {
    const reply = await thread.evaluate(`(${input.value})`, { silent: true }).catch(() => null);
    const result = reply && !reply.exceptionDetails ? reply.result : null;
    const changed = result && (await assign(argumentOf(result)));
    if (result && changed) finish([valueElement(result)]);
    else input.setAttribute('aria-invalid', 'true');
  };
  input.addEventListener('keydown', (event) => {
    event.stopPropagation();
    if (event.key === 'Enter') commit();
    if (event.key === 'Escape') finish(before);
  });
  input.addEventListener('blur', () => finish(before));
  shown.replaceChildren(input);
  input.focus();
  input.select();
}

/** @param {RemoteObject} value */
function argumentOf({ objectId, unserializableValue, value }) {
  if (objectId) return { objectId };
  return unserializableValue ? { unserializableValue } : { value };
}
