// @ts-check
// The program's values as text and as coloured elements: one line each, from what the protocol sends along (previews).
import { element } from '../base/dom.js';

/** @typedef {import('devtools-protocol').Protocol.Runtime.RemoteObject} RemoteObject */
/** @typedef {import('devtools-protocol').Protocol.Runtime.ObjectPreview} ObjectPreview */
/** @typedef {import('devtools-protocol').Protocol.Runtime.PropertyPreview} PropertyPreview */

const MOST_CHARACTERS = 10_000;

/**
 * Returns the text of a value that is not inside another one.
 * @param {RemoteObject} value
 * @returns {string}
 */
export function valueText(value) {
  if (value.type === 'string') return JSON.stringify(cut(value.value ?? ''));
  if (value.type === 'function') return functionText(value.description ?? '');
  if (value.type === 'object' && value.subtype !== 'null') return objectText(value);
  return value.unserializableValue ?? value.description ?? String(value.value);
}

/**
 * Returns an element with the text of a value; its class is the value's type.
 * @param {RemoteObject} value
 */
export function valueElement(value) {
  return element('span', { 'class': `value ${value.subtype ?? value.type}` }, valueText(value));
}

/** @param {RemoteObject} value */
function objectText({ subtype, description = 'Object', preview, className }) {
  if (subtype === 'error') return description;
  if (!preview || subtype === 'regexp' || subtype === 'date') return description;
  const isList = subtype === 'array' || subtype === 'typedarray' || subtype === 'arraybuffer';
  const name = isList || description !== 'Object' ? `${description} ` : '';
  return (isList && className === 'Array' ? description.replace(/^Array/, '') + ' ' : name) + previewText(preview, isList);
}

/** @param {ObjectPreview} preview @param {boolean} isList @returns {string} */
function previewText({ properties, entries, overflow }, isList) {
  const parts = (entries ?? []).map(({ key, value }) => (key ? `${partText(key)} => ${partText(value)}` : partText(value)));
  for (const property of properties) {
    if (entries && property.name === 'size') continue;
    const isIndex = isList && /^\d+$/.test(property.name);
    parts.push(isIndex ? propertyText(property) : `${property.name}: ${propertyText(property)}`);
  }
  if (overflow) parts.push('…');
  return isList ? `[${parts.join(', ')}]` : `{${parts.join(', ')}}`;
}

/** @param {ObjectPreview} preview */
function partText(preview) {
  if (preview.type === 'string') return quoted(preview.description ?? '');
  return preview.type === 'object' && preview.properties.length
    ? previewText(preview, preview.subtype === 'array')
    : (preview.description ?? preview.type);
}

/** @param {PropertyPreview} property */
function propertyText({ type, subtype, value = '' }) {
  if (type === 'string') return quoted(value);
  if (type === 'function') return 'ƒ';
  if (type === 'accessor') return '(…)';
  if (type === 'object' && subtype !== 'null') return value === 'Object' ? '{…}' : value;
  return value || type;
}

/** @param {string} text */
function quoted(text) {
  return `'${text.replaceAll('\n', '\\n')}'`;
}

/** @param {string} description */
function functionText(description) {
  if (description.startsWith('class')) return description.slice(0, description.indexOf('{')).trim();
  const head = /^(async\s+)?(?:function\s*)?(\*?\s*[^\s(=]*)/.exec(description);
  const name = head && /^[\w$#*[\]. ]+$/.test(head[2]) ? head[2].trim() : '';
  return `${head?.[1] ? 'async ' : ''}ƒ ${name}()`;
}

/** @param {string} text */
function cut(text) {
  return text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}…` : text;
}
