// @ts-check
'use strict';
// Owns: YAML's semantics: the types of plain scalars (the core schema of YAML 1.2), merge keys, and aliases, which refer to the
// identical value. The host parses the document into steps (`read_yaml`); this file does not recurse.

const { setOf } = require('internal/collections');
const {
  ArrayFlat,
  ArrayIsArray,
  ArrayPop,
  ArrayPush,
  MapGet,
  MapSet,
  ObjectDefineProperty,
  ObjectEntries,
  ObjectHasOwn,
  ObjectKeys,
  RegExpExec,
  RegExpTest,
  SetHas,
  StringStartsWith,
  intact,
} = require('internal/primordials');
const NULLS = setOf(['', '~', 'null', 'Null', 'NULL']);
const BOOLEANS = { __proto__: null, true: true, True: true, TRUE: true, false: false, False: false, FALSE: false };
const DECIMAL = /^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?$/;
const RADIX = /^0(?:x[\da-fA-F]+|o[0-7]+)$/;
const INFINITE = /^([-+]?)\.(?:inf|Inf|INF)$/;
const NOT_A_NUMBER = /^\.(?:nan|NaN|NAN)$/;
const TEXT_TAGS = setOf(['tag:yaml.org,2002:str', '!!str', '!str', '!']);

function plainValue(text) {
  if (SetHas(NULLS, text)) return null;
  if (text in BOOLEANS) return BOOLEANS[text];
  if (RegExpTest(DECIMAL, text) || RegExpTest(RADIX, text)) return Number(text);
  const infinite = RegExpExec(INFINITE, text);
  if (infinite !== null) return infinite[1] === '-' ? -Infinity : Infinity;
  return RegExpTest(NOT_A_NUMBER, text) ? NaN : text;
}

const scalarValue = (text, isPlain, tag) =>
  isPlain && (tag === '' || (StringStartsWith(tag, 'tag:yaml.org') && !SetHas(TEXT_TAGS, tag))) ? plainValue(text) : text;

/** Keys are strings; a sequence as a key is its items joined by commas. */
const keyText = (key) => (key !== null && typeof key === 'object' && !ArrayIsArray(key) ? '[object Object]' : `${key}`);

function put(object, key, value) {
  ObjectDefineProperty(object, key, { __proto__: null, value, writable: true, enumerable: true, configurable: true });
}

/** A mapping or sequence under construction. */
class Frame {
  #merged = [];
  #key;
  #hasKey = false;
  #isMergeKey = false;

  constructor(value) {
    this.value = value;
  }

  add(item, isMergeMark) {
    if (ArrayIsArray(this.value)) ArrayPush(this.value, item);
    else if (!this.#hasKey) {
      this.#key = item;
      this.#isMergeKey = isMergeMark;
      this.#hasKey = true;
    } else {
      this.#hasKey = false;
      if (this.#isMergeKey && item !== null && typeof item === 'object') ArrayPush(this.#merged, item);
      else put(this.value, keyText(this.#key), item);
    }
  }

  /** A merged mapping only adds missing keys; the first of several wins. */
  finish() {
    if (this.#merged.length === 0) return;
    const own = ObjectEntries(this.value);
    for (const { 0: key } of intact(own)) delete this.value[key];
    for (const source of intact(ArrayFlat(this.#merged))) {
      if (source === null || typeof source !== 'object') continue;
      for (const key of intact(ObjectKeys(source))) if (!ObjectHasOwn(this.value, key)) put(this.value, key, source[key]);
    }
    for (const { 0: key, 1: value } of intact(own)) put(this.value, key, value);
  }
}

/** Builds the document from the steps: an array of several, null for none. */
function build(steps) {
  const documents = [];
  let anchors = new Map();
  const stack = [new Frame(documents)];
  const add = (item, isMergeMark = false) => stack[stack.length - 1].add(item, isMergeMark);
  const open = (value, anchor) => {
    if (anchor > 0) MapSet(anchors, anchor, value);
    add(value);
    ArrayPush(stack, new Frame(value));
  };
  for (const step of intact(steps)) {
    if (step === '---') anchors = new Map();
    else if (step === 'end') ArrayPop(stack).finish();
    else if (typeof step === 'number') add(MapGet(anchors, step));
    else if (step.length === 4) {
      const [text, isPlain, anchor, tag] = intact(step);
      const value = scalarValue(text, isPlain, tag);
      if (anchor > 0) MapSet(anchors, anchor, value);
      add(value, isPlain && text === '<<');
    } else open(step[0] === '[' ? [] : {}, step[1]);
  }
  if (documents.length === 0) return null;
  return documents.length === 1 ? documents[0] : documents;
}

module.exports = { build, plainValue };
