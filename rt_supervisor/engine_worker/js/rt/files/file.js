'use strict';
// Owns: RT.file and RT.write, RT.stdin, stdout and stderr: files that are opened on first use.

const { isArrayBuffer } = require('internal/brands');
const { AnySlice } = require('internal/any_kind');
const { PromiseAll } = require('internal/promises');
const native = host.native;
const {
  ArrayBufferIsView,
  ArrayIsArray,
  ArrayMap,
  JSONParse,
  JSONStringify,
  MathFloor,
  MathMax,
  MathMin,
  MathTrunc,
  ObjectDefineProperty,
  RegExpReplace,
  SymbolFor,
  TypedArraySlice,
  intact,
} = require('internal/primordials');
const { kAsBlob, beBlobs } = require('internal/blob_likes');
const { registerCloneable } = require('internal/cloneable');
const { consoleForm } = require('internal/inspect/rt_forms');
const { rejecter } = require('internal/errors/places');
const fs = require('node/fs/fs');
const sync = require('node/fs/sync');

/** Returns a promise of the result of `work`; it rejects with what `work` throws. */
const callAsync = async (work) => work();
const { pathOrDescriptor } = require('node/fs/arguments');
const { bytesOf } = require('internal/bytes');
const { wrongType } = require('internal/errors/errors');

/** Returns a path or descriptor, or undefined. Bytes can be a path as well. */
function placeOf(value) {
  if (value instanceof RTFile) return RTFile.placeOf(value);
  if (typeof value === 'number' || typeof value === 'string' || ArrayBufferIsView(value) || value?.protocol === 'file:') {
    return pathOrDescriptor(value);
  }
  if (isArrayBuffer(value)) return pathOrDescriptor(new Uint8Array(value));
  return undefined;
}

/** Converts an offset as Blob does: truncated to an integer, 0 for NaN. */
const placeFrom = (value) => MathTrunc(Number(value)) || 0;

let isFile;

class RTFile {
  [kAsBlob]() {
    if (typeof this.#place === 'number') {
      const { Blob } = require('web/blob/blob');
      return new Blob([TypedArraySlice(sync.readFileSync(this.#place), this.#start, this.#end)], { type: this.type });
    }
    return require('node/fs/open_as_blob').openAsBlobSync(this.#place).slice(this.#start, this.#end, this.type);
  }

  #place;
  #start;
  #end;
  #type;

  static {
    isFile = (value) => #place in value;
  }

  constructor(place, { type, start = 0, end = Infinity } = {}) {
    this.#place = placeOf(place);
    if (this.#place === undefined) throw wrongType('Expected file path string or file descriptor');
    this.#type = type === '' ? undefined : type;
    this.#start = start;
    this.#end = end;
  }

  static placeOf(file) {
    return file.#place;
  }

  /**
   * Returns the file attributes that a server needs for a file with a path; undefined if the file does not exist, null for a
   * descriptor.
   */
  static factsOf(file) {
    if (typeof file.#place === 'number') return null;
    const stats = file.#stats();
    if (stats === undefined) return undefined;
    const start = MathMin(file.#start, stats.size);
    const size = MathMax(0, MathMin(stats.size, file.#end) - start);
    const isPart = size < stats.size;
    return { path: file.#place, start, size, isPart, modifiedMs: MathFloor(stats.mtimeMs), isDirectory: stats.isDirectory() };
  }

  get #isWhole() {
    return this.#start === 0 && this.#end === Infinity;
  }
  #stats() {
    return typeof this.#place === 'number' ? sync.fstatSync(this.#place) : sync.statSync(this.#place, { throwIfNoEntry: false });
  }

  get name() {
    return typeof this.#place === 'number' ? undefined : `${this.#place}`;
  }
  get type() {
    if (this.#type !== undefined) return this.#type;
    const { typeOf, UNKNOWN } = require('rt/files/media_types');
    return typeof this.#place === 'number' ? UNKNOWN : typeOf(`${this.#place}`);
  }
  get size() {
    const size = this.#stats()?.size ?? 0;
    return MathMax(0, MathMin(size, this.#end) - MathMin(this.#start, size));
  }
  get lastModified() {
    return MathFloor(this.#stats()?.mtimeMs ?? 0);
  }

  bytes() {
    return this.#isWhole || typeof this.#place === 'number' ? this.#readAll() : callAsync(() => this.#readPart());
  }

  #readAll() {
    return new Promise((resolve) => {
      const reject = rejecter(resolve);
      fs.readFile(this.#place, (error, data) => {
        if (error) return reject(error);
        const whole = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
        resolve(this.#isWhole ? whole : TypedArraySlice(whole, this.#start, this.#end));
      });
    });
  }

  /** Reads only the bytes of this slice. */
  #readPart() {
    const descriptor = sync.openSync(this.#place, 'r');
    try {
      const part = new Uint8Array(MathMax(0, MathMin(this.#end, sync.fstatSync(descriptor).size) - this.#start));
      let count = 0;
      for (let read = 1; count < part.length && read > 0; count += read) {
        read = sync.readSync(descriptor, part, count, part.length - count, this.#start + count);
      }
      return count === part.length ? part : AnySlice(part, 0, count);
    } finally {
      sync.closeSync(descriptor);
    }
  }

  async text() {
    return RegExpReplace(/^\uFEFF/, native.decodeUtf8(await this.bytes()), '');
  }
  async json() {
    return JSONParse(await this.text());
  }
  async arrayBuffer() {
    const { buffer, byteOffset, byteLength } = await this.bytes();
    return byteLength === buffer.byteLength ? buffer : AnySlice(buffer, byteOffset, byteOffset + byteLength);
  }
  async exists() {
    return callAsync(() => {
      const stats = this.#stats();
      return stats !== undefined && !stats.isDirectory();
    });
  }
  async stat() {
    return callAsync(() => (typeof this.#place === 'number' ? sync.fstatSync(this.#place) : sync.statSync(this.#place)));
  }
  async unlink() {
    return callAsync(() => sync.unlinkSync(this.#place));
  }
  async delete() {
    return this.unlink();
  }
  async write(data, options) {
    return write(this, data, options);
  }

  slice(start = 0, end = Infinity, type = undefined) {
    if (typeof start === 'string') [start, end, type] = intact([0, Infinity, start]);
    else if (typeof end === 'string') [end, type] = intact([Infinity, end]);
    const first = placeFrom(start);
    const last = placeFrom(end);
    const size = first < 0 || last < 0 ? this.size : 0;
    const from = first < 0 ? MathMax(0, size + first) : first;
    const to = last < 0 ? MathMax(0, size + last) : last;
    return new RTFile(this.#place, {
      type: type ?? this.#type,
      start: this.#start + from,
      end: MathMin(this.#end, this.#start + to),
    });
  }
  stream() {
    return require('node/fs/byte_stream').stream(this.#place, this.#start, this.#end);
  }
  writer(options) {
    return new (require('rt/files/file_sink').FileSink)(this.#place, options);
  }

  get #shown() {
    return `FileRef (${typeof this.#place === 'number' ? `fd: ${this.#place}` : JSONStringify(`${this.#place}`)})`;
  }
  [SymbolFor('nodejs.util.inspect.custom')]() {
    return `${this.#shown} {\n  type: ${JSONStringify(this.type)}\n}`;
  }
  [consoleForm](printer) {
    const offset = this.#start > 0 ? { offset: this.#start } : {};
    require('web/blob/printing').printTitled(printer, this.#shown, { type: this.type, ...offset });
  }
}
beBlobs(RTFile.prototype);
registerCloneable(isFile, (file) => file.slice());
ObjectDefineProperty(RTFile.prototype, Symbol.toStringTag, { __proto__: null, value: 'Blob', configurable: true });

/** Returns the bytes of data in memory (strings, bytes, and any value that is neither a list nor file-like), or undefined. */
function bytesAtHand(data) {
  if (typeof data === 'string') return native.encodeUtf8(data);
  if (data === undefined || data === null) throw wrongType('RT.write(pathOrFdOrBlob, blob) expects a Blob-y thing to write');
  const bytes = typeof data === 'object' ? bytesOf(data) : undefined;
  if (bytes !== undefined) return bytes;
  return ArrayIsArray(data) || typeof data.arrayBuffer === 'function' ? undefined : native.encodeUtf8(`${data}`);
}

/** Returns the bytes of anything that can be written: files and other objects with `arrayBuffer()`, and lists. */
async function contentOf(data) {
  const bytes = bytesAtHand(data);
  if (bytes !== undefined) return bytes;
  if (!ArrayIsArray(data)) return new Uint8Array(await data.arrayBuffer());
  return new Uint8Array(
    require('internal/bytes').concatArrayBuffers(await PromiseAll(ArrayMap(data, (part) => contentOf(part)))),
  );
}

function writeBytes(place, bytes, { createPath = true, mode }) {
  const work = () => sync.writeFileSync(place, bytes, mode === undefined ? undefined : { mode });
  try {
    work();
  } catch (error) {
    if (error.code !== 'ENOENT' || !createPath || typeof place === 'number' || place === '') throw error;
    sync.mkdirSync(require('node/path/path').dirname(`${place}`), { recursive: true });
    work();
  }
  return bytes.byteLength;
}

/**
 * Writes to a path, descriptor or RT.file and creates missing parent folders. Returns the number of bytes. Data in memory is
 * written synchronously, so a program need not await it.
 */
async function write(destination, data, options = undefined) {
  const place = placeOf(destination);
  if (place === undefined) {
    const { codes } = require('internal/errors/errors');
    throw new codes.ERR_INVALID_ARG_TYPE('destination', ['path', 'file descriptor', 'Blob'], destination);
  }
  const bytes = bytesAtHand(data) ?? (await contentOf(data));
  return callAsync(() => writeBytes(place, bytes, options ?? {}));
}

const file = (place, options) => new RTFile(place, options);
const standard = (descriptor) => {
  let folder;
  return () => (folder ??= new RTFile(descriptor));
};
const streams = { stdin: standard(0), stdout: standard(1), stderr: standard(2) };

module.exports = {
  RTFile,
  write,
  file,
  toBytes: (data) => (typeof data === 'string' ? native.encodeUtf8(data) : AnySlice(bytesOf(data))),
  get stdin() {
    return streams.stdin();
  },
  get stdout() {
    return streams.stdout();
  },
  get stderr() {
    return streams.stderr();
  },
};
