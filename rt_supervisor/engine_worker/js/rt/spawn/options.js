'use strict';
// Owns: the arguments of RT.spawn and RT.spawnSync: the command, its options, and the configuration of descriptors. `close`
// closes what was opened for a child, once it has started.

const native = host.native;
const runtimeParts = require('internal/parts');
const {
  ArrayAt,
  ArrayFilter,
  ArrayIsArray,
  ArrayJoin,
  ArrayMap,
  ArrayPush,
  ArraySlice,
  ArraySort,
  ArraySplice,
  JSONStringify,
  NumberIsInteger,
  ObjectAssign,
  ObjectDefineProperty,
  ObjectKeys,
  StringIncludes,
  intact,
} = require('internal/primordials');
const { RTFile } = require('rt/files/file');
const { bytesOf } = require('internal/bytes');

const STANDARD = 3;
const LARGEST_DESCRIPTOR = 2 ** 31 - 1;
const OUTPUT_PIPE = Symbol('output pipe'); // for the library's own use: a pipe that the child writes, at any descriptor
const OUTPUT_WORDS = "'inherit', 'pipe', 'ignore', RT.file(pathOrFd), number, or null";

const withCode = (error, code) =>
  ObjectDefineProperty(error, 'code', { __proto__: null, value: code, writable: true, configurable: true });
const typeError = (message, code = 'ERR_INVALID_ARG_TYPE') => withCode(new TypeError(message), code);

function signalNumber(signal) {
  const { NUMBERS } = require('internal/signals');
  if (typeof signal === 'number') {
    if (!NumberIsInteger(signal) || signal < 0 || signal > 31) throw typeError('Invalid signal: must be < 32');
    return signal;
  }
  const number = typeof signal === 'string' ? NUMBERS[signal] : undefined;
  if (number === undefined) {
    const names = ArrayMap(
      ArraySort(
        ArrayFilter(ObjectKeys(NUMBERS), (name) => name !== 'SIGIOT' && name !== 'SIGPOLL'),
        (a, b) => NUMBERS[a] - NUMBERS[b],
      ),
      (name) => `'${name}'`,
    );
    throw typeError(`signal must be one of ${ArrayJoin(ArraySlice(names, 0, -1), ', ')} or ${ArrayAt(names, -1)}`);
  }
  return number;
}

function commandOf(command) {
  if (!ArrayIsArray(command)) throw typeError('cmd must be an array');
  if (command.length === 0) throw typeError('cmd must not be empty');
  return ArrayMap(command, (word, place) => {
    const text = `${word}`;
    if (StringIncludes(text, '\0')) {
      throw typeError(
        `The argument 'args[${place}]' must be a string without null bytes. Received ${JSONStringify(text)}`,
        'ERR_INVALID_ARG_VALUE',
      );
    }
    return text;
  });
}

function functionOf(value, name) {
  if (value !== undefined && value !== null && typeof value !== 'function')
    throw typeError(`${name} must be a function or undefined`);
  return value ?? undefined;
}

function numberOf(value, name) {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'number') throw typeError(`The "${name}" property must be of type number. Received ${typeof value}`);
  if (value === Infinity) return undefined;
  if (!(value >= 0 && value <= Number.MAX_SAFE_INTEGER)) {
    const message = `The value of "${name}" is out of range. It must be >= 0 and <= ${Number.MAX_SAFE_INTEGER}. Received ${value}`;
    throw withCode(new RangeError(message), 'ERR_OUT_OF_RANGE');
  }
  return value;
}

const isClass = (value, name) => typeof globalThis[name] === 'function' && value instanceof globalThis[name];
const isReadableStream = (value) => require('web/streams/readable').isReadableStream(value);

/** The descriptors of a child: `host` values, and `input`, which is written to descriptor 0. */
class Stdio {
  #ownDescriptors = [];
  input = undefined;

  constructor(settings, { isSync, defaults }) {
    const { stdio } = settings;
    let all = [settings.stdin, settings.stdout, settings.stderr];
    if (stdio !== undefined && stdio !== null) {
      if (!ArrayIsArray(stdio)) throw typeError('stdio must be an array');
      all = [...intact(stdio)];
      while (all.length < STANDARD) ArrayPush(all, undefined);
    }
    try {
      this.words = ArrayMap(all, (value, place) =>
        this.#word(value === undefined ? (defaults[place] ?? null) : value, place, isSync),
      );
    } catch (error) {
      this.close();
      throw error;
    }
  }

  #word(value, place, isSync) {
    if (value === null || value === 'ignore') return 'ignore';
    if (value === OUTPUT_PIPE) return 'output';
    if (value === 'pipe') return place >= STANDARD ? 'socket' : 'pipe';
    if (value === 'inherit') return place;
    if (typeof value === 'number') return checkDescriptor(value, place);
    if (value instanceof RTFile) return this.#file(RTFile.placeOf(value), place);
    if (place === 0) return this.#input(value, isSync);
    if (bytesOf(value) !== undefined) throw typeError('ArrayBufferView cannot be used for stdout/stderr yet');
    if (isClass(value, 'Blob')) throw typeError('Blobs are immutable, and cannot be used for stdout/stderr');
    throw typeError(`stdio must be an array of ${OUTPUT_WORDS}`);
  }

  #input(value, isSync) {
    this.input = bytesOf(value);
    if (this.input !== undefined) return 'pipe';
    if (isClass(value, 'Blob') || isClass(value, 'Response') || isClass(value, 'Request')) this.input = value;
    else if (isReadableStream(value) && !isSync) this.input = value;
    else
      throw typeError(
        typeof value === 'string'
          ? `stdio must be an array of ${OUTPUT_WORDS}`
          : "stdio must be an array of 'inherit', 'ignore', or null",
      );
    return 'pipe';
  }

  #file(path, place) {
    if (typeof path === 'number') return checkDescriptor(path, place);
    const descriptor = require('node/fs/sync').openSync(path, place === 0 ? 'r' : 'w');
    ArrayPush(this.#ownDescriptors, descriptor);
    return descriptor;
  }

  close() {
    for (let index = 0, list = ArraySplice(this.#ownDescriptors, 0); index < list.length; index++) {
      const descriptor = list[index];
      require('node/fs/sync').closeSync(descriptor);
    }
  }
}

function checkDescriptor(value, place) {
  if (!NumberIsInteger(value) || value < 0 || value > LARGEST_DESCRIPTOR)
    throw typeError('file descriptor must be a positive integer');
  if (place === 0 && (value === 1 || value === 2)) throw typeError('stdout and stderr cannot be used for stdin');
  return value;
}

/** Validates all arguments. Returns { options, name, request, stdio, timeout, maxBuffer, killSignal }. */
function prepare(command, options, { isSync, defaults }) {
  if (!ArrayIsArray(command) && typeof command === 'object' && command !== null)
    [command, options] = intact([command.cmd, command]);
  const argv = commandOf(command);
  options ??= {};
  if (typeof options !== 'object') throw typeError('options must be an object');
  const { env: current } = runtimeParts.process.process;
  const env = options.env ?? current;
  if (typeof env !== 'object') throw typeError('env must be an object');
  const timeout = numberOf(options.timeout, 'timeout');
  const maxBuffer = numberOf(options.maxBuffer, 'maxBuffer');
  const killSignal = signalNumber(options.killSignal ?? 'SIGTERM');
  for (let index = 0, list = ['onExit', 'onDisconnect']; index < list.length; index++) {
    const name = list[index];
    functionOf(options[name], name);
  }
  if (options.signal !== undefined && options.signal !== null) {
    if (!isClass(options.signal, 'AbortSignal')) {
      throw typeError(
        `The "signal" argument must be of type AbortSignal. Received type ${typeof options.signal} (${String(options.signal)})`,
      );
    }
    if (options.signal.aborted) throw new (require('internal/errors/errors').AbortError)();
  }
  if (options.terminal !== undefined && options.terminal !== null) {
    throw new (require('internal/errors/errors').codes.ERR_NOT_IMPLEMENTED)('RT.spawn', 'terminal');
  }
  const { 0: name } = argv;
  const cwd = options.cwd === undefined || options.cwd === null ? '' : `${options.cwd}`;
  const file = StringIncludes(name, '/')
    ? name
    : (native.process_which(name, env.PATH ?? current.PATH ?? '', host.cwd()) ?? undefined);
  if (file === undefined || name === '') {
    const error = ObjectAssign(new Error(`Executable not found in $PATH: "${name}"`), { code: 'ENOENT' });
    if (name !== '') error.path = name;
    error.errno = -2;
    throw error;
  }
  if (options.argv0 !== undefined && options.argv0 !== null) argv[0] = `${options.argv0}`;
  const stdio = new Stdio(options, { isSync, defaults });
  const request = require('node/child_process/launch').requestOf({
    file,
    argv,
    cwd,
    stdio: stdio.words,
    detached: Boolean(options.detached),
    uid: options.uid ?? -1,
    gid: options.gid ?? -1,
    env: ArrayMap(
      ArrayFilter(ObjectKeys(env), (key) => env[key] !== undefined),
      (key) => `${key}=${env[key]}`,
    ),
  });
  return { options, name, request, stdio, timeout, maxBuffer, killSignal };
}

/** Returns the error for a child that could not be started. */
function startError(errno, name) {
  const { getSystemErrorName, getSystemErrorMessage } = require('internal/errors/errno');
  const code = getSystemErrorName(errno);
  return ObjectAssign(new Error(`${code}: ${getSystemErrorMessage(errno)}, posix_spawn '${name}'`), {
    code,
    path: name,
    syscall: 'posix_spawn',
    errno,
  });
}

module.exports = { OUTPUT_PIPE, prepare, startError, signalNumber, typeError, withCode, isClass, isReadableStream };
