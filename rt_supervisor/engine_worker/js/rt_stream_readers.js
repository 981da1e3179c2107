'use strict';
// Owns: what readable streams have in rt beyond the Streams standard: text(), json(), bytes(), arrayBuffer() and blob() read
// them to their end.

const native = host.native;

async function bytesOf(stream) {
  const chunks = [];
  let size = 0;
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    const bytes = toBytes(value);
    chunks.push(bytes);
    size += bytes.length;
  }
  reader.releaseLock();
  if (chunks.length === 1) return chunks[0];
  const all = new Uint8Array(size);
  let place = 0;
  for (const chunk of chunks) {
    all.set(chunk, place);
    place += chunk.length;
  }
  return all;
}

function toBytes(chunk) {
  if (typeof chunk === 'string') return native.encodeUtf8(chunk);
  if (ArrayBuffer.isView(chunk)) return new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  if (chunk instanceof ArrayBuffer) return new Uint8Array(chunk);
  const { ERR_INVALID_ARG_TYPE } = require('./errors').codes;
  throw new ERR_INVALID_ARG_TYPE('chunk', ['string', 'ArrayBuffer', 'TypedArray'], chunk);
}

const READERS = {
  async text() { return native.decodeUtf8(await bytesOf(this)).replace(/^\uFEFF/, ''); },
  async json() { return JSON.parse(await READERS.text.call(this)); },
  async bytes() { return bytesOf(this); },
  async arrayBuffer() {
    const bytes = await bytesOf(this);
    return bytes.byteLength === bytes.buffer.byteLength ? bytes.buffer : bytes.slice().buffer;
  },
  async blob() { return new globalThis.Blob([await bytesOf(this)]); },
};

/** Give a class of streams these methods, unless it has them. */
function addReaders(Stream) {
  for (const [name, value] of Object.entries(READERS)) {
    if (!(name in Stream.prototype)) Object.defineProperty(Stream.prototype, name, { value, writable: true, enumerable: false, configurable: true });
  }
}

module.exports = { addReaders };
