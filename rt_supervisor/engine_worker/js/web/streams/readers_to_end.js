// @ts-check
'use strict';
// Owns: rt's extensions of readable streams: text(), json(), bytes(), arrayBuffer() and blob() read them to the end.

const { AnySlice } = require('internal/any_kind');
const {
  ArrayPush,
  FunctionCall,
  JSONParse,
  ObjectDefineProperty,
  ObjectEntries,
  RegExpReplace,
  intact,
} = require('internal/primordials');
const native = host.native;
const { bytesOf, concatArrayBuffers } = require('internal/bytes');

async function read(stream) {
  const chunks = [];
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    ArrayPush(chunks, toBytes(value));
  }
  reader.releaseLock();
  return chunks.length === 1 ? chunks[0] : concatArrayBuffers(chunks, Infinity, true);
}

function toBytes(chunk) {
  if (typeof chunk === 'string') return native.encodeUtf8(chunk);
  const bytes = bytesOf(chunk);
  if (bytes !== undefined) return bytes;
  const { ERR_INVALID_ARG_TYPE } = require('internal/errors/errors').codes;
  throw new ERR_INVALID_ARG_TYPE('chunk', ['string', 'ArrayBuffer', 'TypedArray'], chunk);
}

const READERS = {
  async text() {
    return RegExpReplace(/^\uFEFF/, native.decodeUtf8(await read(this)), '');
  },
  async json() {
    return JSONParse(await FunctionCall(READERS.text, this));
  },
  async bytes() {
    return read(this);
  },
  async arrayBuffer() {
    const bytes = await read(this);
    return bytes.byteLength === bytes.buffer.byteLength ? bytes.buffer : AnySlice(bytes).buffer;
  },
  async blob() {
    return new (require('web/blob/blob').Blob)([await read(this)]);
  },
};

/** Adds these methods to a class of streams that lacks them. */
function addReaders(Stream) {
  for (const { 0: name, 1: value } of intact(ObjectEntries(READERS))) {
    if (!(name in Stream.prototype))
      ObjectDefineProperty(Stream.prototype, name, {
        __proto__: null,
        value,
        writable: true,
        enumerable: false,
        configurable: true,
      });
  }
}

module.exports = { addReaders, READERS };
