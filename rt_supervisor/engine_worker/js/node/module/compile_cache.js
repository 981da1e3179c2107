'use strict';
// Owns: the program's interface to the compile cache (`module.enableCompileCache`); the host owns its location and contents.

const { ObjectAssign, ObjectFreeze } = require('internal/primordials');
const runtimeParts = require('internal/parts');

const STATUS = { __proto__: null, FAILED: 0, ENABLED: 1, ALREADY_ENABLED: 2, DISABLED: 3 };
const { native } = host;

function enableCompileCache(options) {
  const { env } = runtimeParts.process.process;
  const isObject = typeof options === 'object' && options !== null;
  const { portable, readOnly } = isObject ? options : {};
  let directory = isObject ? options.directory : options;
  if (directory === undefined) {
    const standard = () => require('node/path/path').join(require('node/os').tmpdir(), 'node-compile-cache');
    directory = env.NODE_COMPILE_CACHE || standard();
  }
  if (typeof directory !== 'string') {
    throw ObjectAssign(new TypeError('cacheDir should be a string'), { code: 'ERR_INVALID_ARG_TYPE' });
  }
  const {
    0: status,
    1: message,
    2: folder,
  } = native.modules_enableCompileCache(
    directory,
    portable === undefined ? env.NODE_COMPILE_CACHE_PORTABLE === '1' : portable === true,
    readOnly === undefined ? env.NODE_COMPILE_CACHE_READONLY === '1' : readOnly === true,
    env.NODE_DISABLE_COMPILE_CACHE !== undefined,
  );
  const result = { status };
  if (message) result.message = message;
  if (folder) result.directory = folder;
  return result;
}

module.exports = {
  constants: ObjectFreeze({ __proto__: null, compileCacheStatus: ObjectFreeze(STATUS) }),
  enableCompileCache,
  flushCompileCache() {
    native.modules_flushCompileCache();
  },
  getCompileCacheDir() {
    return native.modules_compileCacheFolder() || undefined;
  },
};
