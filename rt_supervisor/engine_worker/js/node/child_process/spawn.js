'use strict';
// Owns: ChildProcess, spawn and fork of node:child_process: a child's streams, events and signals. Starting it is in
// node/child_process/launch.js, its arguments in node/child_process/arguments.js.

const { setOf } = require('internal/collections');
const runtimeParts = require('internal/parts');
const {
  ArrayBufferIsView,
  ArrayFindIndex,
  ArrayIncludes,
  ArrayIsArray,
  ArrayMap,
  ArrayPush,
  ArraySlice,
  ArraySplice,
  ObjectEntries,
  SetHas,
  WeakSetAdd,
  WeakSetHas,
  intact,
} = require('internal/primordials');
const EventEmitter = require('node/events/events');
const { AbortError, codes, errnoException } = require('internal/errors/errors');
const { validateAbortSignal, validateArray, validateObject, validateOneOf, validateString } = require('internal/validators');
const { addPlace, currentPlace } = require('internal/errors/places');
const { ChildHandle, signalName } = require('node/child_process/launch');
const context = require('internal/async/context');
const { PipeHandle } = require('internal/pipe_handle');
const { removeHandle, addHandle } = require('internal/active_handles');
const timers = require('internal/timers');
const { reportingPairs } = require('internal/watch_channel');
const {
  checkNulls,
  checkPath,
  spawnArguments,
  requestFrom,
  stdioOf,
  stdioArray,
  hostWords,
  signalNumber,
  checkSignal,
  checkTimeout,
} = require('node/child_process/arguments');

const LATER = setOf([-13, -11, -24, -23, -2]); // EACCES, EAGAIN, EMFILE, ENFILE, ENOENT: reported by an 'error' event
const SIGTERM = 15;

/** The active-handle name of a child that keeps the program alive. */
const activity = (child) => (child._handle?.hasRef() ? 'ProcessWrap' : undefined);

class ChildProcess extends EventEmitter {
  constructor() {
    super();
    this._closesNeeded = 1;
    this._closesGot = 0;
    this.connected = false;
    this.signalCode = null;
    this.exitCode = null;
    this.killed = false;
    this.spawnfile = null;
    this._handle = new ChildHandle();
    runtimeParts.publish?.('child_process', { process: this });
  }

  spawn(options) {
    validateObject(options, 'options');
    validateOneOf(options.serialization, 'options.serialization', [undefined, 'json', 'advanced']);
    options = withDefaults(options);
    const { kinds, ipcPlace, lent } = stdioOf(options.stdio || 'pipe', false);
    for (let index = 0; index < lent.length; index++) {
      const stream = lent[index];
      lend(stream);
    }
    if (ipcPlace !== undefined) {
      ArrayPush(
        options.envPairs,
        `NODE_CHANNEL_FD=${ipcPlace}`,
        `NODE_CHANNEL_SERIALIZATION_MODE=${options.serialization ?? 'json'}`,
      );
    }
    if (options.isFork === true) ArrayPush(options.envPairs, ...intact(reportingPairs(options.file)));
    this.spawnfile = options.file;
    this.spawnargs = options.args;
    runtimeParts.publish?.('tracing:child_process.spawn:start', { process: this, options });
    const failure = this._handle.start(requestFrom(options, hostWords(kinds)), (code, signal) => this.#onExit(code, signal));
    if (failure === 0) runtimeParts.publish?.('tracing:child_process.spawn:end', { process: this });
    else runtimeParts.publish?.('tracing:child_process.spawn:error', { process: this, error: errnoException(failure, 'spawn') });
    if (failure !== 0 && !SetHas(LATER, failure)) throw errnoException(failure, 'spawn');
    this.pid = this._handle.pid;
    this.#openStreams(kinds, failure !== 0);
    if (failure === 0) addHandle(this, activity);
    if (failure === 0) host.nextTick(() => this.emit('spawn'));
    else {
      const place = currentPlace();
      host.nextTick(() => this.#onExit(failure, null, place));
    }
    if (ipcPlace !== undefined && failure === 0) {
      this._closesNeeded++;
      const settings = { isKeeping: true, onClosed: () => this.#handleStreamClose() };
      require('node/child_process/ipc_target').openChannel(this, this._handle.ends[ipcPlace], options.serialization, settings);
    }
    return failure;
  }

  #openStreams(kinds, hasFailed) {
    const { streamFor, NoHandle } = require('node/child_process/streams');
    this.stdio = ArrayMap(kinds, (kind, place) => {
      if (kind !== 'pipe') return null;
      const stream = streamFor(place, hasFailed ? new NoHandle() : this.#handleOf(place));
      if (place > 0) {
        this._closesNeeded++;
        stream.on('close', () => this.#handleStreamClose());
        stream.read(0); // reading starts immediately, as far as the stream buffers
      }
      return stream;
    });
    [this.stdin, this.stdout, this.stderr] = intact(this.stdio);
  }

  #handleOf(place) {
    const { isUsed, initResource } = context;
    return new PipeHandle(this._handle.ends[place], isUsed ? initResource({}, 'PIPEWRAP') : undefined);
  }

  /** `code` is negative if it could not be started; `place` is then that of the call. */
  #onExit(code, signal, place = undefined) {
    if (signal !== null) this.signalCode = signalName(signal);
    else this.exitCode = code;
    this.stdin?.destroy();
    this._handle = null;
    removeHandle(this);
    if (code < 0 && signal === null) {
      const error = addPlace(errnoException(code, `spawn ${this.spawnfile}`), place);
      error.path = this.spawnfile;
      error.spawnargs = ArraySlice(this.spawnargs, 1);
      this.emit('error', error);
    } else this.emit('exit', this.exitCode, this.signalCode);
    // Unread output must reach its end, too: 'close' waits for it.
    host.nextTick(() => this.#flush());
    this.#handleStreamClose();
  }

  #flush() {
    for (let index = 0, list = this.stdio; index < list.length; index++) {
      const stream = list[index];
      // A stream that the program reads is left alone, also if it was lent to another child.
      if (stream === null || stream.readableFlowing === true || stream.listenerCount('readable') > 0) continue;
      if (WeakSetHas(isLent, stream)) stream.destroy();
      else if (stream.readable && stream.readableFlowing === null) stream.resume();
    }
  }

  #handleStreamClose() {
    if (++this._closesGot === this._closesNeeded) this.emit('close', this.exitCode, this.signalCode);
  }

  kill(signal) {
    const number = signal === 0 ? 0 : signalNumber(signal === undefined ? SIGTERM : signal);
    if (this._handle === null) return false;
    try {
      if (!this._handle.kill(number)) return false;
    } catch (error) {
      if (error.code === 'EINVAL' || error.code === 'ENOSYS') throw errnoException(error.errno, 'kill');
      if (error.code !== 'ESRCH') this.emit('error', errnoException(error.errno, 'kill'));
      return false;
    }
    this.killed = true;
    return true;
  }

  [Symbol.dispose]() {
    if (!this.killed) this.kill();
  }
  ref() {
    this._handle?.ref();
  }
  unref() {
    this._handle?.unref();
  }
}

/** The options of ChildProcess.prototype.spawn, which programs may call themselves. */
function withDefaults(options) {
  if (options.envPairs !== undefined) validateArray(options.envPairs, 'options.envPairs');
  validateString(options.file, 'options.file');
  if (options.args !== undefined) validateArray(options.args, 'options.args');
  const { env } = runtimeParts.process.process;
  return {
    __proto__: null,
    folder: options.cwd ?? '',
    detached: false,
    ...options,
    args: options.args ?? [options.file],
    envPairs: ArraySlice(options.envPairs ?? ArrayMap(ObjectEntries(env), ({ 0: name, 1: value }) => `${name}=${value}`)),
  };
}

const isLent = new WeakSet();

/** Stops reading a stream whose pipe is passed to another child. */
function lend(stream) {
  WeakSetAdd(isLent, stream);
  stream._handle.stop?.();
  stream.pause?.();
  if (stream._readableState) stream._readableState.reading = false; // reading starts again if it is resumed
}

function spawn(file, args, options) {
  options = spawnArguments(file, args, options);
  checkTimeout(options.timeout);
  if (options.signal !== undefined) validateAbortSignal(options.signal, 'options.signal');
  const killSignal = checkSignal(options.killSignal);
  const child = new ChildProcess();
  child.spawn(options);
  if (options.timeout > 0) {
    const timer = timers.setTimeout(() => {
      try {
        child.kill(killSignal);
      } catch (error) {
        child.emit('error', error);
      }
    }, options.timeout);
    child.once('exit', () => timers.clearTimeout(timer));
  }
  if (options.signal) abortWith(child, options.signal, killSignal);
  return child;
}

function abortWith(child, signal, killSignal) {
  function onAbort() {
    try {
      if (child.kill(killSignal)) child.emit('error', new AbortError(undefined, { cause: signal.reason }));
    } catch (error) {
      child.emit('error', error);
    }
  }
  if (signal.aborted) host.nextTick(onAbort);
  else {
    signal.addEventListener('abort', onAbort, { once: true });
    child.once('exit', () => signal.removeEventListener('abort', onAbort));
  }
}

/** This program's flags without its code. */
function ownFlags() {
  const flags = [...intact(runtimeParts.process.process.execArgv)];
  const place = ArrayFindIndex(flags, (flag) => ArrayIncludes(['-e', '--eval', '-p', '--print', '-pe'], flag));
  if (place >= 0) ArraySplice(flags, place, 2);
  return flags;
}

function fork(modulePath, args = [], options = undefined) {
  let path =
    modulePath instanceof require('web/url/class').URL ? require('internal/file_url_host').fileURLToPath(modulePath) : modulePath;
  if (ArrayBufferIsView(path)) path = require('node/buffer/buffer').Buffer.from(path).toString();
  if (typeof path !== 'string') throw new codes.ERR_INVALID_ARG_TYPE('modulePath', ['string', 'Buffer', 'URL'], modulePath);
  checkPath(path, 'modulePath');
  if (args === undefined || args === null) args = [];
  else if (typeof args === 'object' && !ArrayIsArray(args)) [options, args] = intact([args, []]);
  else validateArray(args, 'args');
  if (options !== undefined && options !== null) validateObject(options, 'options');
  options = { __proto__: null, ...options, shell: false };
  options.execPath ||= runtimeParts.process.process.execPath;
  checkNulls(options.execPath, 'options.execPath');
  if (typeof options.stdio === 'string') options.stdio = [...intact(stdioArray(options.stdio)), 'ipc'];
  else if (!ArrayIsArray(options.stdio)) options.stdio = [...intact(stdioArray(options.silent ? 'pipe' : 'inherit')), 'ipc'];
  else if (!ArrayIncludes(options.stdio, 'ipc')) throw new codes.ERR_CHILD_PROCESS_IPC_REQUIRED('options.stdio');
  options.isFork = true;
  return spawn(options.execPath, [...intact(options.execArgv || ownFlags()), path, ...intact(args)], options);
}

module.exports = { ChildProcess, spawn, fork };
