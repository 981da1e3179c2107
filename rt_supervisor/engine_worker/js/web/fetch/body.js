// @ts-check
'use strict';
// Owns: the body of a Request or Response: its source, the rule that it is read once, and the ways to read it. Strings and
// bytes become a stream only if the program accesses it.

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
/** Blobs, Files, and files of RT: they have a size and a type, and several ways to read their bytes. */
const isBlobLike = (value) =>
  isObject(value) && typeof value.stream === 'function' && typeof value.arrayBuffer === 'function' && 'size' in value;
const isReadable = (value) => isObject(value) && kinds.isReadableStream(value);
/** A standard Blob, whose bytes are in memory, unlike those of RT's files. */
const isBlob = (value) => host.isLoaded('web/blob/blob') && require('web/blob/blob').isBlob(value);
const bytesOfBlob = (blob) => require('web/blob/blob').bytesAtHand(blob);
const isFormData = (value) =>
  isObject(value) && value[Symbol.toStringTag] === 'FormData' && value instanceof require('web/blob/form_data').FormData;

/** Untyped, because its members are lazy getters. @returns {any} */
const streams = () => require('web/streams/all');

class Body {
  /** @type {any} */
  source = null; // a string, bytes or a blob
  /** @type {any} */
  stream = undefined; // created on first access, or given
  /** @type {any} */
  feed = undefined; // the source of a body from the network (node/fetch/feed)
  isUsed = false;
  isShared = false; // the bytes are shared with other bodies: a reader gets a copy
  /** @type {Uint8Array | undefined} */
  encoded = undefined; // the string in UTF-8, once its size has been requested

  get isNull() {
    return this.source === null && this.stream === undefined && this.feed === undefined;
  }

  /** The length in bytes, or undefined if it is only known at the end. */
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

  /** Returns the stream; from then on the body is read through it. */
  asStream() {
    if (this.stream !== undefined || this.isNull) return this.stream ?? null;
    if (this.isUsed) {
      // Another reader has taken the bytes: the stream is empty and locked to it, as if the body had been read through the
      // stream.
      this.stream = streamOfBytes(new Uint8Array(0));
      AnyCatch(this.stream.getReader().read(), () => {});
    } else if (this.feed !== undefined) this.stream = this.feed.stream();
    else if (isBlobLike(this.source)) this.stream = this.source.stream();
    else this.stream = streamOfBytes(toBytes(this.source));
    return this.stream;
  }

  /** Consumes the body and returns all bytes. */
  async bytes() {
    this.take();
    if (this.stream !== undefined) return readStream(this.stream);
    if (this.feed !== undefined) return this.feed.hasArrived ? this.feed.takeBytes() : this.feed.bytes();
    if (this.source === null) return new Uint8Array(0);
    if (isBlobLike(this.source)) return new Uint8Array(await this.source.arrayBuffer());
    return this.#ownBytes();
  }

  /**
   * Consumes the body and returns all bytes if they are available synchronously; else returns undefined and leaves the body
   * unread.
   */
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
    if (this.stream === undefined && this.feed?.hasArrived) {
      this.take();
      return decode(this.feed.takeView());
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
    const [mine, theirs] = intact(streams().ReadableStreamTee(this.asStream(), true));
    this.stream = mine;
    this.feed = undefined;
    copy.stream = theirs;
    return copy;
  }
}
const NATIVE_BYTES = 4096; // from this size on a native call is cheaper
const MOST_KEPT = 256 * 1024; // larger bodies are not cached
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

/** Returns a body and its type for a value that a program provides; the type is null if there is none. */
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

/** Copies bytes. Large copies are native, because native memory is not cleared first. */
function copyOf(bytes) {
  if (bytes.byteLength === 0) return new Uint8Array(0); // also true of a transferred buffer
  if (bytes.byteLength < NATIVE_BYTES || !isArrayBuffer(bytes.buffer)) return AnySlice(bytes);
  return native.copyBytes(bytes);
}

const SEEN = Symbol('given once');
const copies = new WeakMap(); // a source that was used twice -> a copy of its bytes
/** Caches the copy, so that a server that answers with the same bytes repeatedly holds one, as long as they do not change. */
function keptCopyOf(source, bytes) {
  const before = WeakMapGet(copies, source);
  if (before !== undefined && before !== SEEN && native.sameBytes(before, bytes) === 1) return before;
  const copy = copyOf(bytes);
  WeakMapSet(copies, source, before === undefined ? SEEN : copy);
  return copy;
}

const iterated = (iterator) => require('web/fetch/iterated').streamOf(streams().ReadableStream, iterator);
const AsyncGenerators = ObjectGetPrototypeOf(async function* () {});

/** Returns a Content-Type as the MIME Sniffing standard serializes it, or '' if it is missing or invalid. */
function serializedType(type) {
  if (type === null || type === undefined) return '';
  const parsed = require('internal/mime').MIMEType.parse(type);
  return parsed === null ? '' : `${parsed}`;
}

/** Defines the methods that read a Request or Response; `bodyOf` and `typeOf` access its private state. */
function addReaders(Class, bodyOf, typeOf) {
  const readers = {
    async blob() {
      const bytes = await bodyOf(this).bytes();
      return new (require('web/blob/blob').Blob)([bytes], { type: serializedType(typeOf(this)) });
    },
    async arrayBuffer() {
      const bytes = await bodyOf(this).bytes();
      return bytes.byteLength === bytes.buffer.byteLength ? bytes.buffer : AnySlice(bytes).buffer;
    },
    text() {
      return bodyOf(this).text();
    },
    async json() {
      return JSONParse(await bodyOf(this).text());
    },
    async formData() {
      const { decodeForm } = require('web/fetch/multipart');
      return decodeForm(bodyOf(this), typeOf(this));
    },
    bytes() {
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

/** The names of the promise methods among them. */
const READERS = intact(['arrayBuffer', 'blob', 'bytes', 'formData', 'json', 'text']);

module.exports = { Body, READERS, extract, addReaders, toBytes, decode, isBlobLike, isFormData, readStream, streamOfBytes };
