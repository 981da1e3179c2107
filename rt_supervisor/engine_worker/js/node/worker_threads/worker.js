'use strict';
// Owns: node:worker_threads' Worker: its arguments, its streams and its events. The thread's lifecycle is in `launch`.

const {
  ArrayIncludes,
  ArrayIndexOf,
  ArrayIsArray,
  ArrayMap,
  ArrayPush,
  ArraySlice,
  MathMax,
  ObjectEntries,
  PromiseThen,
  RegExpTest,
  StringTrim,
  intact,
} = require('internal/primordials');
const { PromiseResolve } = require('internal/promises');
const runtimeParts = require('internal/parts');
const startValues = require('internal/start_values');
const { givenFlags } = require('internal/given_flags');
const context = require('internal/async/context');
const EventEmitter = require('node/events/events');
const { codes } = require('internal/errors/errors');
const { validateArray, validateNumber, validateObject, validateString } = require('internal/validators');
const { Launch } = require('node/worker_threads/launch');
const { environmentData, SHARE_ENV } = require('node/worker_threads/environment_data');

/** Two numbers that both threads see. A heap that is stored cannot contain them. */
function sharedFlags() {
  if (startValues.storesHeap) throw new codes.ERR_NOT_SUPPORTED_IN_SNAPSHOT('Creating workers');
  return new Int32Array(new SharedArrayBuffer(8));
}

/** The elements of `execArgv` before the one that ends the flags. */
function flagsAmong(words) {
  if (!ArrayIsArray(words)) return undefined;
  const end = ArrayIndexOf(words, '--');
  return end < 0 ? words : ArraySlice(words, 0, end);
}

/** The path of a main module, without symbolic links unless `--preserve-symlinks-main` keeps them. */
function mainPath(path, execArgv) {
  const { process } = runtimeParts.process;
  const flags = givenFlags({ execArgv: execArgv ?? process.execArgv, env: process.env });
  const isKept = ArrayIncludes(flags, '--preserve-symlinks-main') || process.env.NODE_PRESERVE_SYMLINKS_MAIN === '1';
  if (isKept) return path;
  try {
    return require('node/fs/sync').realpathSync(path);
  } catch {
    return path; // the worker reports a missing file
  }
}

/** The program of a worker: `{ entry }` or `{ code }`. */
function programOf(filename, options) {
  if (options.eval) {
    if (typeof filename !== 'string')
      throw new codes.ERR_INVALID_ARG_VALUE('options.eval', options.eval, "must be false when 'filename' is not a string");
    return { entry: '', code: filename };
  }
  if (
    filename instanceof require('web/url/class').URL ||
    (typeof filename === 'object' && filename !== null && typeof filename.href === 'string')
  ) {
    if (filename.protocol === 'data:') return { entry: filename.href, code: null };
    return { entry: require('node/url/url').fileURLToPath(filename), code: null };
  }
  if (typeof filename !== 'string') throw new codes.ERR_INVALID_ARG_TYPE('filename', ['string', 'URL'], filename);
  const { isAbsolute, resolve } = require('node/path/path');
  if (isAbsolute(filename) || RegExpTest(/^\.\.?[\\/]/, filename))
    return { entry: mainPath(resolve(filename), options.execArgv), code: null };
  throw new codes.ERR_WORKER_PATH(filename);
}

function environmentOf(env) {
  if (env === undefined || env === null || env === SHARE_ENV) return { ...runtimeParts.process.process.env };
  if (typeof env !== 'object') {
    throw new codes.ERR_INVALID_ARG_TYPE('options.env', ['object', 'undefined', 'null', 'worker_threads.SHARE_ENV'], env);
  }
  const entries = {};
  for (const { 0: name, 1: value } of intact(ObjectEntries(env))) entries[name] = `${value}`;
  return entries;
}

const LIMITS = ['maxYoungGenerationSizeMb', 'maxOldGenerationSizeMb', 'codeRangeSizeMb', 'stackSizeMb'];
// The limits that Node reports by default.
const USUAL_LIMITS = { maxYoungGenerationSizeMb: 48, maxOldGenerationSizeMb: 2096, codeRangeSizeMb: 0, stackSizeMb: 4 };

function limitsOf(values) {
  const limits = { ...USUAL_LIMITS };
  if (typeof values === 'object' && values !== null) {
    for (const name of intact(LIMITS))
      if (typeof values[name] === 'number') limits[name] = MathMax(values[name], name === 'stackSizeMb' ? 0 : 2);
  }
  return limits;
}

function checkUsage(prev) {
  validateObject(prev, 'prev');
  for (const name of intact(['user', 'system'])) validateNumber(prev[name], `prev.${name}`, 0, 2 ** 53 - 1);
}

/** Makes a class of that name whose instances are running profiles of a worker's thread. */
const handleClass = (name) =>
  ({
    [name]: class {
      #ask;
      #text;

      constructor(ask) {
        this.#ask = ask;
      }

      /** A promise for the profile's JSON, the same on each call. */
      stop() {
        return (this.#text ??= this.#ask());
      }

      async [Symbol.asyncDispose]() {
        await this.stop();
      }
    },
  })[name];
const CPUProfileHandle = handleClass('CPUProfileHandle');
const HeapProfileHandle = handleClass('HeapProfileHandle');

/** A worker as async_hooks see it. */
class WorkerHandle {
  isReferenced = true;
  isClosed = false;

  /** Returns undefined once the worker's end has been reported. */
  hasRef() {
    return this.isClosed ? undefined : this.isReferenced;
  }
}

class Worker extends EventEmitter {
  #launch;
  #handle = new WorkerHandle();
  #limits;
  #exits = [];
  #listening = sharedFlags(); // whether stdout and stderr are being read
  #name;
  #threadId = -1;
  #streams = { __proto__: null, stdin: null, stdout: null, stderr: null };

  constructor(filename, options = { __proto__: null }) {
    super();
    if (options === null || typeof options !== 'object') options = {};
    if (options.execArgv !== undefined && options.execArgv !== null && !ArrayIsArray(options.execArgv)) {
      throw new codes.ERR_INVALID_ARG_TYPE('options.execArgv', ['Array'], options.execArgv);
    }
    if (options.argv) validateArray(options.argv, 'options.argv');
    let name = 'WorkerThread';
    if (options.name !== undefined) {
      validateString(options.name, 'options.name');
      name = StringTrim(options.name);
    }
    const { entry, code } = programOf(filename, options);
    const env = environmentOf(options.env);
    const isOwn = options.env !== undefined && options.env !== null && options.env !== SHARE_ENV;
    const { execArgv: inherited, env: ownEnv } = runtimeParts.process.process;
    const hasVariable = isOwn && (env.NODE_OPTIONS || '') !== (ownEnv.NODE_OPTIONS || '');
    if (hasVariable && env.NODE_OPTIONS) require('node/worker_threads/flags').checkOptions(env.NODE_OPTIONS);
    const limits = limitsOf(options.resourceLimits);
    this.#limits = limits;
    this.#name = name;
    const redirects = { stdout: Boolean(options.stdout), stderr: Boolean(options.stderr), stdin: Boolean(options.stdin) };
    this.#makeStreams(redirects);
    const limit = options.resourceLimits?.maxOldGenerationSizeMb;
    const flags = flagsAmong(options.execArgv);
    const request = {
      entry,
      code,
      argv: ArrayMap(options.argv ?? [], String),
      execArgv: flags ?? inherited,
      env,
      flags: flags || hasVariable ? require('node/worker_threads/flags').readFlags({ env, own: flags, inherited }) : null,
      preloads: null, // those from the flags
      heapLimitMb: typeof limit === 'number' ? MathMax(limit, 8) : null,
      settings: {
        kind: 'node',
        name: options.name === undefined ? 'WorkerThread' : name,
        limits,
        redirects,
        keepsFiles: options.trackUnmanagedFds !== false,
      },
    };
    const start = {
      workerData: options.workerData,
      environmentData: [...intact(environmentData)],
      heard: this.#listening,
      folderChanges: (runtimeParts.folderChanges ??= new Int32Array(new SharedArrayBuffer(4))),
      sharedEnvironment: options.env === SHARE_ENV ? require('node/process/environment').share() : undefined,
    };
    this.performance = require('node/worker_threads/performance').performanceOf(() => this.#launch.begin);
    if (context.isUsed) context.initResource(this.#handle, 'WORKER');
    this.#launch = new Launch(request, [start, options.transferList ?? []], {
      onOnline: () => this.emit('online'),
      onError: (error) => this.emit('error', error),
      onOutput: (stream, bytes) =>
        this.#streams[stream].push(bytes === null ? null : require('node/buffer/buffer').Buffer.from(bytes)),
      onExit: (status) => this.#handleEnd(status),
    });
    this.#launch.port.on('message', (message) => this.emit('message', message));
    this.#launch.port.on('messageerror', (error) => this.emit('messageerror', error));
    this.#launch.port.unref();
    this.#threadId = this.#launch.id;
    runtimeParts.trace?.nameThread(this.#threadId, options.name);
    runtimeParts.process.process.nextTick(() => runtimeParts.process.process.emit('worker', this));
    runtimeParts.publish?.('worker_threads', { worker: this });
  }

  #makeStreams({ stdin }) {
    const { Readable } = require('node/stream/stream');
    if (stdin) {
      const { Writable } = require('node/stream/stream');
      this.#streams.stdin = new Writable({
        write: (chunk, encoding, done) => {
          this.#launch.feed(new Uint8Array(chunk));
          done();
        },
        final: (done) => {
          this.#launch.feed(null);
          done();
        },
      });
    }
    const stream = (place) =>
      new Readable({
        read: () => {
          this.#listening[place] = 1;
        },
      });
    this.#streams.stdout = stream(0);
    this.#streams.stderr = stream(1);
  }

  #handleEnd(status) {
    this.#threadId = -1;
    this.#streams.stdout.push(null);
    this.#streams.stderr.push(null);
    const waiting = this.#exits;
    this.#exits = [];
    this.#launch.port.unref();
    this.emit('exit', status);
    for (const resolve of intact(waiting)) resolve(status);
    this.#handle.isClosed = true;
    if (context.isUsed) context.endResource(this.#handle);
  }

  postMessage(...args) {
    if (this.#launch.hasEnded) return;
    this.#launch.port.postMessage(...intact(args));
  }

  terminate() {
    if (this.#launch.hasEnded) return PromiseResolve();
    this.ref();
    const exit = new Promise((resolve) => {
      ArrayPush(this.#exits, resolve);
    });
    this.#launch.terminate();
    return exit;
  }

  async [Symbol.asyncDispose]() {
    await this.terminate();
  }

  ref() {
    if (this.#launch.hasEnded) return;
    this.#handle.isReferenced = true;
    this.#launch.ref();
    this.#launch.port.ref();
  }
  unref() {
    if (this.#launch.hasEnded) return;
    this.#handle.isReferenced = false;
    this.#launch.unref();
    this.#launch.port.unref();
  }

  get threadId() {
    return this.#threadId;
  }
  get stdin() {
    return this.#streams.stdin;
  }
  get stdout() {
    return this.#streams.stdout;
  }
  get stderr() {
    return this.#streams.stderr;
  }
  get resourceLimits() {
    return this.#launch.hasEnded ? {} : { ...this.#limits };
  }
  get threadName() {
    return this.#launch.hasEnded ? null : this.#name;
  }

  getHeapSnapshot(options) {
    if (options !== undefined) validateObject(options, 'options');
    return PromiseThen(this.#launch.ask('heapSnapshot', options), (text) =>
      require('node/stream/stream').Readable.from([text], { objectMode: false }),
    );
  }

  /** Heap statistics of the thread, as v8.getHeapStatistics() returns them there. */
  getHeapStatistics() {
    return this.#launch.ask('heapStatistics');
  }

  /** CPU time of the thread in microseconds, since `prev` if it is given. */
  cpuUsage(prev) {
    if (prev) checkUsage(prev);
    return PromiseThen(this.#launch.ask('cpuUsage'), ({ user, system }) =>
      prev ? { user: user - prev.user, system: system - prev.system } : { user, system },
    );
  }

  startCpuProfile(options) {
    require('node/v8/profiles').checkCpuOptions(options);
    return this.#profile('startCpuProfile', options);
  }
  startHeapProfile(options) {
    require('node/v8/profiles').checkHeapOptions(options);
    return this.#profile('startHeapProfile', options);
  }

  /** A running profile; stop() returns its JSON. */
  #profile(start, settings) {
    const Handle = start === 'startCpuProfile' ? CPUProfileHandle : HeapProfileHandle;
    return PromiseThen(this.#launch.ask(start, settings), (number) => new Handle(() => this.#launch.ask('stopProfile', number)));
  }
}
module.exports = { Worker };
