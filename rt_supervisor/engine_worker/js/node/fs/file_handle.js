'use strict';
// Owns: FileHandle of node:fs/promises. It closes once no operation is pending; later operations fail.
//
//     open --close()--> closing, until the last operation ends --> closed (fd is -1)

const { PromiseWithResolvers } = require('internal/promises');
const native = host.native;
const { ArrayBufferIsView, ObjectAssign, ObjectDefineProperties, PromiseThen, intact } = require('internal/primordials');
const EventEmitter = require('node/events/events');
const requests = require('node/fs/requests');
const { checkBuffer, readRange } = require('node/fs/arguments');
const { promiseRequest, promiseOf } = require('node/fs/promised');
const { validateBoolean, validateObject } = require('internal/validators');
const { codes } = require('internal/errors/errors');

const READ_BYTES = 16384;

let isFileHandle, handOver;
let lend;

/** Runs `work` with the descriptor of a method's receiver, as `FileHandle.prototype.use`. */
function use(receiver, syscall, work) {
  const isHandle = typeof receiver === 'object' && receiver !== null && isFileHandle(receiver);
  if (!isHandle) throw new codes.ERR_INTERNAL_ASSERTION('handle must be an instance of FileHandle');
  return receiver.use(syscall, work);
}

class FileHandle extends EventEmitter {
  #fd;
  #uses = 0;
  #closing; // { promise, resolve, reject } once close() was called
  #hasMoved = false;
  #isLent = false; // a stream is using it, so it cannot be transferred

  constructor(fd) {
    super();
    this.#fd = fd;
  }

  get fd() {
    return this.#fd;
  }
  getAsyncId() {
    return 0;
  }

  /** Runs `work(fd)` and keeps the file open until it settles; `syscall` names the operation in errors. */
  async use(syscall, work) {
    const fd = this.#openDescriptor(syscall);
    this.#uses++;
    try {
      return await work(fd);
    } finally {
      this.#uses--;
      if (this.#uses === 0 && this.#closing !== undefined) this.#close();
    }
  }

  #openDescriptor(syscall) {
    if (this.#hasMoved) throw ObjectAssign(new Error('The FileHandle has been transferred'), { code: 'EBADF', syscall });
    if (this.#fd === -1 || this.#closing !== undefined) throw ObjectAssign(new Error('file closed'), { code: 'EBADF', syscall });
    return this.#fd;
  }
  static {
    isFileHandle = (value) => #fd in value;
    lend = (handle) => {
      handle.#isLent = true;
    };
    /** Detaches the descriptor for a handle in another thread. */
    handOver = (handle) => {
      if (handle.#uses > 0 || handle.#isLent || handle.#closing !== undefined) {
        const { DOMException } = require('internal/dom_exception');
        throw new DOMException('Cannot transfer FileHandle while in use', 'DataCloneError');
      }
      const fd = handle.#openDescriptor('transfer');
      handle.#fd = -1;
      handle.#hasMoved = true;
      native.pipes_disown(fd);
      return { ports: [], facts: fd };
    };
  }

  #close() {
    const { resolve, reject } = this.#closing;
    const fd = this.#fd;
    this.#fd = -1;
    PromiseThen(promiseRequest(requests.close(fd)), resolve, reject);
  }

  async close() {
    if (this.#closing !== undefined) return this.#closing.promise;
    if (this.#fd === -1) return undefined;
    this.#closing = PromiseWithResolvers();
    if (this.#uses === 0) this.#close();
    this.emit('close');
    return this.#closing.promise;
  }

  async read(buffer, ...rest) {
    return use(this, 'read', async (fd) => {
      if (!ArrayBufferIsView(buffer)) {
        if (buffer !== undefined && buffer !== null) validateObject(buffer, 'options');
        rest = [buffer ?? {}];
        buffer = buffer?.buffer ?? require('node/buffer/buffer').Buffer.alloc(READ_BYTES);
      }
      checkBuffer(buffer);
      const { 0: offset, 1: length, 2: position } = readRange(buffer, rest);
      const bytesRead = length === 0 ? 0 : await promiseOf((done) => native.fs_read(fd, buffer, offset, length, position, done));
      return { __proto__: null, bytesRead, buffer };
    });
  }
  async readv(buffers, position) {
    return use(this, 'readv', async (fd) => ({
      __proto__: null,
      bytesRead: await promiseRequest(requests.readv(fd, buffers, position)),
      buffers,
    }));
  }
  async write(buffer, ...rest) {
    return use(this, 'write', async (fd) => {
      if (buffer?.byteLength === 0) return { __proto__: null, bytesWritten: 0, buffer };
      return { __proto__: null, bytesWritten: await promiseRequest(requests.write(fd, buffer, ...intact(rest))), buffer };
    });
  }
  async writev(buffers, position) {
    return use(this, 'writev', async (fd) => ({
      __proto__: null,
      bytesWritten: await promiseRequest(requests.writev(fd, buffers, position)),
      buffers,
    }));
  }
  async readFile(options) {
    return use(this, 'readFile', (fd) => promiseOf((done) => require('node/fs/fs').readFile(fd, options, done)));
  }
  async writeFile(data, options) {
    return require('node/fs/promises').writeFile(this, data, options);
  }
  async appendFile(data, options) {
    return require('node/fs/promises').appendFile(this, data, options);
  }
  async stat(options) {
    return use(this, 'fstat', (fd) => promiseRequest(requests.fstat(fd, options)));
  }
  async truncate(size) {
    return use(this, 'ftruncate', (fd) => promiseRequest(requests.ftruncate(fd, size)));
  }
  async chmod(mode) {
    return use(this, 'fchmod', (fd) => promiseRequest(requests.fchmod(fd, mode)));
  }
  async chown(uid, gid) {
    return use(this, 'fchown', (fd) => promiseRequest(requests.fchown(fd, uid, gid)));
  }
  async utimes(accessed, changed) {
    return use(this, 'futimes', (fd) => promiseRequest(requests.futimes(fd, accessed, changed)));
  }
  async sync() {
    return use(this, 'fsync', (fd) => promiseRequest(requests.fsync(fd)));
  }
  async datasync() {
    return use(this, 'fdatasync', (fd) => promiseRequest(requests.fdatasync(fd)));
  }

  createReadStream(options) {
    return require('node/fs/streams').createReadStream(undefined, { ...options, fd: this });
  }
  createWriteStream(options) {
    return require('node/fs/streams').createWriteStream(undefined, { ...options, fd: this });
  }
  readLines(options) {
    return require('node/readline/readline').createInterface({ input: this.createReadStream(options), crlfDelay: Infinity });
  }

  #isLocked = false;
  readableWebStream(options = {}) {
    validateObject(options, 'options');
    const { autoClose = false, type = 'bytes' } = options;
    validateBoolean(autoClose, 'options.autoClose');
    if (type !== 'bytes') {
      const text = 'A non-"bytes" options.type has no effect. A byte-oriented steam is always created.';
      host.emitWarning(text, 'ExperimentalWarning');
    }
    if (this.#fd === -1 || this.#closing !== undefined) throw new codes.ERR_INVALID_STATE('The FileHandle is closed');
    if (this.#isLocked) throw new codes.ERR_INVALID_STATE('The FileHandle is locked');
    this.#isLocked = true;
    this.#isLent = true;
    const { stream } = require('node/fs/byte_stream');
    const readable = stream(this.#fd, 0, Infinity, autoClose ? () => this.close() : undefined);
    this.once('close', () => require('web/streams/readable').cancelQuietly(readable));
    return readable;
  }

  async [Symbol.asyncDispose]() {
    await this.close();
  }
}
ObjectDefineProperties(FileHandle.prototype, { use: { __proto__: null, enumerable: false } });

async function openHandle(path, flags, mode) {
  return new FileHandle(await promiseRequest(requests.open(path, flags, mode)));
}

require('internal/cloneable').registerTransferable(isFileHandle, 'FileHandle', (handle) => handOver(handle));

/** Recreates a handle that was transferred to this thread. */
function unpack(kind, { facts }) {
  native.pipes_own(facts);
  return new FileHandle(facts);
}

module.exports = { FileHandle, openHandle, lend: (handle) => lend(handle), unpack };
