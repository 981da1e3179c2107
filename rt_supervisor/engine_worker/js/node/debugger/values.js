'use strict';
// Owns: printing values of the debugged program, of which the debugger has only descriptions and previews.

const { ArrayJoin, ArrayMap, ArrayPush, ObjectAssign, RegExpExec } = require('internal/primordials');
const { inspect } = require('internal/inspect/inspect');

const kCustom = Symbol.for('nodejs.util.inspect.custom');
const WIDEST = 60; // the longest one-line object
const PRIMITIVES = { __proto__: null, boolean: true, number: true, string: true, undefined: true };

const formatDate = (text, options) => inspect(new Date(text), options);

/** A property of a previewed object, whose own contents are unknown. */
function memberText({ type, subtype, value }, options) {
  if (type === 'string' || type === 'undefined') return inspect(value, options);
  if (subtype === 'date') return formatDate(value, options);
  if (type === 'number' || type === 'boolean') return options.stylize(value, type);
  return type === 'object' || type === 'symbol'
    ? options.stylize(value, subtype === 'array' ? 'special' : subtype || 'special')
    : value;
}

function previewText(preview, options) {
  const { type, subtype, description, entries, properties, overflow } = preview;
  if (type !== 'object') return description;
  if (subtype === 'date') return formatDate(description, options);
  if (subtype === 'null') return inspect(null, options);
  if (subtype === 'regexp') return options.stylize(description, 'regexp');
  if (subtype === 'set' || subtype === 'map') {
    if (entries === undefined) return `${description} ${overflow ? '{ ... }' : '{}'}`;
    const texts = ArrayMap(entries, ({ key, value }) =>
      key === undefined ? previewText(value, options) : `${previewText(key, options)} => ${previewText(value, options)}`,
    );
    return `${description} { ${ArrayJoin(texts, ', ')} }`;
  }
  if (subtype !== undefined && subtype !== 'array') return description;
  if (properties.length === 0) return subtype === 'array' ? '[]' : '{}';
  const texts = ArrayMap(properties, (member, index) => {
    const text = memberText(member, options);
    return member.name === `${index}` ? text : `${member.name}: ${text}`;
  });
  if (overflow) ArrayPush(texts, '...');
  const line = ArrayJoin(texts, ', ');
  const text = line.length > WIDEST ? ArrayJoin(texts, ',\n  ') : line;
  return subtype === 'array' ? `[ ${text} ]` : `{ ${text} }`;
}

/** A value of the program, with the protocol's description of it. */
class RemoteObject {
  constructor(description) {
    ObjectAssign(this, description);
    if (this.type === 'number') this.value = Number(this.unserializableValue ?? this.value);
  }

  [kCustom](depth, options) {
    const { type, subtype, description, preview } = this;
    if (PRIMITIVES[type]) return inspect(this.value, options);
    if (type === 'symbol') return options.stylize(description, 'special');
    if (type === 'function') {
      const name = RegExpExec(/^(?:function\*? )?([^(\s]+)\(/, description);
      return options.stylize(`[${this.className}${name === null ? '' : `: ${name[1]}`}]`, 'special');
    }
    if (type !== 'object' || (preview === undefined && subtype === undefined)) return description;
    return previewText(preview ?? { type, subtype, description, properties: [] }, options);
  }
}

module.exports = { RemoteObject };
