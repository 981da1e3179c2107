// @ts-check
'use strict';
// Owns: node:fs/promises: the promise forms of `node/fs/requests`. FileHandle is in `node/fs/file_handle`.

const { RegExpSplit } = require('internal/patterns');
const { ArrayBufferIsView, ObjectAssign, ObjectDefineProperty, intact } = require('internal/primordials');
const fs = require('node/fs/fs');
const requests = require('node/fs/requests');
const { constants } = require('node/fs/arguments');
const { promiseRequest, promiseOf } = require('node/fs/promised');
const { FileHandle, openHandle } = require('node/fs/file_handle');
const { codes, AbortError } = require('internal/errors/errors');

function checkSignal(options) {
  const signal = options?.signal;
  if (signal?.aborted) throw new AbortError(undefined, { cause: signal.reason });
}

const promises = { __proto__: Object.prototype };
for (const name of intact([
  'access',
  'chmod',
  'chown',
  'copyFile',
  'lchown',
  'link',
  'lstat',
  'lutimes',
  'mkdir',
  'mkdtemp',
  'readlink',
  'rename',
  'rm',
  'rmdir',
  'stat',
  'statfs',
  'symlink',
  'truncate',
  'unlink',
  'utimes',
])) {
  const request = requests[name];
  promises[name] = {
    async [name](...args) {
      return await promiseRequest(request(...intact(args)));
    },
  }[name];
}
promises.realpath = async function realpath(path, options) {
  return await promiseRequest(requests.realpathNative(path, options));
};
promises.readdir = async function readdir(path, options) {
  return await promiseOf((done) => fs.readdir(path, options, done));
};
promises.opendir = async function opendir(path, options) {
  return await promiseOf((done) => fs.opendir(path, options, done));
};
promises.cp = async function cp(from, to, options) {
  return require('node/fs/cp').copyLater(promises, from, to, options);
};
promises.glob = (pattern, options) => require('node/fs/glob').glob(pattern, options);
promises.lchmod = async function lchmod() {
  throw new codes.ERR_METHOD_NOT_IMPLEMENTED('lchmod()');
};
promises.mkdtempDisposable = async function mkdtempDisposable(prefix, options) {
  const path = await promises.mkdtemp(prefix, options);
  const full = require('node/path/path').resolve(`${path}`);
  const remove = async () => {
    await promises.rm(full, { recursive: true, force: true });
  };
  return { __proto__: null, path, remove, [Symbol.asyncDispose]: remove };
};

promises.watch = function watch(filename, options) {
  return require('node/fs/watch_promises').watch(filename, options);
};

promises.open = async function open(path, flags, mode) {
  return await openHandle(path, flags, mode);
};

promises.readFile = async function readFile(file, options) {
  checkSignal(options);
  if (file instanceof FileHandle) return file.readFile(options);
  return await promiseOf((done) =>
    fs.readFile(file, options, (error, data) => {
      if (error?.syscall === 'read' && typeof file === 'string')
        error = ObjectAssign(error, { path: file, message: `${error.message} '${file}'` });
      done(error, data);
    }),
  );
};

/** The chunks of an iterable or a stream; undefined for any other value. */
function chunksOf(data) {
  if (data === null || typeof data !== 'object' || ArrayBufferIsView(data)) return undefined;
  return data[Symbol.asyncIterator]?.() ?? data[Symbol.iterator]?.();
}

const writing = (name, flag) =>
  ({
    async [name](file, data, options) {
      checkSignal(options);
      const isHandle = file instanceof FileHandle;
      const chunks = chunksOf(data);
      if (chunks === undefined) {
        if (!isHandle) return await promiseOf((done) => fs[name](file, data, options, done));
        return file.use('writeFile', (fd) => promiseOf((done) => fs.writeFile(fd, data, options, done)));
      }
      const handle = isHandle ? file : await promises.open(file, options?.flag || flag, options?.mode);
      const encoding = typeof options === 'string' ? options : options?.encoding;
      try {
        await handle.use('writeFile', async (fd) => {
          checkSignal(options);
          for (let next = await chunks.next(); !next.done; next = await chunks.next()) {
            checkSignal(options);
            const chunk = next.value;
            if (typeof chunk !== 'string' && !ArrayBufferIsView(chunk))
              throw new codes.ERR_INVALID_ARG_TYPE('data', ['string', 'Buffer', 'TypedArray', 'DataView'], chunk);
            await promiseRequest(requests.writeFile(fd, chunk, encoding ?? 'utf8'));
          }
        });
      } finally {
        if (!isHandle) await handle.close();
      }
    },
  })[name];
promises.writeFile = writing('writeFile', 'w');
promises.appendFile = writing('appendFile', 'a');

const ORDER = RegExpSplit(
  /\s+/,
  `access copyFile cp glob open opendir rename truncate rm rmdir mkdir readdir readlink symlink lstat stat statfs link unlink chmod
  lchmod lchown chown utimes lutimes realpath mkdtemp mkdtempDisposable writeFile appendFile readFile watch`,
);
const exposed = {};
for (const name of intact(ORDER)) exposed[name] = promises[name];
exposed.constants = constants;
ObjectDefineProperty(exposed, 'FileHandle', { __proto__: null, value: FileHandle, enumerable: false });

module.exports = exposed;
