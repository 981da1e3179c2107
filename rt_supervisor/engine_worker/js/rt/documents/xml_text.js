'use strict';
// Owns: XML.stringify: serializes one element, given as a compact object or as a tree of nodes.

const { isDate } = require('internal/brands');
const {
  ArrayFilter,
  ArrayFind,
  ArrayIsArray,
  ArrayJoin,
  ArrayMap,
  ArrayPush,
  ArraySome,
  DateToISOString,
  MathMax,
  MathMin,
  MathTrunc,
  NumberToString,
  ObjectKeys,
  RegExpExec,
  RegExpReplace,
  RegExpTest,
  SetAdd,
  SetDelete,
  SetHas,
  StringCodePointAt,
  StringEndsWith,
  StringIncludes,
  StringPadStart,
  StringRepeat,
  StringSlice,
  StringToUpperCase,
  intact,
} = require('internal/primordials');
const START =
  ':A-Z_a-z\\u{C0}-\\u{D6}\\u{D8}-\\u{F6}\\u{F8}-\\u{2FF}\\u{370}-\\u{37D}\\u{37F}-\\u{1FFF}\\u{200C}\\u{200D}\\u{2070}-\\u{218F}\\u{2C00}-\\u{2FEF}\\u{3001}-\\u{D7FF}\\u{F900}-\\u{FDCF}\\u{FDF0}-\\u{FFFD}\\u{10000}-\\u{EFFFF}';
const NAME = new RegExp(`^[${START}][${START}\\-.0-9\\u{B7}\\u{300}-\\u{36F}\\u{203F}\\u{2040}]*$`, 'u');
const IMPOSSIBLE = /[\0-\x08\v\f\x0e-\x1f\ufffe\uffff]|\p{Surrogate}/u;
const ESCAPED = {
  __proto__: null,
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '\r': '&#xD;',
  '"': '&quot;',
  '\t': '&#x9;',
  '\n': '&#xA;',
};
const isSkipped = (value) => value === undefined || typeof value === 'function' || typeof value === 'symbol';
const isObject = (value) => value !== null && typeof value === 'object';
const isScalar = (value) => !isObject(value) || isDate(value);
const SCALARS = 'must be a string, number, boolean, bigint, Date, or null';
const wrong = (message) => new Error(`XML.stringify${message}`);

/** Returns the text of a scalar; null has none. */
function textOf(value) {
  if (value === null) return '';
  const text = isDate(value) ? DateToISOString(value) : `${value}`;
  const match = RegExpExec(IMPOSSIBLE, text);
  if (match !== null)
    throw wrong(
      `: XML cannot represent the character U+${StringPadStart(StringToUpperCase(NumberToString(StringCodePointAt(match[0], 0), 16)), 4, '0')}`,
    );
  return text;
}

function checkName(name, kind) {
  if (!RegExpTest(NAME, name)) throw wrong(`: '${name}' is not a valid XML ${kind} name`);
  return name;
}

function attribute(name, value) {
  if (!isScalar(value)) throw wrong(`: an attribute value ${SCALARS}`);
  return value === null
    ? ''
    : ` ${checkName(name, 'attribute')}="${RegExpReplace(/[&<>"\t\n\r]/g, textOf(value), (each) => ESCAPED[each])}"`;
}

const isNode = (value) =>
  isObject(value) && typeof value.name === 'string' && (value.children !== undefined || value.attributes !== undefined);

/** Writes elements; it remembers the ancestors of the current one to detect cycles. */
class Writer {
  #open = new Set();

  constructor(indent) {
    this.indent = indent;
  }

  #inside(value, work) {
    if (SetHas(this.#open, value)) throw new Error('Converting circular structure to XML');
    SetAdd(this.#open, value);
    const text = work();
    SetDelete(this.#open, value);
    return text;
  }

  /** `parts` are strings (text) and child elements (each as an array with its markup). */
  #element(name, attributes, parts, depth) {
    const content = ArrayFilter(parts, (part) => part !== '');
    const head = `<${name}${attributes}`;
    if (content.length === 0) return `${head}/>`;
    const isLoose = this.indent !== '' && !ArraySome(content, (part) => typeof part === 'string');
    const before = isLoose ? `\n${StringRepeat(this.indent, depth + 1)}` : '';
    const after = isLoose ? `\n${StringRepeat(this.indent, depth)}` : '';
    const body = ArrayJoin(
      ArrayMap(content, (part) =>
        typeof part === 'string' ? RegExpReplace(/[&<>\r]/g, part, (each) => ESCAPED[each]) : before + part[0],
      ),
      '',
    );
    return `${head}>${body}${after}</${name}>`;
  }

  compact(name, value, depth) {
    checkName(name, 'element');
    if (isScalar(value)) return this.#element(name, '', [textOf(value)], depth);
    return this.#inside(value, () => {
      let attributes = '';
      const parts = [];
      for (const key of intact(ObjectKeys(value))) {
        const item = value[key];
        if (isSkipped(item)) continue;
        if (key[0] === '@') attributes += attribute(StringSlice(key, 1), item);
        else if (key === '#text') {
          if (!isScalar(item)) throw wrong(`: #text ${SCALARS}`);
          ArrayPush(parts, textOf(item));
        } else if (key[0] === '#') {
          throw wrong(`: unknown key '${key}' (keys starting with '#' are reserved; text content is "#text")`);
        } else if (ArrayIsArray(item)) ArrayPush(parts, ...intact(this.#inside(item, () => this.#all(key, item, depth))));
        else ArrayPush(parts, [this.compact(key, item, depth + 1)]);
      }
      return this.#element(name, attributes, parts, depth);
    });
  }

  #all(name, items, depth) {
    return ArrayMap(
      ArrayFilter(items, (item) => !isSkipped(item)),
      (item) => {
        if (ArrayIsArray(item)) throw wrong(`: nested arrays cannot be represented (element '${name}')`);
        return [this.compact(name, item, depth + 1)];
      },
    );
  }

  node(value, depth) {
    const { name, attributes = null, children = null } = value;
    checkName(name, 'element');
    if (attributes !== null && !isObject(attributes)) throw wrong(": a node's attributes must be an object");
    if (children !== null && !ArrayIsArray(children)) throw wrong(": a node's children must be an array");
    return this.#inside(value, () => {
      let head = '';
      for (const key of intact(ObjectKeys(attributes ?? {})))
        if (!isSkipped(attributes[key])) head += attribute(key, attributes[key]);
      const parts = ArrayMap(
        ArrayFilter(children ?? [], (child) => !isSkipped(child)),
        (child) => this.#child(child, depth),
      );
      return this.#element(name, head, parts, depth);
    });
  }

  #child(child, depth) {
    if (isScalar(child)) return textOf(child);
    if (ArrayIsArray(child)) throw wrong(": a node's children cannot contain arrays");
    if (typeof child.name === 'string') return [this.node(child, depth + 1)];
    if (typeof child.comment === 'string') {
      const text = textOf(child.comment);
      if (StringIncludes(text, '--') || StringEndsWith(text, '-')) throw wrong(": a comment cannot contain '--' or end with '-'");
      return [`<!--${text}-->`];
    }
    if (typeof child.target === 'string') {
      const data = textOf(child.data ?? null);
      if (StringIncludes(data, '?>')) throw wrong(": processing instruction data cannot contain '?>'");
      return [`<?${checkName(child.target, 'processing instruction')}${data === '' ? '' : ` ${data}`}?>`];
    }
    throw wrong(': element children must be strings, { name, attributes, children } elements, { comment } or { target, data }');
  }
}

function rootOf(value) {
  const keys = ArrayFilter(ObjectKeys(value), (key) => !isSkipped(value[key]));
  const odd = ArrayFind(keys, (key) => key[0] === '@' || key[0] === '#');
  if (odd !== undefined)
    throw wrong(`: the top-level object is the document, so it can only contain the root element (found '${odd}')`);
  if (keys.length === 0) throw wrong(': the top-level object must have one key naming the root element');
  if (keys.length > 1)
    throw wrong(': an XML document has exactly one root element, but the top-level object has more than one key');
  if (ArrayIsArray(value[keys[0]]))
    throw wrong(`: the root element '${keys[0]}' cannot be an array (an XML document has exactly one root element)`);
  return keys[0];
}

function stringify(value, replacer, space) {
  if (replacer !== undefined && replacer !== null) throw wrong(' does not support the replacer argument');
  if (isSkipped(value)) return undefined;
  if (!isObject(value) || ArrayIsArray(value)) {
    throw wrong(' expects an object: a { name, attributes, children } node or an object with a single root element key');
  }
  const size = typeof space === 'number' ? MathMin(10, MathMax(0, MathTrunc(space) || 0)) : 0;
  const writer = new Writer(typeof space === 'string' ? StringSlice(space, 0, 10) : StringRepeat(' ', size));
  if (isNode(value)) return writer.node(value, 0);
  const name = rootOf(value);
  return writer.compact(name, value[name], 0);
}

module.exports = { stringify };
