// @ts-check
'use strict';
// Owns: the module node:wasi: a WebAssembly guest for WASI preview 1, its options, start and exit. Its calls are in `system`,
// `files` and `folders`.

const runtimeParts = require('internal/parts');
const {
  ArrayIndexOf,
  ArrayMap,
  ArrayPush,
  BigIntAsUintN,
  FunctionCall,
  ObjectDefineProperty,
  ObjectEntries,
  ObjectGetOwnPropertyDescriptor,
  intact,
} = require('internal/primordials');
const { codes } = require('internal/errors/errors');
const {
  validateArray,
  validateBoolean,
  validateFunction,
  validateInt32,
  validateObject,
  validateString,
  validateUndefined,
} = require('internal/validators');
const { warnOfExperiment } = require('node/process/warnings');
const { Failed, numberOfThrown } = require('node/wasi/errno');
const { GuestMemory } = require('node/wasi/memory');
const { Descriptors } = require('node/wasi/descriptors');

// Every call in Node's order, with its parameter types: `i` is 32 bits, `l` is 64.
const SIGNATURES = {
  __proto__: null,
  args_get: 'ii',
  args_sizes_get: 'ii',
  clock_res_get: 'ii',
  clock_time_get: 'ili',
  environ_get: 'ii',
  environ_sizes_get: 'ii',
  fd_advise: 'illi',
  fd_allocate: 'ill',
  fd_close: 'i',
  fd_datasync: 'i',
  fd_fdstat_get: 'ii',
  fd_fdstat_set_flags: 'ii',
  fd_fdstat_set_rights: 'ill',
  fd_filestat_get: 'ii',
  fd_filestat_set_size: 'il',
  fd_filestat_set_times: 'illi',
  fd_pread: 'iiili',
  fd_prestat_get: 'ii',
  fd_prestat_dir_name: 'iii',
  fd_pwrite: 'iiili',
  fd_read: 'iiii',
  fd_readdir: 'iiili',
  fd_renumber: 'ii',
  fd_seek: 'isii',
  fd_sync: 'i',
  fd_tell: 'ii',
  fd_write: 'iiii',
  path_create_directory: 'iii',
  path_filestat_get: 'iiiii',
  path_filestat_set_times: 'iiiilli',
  path_link: 'iiiiiii',
  path_open: 'iiiiillii',
  path_readlink: 'iiiiii',
  path_remove_directory: 'iii',
  path_rename: 'iiiiii',
  path_symlink: 'iiiii',
  path_unlink_file: 'iii',
  poll_oneoff: 'iiii',
  proc_exit: 'i',
  proc_raise: 'i',
  random_get: 'ii',
  sched_yield: '',
  sock_accept: 'iii',
  sock_recv: 'iiiiii',
  sock_send: 'iiiii',
  sock_shutdown: 'ii',
};
const INVALID = new Failed('INVAL').number;
const exitCode = Symbol('kExitCode');

/** Converts the guest's arguments for the calls; undefined if they have the wrong types. */
function argumentsOf(signature, args) {
  if (args.length !== signature.length) return undefined;
  const values = [];
  for (let index = 0; index < signature.length; index++) {
    const value = args[index];
    const isRight = signature[index] === 'i' ? typeof value === 'number' : typeof value === 'bigint';
    if (!isRight) return undefined;
    if (signature[index] === 'i') ArrayPush(values, value >>> 0);
    else ArrayPush(values, signature[index] === 'l' ? BigIntAsUintN(64, value) : value);
  }
  return values;
}

/** The functions that a guest imports, by name; `guest.memory` exists once it has been started. */
function importsOf(guest) {
  const all = {
    __proto__: null,
    ...require('node/wasi/system').calls,
    ...require('node/wasi/files').calls,
    ...require('node/wasi/folders').calls,
  };
  const imports = new Imports();
  for (const name in SIGNATURES) {
    const signature = SIGNATURES[name];
    const call = all[name];
    const functions = {
      [name](...given) {
        const values = argumentsOf(signature, given);
        if (values === undefined) return INVALID;
        if (guest.memory === undefined) throw new codes.ERR_WASI_NOT_STARTED();
        try {
          call(guest, ...intact(values));
          return 0;
        } catch (error) {
          const number = numberOfThrown(error);
          if (number === undefined) throw error;
          return number;
        }
      },
    }[name];
    ObjectDefineProperty(functions, 'name', { __proto__: null, value: `bound ${name}`, configurable: true });
    ObjectDefineProperty(functions, 'length', { __proto__: null, value: signature.length, configurable: true });
    imports[name] = functions;
  }
  return imports;
}

/** The class of `wasiImport`. */
const Imports = { WASI: class {} }.WASI;

const encodeText = (text) => host.native.encodeUtf8(`${text}\0`);

function descriptorsOf(stdio, preopens) {
  try {
    return new Descriptors(stdio, preopens);
  } catch (error) {
    const number = numberOfThrown(error);
    if (number === undefined) throw error;
    const { name } = error instanceof Failed ? error : { name: /** @type {any} */ (error).code.slice(1) };
    const thrown = /** @type {any} */ (new Error(`UVWASI_E${name}, uvwasi_init`));
    thrown.errno = number;
    thrown.code = `UVWASI_E${name}`;
    thrown.syscall = 'uvwasi_init';
    throw thrown;
  }
}

class WASI {
  #guest;
  #name;
  #hasStarted = false;
  #status = 0;
  #instance;

  /** @param {any} options */
  constructor(options = { __proto__: null }) {
    runtimeParts.permission?.check('wasi', '');
    warnOfExperiment('WASI');
    validateObject(options, 'options');
    validateString(options.version, 'options.version');
    const at = ArrayIndexOf(['unstable', 'preview1'], options.version);
    if (at === -1) throw new codes.ERR_INVALID_ARG_VALUE('options.version', options.version, 'unsupported WASI version');
    this.#name = ['wasi_unstable', 'wasi_snapshot_preview1'][at];
    if (options.args !== undefined) validateArray(options.args, 'options.args');
    const environment = [];
    if (options.env !== undefined) {
      validateObject(options.env, 'options.env');
      for (const { 0: key, 1: value } of intact(ObjectEntries(options.env)))
        if (value !== undefined) ArrayPush(environment, encodeText(`${key}=${value}`));
    }
    const preopens = [];
    if (options.preopens !== undefined) {
      validateObject(options.preopens, 'options.preopens');
      for (const { 0: name, 1: path } of intact(ObjectEntries(options.preopens))) ArrayPush(preopens, [name, `${path}`]);
    }
    const { stdin = 0, stdout = 1, stderr = 2 } = options;
    validateInt32(stdin, 'options.stdin', 0);
    validateInt32(stdout, 'options.stdout', 0);
    validateInt32(stderr, 'options.stderr', 0);
    let returnsOnExit = true;
    if (options.returnOnExit !== undefined) {
      validateBoolean(options.returnOnExit, 'options.returnOnExit');
      returnsOnExit = options.returnOnExit;
    }
    this.#guest = {
      args: ArrayMap(options.args ?? [], encodeText),
      environment,
      descriptors: descriptorsOf([stdin, stdout, stderr], preopens),
      /** @type {InstanceType<typeof GuestMemory> | undefined} */
      memory: undefined,
    };
    /** @type {any} */
    this.wasiImport = importsOf(this.#guest);
    if (returnsOnExit) {
      const wasiReturnOnProcExit = (status) => {
        this.#status = status;
        throw exitCode;
      };
      ObjectDefineProperty(wasiReturnOnProcExit, 'name', { __proto__: null, value: 'bound wasiReturnOnProcExit' });
      this.wasiImport.proc_exit = wasiReturnOnProcExit;
    }
  }

  /** @param {any} instance @param {any} [options] */
  finalizeBindings(instance, { memory = instance?.exports?.memory } = /** @type {any} */ ({})) {
    if (this.#hasStarted) throw new codes.ERR_WASI_ALREADY_STARTED();
    validateObject(instance, 'instance');
    validateObject(instance.exports, 'instance.exports');
    if (!isMemory(memory)) {
      const error = new TypeError('"instance.exports.memory" property must be a WebAssembly.Memory object');
      throw ObjectDefineProperty(error, 'code', {
        __proto__: null,
        value: 'ERR_INVALID_ARG_TYPE',
        writable: true,
        enumerable: true,
        configurable: true,
      });
    }
    this.#guest.memory = new GuestMemory(memory);
    this.#instance = instance;
    this.#hasStarted = true;
  }

  /** Runs a command to its end. Returns its exit status. */
  start(instance) {
    this.finalizeBindings(instance);
    const { _start, _initialize } = this.#instance.exports;
    validateFunction(_start, 'instance.exports._start');
    validateUndefined(_initialize, 'instance.exports._initialize');
    try {
      _start();
    } catch (error) {
      if (error !== exitCode) throw error;
    }
    return this.#status;
  }

  /** Initialises a reactor. */
  initialize(instance) {
    this.finalizeBindings(instance);
    const { _start, _initialize } = this.#instance.exports;
    validateUndefined(_start, 'instance.exports._start');
    if (_initialize !== undefined) {
      validateFunction(_initialize, 'instance.exports._initialize');
      _initialize();
    }
  }

  getImportObject() {
    return { [this.#name]: this.wasiImport };
  }
}

/** Whether it is a memory, possibly of another context. */
function isMemory(value) {
  bufferOf ??= ObjectGetOwnPropertyDescriptor(WebAssembly.Memory.prototype, 'buffer')?.get;
  try {
    FunctionCall(bufferOf, value);
    return true;
  } catch {
    return false;
  }
}
let bufferOf;

module.exports = { WASI };
