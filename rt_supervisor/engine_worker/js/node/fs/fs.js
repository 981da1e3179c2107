// @ts-check
'use strict';
// Owns: node:fs: the callback forms. Invalid arguments throw; system errors are passed to the callback. The work runs on the
// loop's thread pool (`node/fs/requests`); reads that may wait run when the loop finds the descriptor readable.

const { defineLazily } = require('internal/lazy');
const { RegExpSplit } = require('internal/patterns');
const native = host.native;
const {
  ArrayBufferIsView,
  ArrayPop,
  MathMin,
  ObjectAssign,
  ObjectDefineProperties,
  ObjectDefineProperty,
  PromiseThen,
  StringEndsWith,
  StringStartsWith,
  intact,
} = require('internal/primordials');
const sync = require('node/fs/sync');
const requests = require('node/fs/requests');
const { bindCallback } = requests;
const { mayWait, readToEnd } = require('node/fs/read_to_end');
const {
  constants,
  checkBuffer,
  checkBuffers,
  checkCallback,
  descriptorOf,
  optionsOf,
  pathOf,
  readRange,
  writeArguments,
  validateObject,
} = require('node/fs/arguments');
const values = require('node/fs/values');
const dir = require('node/fs/dir');
const context = require('internal/async/context');
const { later } = require('internal/completions');
const { pendingRequests } = require('internal/active_handles');

const { kCustom, kArgumentNames } = require('internal/promisify');

/**
 * Starts a request and passes its outcome to `callback`. @type {(request: readonly (Function | undefined)[], callback:
 * Function) => void}
 */
function begin({ 0: start, 1: convert }, callback) {
  callback = bindCallback(callback);
  const done = (error, value) => {
    pendingRequests.FSReqCallback--;
    if (error) {
      callback(error);
      return;
    }
    if (convert !== undefined) {
      try {
        value = convert(value);
      } catch (problem) {
        callback(problem);
        return;
      }
    }
    if (value === undefined) callback(null);
    else callback(null, value);
  };
  /** @type {Function} */ (start)(context.isUsed ? context.exempt(done) : done);
  pendingRequests.FSReqCallback++;
}

/** Makes the callback form of a request; the callback is argument number `most`, or an earlier one that is a function. */
const withCallback = (name, most, request) =>
  ({
    [name](...args) {
      const last = MathMin(args.length, most) - 1;
      let callback;
      if (last === most - 1 || typeof args[last] === 'function') {
        callback = args[last];
        args.length = last;
      }
      const started = request(...intact(args));
      begin(started, checkCallback(callback));
    },
  })[name];

const fs = {};
for (const { 0: most, 1: names } of intact([
  [2, ['fdatasync', 'fsync', 'unlink']],
  [
    3,
    [
      'access',
      'chmod',
      'fchmod',
      'fstat',
      'ftruncate',
      'link',
      'lstat',
      'mkdir',
      'mkdtemp',
      'readlink',
      'rename',
      'rm',
      'rmdir',
      'stat',
      'statfs',
      'truncate',
    ],
  ],
  [4, ['appendFile', 'chown', 'copyFile', 'fchown', 'futimes', 'lchown', 'lutimes', 'open', 'symlink', 'utimes']],
]))
  for (const name of intact(names)) fs[name] = withCallback(name, most, requests[name]);
fs.realpath = ObjectAssign(withCallback('realpath', 3, requests.realpath), {
  native: withCallback('native', 3, requests.realpathNative),
});

fs.close = function close(fd, callback) {
  if (callback !== undefined) checkCallback(callback);
  begin(
    requests.close(fd),
    callback ??
      ((error) => {
        if (error) throw error;
      }),
  );
};

fs.exists = function exists(path, callback) {
  callback = bindCallback(checkCallback(callback));
  let place;
  try {
    place = pathOf(path);
  } catch {
    later(callback, false);
    return;
  }
  native.fs_exists(place, (error, found) => callback(found === true));
};
ObjectDefineProperty(fs.exists, kCustom, {
  __proto__: null,
  value: {
    exists: (path) =>
      new Promise((resolve) => {
        fs.exists(path, resolve);
      }),
  }.exists,
});

/** Lists directories one after the other, then passes all entries to the callback. */
fs.readdir = function readdir(path, options, callback) {
  callback = bindCallback(checkCallback(typeof options === 'function' ? options : callback));
  const walk = sync.listing(path, typeof options === 'function' ? undefined : options);
  (function step() {
    const place = walk.next();
    if (place === undefined) {
      callback(null, walk.found);
      return;
    }
    native.fs_readdir(place[1], walk.isTyped, walk.isRaw, (error, listed) => {
      if (error) {
        callback(error);
        return;
      }
      walk.take(place, listed);
      step();
    });
  })();
};

/**
 * Starts `work(done)`. If the signal aborts, the callback receives the error immediately and the outcome of `work` is
 * dropped.
 */
function abortable(signal, callback, work) {
  if (signal === undefined || signal === null) {
    work(callback);
    return;
  }
  const { AbortError } = require('internal/errors/errors');
  const aborted = () => new AbortError(undefined, { cause: signal.reason });
  if (signal.aborted) {
    later(callback, aborted());
    return;
  }
  let isOver = false;
  const listening = require('web/abort').addAbortListener(signal, () => {
    if (isOver) return;
    isOver = true;
    callback(aborted());
  });
  work((...outcome) => {
    listening[Symbol.dispose]();
    if (isOver) return;
    isOver = true;
    callback(...intact(outcome));
  });
}

fs.readFile = function readFile(file, options, callback) {
  callback = checkCallback(callback ?? options);
  if (typeof options === 'function') options = undefined;
  const request = requests.readFile(file, options);
  const { encoding } = optionsOf(options, {});
  abortable(options?.signal, callback, (done) => {
    if (typeof file === 'number' && mayWait(file)) {
      readToEnd(
        file,
        bindCallback((error, bytes) => (error ? done(error) : done(null, encoding ? bytes.toString(encoding) : bytes))),
      );
    } else {
      begin(request, done);
    }
  });
};

fs.writeFile = function writeFile(file, data, options, callback) {
  callback = checkCallback(callback ?? options);
  if (typeof options === 'function') options = undefined;
  const request = requests.writeFile(file, data, options);
  abortable(options?.signal, callback, (done) => begin(request, done));
};

fs.read = function read(fd, ...args) {
  fd = descriptorOf(fd);
  const callback = bindCallback(checkCallback(ArrayPop(args)));
  let [buffer, ...rest] = intact(args);
  if (args.length === 0 || (args.length === 1 && !ArrayBufferIsView(buffer))) {
    if (args.length === 1) validateObject(buffer, 'options', { nullable: true });
    rest = [buffer ?? {}];
    ({ buffer = require('node/buffer/buffer').Buffer.alloc(16384) } = rest[0]);
  }
  checkBuffer(buffer);
  const { 0: offset, 1: length, 2: position } = readRange(buffer, rest);
  if (length === 0) {
    later(callback, null, 0, buffer);
    return;
  }
  native.fs_read(fd, buffer, offset, length, position, (error, count) => callback(error, error ? 0 : count, buffer));
};

fs.write = function write(fd, data, ...rest) {
  fd = descriptorOf(fd);
  const callback = bindCallback(checkCallback(ArrayPop(rest)));
  const { text, bytes, offset, length, position } = writeArguments(data, ...intact(rest));
  const done = (error, count) => callback(error, error ? 0 : count, data);
  if (text !== undefined) native.fs_writeText(fd, text, position, done);
  else native.fs_write(fd, bytes, offset, length, position, done);
};

const vector = (name, work) =>
  ({
    [name](fd, buffers, position, callback) {
      callback = bindCallback(checkCallback(callback ?? position));
      fd = descriptorOf(fd);
      checkBuffers(buffers);
      native[work](fd, buffers, typeof position === 'number' ? position : undefined, (error, count) =>
        callback(error, error ? 0 : count, buffers),
      );
    },
  })[name];
fs.readv = vector('readv', 'fs_readv');
fs.writev = vector('writev', 'fs_writev');
for (const { 0: name, 1: first, 2: second } of intact([
  ['read', 'bytesRead', 'buffer'],
  ['write', 'bytesWritten', 'buffer'],
  ['readv', 'bytesRead', 'buffers'],
  ['writev', 'bytesWritten', 'buffers'],
]))
  ObjectDefineProperty(fs[name], kArgumentNames, { __proto__: null, value: [first, second] });

fs.cp = function cp(from, to, options, callback) {
  callback = checkCallback(typeof options === 'function' ? options : callback);
  PromiseThen(
    require('node/fs/cp').copyLater(require('node/fs/promises'), from, to, typeof options === 'function' ? undefined : options),
    () => later(callback, null),
    (error) => later(callback, error),
  );
};
fs.glob = function glob(pattern, options, callback) {
  callback = checkCallback(typeof options === 'function' ? options : callback);
  PromiseThen(
    require('node/fs/glob').globAll(pattern, typeof options === 'function' ? undefined : options),
    (found) => later(callback, null, found),
    (error) => later(callback, error),
  );
};
for (const { 0: name, 1: file, 2: count } of intact([
  ['watch', 'node/fs/watch', 3],
  ['watchFile', 'node/fs/watch_file', 3],
  ['unwatchFile', 'node/fs/watch_file', 2],
])) {
  fs[name] = {
    [name](...args) {
      return require(file)[name](...intact(args));
    },
  }[name];
  ObjectDefineProperty(fs[name], 'length', { __proto__: null, value: count, configurable: true });
}
fs.lchmod = undefined; // not available on Linux
fs.lchmodSync = undefined;

for (const name in sync) if (StringEndsWith(name, 'Sync')) fs[name] = sync[name];
fs._toUnixTimestamp = require('node/fs/arguments').timeOf;
ObjectAssign(fs, { Stats: values.Stats, Dirent: values.Dirent }, dir);

const ORDER = RegExpSplit(
  /\s+/,
  `appendFile appendFileSync access accessSync chown chownSync chmod chmodSync close closeSync copyFile copyFileSync cp cpSync
  createReadStream createWriteStream exists existsSync fchown fchownSync fchmod fchmodSync fdatasync fdatasyncSync fstat fstatSync fsync
  fsyncSync ftruncate ftruncateSync futimes futimesSync glob globSync lchown lchownSync lchmod lchmodSync link linkSync lstat lstatSync
  lutimes lutimesSync mkdir mkdirSync mkdtemp mkdtempSync mkdtempDisposableSync open openSync openAsBlob openAsBlobSync readdir readdirSync
  read readSync readv readvSync readFile readFileSync readlink readlinkSync realpath realpathSync rename renameSync rm rmSync rmdir rmdirSync
  stat statfs statSync statfsSync symlink symlinkSync truncate truncateSync unwatchFile unlink unlinkSync utimes utimesSync watch watchFile
  writeFile writeFileSync write writeSync writev writevSync Dirent Stats ReadStream WriteStream FileReadStream FileWriteStream Utf8Stream
  _toUnixTimestamp Dir opendir opendirSync`,
);
const STREAMS = {
  __proto__: null,
  ReadStream: 'ReadStream',
  WriteStream: 'WriteStream',
  FileReadStream: 'ReadStream',
  FileWriteStream: 'WriteStream',
  createReadStream: 'createReadStream',
  createWriteStream: 'createWriteStream',
  Utf8Stream: 'Utf8Stream',
};

/** Exports follow the order of Node's keys; the stream classes are loaded on first access. */
module.exports = {};
for (const name of intact(ORDER)) {
  const load = () => require(name === 'Utf8Stream' ? 'node/fs/utf8_stream' : 'node/fs/streams')[STREAMS[name]];
  if (StringStartsWith(name, 'create')) {
    defineLazily(module.exports, name, load);
  } else if (STREAMS[name] !== undefined) {
    ObjectDefineProperty(module.exports, name, {
      __proto__: null,
      enumerable: true,
      configurable: true,
      get: load,
      set(value) {
        ObjectDefineProperty(module.exports, name, {
          __proto__: null,
          value,
          writable: true,
          enumerable: true,
          configurable: true,
        });
      },
    });
  } else if (name in fs) {
    module.exports[name] = fs[name];
  }
}
ObjectAssign(module.exports, require('node/fs/open_as_blob'));
require('node/fs/lengths').setLengths(module.exports);
ObjectDefineProperties(module.exports, {
  constants: { __proto__: null, value: constants, enumerable: true, configurable: false, writable: false },
  promises: { __proto__: null, enumerable: true, configurable: true, get: () => require('node/fs/promises') },
});
