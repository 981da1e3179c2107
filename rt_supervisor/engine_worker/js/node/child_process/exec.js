'use strict';
// Owns: exec and execFile of node:child_process: a child whose output is buffered and passed to the callback at its end.

const { AnySlice } = require('internal/any_kind');
const { PromiseWithResolvers } = require('internal/promises');
const {
  ArrayIsArray,
  ArrayJoin,
  ArrayPush,
  ObjectAssign,
  ObjectDefineProperty,
  SymbolFor,
  intact,
} = require('internal/primordials');
const { codes } = require('internal/errors/errors');
const { rejecter } = require('internal/errors/places');
const { validateFunction, validateObject, validateAbortSignal } = require('internal/validators');
const { shellArguments, checkNulls, checkSignal, checkTimeout, checkMost } = require('node/child_process/arguments');
const { spawn } = require('node/child_process/spawn');

const MOST_BYTES = 1024 * 1024;
const kPromisify = SymbolFor('nodejs.util.promisify.custom');

function fileArguments(file, args, options, callback) {
  if (ArrayIsArray(args)) args = [...intact(args)];
  else if (args !== null && typeof args === 'object') ({ 0: callback, 1: options, 2: args } = [options, args, undefined]);
  else if (typeof args === 'function') ({ 0: callback, 1: options, 2: args } = [args, undefined, undefined]);
  args ??= [];
  if (typeof options === 'function') [callback, options] = intact([options, undefined]);
  else if (options !== undefined && options !== null) validateObject(options, 'options');
  if (callback !== undefined && callback !== null) validateFunction(callback, 'callback');
  if (options?.argv0 !== undefined && options.argv0 !== null) {
    require('internal/validators').validateString(options.argv0, 'options.argv0');
    checkNulls(options.argv0, 'options.argv0');
  }
  return { file, args, options: options ?? {}, callback };
}

/** The buffered output of one stream: chunks and their total size. */
class Gathered {
  #chunks = [];
  #size = 0;

  constructor(stream, most, overflow) {
    stream.on('data', (chunk) => {
      const encoding = stream.readableEncoding;
      const length = encoding ? require('node/buffer/buffer').Buffer.byteLength(chunk, encoding) : chunk.length;
      const room = most - this.#size;
      this.#size += length;
      if (this.#size <= most) ArrayPush(this.#chunks, chunk);
      else {
        ArrayPush(this.#chunks, AnySlice(chunk, 0, room));
        overflow();
      }
    });
  }

  whole(isText) {
    return isText ? ArrayJoin(this.#chunks, '') : require('node/buffer/buffer').Buffer.concat(this.#chunks);
  }
}

function execFile(file, args, options, callback) {
  ({ file, args, options, callback } = fileArguments(file, args, options, callback));
  options = {
    __proto__: null,
    encoding: 'utf8',
    timeout: 0,
    maxBuffer: MOST_BYTES,
    killSignal: 'SIGTERM',
    cwd: null,
    env: null,
    shell: false,
    ...options,
  };
  checkTimeout(options.timeout);
  checkMost(options.maxBuffer);
  options.killSignal = checkSignal(options.killSignal);
  if (options.signal !== undefined) validateAbortSignal(options.signal, 'options.signal');
  const { cwd, env, gid, shell, signal, uid, argv0, windowsHide, windowsVerbatimArguments } = options;
  const child = spawn(file, args, {
    cwd,
    env,
    gid,
    shell,
    signal,
    uid,
    argv0,
    windowsHide: Boolean(windowsHide),
    windowsVerbatimArguments: Boolean(windowsVerbatimArguments),
  });
  const { Buffer } = require('node/buffer/buffer');
  const encoding = options.encoding !== 'buffer' && Buffer.isEncoding(options.encoding) ? options.encoding : null;
  let error = null;
  let wasKilled = false;
  let isDone = false;
  let timer;

  function kill() {
    child.stdout?.destroy();
    child.stderr?.destroy();
    wasKilled = true;
    try {
      child.kill(options.killSignal);
    } catch (problem) {
      error ??= problem;
      done();
    }
  }
  const gather = (stream, name) => {
    if (!stream) return undefined;
    if (encoding) stream.setEncoding(encoding);
    return new Gathered(stream, options.maxBuffer ?? Infinity, () => {
      error = new codes.ERR_CHILD_PROCESS_STDIO_MAXBUFFER(name);
      kill();
    });
  };
  const out = gather(child.stdout, 'stdout');
  const err = gather(child.stderr, 'stderr');
  const textOf = (gathered, stream) => {
    const isText = Boolean(encoding || stream?.readableEncoding);
    return gathered?.whole(isText) ?? (isText ? '' : Buffer.alloc(0));
  };

  function done(code = 0, signalName = null) {
    if (isDone) return;
    isDone = true;
    if (timer !== undefined) require('internal/timers').clearTimeout(timer);
    if (!callback) return;
    const stdout = textOf(out, child.stdout);
    const stderr = textOf(err, child.stderr);
    if (error === null && code === 0 && signalName === null) {
      callback(null, stdout, stderr);
      return;
    }
    const command = args.length > 0 ? `${file} ${ArrayJoin(args, ' ')}` : file;
    if (error === null) {
      error = ObjectAssign(new Error(`Command failed: ${command}\n${stderr}`), {
        code: code < 0 ? require('internal/errors/errno').getSystemErrorName(code) : code,
        killed: child.killed || wasKilled,
        signal: signalName,
      });
    }
    error.cmd = command;
    callback(error, stdout, stderr);
  }
  if (options.timeout > 0) timer = require('internal/timers').setTimeout(kill, options.timeout);
  child.on('close', done);
  child.on('error', (problem) => {
    error = problem;
    child.stdout?.destroy();
    child.stderr?.destroy();
    done();
  });
  return child;
}

function exec(command, options, callback) {
  const prepared = shellArguments(command, options, callback);
  return execFile(prepared.file, prepared.options, prepared.callback);
}

/** The promise form of `run`: the promise has the property `child`, its error `stdout` and `stderr`. */
function promising(run) {
  return (...args) => {
    const { promise, resolve } = PromiseWithResolvers();
    const reject = rejecter(resolve);
    promise.child = run(...intact(args), (error, stdout, stderr) => {
      if (error === null) resolve({ stdout, stderr });
      else reject(ObjectAssign(error, { stdout, stderr }));
    });
    return promise;
  };
}
for (const run of intact([exec, execFile])) {
  const value = promising(run);
  ObjectDefineProperty(value, 'name', { __proto__: null, value: run.name, configurable: true });
  ObjectDefineProperty(run, kPromisify, { __proto__: null, value, enumerable: false });
}

module.exports = { exec, execFile };
