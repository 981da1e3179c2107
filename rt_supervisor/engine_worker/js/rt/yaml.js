'use strict';
// Owns: YAML's meaning: what plain scalars are (the core schema of YAML 1.2), merge keys, and aliases, which stand for
// the very value they name. The steps come from the host (`read_yaml`); nothing here recurses.

const NULLS = new Set(['', '~', 'null', 'Null', 'NULL']);
const BOOLEANS = { __proto__: null, true: true, True: true, TRUE: true, false: false, False: false, FALSE: false };
const DECIMAL = /^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?$/;
const RADIX = /^0(?:x[\da-fA-F]+|o[0-7]+)$/;
const INFINITE = /^([-+]?)\.(?:inf|Inf|INF)$/;
const NOT_A_NUMBER = /^\.(?:nan|NaN|NAN)$/;
const TEXT_TAGS = new Set(['tag:yaml.org,2002:str', '!!str', '!str', '!']);

function plainValue(text) {
  if (NULLS.has(text)) return null;
  if (text in BOOLEANS) return BOOLEANS[text];
  if (DECIMAL.test(text) || RADIX.test(text)) return Number(text);
  const infinite = INFINITE.exec(text);
  if (infinite !== null) return infinite[1] === '-' ? -Infinity : Infinity;
  return NOT_A_NUMBER.test(text) ? NaN : text;
}

const scalarValue = (text, isPlain, tag) =>
  isPlain && (tag === '' || (tag.startsWith('tag:yaml.org') && !TEXT_TAGS.has(tag))) ? plainValue(text) : text;

/** Keys are text; a list as a key is its items with commas between. */
const keyText = (key) => (key !== null && typeof key === 'object' && !Array.isArray(key) ? '[object Object]' : `${key}`);

function put(object, key, value) {
  Object.defineProperty(object, key, { __proto__: null, value, writable: true, enumerable: true, configurable: true });
}

/** A mapping or sequence that is being filled. */
class Frame {
  #merged = [];
  #key;
  #hasKey = false;
  #isMergeKey = false;

  constructor(value) {
    this.value = value;
  }

  add(item, isMergeMark) {
    if (Array.isArray(this.value)) this.value.push(item);
    else if (!this.#hasKey) {
      this.#key = item;
      this.#isMergeKey = isMergeMark;
      this.#hasKey = true;
    } else {
      this.#hasKey = false;
      if (this.#isMergeKey && item !== null && typeof item === 'object') this.#merged.push(item);
      else put(this.value, keyText(this.#key), item);
    }
  }

  /** What was merged fills in only what the mapping does not say itself; the first of several wins. */
  finish() {
    if (this.#merged.length === 0) return;
    const own = Object.entries(this.value);
    for (const [key] of own) delete this.value[key];
    for (const source of this.#merged.flat()) {
      if (source === null || typeof source !== 'object') continue;
      for (const key of Object.keys(source)) if (!Object.hasOwn(this.value, key)) put(this.value, key, source[key]);
    }
    for (const [key, value] of own) put(this.value, key, value);
  }
}

/** The document that the steps build; an array of several, null for none. */
function build(steps) {
  const documents = [];
  let anchors = new Map();
  const stack = [new Frame(documents)];
  const add = (item, isMergeMark = false) => stack[stack.length - 1].add(item, isMergeMark);
  const open = (value, anchor) => {
    if (anchor > 0) anchors.set(anchor, value);
    add(value);
    stack.push(new Frame(value));
  };
  for (const step of steps) {
    if (step === '---') anchors = new Map();
    else if (step === 'end') stack.pop().finish();
    else if (typeof step === 'number') add(anchors.get(step));
    else if (step.length === 4) {
      const [text, isPlain, anchor, tag] = step;
      const value = scalarValue(text, isPlain, tag);
      if (anchor > 0) anchors.set(anchor, value);
      add(value, isPlain && text === '<<');
    } else open(step[0] === '[' ? [] : {}, step[1]);
  }
  if (documents.length === 0) return null;
  return documents.length === 1 ? documents[0] : documents;
}

module.exports = { build, plainValue };
