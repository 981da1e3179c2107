// @ts-check
'use strict';
// Owns: what a Request or Response carries: where it comes from, that it is read once, and the ways to read it. A body that
// is text or bytes stays that until somebody asks for its stream.

const { isArrayBuffer, isUint8Array } = require('internal/brands');
const { AnyCatch, AnySlice } = require('internal/any_kind');
const native = host.native;
const { bodyText: decode } = require('internal/utf8');
const {
  ArrayPush,
  JSONParse,
  ObjectDefineProperty,
  ObjectGetPrototypeOf,
  RegExpTest,
  WeakMapGet,
  WeakMapSet,
  intact,
} = require('internal/primordials');
const { bytesOf, concatArrayBuffers } = require('internal/bytes');
const kinds = require('internal/stream_kinds');

const isObject = (value) => typeof value === 'object' && value !== null;
/** Blobs, files, and files of RT: they tell their size and type, and give their bytes in more than one way. */
const isBlobLike = (value) =>
  isObject(value) && typeof value.stream === 'function' && typeof value.arrayBuffer === 'function' && 'size' in value;
const isReadable = (value) => isObject(value) && kinds.isReadableStream(value);
/** A Blob of the Web, whose bytes are in memory; files of RT are not. */
const isBlob = (value) => host.isLoaded('web/blob/blob') && require('web/blob/blob').isBlob(value);
const bytesOfBlob = (blob) => require('web/blob/blob').bytesAtHand(blob);
const isFormData = (value) =>
  isObject(value) && value[Symbol.toStringTag] === 'FormData' && value instanceof require('web/blob/form_data').FormData;

/** Untyped, since its members are lazy getters. @returns {any} */
const streams = () => require('web/streams/all');

class Body {
  /** @type {any} */
  source = null; // text, bytes or a blob
  /** @type {any} */
  stream = undefined; // made when it is asked for, or given
  /** @type {any} */
  feed = undefined; // the source of a body from the network: { bytes(limit), stream() }
  isUsed = false;
  isShared = false; // the bytes are those of other bodies, too: who reads them gets a copy
  /** @type {Uint8Array | undefined} */
  encoded = undefined; // a text in UTF-8, once its size was asked for

  get isNull() {
    return this.source === null && this.stream === undefined && this.feed === undefined;
  }

  /** How many bytes it has, undefined where only its end tells. */
  get size() {
    const { source } = this;
    if (typeof source === 'string') return (this.encoded ??= native.encodeUtf8(source)).length;
    if (source === null) return this.isNull ? 0 : undefined;
    return isUint8Array(source) ? source.byteLength : source.size;
  }

  get isDisturbed() {
    return this.isUsed || (this.stream !== undefined && kinds.isDisturbed(this.stream));
  }
  get isLocked() {
    return this.stream !== undefined && this.stream.locked;
  }

  /** Its stream: from then on the body is read through it. */
  asStream() {
    if (this.stream !== undefined || this.isNull) return this.stream ?? null;
    if (this.isUsed) {
      // Whoever reads the body has its bytes from elsewhere: the stream is that reader's, as if it had been read through it.
      this.stream = streamOfBytes(new Uint8Array(0));
      AnyCatch(this.stream.getReader().read(), () => {});
    } else if (this.feed !== undefined) this.stream = this.feed.stream();
    else if (isBlobLike(this.source)) this.stream = this.source.stream();
    else this.stream = streamOfBytes(toBytes(this.source));
    return this.stream;
  }

  /** All bytes; the body is used then. */
  async bytes() {
    this.take();
    if (this.stream !== undefined) return readStream(this.stream);
    if (this.feed !== undefined) return this.feed.bytes();
    if (this.source === null) return new Uint8Array(0);
    if (isBlobLike(this.source)) return new Uint8Array(await this.source.arrayBuffer());
    return this.#ownBytes();
  }

  /** All bytes where they need not be waited for, and the body is used then; else undefined, and it is as it was. */
  bytesAtHand() {
    if (this.stream !== undefined || this.feed !== undefined) return undefined;
    if (isBlobLike(this.source) && !isBlob(this.source)) return undefined;
    this.take();
    if (this.source === null) return new Uint8Array(0);
    return isBlob(this.source) ? bytesOfBlob(this.source) : this.#ownBytes();
  }

  #ownBytes() {
    return this.isShared ? copyOf(this.source) : toBytes(this.source);
  }

  async text() {
    if (typeof this.source === 'string' && this.stream === undefined && !RegExpTest(BOM_OR_LONE, this.source)) {
      this.take();
      return this.source;
    }
    return decode(await this.bytes());
  }

  take() {
    if (this.isDisturbed || this.isLocked) throw new TypeError('Body is unusable: Body has already been read');
    if (!this.isNull) this.isUsed = true;
  }

  clone() {
    const copy = new Body();
    copy.source = this.source;
    this.isShared = copy.isShared = isUint8Array(this.source);
    if (this.stream === undefined && this.feed === undefined) return copy;
    const [mine, theirs] = intact(this.asStream().tee());
    this.stream = mine;
    this.feed = undefined;
    copy.stream = theirs;
    return copy;
  }
}
const NATIVE_BYTES = 4096; // from here on a call into the native half is cheaper
const MOST_KEPT = 256 * 1024; // larger bodies are not kept for the next time
const BOM_OR_LONE = /^\uFEFF|[\uD800-\uDFFF]/;

const toBytes = (source) => (typeof source === 'string' ? native.encodeUtf8(source) : source);

function streamOfBytes(bytes) {
  const { ReadableStream } = streams();
  return new ReadableStream({
    type: 'bytes',
    pull(controller) {
      if (bytes.length > 0) controller.enqueue(AnySlice(bytes));
      controller.close();
      controller.byobRequest?.respond(0);
    },
  });
}

async function readStream(stream) {
  const reader = stream.getReader();
  const chunks = [];
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    const bytes = typeof value === 'string' ? native.encodeUtf8(value) : bytesOf(value);
    if (bytes === undefined) {
      const error = new TypeError('Received non-Uint8Array chunk');
      AnyCatch(reader.cancel(error), () => {});
      throw error;
    }
    ArrayPush(chunks, bytes);
  }
  return chunks.length === 1 ? chunks[0] : concatArrayBuffers(chunks, Infinity, true);
}

/** A body and its type out of what a program gives; the type is null where there is none. */
function extract(value) {
  const body = new Body();
  /** @type {string | null} */
  let type = null;
  if (value === null || value === undefined) return { body, type };
  if (typeof value === 'string') {
    body.source = value;
    type = 'text/plain;charset=UTF-8';
  } else if (isReadable(value)) {
    if (kinds.isDisturbed(value) || value.locked) throw new TypeError('Response body object should not be disturbed or locked');
    body.stream = value;
  } else if (isFormData(value)) {
    const { encode } = require('web/fetch/multipart');
    ({ source: body.source, type } = encode(value));
  } else if (isObject(value) && bytesOf(value) !== undefined) {
    const bytes = /** @type {Uint8Array} */ (bytesOf(value));
    body.isShared = bytes.byteLength >= NATIVE_BYTES && bytes.byteLength <= MOST_KEPT && isArrayBuffer(bytes.buffer);
    body.source = body.isShared ? keptCopyOf(value, bytes) : copyOf(bytes);
  } else if (isObject(value) && value[Symbol.toStringTag] === 'URLSearchParams') {
    body.source = `${value}`;
    type = 'application/x-www-form-urlencoded;charset=UTF-8';
  } else if (isBlobLike(value)) {
    body.source = value;
    if (value.type) ({ type } = value);
  } else if (isObject(value) && typeof value[Symbol.asyncIterator] === 'function') {
    body.stream = iterated(value[Symbol.asyncIterator]());
  } else if (typeof value === 'function' && ObjectGetPrototypeOf(value) === AsyncGenerators) {
    body.stream = iterated(value());
  } else {
    body.source = `${value}`;
    type = 'text/plain;charset=UTF-8';
  }
  return { body, type };
}

/** A copy of bytes; large ones are copied natively, where the memory is not cleared first. */
function copyOf(bytes) {
  if (bytes.byteLength === 0) return new Uint8Array(0); // also of a buffer that was given away
  if (bytes.byteLength < NATIVE_BYTES || !isArrayBuffer(bytes.buffer)) return AnySlice(bytes);
  return native.copyBytes(bytes);
}

const SEEN = Symbol('given once');
const kept = new WeakMap(); // what was given twice -> a copy of its bytes
/** A server that answers with the same bytes again and again has one copy of them, as long as they do not change. */
function keptCopyOf(given, bytes) {
  const before = WeakMapGet(kept, given);
  if (before !== undefined && before !== SEEN && native.sameBytes(before, bytes) === 1) return before;
  const copy = copyOf(bytes);
  WeakMapSet(kept, given, before === undefined ? SEEN : copy);
  return copy;
}

const iterated = (iterator) => require('web/fetch/iterated').streamOf(streams().ReadableStream, iterator);
const AsyncGenerators = ObjectGetPrototypeOf(async function* () {});

/** The methods by which a Request or Response is read; `bodyOf` and `typeOf` look inside one. */
function addReaders(Class, bodyOf, typeOf) {
  const readers = {
    async blob() {
      const bytes = await bodyOf(this).bytes();
      return new (require('web/blob/blob').Blob)([bytes], { type: typeOf(this) ?? '' });
    },
    async arrayBuffer() {
      const bytes = await bodyOf(this).bytes();
      return bytes.byteLength === bytes.buffer.byteLength ? bytes.buffer : AnySlice(bytes).buffer;
    },
    async text() {
      return bodyOf(this).text();
    },
    async json() {
      return JSONParse(await bodyOf(this).text());
    },
    async formData() {
      const { decodeForm } = require('web/fetch/multipart');
      return decodeForm(bodyOf(this), typeOf(this));
    },
    async bytes() {
      return bodyOf(this).bytes();
    },
    textStream() {
      const body = bodyOf(this);
      const stream = body.asStream() ?? streamOfBytes(new Uint8Array(0));
      return stream.pipeThrough(new (streams().TextDecoderStream)());
    },
  };
  for (const name in readers) {
    ObjectDefineProperty(Class.prototype, name, {
      __proto__: null,
      value: readers[name],
      writable: true,
      enumerable: true,
      configurable: true,
    });
  }
}

/** What `addReaders` adds. */
const READERS = intact(['arrayBuffer', 'blob', 'bytes', 'formData', 'json', 'text']);

module.exports = { Body, READERS, extract, addReaders, toBytes, decode, isBlobLike, isFormData, readStream, streamOfBytes };
