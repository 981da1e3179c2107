// @ts-check
// One entry of the console as an element: format directives, values that can be opened, places that can be visited.
import { element } from '../base/dom.js';
import { placeText } from './call_stack.js';
import { valueItem } from './properties.js';
import { Tree } from './tree.js';
import { valueElement } from './values.js';

/** @typedef {import('devtools-protocol').Protocol.Runtime.RemoteObject} RemoteObject */
/** @typedef {import('../program/console_log.js').Entry} Entry */
/** @typedef {import('../program/source_map.js').SourcePosition} SourcePosition */
/** @typedef {import('../program/thread.js').Thread} Thread */
/** @typedef {(position: SourcePosition) => void} Open */

const PLACES = /((?:file:\/\/)?\/[^\s():'"]+):(\d+):(\d+)/g;
const DIRECTIVES = /%([sdifoOjc%])/g;

/** @param {Entry} entry @param {Open} open */
export function entryRow(entry, open) {
  const { level, depth, place, thread } = entry;
  const count = element('span', { 'class': 'count', 'hidden': entry.count === 1 }, entry.count);
  const content = element(
    'div',
    { 'class': 'content' },
    ...(entry.text === null ? valueNodes(entry, open) : linked(entry.text, open)),
  );
  const where = place && element('button', { 'class': 'place', 'title': 'Open', 'onclick': () => open(place) }, placeText(place));
  const worker = thread?.isWorker && element('span', { 'class': 'worker' }, thread.name);
  const row = element('li', { 'class': `entry ${level}` }, count, content, worker, where);
  if (depth > 0) row.style.paddingInlineStart = `${depth + 1}em`;
  return row;
}

/** @param {HTMLElement} row @param {Entry} entry */
export function showCount(row, { count }) {
  const shown = row.querySelector('.count');
  if (!(shown instanceof HTMLElement)) return;
  shown.textContent = String(count);
  shown.hidden = false;
}

/** @param {Entry} entry @param {Open} open */
function valueNodes({ values, thread, level }, open) {
  const [first, ...rest] = values;
  /** @type {(string | Node)[]} */
  const nodes = [];
  let left = values;
  if (first?.type === 'string' && rest.length > 0 && first.value.includes('%')) {
    left = [...rest];
    nodes.push(...formatted(first.value, left, thread));
    if (left.length > 0) nodes.push(' ');
  }
  left.forEach((value, index) => {
    if (index > 0) nodes.push(' ');
    if (value.type === 'string' && level !== 'result') nodes.push(...linked(value.value, open));
    else nodes.push(shown(value, thread, open));
  });
  return nodes;
}

/** @param {string} format @param {RemoteObject[]} left values that are still to be shown @param {Thread | null} thread */
function formatted(format, left, thread) {
  /** @type {(string | Node)[]} */
  const nodes = [];
  let from = 0;
  for (const found of format.matchAll(DIRECTIVES)) {
    if (found[1] !== '%' && left.length === 0) break;
    nodes.push(format.slice(from, found.index));
    from = found.index + 2;
    const value = found[1] === '%' ? null : left.shift();
    if (!value) nodes.push('%');
    else if (found[1] === 's') nodes.push(String(value.value ?? value.description));
    else if (found[1] === 'd' || found[1] === 'i') nodes.push(String(Math.trunc(Number(value.value ?? value.description))));
    else if (found[1] === 'f') nodes.push(String(Number(value.value ?? value.description)));
    else if (found[1] !== 'c') nodes.push(shown(value, thread, () => {})); // the styles of %c are not applied
  }
  nodes.push(format.slice(from));
  return nodes;
}

/** @param {RemoteObject} value @param {Thread | null} thread @param {Open} open */
function shown(value, thread, open) {
  if (value.subtype === 'error') return element('span', { 'class': 'value error' }, ...linked(value.description ?? '', open));
  if (!value.objectId || !thread) return valueElement(value);
  const { objectId } = value;
  const holder = element('span', { 'class': 'object' });
  const toggle = element('button', { 'class': 'opener', 'aria-expanded': 'false' }, valueElement(value));
  toggle.addEventListener('click', () => {
    const tree = holder.querySelector('.tree');
    toggle.setAttribute('aria-expanded', String(!tree));
    if (tree) return tree.remove();
    const members = new Tree('Members');
    Promise.resolve(valueItem(thread, '', { ...value, objectId }).children?.()).then((items) => members.show(items ?? []));
    holder.append(members.element);
  });
  holder.append(toggle);
  return holder;
}

/** Makes buttons of the places that a text names, such as the frames of a stack. @param {string} text @param {Open} open */
function linked(text, open) {
  /** @type {(string | Node)[]} */
  const nodes = [];
  let from = 0;
  for (const found of text.matchAll(PLACES)) {
    const [all, path, line, column] = found;
    const url = path.startsWith('file:') ? path : `file://${encodeURI(path)}`;
    const position = { url, line: Number(line) - 1, column: Number(column) - 1 };
    nodes.push(text.slice(from, found.index), element('button', { 'class': 'link', 'onclick': () => open(position) }, all));
    from = found.index + all.length;
  }
  nodes.push(text.slice(from));
  return nodes;
}
