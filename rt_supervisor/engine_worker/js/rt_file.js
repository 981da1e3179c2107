'use strict';
// Owns: RT.file and RT.write: files that are read when they are asked for, and the writer of one.

const native = host.native;
const fs = require('./fs');
const sync = require('./fs_sync');
const { promised } = require('./fs_values');
const { pathOrDescriptor } = require('./fs_arguments');

const TYPES = {
  __proto__: null,
  js: 'text/javascript;charset=utf-8', mjs: 'text/javascript;charset=utf-8', cjs: 'text/javascript;charset=utf-8',
  jsx: 'text/javascript;charset=utf-8', ts: 'text/javascript;charset=utf-8', tsx: 'text/javascript;charset=utf-8',
  mts: 'text/javascript;charset=utf-8', cts: 'text/javascript;charset=utf-8',
  json: 'application/json;charset=utf-8', html: 'text/html;charset=utf-8', htm: 'text/html;charset=utf-8', css: 'text/css;charset=utf-8',
  txt: 'text/plain;charset=utf-8', xml: 'text/xml', csv: 'text/csv', md: 'text/markdown', png: 'image/png', jpg: 'image/jpeg',
  jpeg: 'image/jpeg', gif: 'image/gif', svg: 'image/svg+xml', webp: 'image/webp', ico: 'image/vnd.microsoft.icon', pdf: 'application/pdf',
  wasm: 'application/wasm', zip: 'application/zip', gz: 'application/gzip', mp3: 'audio/mpeg', mp4: 'video/mp4', woff: 'font/woff',
  woff2: 'font/woff2', ttf: 'font/ttf', otf: 'font/otf', toml: 'application/toml', yaml: 'text/yaml', yml: 'text/yaml',
};
const UNKNOWN = 'application/octet-stream';

/** Writes that gather until `flush` or `end`. */
class FileSink {
  #file;
  #chunks = [];
  #size = 0;
  #descriptor;

  constructor(file) { this.#file = file; }

  write(chunk) {
    const bytes = toBytes(chunk);
    this.#chunks.push(bytes);
    this.#size += bytes.byteLength;
    return bytes.byteLength;
  }
  flush() {
    const size = this.#size;
    this.#descriptor ??= typeof this.#file === 'number' ? this.#file : sync.openSync(this.#file, 'w');
    for (const bytes of this.#chunks) native.fs_writeFile(this.#descriptor, bytes, 0, 0);
    this.#chunks = [];
    this.#size = 0;
    return size;
  }
  end() {
    const size = this.flush();
    if (typeof this.#file !== 'number') sync.closeSync(this.#descriptor);
    this.#descriptor = undefined;
    return size;
  }
  start() {}
  ref() {}
  unref() {}
}

function toBytes(data) {
  if (typeof data === 'string') return native.encodeUtf8(data);
  if (ArrayBuffer.isView(data)) return new Uint8Array(data.buffer, data.byteOffset, data.byteLength).slice();
  if (data instanceof ArrayBuffer || data instanceof SharedArrayBuffer) return new Uint8Array(data).slice();
  const { ERR_INVALID_ARG_TYPE } = require('./errors').codes;
  throw new ERR_INVALID_ARG_TYPE('data', ['string', 'ArrayBuffer', 'TypedArray'], data);
}

class RTFile {
  #place;
  #start;
  #end;
  #type;

  constructor(place, { type, start = 0, end = Infinity } = {}) {
    this.#place = pathOrDescriptor(place);
    this.#type = type;
    this.#start = start;
    this.#end = end;
  }

  get name() { return typeof this.#place === 'string' ? this.#place : undefined; }
  get type() {
    if (this.#type !== undefined) return this.#type;
    return typeof this.#place === 'string' ? TYPES[/\.([^./]+)$/.exec(this.#place)?.[1].toLowerCase()] ?? UNKNOWN : UNKNOWN;
  }
  #stats() {
    return typeof this.#place === 'number' ? sync.fstatSync(this.#place) : sync.statSync(this.#place, { throwIfNoEntry: false });
  }
  get size() {
    const size = this.#stats()?.size ?? 0;
    return Math.max(0, Math.min(size, this.#end) - Math.min(this.#start, size));
  }
  get lastModified() { return Math.floor(this.#stats()?.mtimeMs ?? 0); }

  bytes() {
    return new Promise((resolve, reject) => {
      fs.readFile(this.#place, (error, data) => {
        if (error) return reject(error);
        const whole = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
        resolve(this.#start === 0 && this.#end === Infinity ? whole : whole.slice(this.#start, this.#end));
      });
    });
  }
  async text() { return native.decodeUtf8(await this.bytes()).replace(/^\uFEFF/, ''); }
  async json() { return JSON.parse(await this.text()); }
  async arrayBuffer() {
    const bytes = await this.bytes();
    return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  }
  async exists() {
    return promised(() => {
      const stats = this.#stats();
      return stats !== undefined && !stats.isDirectory();
    });
  }
  async stat() { return promised(() => (typeof this.#place === 'number' ? sync.fstatSync(this.#place) : sync.statSync(this.#place))); }
  async unlink() { return promised(() => sync.unlinkSync(this.#place)); }
  async delete() { return this.unlink(); }
  async write(data) { return write(this, data); }
  slice(start = 0, end = Infinity, type) {
    if (typeof start === 'string') [start, end, type] = [0, Infinity, start];
    else if (typeof end === 'string') [end, type] = [Infinity, end];
    const { size } = this;
    const from = start < 0 ? Math.max(0, size + start) : start;
    const to = end < 0 ? Math.max(0, size + end) : end;
    return new RTFile(this.#place, { type: type ?? this.#type, start: this.#start + from, end: Math.min(this.#end, this.#start + to) });
  }
  stream() { return require('./rt_file_stream').stream(this.#place, this.#start, this.#end); }
  writer() { return new FileSink(this.#place); }

  [Symbol.for('nodejs.util.inspect.custom')]() {
    return `FileRef (${typeof this.#place === 'number' ? `fd: ${this.#place}` : JSON.stringify(this.#place)}) {\n  type: ${JSON.stringify(this.type)}\n}`;
  }
  static placeOf(file) { return file.#place; }
}

/** Write to a path, descriptor or RT.file, making the folders it is in; the number of bytes. */
async function write(destination, data, { createPath = true, mode } = {}) {
  const place = destination instanceof RTFile ? RTFile.placeOf(destination) : pathOrDescriptor(destination);
  let bytes;
  if (data instanceof RTFile) bytes = await data.bytes();
  else if (Array.isArray(data)) {
    const { Buffer } = require('./buffer');
    bytes = Buffer.concat(await Promise.all(data.map(async (part) => Buffer.from(part instanceof RTFile ? await part.bytes() : toBytes(part)))));
  } else if (typeof data?.arrayBuffer === 'function') bytes = new Uint8Array(await data.arrayBuffer());
  else bytes = toBytes(data);
  return promised(() => {
    const work = () => sync.writeFileSync(place, bytes, mode === undefined ? undefined : { mode });
    try {
      work();
    } catch (error) {
      if (error.code !== 'ENOENT' || !createPath || typeof place !== 'string') throw error;
      sync.mkdirSync(require('./path').dirname(place), { recursive: true });
      work();
    }
    return bytes.byteLength;
  });
}

module.exports = { RTFile, write, toBytes, file: (place, options) => new RTFile(place, options) };
