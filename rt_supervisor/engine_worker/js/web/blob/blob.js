// @ts-check
'use strict';
// Owns: Blob: immutable bytes, stored as the pieces they were made of. Slices share pieces with the original.

const { isAnyArrayBuffer } = require('internal/brands');
const { AnySlice, AnySubarray } = require('internal/any_kind');
const native = host.native;
const { unclearedBytes } = require('internal/bytes');
const { bodyText } = require('internal/utf8');
const {
  ArrayBufferIsView,
  ArrayMap,
  ArrayPush,
  ArrayReduce,
  FunctionCall,
  JSONParse,
  MathFloor,
  MathMax,
  MathMin,
  MathRound,
  ObjectAssign,
  ObjectDefineProperty,
  RegExpReplace,
  RegExpTest,
  StringToLowerCase,
  SymbolFor,
  TypedArraySet,
  TypedArraySlice,
  intact,
} = require('internal/primordials');
const { codes } = require('internal/errors/errors');
const { consoleForm } = require('internal/inspect/rt_forms');
const { registerSerializable } = require('internal/cloneable');
const { kAsBlob, blobIsMade, isBlobLike } = require('internal/blob_likes');
const { inspectNamed } = require('internal/inspect/named');
const { printBlob } = require('web/blob/printing');

const CHUNK_BYTES = 64 * 1024;
const inspectSymbol = SymbolFor('nodejs.util.inspect.custom');
const LINE_ENDS = /\r\n|\r|\n/g;
const PRINTABLE = /^[\x20-\x7e]*$/;
const kOwn = Symbol('own');

let partsOf; // access to a Blob's pieces, private to the blob files
let isBlob;

/** Returns the bytes of one element: a buffer, a Blob, or a string. */
function piece(part, endings) {
  if (isAnyArrayBuffer(part)) return [new Uint8Array(AnySlice(part, 0))];
  if (ArrayBufferIsView(part)) return [TypedArraySlice(new Uint8Array(part.buffer, part.byteOffset, part.byteLength))];
  if (isBlob(part)) return partsOf(part);
  if (isBlobLike(part)) return partsOf(part[kAsBlob]());
  return [native.encodeUtf8(endings === 'native' ? RegExpReplace(LINE_ENDS, part, '\n') : part)];
}

/** Converts the elements of a sequence in order (Web IDL), all of them before the options are read. */
function elementsOf(iterator) {
  const elements = [];
  for (const element of intact({ __proto__: null, [Symbol.iterator]: () => iterator })) {
    const isBytes = ArrayBufferIsView(element) || isAnyArrayBuffer(element);
    ArrayPush(elements, isBytes || isBlob(element) || isBlobLike(element) ? element : `${element}`);
  }
  return elements;
}

function checkOptions(options) {
  if (options === null || options === undefined) return {};
  if (typeof options !== 'object' && typeof options !== 'function') {
    const received = require('internal/errors/text').describeReceived(options);
    throw ObjectAssign(new TypeError(`The "options" argument must be a dictionary. Received ${received}`), {
      code: 'ERR_INVALID_ARG_TYPE',
    });
  }
  return options;
}

const typeFrom = (type) => {
  const text = `${type}`;
  return RegExpTest(PRINTABLE, text) ? StringToLowerCase(text) : '';
};

/** Rounds to the nearest integer, and to the even one if two are equally near. */
function roundToEven(number) {
  const below = MathFloor(number);
  return number - below === 0.5 ? below + (below & 1) : MathRound(number);
}

/** Returns a slice position, relative to the end if negative, clamped to 0 and `size`. */
function placeIn(value, size, usual) {
  if (value === undefined) return usual;
  const place = roundToEven(Number(value)) || 0;
  return place < 0 ? MathMax(0, size + place) : MathMin(place, size);
}

/** Returns the bytes of a piece, which may be a piece of a file (with `length`, `subarray` and `slice`, as byte arrays have). */
const bytesOf = (part) => (ArrayBufferIsView(part) ? part : AnySlice(part));

function concatenate(parts, size) {
  if (parts.length === 1) return AnySlice(parts[0]); // `slice` returns bytes for a piece of a file as well
  const whole = unclearedBytes(size);
  let place = 0;
  for (let index = 0; index < parts.length; index++) {
    const part = parts[index];
    TypedArraySet(whole, bytesOf(part), place);
    place += part.length;
  }
  return whole;
}

class Blob {
  #parts;
  #size;
  #type;

  static {
    partsOf = (blob) => blob.#parts;
    isBlob = (value) => typeof value === 'object' && value !== null && #parts in value;
  }

  /** @param {any} [sources] @param {any} [options] */
  constructor(sources = [], options = {}) {
    if (sources === kOwn) {
      this.#parts = options.parts;
      this.#type = options.type;
    } else {
      const iterator = typeof sources === 'object' || typeof sources === 'function' ? sources?.[Symbol.iterator] : undefined;
      if (typeof iterator !== 'function') {
        throw ObjectAssign(new TypeError('Value cannot be converted to sequence.'), { code: 'ERR_INVALID_ARG_TYPE' });
      }
      const elements = elementsOf(FunctionCall(iterator, sources));
      // by name, in the order in which Web IDL reads dictionaries
      const { endings = 'transparent', type = '' } = checkOptions(options);
      const ends = `${endings}`;
      if (ends !== 'transparent' && ends !== 'native') throw new codes.ERR_INVALID_ARG_VALUE('options.endings', endings);
      this.#type = typeFrom(type);
      this.#parts = [];
      for (const source of intact(elements)) ArrayPush(this.#parts, ...intact(piece(source, ends)));
    }
    this.#size = ArrayReduce(this.#parts, (sum, part) => sum + part.length, 0);
  }

  get type() {
    if (!isBlob(this)) throw new codes.ERR_INVALID_THIS('Blob');
    return this.#type;
  }

  get size() {
    if (!isBlob(this)) throw new codes.ERR_INVALID_THIS('Blob');
    return this.#size;
  }

  slice(start = undefined, end = undefined, contentType = '') {
    if (!isBlob(this)) throw new codes.ERR_INVALID_THIS('Blob');
    const from = placeIn(start, this.#size, 0);
    const to = MathMax(from, placeIn(end, this.#size, this.#size));
    const parts = [];
    let place = 0;
    for (let index = 0, list = this.#parts; index < list.length; index++) {
      const part = list[index];
      const { 0: low, 1: high } = [MathMax(from - place, 0), MathMin(to - place, part.length)];
      if (low < high) ArrayPush(parts, AnySubarray(part, low, high));
      place += part.length;
    }
    return new Blob(kOwn, { parts, type: typeFrom(contentType) });
  }

  async arrayBuffer() {
    if (!isBlob(this)) throw new codes.ERR_INVALID_THIS('Blob');
    return concatenate(this.#parts, this.#size).buffer;
  }

  async text() {
    if (!isBlob(this)) throw new codes.ERR_INVALID_THIS('Blob');
    const bytes = this.#parts.length === 1 ? bytesOf(this.#parts[0]) : concatenate(this.#parts, this.#size);
    return bodyText(bytes);
  }

  async bytes() {
    if (!isBlob(this)) throw new codes.ERR_INVALID_THIS('Blob');
    return concatenate(this.#parts, this.#size);
  }

  /** A Bun extension. */
  async json() {
    return JSONParse(await this.text());
  }

  /** A Bun extension: parses the bytes as a form according to the blob's type. */
  async formData() {
    const { Response } = /** @type {any} */ (require('web/fetch/response'));
    return new Response(this, { headers: { 'content-type': this.type } }).formData();
  }

  stream() {
    if (!isBlob(this)) throw new codes.ERR_INVALID_THIS('Blob');
    const { ReadableStream } = require('web/streams/readable');
    const parts = this.#parts;
    let { 0: at, 1: place } = [0, 0];
    return new ReadableStream(
      {
        type: 'bytes',
        pull(controller) {
          while (at < parts.length && place === parts[at].length) {
            if (place === 0) AnySlice(parts[at]); // an empty file must not have changed either
            ({ 0: at, 1: place } = [at + 1, 0]);
          }
          if (at === parts.length) {
            controller.close();
            controller.byobRequest?.respond(0);
            return;
          }
          const next = AnySlice(parts[at], place, place + CHUNK_BYTES);
          place += next.length;
          controller.enqueue(next);
        },
      },
      { highWaterMark: 0 },
    );
  }

  textStream() {
    if (!isBlob(this)) throw new codes.ERR_INVALID_THIS('Blob');
    return this.stream().pipeThrough(new (require('web/streams/text').TextDecoderStream)());
  }

  [inspectSymbol](depth, options, inspect) {
    if (depth < 0) return this;
    return inspectNamed('Blob', { size: this.size, type: this.type }, options, inspect);
  }

  [consoleForm](printer) {
    printBlob(printer, 'Blob', this, this.#type === '' ? {} : { type: this.#type });
  }
}

const enumerable = { __proto__: null, enumerable: true };
for (const name of intact(['type', 'size', 'slice', 'arrayBuffer', 'text', 'bytes', 'stream', 'textStream'])) {
  ObjectDefineProperty(Blob.prototype, name, enumerable);
}
ObjectDefineProperty(Blob.prototype, Symbol.toStringTag, { __proto__: null, configurable: true, value: 'Blob' });
const isFile = (blob) => blob.constructor.name === 'File' && blob instanceof require('web/blob/file').File;
/** Throws for a blob that is a piece of a file, which can change. */
function checkCloneable(blob) {
  const parts = partsOf(blob);
  if (parts.length !== 1 || ArrayBufferIsView(parts[0])) return;
  const { code, message } = new codes.ERR_INVALID_STATE('File-backed Blobs are not cloneable');
  throw ObjectAssign(new TypeError(message), { code });
}

registerSerializable(
  isBlob,
  (blob) => {
    checkCloneable(blob);
    return isFile(blob)
      ? new (require('web/blob/file').File)([blob], blob.name, { type: blob.type, lastModified: blob.lastModified })
      : new Blob(kOwn, { parts: partsOf(blob), type: blob.type });
  },
  'Blob',
  (blob) => ({
    bytes: concatenate(partsOf(blob), blob.size),
    type: blob.type,
    file: isFile(blob) ? { name: blob.name, lastModified: blob.lastModified } : undefined,
  }),
);

/** Recreates a Blob or File that another thread sent. */
function unpack(kind, { facts: { bytes, type, file } }) {
  if (file === undefined) return new Blob([bytes], { type });
  return new (require('web/blob/file').File)([bytes], file.name, { type, lastModified: file.lastModified });
}

/** Returns the Blob that a value is or represents, or undefined. */
const asBlob = (value) => (isBlob(value) ? value : isBlobLike(value) ? value[kAsBlob]() : undefined);
blobIsMade(Blob.prototype);

module.exports = {
  Blob,
  asBlob,
  isBlob,
  checkOptions,
  unpack,
  piecesOf: (blob) => ArrayMap(partsOf(blob), bytesOf),
  bytesAtHand: (blob) => concatenate(partsOf(blob), blob.size),
  blobOf: (part, type) => new Blob(kOwn, { parts: [part], type: typeFrom(type) }),
};
