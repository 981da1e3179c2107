// @ts-check
'use strict';
// Owns: conversion of a template to shell syntax. Interpolated values are quoted for their context - outside quotes, in single
// or in double quotes - so that they are always literal text; after a redirection they may be bytes or a file. An array that
// receives output is filled through a pipe, which is closed when it is full.

const {
  ArrayAt,
  ArrayBufferIsView,
  ArrayFlat,
  ArrayForEach,
  ArrayIsArray,
  ArrayJoin,
  ArrayMap,
  ArrayPop,
  ArrayPush,
  ArraySome,
  ObjectAssign,
  RegExpTest,
  StringIncludes,
  StringIsWellFormed,
  StringReplaceAll,
  StringSlice,
} = require('internal/primordials');
const { isArrayBuffer } = require('internal/brands');
const fs = require('node/fs/fs');
const { bytesOf } = require('internal/bytes');

const { hasOwn } = Object;
const NONE = 0;
const SINGLE = 1;
const DOUBLE = 2;

const FIRST_OUTPUT = 3; // after the standard streams
const quoteSingle = (text) => `'${StringReplaceAll(text, "'", "'\\''")}'`;
const MOST_NESTED = 100; // the maximum depth of nested arrays
const REDIRECTS_OUT = /(?:^|[^<>&\\])(?:[0-9]*|&)>>?\|?\s*$/;
const ENDS_IN_DOLLAR = /(?:^|[^\\])(?:\\\\)*\$$/;
const REDIRECTS_IN = /(?:^|[^<\\])<\s*$/;

/** Returns the quotes that are open after `text`, given those before it, innermost last; `$(` opens a separate context. */
function follow(text, open) {
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    const inner = ArrayAt(open, -1);
    if (inner === SINGLE) {
      if (character === "'") ArrayPop(open);
    } else if (character === '\\') at++;
    else if (character === '"') {
      if (inner === DOUBLE) ArrayPop(open);
      else ArrayPush(open, DOUBLE);
    } else if (character === '$' && text[at + 1] === '(') {
      ArrayPush(open, NONE);
      at++;
    } else if (inner !== DOUBLE) {
      if (character === "'") ArrayPush(open, SINGLE);
      else if (character === ')' && open.length > 1) ArrayPop(open);
      else if (character === '(') ArrayPush(open, NONE);
    }
  }
}

/** Returns the text of a value that can be a word. */
function textOf(value) {
  if (typeof value === 'symbol') throw new TypeError('Cannot convert a Symbol value to a string');
  if (value !== null && typeof value === 'object' && value.toString === Object.prototype.toString) {
    throw new Error(`Invalid JS object used in shell: ${value}, you might need to call \`.toString()\` on it`);
  }
  const text = `${value}`;
  if (StringIncludes(text, '\0')) {
    const error = new TypeError(`The shell argument must be a string without null bytes. Received "${text}"`);
    throw ObjectAssign(error, { code: 'ERR_INVALID_ARG_VALUE' });
  }
  if (!StringIsWellFormed(text)) throw new Error('Shell script string contains invalid UTF-16');
  return text;
}

function word(value, quotes) {
  const text = textOf(value);
  if (quotes === SINGLE) return StringReplaceAll(text, "'", "'\\''");
  return quotes === DOUBLE ? `"${quoteSingle(text)}"` : quoteSingle(text);
}

/** Returns the items of an array and of the arrays in it. */
function flatten(value) {
  const items = ArrayFlat(value, MOST_NESTED - 1);
  if (ArraySome(items, ArrayIsArray))
    throw new Error(`Shell script template arrays cannot be nested more than ${MOST_NESTED} levels deep`);
  return items;
}

const isRaw = (value) => value !== null && typeof value === 'object' && hasOwn(value, 'raw') && !ArrayIsArray(value);
/** Whether a value is a Blob, Response or Request, which cannot receive output as a file can. */
const isImmutable = (value) => typeof value.arrayBuffer === 'function' && value.name === undefined;
const isBytes = (value) => ArrayBufferIsView(value) || isArrayBuffer(value);

class ShellText {
  #pieces = [];
  #inputs = []; // [index of the piece, what to read]
  #outputs = []; // byte arrays to fill
  #folder = null;

  constructor(strings, values) {
    const open = [NONE];
    ArrayForEach(strings, (text, place) => {
      ArrayPush(this.#pieces, text);
      follow(text, open);
      if (place < values.length) this.#put(values[place], ArrayAt(open, -1), text);
    });
  }

  #put(value, quotes, before) {
    // A dollar before a quote would begin `$'...'`, where backslashes are special; raw text is not quoted.
    if (quotes === NONE && !isRaw(value) && RegExpTest(ENDS_IN_DOLLAR, before))
      ArrayPush(this.#pieces, `${StringSlice(ArrayPop(this.#pieces), 0, -1)}\\$`);
    const isObject = value !== null && typeof value === 'object';
    if (isObject && quotes === NONE && RegExpTest(REDIRECTS_OUT, before) && isBytes(value)) {
      ArrayPush(this.#pieces, `/dev/fd/${FIRST_OUTPUT + this.#outputs.length}`);
      ArrayPush(this.#outputs, bytesOf(value));
    } else if (
      isObject &&
      quotes === NONE &&
      RegExpTest(REDIRECTS_IN, before) &&
      (isBytes(value) || typeof value.arrayBuffer === 'function') &&
      value.name === undefined
    ) {
      ArrayPush(this.#inputs, [this.#pieces.length, value]);
      ArrayPush(this.#pieces, '');
    } else if (isObject && quotes === NONE && RegExpTest(REDIRECTS_OUT, before) && isImmutable(value))
      throw new Error('Cannot redirect stdout/stderr to an immutable blob. Expected a file');
    else if (isObject && typeof value.name === 'string' && typeof value.arrayBuffer === 'function')
      ArrayPush(this.#pieces, word(value.name, quotes));
    else if (isRaw(value)) ArrayPush(this.#pieces, `${value.raw}`);
    else if (ArrayIsArray(value))
      ArrayPush(
        this.#pieces,
        ArrayJoin(
          ArrayMap(flatten(value), (each) => (isRaw(each) ? `${each.raw}` : word(each, quotes))),
          ' ',
        ),
      );
    else ArrayPush(this.#pieces, word(value, quotes));
  }

  /** Returns the complete text. Redirected bytes are in temporary files until `close`. */
  async prepare() {
    for (let index = 0, list = this.#inputs; index < list.length; index++) {
      const { 0: place, 1: value } = list[index];
      this.#pieces[place] = quoteSingle(this.file(isBytes(value) ? bytesOf(value) : new Uint8Array(await value.arrayBuffer())));
    }
    return ArrayJoin(this.#pieces, '');
  }

  /** The byte arrays that receive output, in the order of their descriptors, which begin at 3. */
  get outputs() {
    return this.#outputs;
  }

  /** Writes `content` to a temporary file of this run. Returns its path. */
  file(content) {
    this.#folder ??= fs.mkdtempSync(`${require('node/os').tmpdir()}/rt-shell-`);
    const path = `${this.#folder}/${fs.readdirSync(this.#folder).length}`;
    fs.writeFileSync(path, content, { mode: 0o600 });
    return path;
  }

  close() {
    if (this.#folder !== null) fs.rmSync(this.#folder, { recursive: true, force: true });
    this.#folder = null;
  }
}

module.exports = { shellText: (strings, values) => new ShellText(strings, values) };
