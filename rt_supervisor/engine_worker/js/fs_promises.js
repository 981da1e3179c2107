'use strict';
// Owns: node:fs/promises: the promise forms, settled when the loop next polls, and FileHandle.

const sync = require('./fs_sync');
const fs = require('./fs');
const { constants } = require('./fs_arguments');
const { promised } = require('./fs_values');
const { codes, AbortError } = require('./errors');

const asPromise = (work) => (callback) => new Promise((resolve, reject) => {
  work((error, ...rest) => (error ? reject(error) : resolve(callback(...rest))));
});

function checkSignal(options) {
  const signal = options?.signal;
  if (signal?.aborted) throw new AbortError(undefined, { cause: signal.reason });
}

/** Promise form of a synchronous function; wrong arguments reject, too. */
const promiseForm = (name) => ({ async [name](...args) {
  return promised(() => sync[`${name}Sync`](...args));
} }[name]);

const promises = { __proto__: Object.prototype };
for (const name of [
  'access', 'chmod', 'chown', 'copyFile', 'cp', 'lchown', 'link', 'lstat', 'lutimes', 'mkdir', 'mkdtemp', 'opendir', 'readdir',
  'readlink', 'realpath', 'rename', 'rm', 'rmdir', 'stat', 'statfs', 'symlink', 'truncate', 'unlink', 'utimes',
]) promises[name] = promiseForm(name);

const kDescriptor = Symbol('kFd');
const kOpen = Symbol('kHandle');

class FileHandle {
  constructor(descriptor) {
    Object.defineProperty(this, kDescriptor, { value: descriptor, writable: true });
  }

  get fd() { return this[kDescriptor]; }
  getAsyncId() { return 0; }
  get [kOpen]() {
    if (this[kDescriptor] === -1) {
      const error = new Error('file closed');
      throw Object.assign(error, { code: 'EBADF', syscall: 'read' });
    }
    return this[kDescriptor];
  }

  async close() {
    if (this[kDescriptor] === -1) return;
    const descriptor = this[kDescriptor];
    this[kDescriptor] = -1;
    await promised(() => sync.closeSync(descriptor));
  }

  async read(...args) {
    return asPromise((done) => fs.read(this[kOpen], ...args, done))((bytesRead, buffer) => ({ __proto__: null, bytesRead, buffer }));
  }
  async readv(buffers, position) { return promised(() => ({ __proto__: null, bytesRead: sync.readvSync(this[kOpen], buffers, position), buffers })); }
  async write(buffer, ...rest) { return promised(() => ({ __proto__: null, bytesWritten: sync.writeSync(this[kOpen], buffer, ...rest), buffer })); }
  async writev(buffers, position) { return promised(() => ({ __proto__: null, bytesWritten: sync.writevSync(this[kOpen], buffers, position), buffers })); }
  async readFile(options) { return promises.readFile(this, options); }
  async writeFile(data, options) { return promises.writeFile(this, data, options); }
  async appendFile(data, options) { return promises.appendFile(this, data, options); }
  async stat(options) { return promised(() => sync.fstatSync(this[kOpen], options)); }
  async truncate(size) { return promised(() => sync.ftruncateSync(this[kOpen], size)); }
  async chmod(mode) { return promised(() => sync.fchmodSync(this[kOpen], mode)); }
  async chown(uid, gid) { return promised(() => sync.fchownSync(this[kOpen], uid, gid)); }
  async utimes(accessed, changed) { return promised(() => sync.futimesSync(this[kOpen], accessed, changed)); }
  async sync() { return promised(() => sync.fsyncSync(this[kOpen])); }
  async datasync() { return promised(() => sync.fdatasyncSync(this[kOpen])); }
  createReadStream(options) { return require('./fs_streams').createReadStream(undefined, { ...options, fd: this }); }
  createWriteStream(options) { return require('./fs_streams').createWriteStream(undefined, { ...options, fd: this }); }
  readLines(options) {
    return require('./readline').createInterface({ input: this.createReadStream(options), crlfDelay: Infinity });
  }
  readableWebStream(options = {}) {
    const descriptor = this[kOpen];
    const stream = require('./rt_file_stream').stream(descriptor, 0, Infinity, options.autoClose ? () => this.close() : undefined);
    return stream;
  }
  async [Symbol.asyncDispose]() { await this.close(); }
}

const target = (file) => (file instanceof FileHandle ? file[kOpen] : file);

promises.open = async function open(path, flags, mode) {
  return promised(() => new FileHandle(sync.openSync(path, flags, mode)));
};

promises.readFile = async function readFile(file, options) {
  checkSignal(options);
  const place = target(file);
  return asPromise((done) => fs.readFile(place, options, done))((data) => data);
};

/** Chunks of an iterable or a stream, else undefined. */
function chunksOf(data) {
  if (data === null || typeof data !== 'object' || ArrayBuffer.isView(data)) return undefined;
  return data[Symbol.asyncIterator]?.() ?? data[Symbol.iterator]?.();
}

function writing(name, flag) {
  return { async [name](file, data, options) {
    checkSignal(options);
    const chunks = chunksOf(data);
    if (chunks === undefined) return promised(() => sync[`${name}Sync`](target(file), data, options));
    const isHandle = file instanceof FileHandle;
    const handle = isHandle ? file : await promises.open(file, options?.flag ?? flag, options?.mode);
    const encoding = typeof options === 'string' ? options : options?.encoding;
    try {
      for (let next = await chunks.next(); !next.done; next = await chunks.next()) {
        checkSignal(options);
        const chunk = next.value;
        if (typeof chunk !== 'string' && !ArrayBuffer.isView(chunk)) throw new codes.ERR_INVALID_ARG_TYPE('data', ['string', 'Buffer', 'TypedArray', 'DataView'], chunk);
        sync.writeFileSync(handle[kOpen], chunk, encoding);
      }
    } finally {
      if (!isHandle) await handle.close();
    }
  } }[name];
}
promises.writeFile = writing('writeFile', 'w');
promises.appendFile = writing('appendFile', 'a');
promises.constants = constants;
Object.defineProperty(promises, 'FileHandle', { value: FileHandle, enumerable: false });

module.exports = promises;
