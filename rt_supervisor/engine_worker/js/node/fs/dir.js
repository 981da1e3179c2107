'use strict';
// Owns: fs.Dir, which reads a directory in batches, and opendir. Operations requested during a read are queued; a Dir that
// was never closed is closed when it is garbage-collected, with a warning.

const native = host.native;
const {
  ArrayPush,
  ArrayShift,
  FinalizationRegistryRegister,
  FinalizationRegistryUnregister,
  ObjectDefineProperty,
  StringEndsWith,
  intact,
} = require('internal/primordials');
const { isUint8Array } = require('internal/brands');
const { codes } = require('internal/errors/errors');
const { validateFunction, validateUint32 } = require('internal/validators');
const { pathOf, optionsOf } = require('node/fs/arguments');
const { Dirent, bytesAs } = require('node/fs/values');
const { bindCallback, isRaw } = require('node/fs/requests');

/** Promisifies `start`; the promise support is loaded on first use. */
const promiseOf = (start) => require('node/fs/promised').promiseOf(start);

class Dir {
  #open; // { fd }: -1 once it is closed
  #path;
  #encoding;
  #isRaw;
  #isRecursive;
  #isClosed = false;
  #entries = []; // read from the system, not yet returned
  #below = []; // subdirectories left to read, with `recursive`: { open, path }
  #waiting; // operations queued during a read

  constructor(handle, path, options) {
    if (handle === undefined) throw new codes.ERR_MISSING_ARGS('handle');
    const { encoding = 'utf8', recursive = false } = optionsOf(options, {});
    this.#open = handle;
    this.#path = path;
    this.#encoding = encoding;
    this.#isRecursive = Boolean(recursive);
    this.#isRaw = isRaw(encoding) && !this.#isRecursive;
  }

  get path() {
    if (!(#path in this)) throw new codes.ERR_INVALID_THIS('Dir');
    return this.#path;
  }

  read(callback) {
    if (callback === undefined) {
      return promiseOf((done) => {
        this.#check();
        this.#read(done);
      });
    }
    this.#check();
    validateFunction(callback, 'callback');
    this.#read(bindCallback((error, entry) => host.nextTick(callback, error, entry)));
    return undefined;
  }

  readSync() {
    this.#check();
    this.#checkAlone();
    const entry = this.#next();
    if (entry !== undefined) return entry;
    this.#take(this.#path, native.fs_readFolder(this.#open.fd, this.#isRaw));
    return this.#next() ?? null;
  }

  close(callback) {
    if (callback === undefined) return promiseOf((done) => this.#close(done));
    validateFunction(callback, 'callback');
    this.#close(bindCallback((error) => host.nextTick(callback, error)));
    return undefined;
  }

  closeSync() {
    this.#check();
    this.#checkAlone();
    this.#isClosed = true;
    for (const { open } of intact(this.#below)) close(open);
    close(this.#open);
  }

  async *entries() {
    try {
      for (let entry = await this.read(); entry !== null; entry = await this.read()) yield entry;
    } finally {
      await this.close();
    }
  }

  [Symbol.dispose]() {
    if (!this.#isClosed) this.closeSync();
  }
  async [Symbol.asyncDispose]() {
    if (!this.#isClosed) await this.close();
  }

  #check() {
    if (this.#isClosed) throw new codes.ERR_DIR_CLOSED();
  }
  #checkAlone() {
    if (this.#waiting !== undefined) throw new codes.ERR_DIR_CONCURRENT_OPERATION();
  }

  #read(done) {
    if (this.#waiting !== undefined) {
      ArrayPush(this.#waiting, () => this.#read(done));
      return;
    }
    let entry;
    try {
      this.#check();
      entry = this.#next();
    } catch (error) {
      done(error);
      return;
    }
    if (entry !== undefined) {
      done(null, entry);
      return;
    }
    this.#waiting = [];
    native.fs_readFolder(this.#open.fd, this.#isRaw, (error, listed) => {
      const waiting = this.#waiting;
      this.#waiting = undefined;
      let found;
      let problem = error;
      try {
        if (!error) {
          this.#take(this.#path, listed);
          found = this.#next() ?? null;
        }
      } catch (failure) {
        problem = failure;
      }
      done(problem, found);
      for (const ask of intact(waiting)) ask();
    });
  }

  #close(done) {
    if (this.#waiting !== undefined) {
      ArrayPush(this.#waiting, () => this.#close(done));
      return;
    }
    if (this.#isClosed) {
      done(new codes.ERR_DIR_CLOSED());
      return;
    }
    this.#isClosed = true;
    for (const { open } of intact(this.#below)) close(open);
    close(this.#open, done);
  }

  /** The next entry that is available without reading the directory. */
  #next() {
    while (this.#entries.length === 0 && this.#below.length > 0) {
      const { open, path } = this.#below[0];
      if (this.#take(path, native.fs_readFolder(open.fd, false)) > 0) break;
      ArrayShift(this.#below);
      close(open);
    }
    const entry = ArrayShift(this.#entries);
    if (entry !== undefined && this.#isRecursive && entry.isDirectory()) {
      const { parentPath, name } = entry;
      const path = StringEndsWith(`${parentPath}`, '/') ? `${parentPath}${name}` : `${parentPath}/${name}`;
      ArrayPush(this.#below, { open: { fd: native.fs_openFolder(path) }, path });
    }
    return entry;
  }

  /** Adds a batch of listed entries; returns their number. */
  #take(path, { 0: names, 1: kinds }) {
    for (let at = 0; at < names.length; at++) {
      const name = this.#isRaw ? bytesAs(names[at], this.#encoding) : names[at];
      ArrayPush(this.#entries, new Dirent(name, path, kinds[at]));
    }
    return names.length;
  }
}
ObjectDefineProperty(Dir.prototype, Symbol.asyncIterator, {
  __proto__: null,
  value: Dir.prototype.entries,
  writable: true,
  enumerable: false,
  configurable: true,
});

let forgotten; // closes collected directories
function close(open, done) {
  const { fd } = open;
  open.fd = -1;
  if (forgotten !== undefined) FinalizationRegistryUnregister(forgotten, open);
  return native.fs_close(fd, done);
}

function openDir(fd, path, options) {
  const open = { fd };
  const folder = new Dir(open, path, options);
  forgotten ??= new FinalizationRegistry((held) => {
    if (held.fd === -1) return;
    close(held);
    host.emitWarning('Closing directory handle on garbage collection');
  });
  FinalizationRegistryRegister(forgotten, folder, open, open);
  return folder;
}

/** Validates the arguments of opendir: the path to open, the path that Dir reports, and the options. */
function checkArguments(path, options) {
  const place = pathOf(path);
  const settings = optionsOf(options, {});
  if (settings.bufferSize !== undefined) validateUint32(settings.bufferSize, 'options.bufferSize', true);
  return [place, isUint8Array(path) ? path : place, settings];
}

function opendirSync(path, options) {
  const { 0: place, 1: shown, 2: settings } = checkArguments(path, options);
  return openDir(native.fs_openFolder(place), shown, settings);
}

function opendir(path, options, callback) {
  callback = typeof options === 'function' ? options : callback;
  validateFunction(callback, 'callback');
  const { 0: place, 1: shown, 2: settings } = checkArguments(path, typeof options === 'function' ? undefined : options);
  native.fs_openFolder(
    place,
    bindCallback((error, fd) => {
      if (error) callback(error);
      else callback(null, openDir(fd, shown, settings));
    }),
  );
}

module.exports = { Dir, opendir, opendirSync };
