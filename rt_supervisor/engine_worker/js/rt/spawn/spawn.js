// @ts-check
'use strict';
// Owns: RT.spawn: a child process, its streams, and its exit as promises. rt/spawn/options.js handles the arguments,
// node/child_process/launch.js the start.

const { isUint8Array } = require('internal/brands');
const { intactAsync } = require('internal/async_iteration');
const {
  ArrayPop,
  ArraySlice,
  ArraySort,
  FunctionCall,
  NumberIsNaN,
  ObjectDefineProperty,
  ObjectGetOwnPropertyNames,
  intact,
} = require('internal/primordials');
const { PromiseWithResolvers } = require('internal/promises');
const { prepare, startError, signalNumber, withCode, isReadableStream } = require('rt/spawn/options');
const { ChildHandle, signalName } = require('node/child_process/launch');
const { PipeHandle } = require('internal/pipe_handle');
const { ChildReader } = require('rt/spawn/child_reader');
const timers = require('internal/timers');
const { consoleForm } = require('internal/inspect/rt_forms');

const native = host.native;

const SIGNAL_BASE = 128;
const STANDARD = 3;

class Subprocess {
  #handle = new ChildHandle();
  #stdin;
  #readers = [];
  #stdio = [];
  #exitCode = null;
  #signalCode = null;
  #usage;
  #exited = PromiseWithResolvers();
  #prepared;
  #channel;
  #timer;

  constructor(prepared) {
    this.#prepared = prepared;
    const { request, stdio, name, options } = prepared;
    if (options.ipc) require('rt/spawn/ipc').addChannel(request, options);
    let failure;
    try {
      failure = this.#handle.start(request, (code, signal, usage) => this.#onExit(code, signal, usage));
    } finally {
      stdio.close();
    }
    if (failure !== 0) throw startError(failure, name);
    const { ends } = this.#handle;
    if (ends[0] !== null) this.#feed(new PipeHandle(ends[0]), stdio.input);
    for (let index = 0, list = [1, 2]; index < list.length; index++) {
      const place = list[index];
      if (ends[place] !== null) this.#readers[place] = new ChildReader(ends[place], prepared.maxBuffer, () => this.#stop());
    }
    if (options.ipc) this.#channel = require('rt/spawn/ipc').openChannel(this, ArrayPop(ends), options);
    this.#stdio = [null, null, null, ...intact(ArraySlice(ends, STANDARD))];
    if (prepared.timeout > 0) this.#timer = timers.setTimeout(() => this.#stop(), prepared.timeout);
    options.signal?.addEventListener('abort', this.#onAbort, { once: true });
  }

  #onAbort = () => this.#stop();
  #stop() {
    this.#handle.kill(this.#prepared.killSignal);
  }

  #feed(handle, input) {
    const { FileSink } = require('rt/spawn/stdin_sink');
    const sink = new FileSink(handle);
    if (input === undefined) this.#stdin = sink;
    else if (isUint8Array(input)) {
      sink.write(input);
      sink.end();
    } else {
      if (isReadableStream(input)) this.#stdin = input;
      pump(input, sink);
    }
  }

  #onExit(code, signal, usage) {
    const { options } = this.#prepared;
    this.#exitCode = code;
    this.#signalCode = signalName(signal);
    this.#usage = usage;
    if (this.#timer !== undefined) timers.clearTimeout(this.#timer);
    options.signal?.removeEventListener('abort', this.#onAbort);
    this.#channel?.handleExit();
    this.#stdin?.handleExit?.();
    for (let index = 0, list = this.#readers; index < list.length; index++) {
      const reader = list[index];
      reader?.handleExit();
    }
    this.#exited.resolve(code ?? SIGNAL_BASE + signal);
    // Called after the reactions of promises that await `exited`.
    if (options.onExit)
      native.enqueueMicrotask(() =>
        host.nextTick(() => FunctionCall(options.onExit, this, this, code, this.#signalCode, undefined)),
      );
  }

  get pid() {
    return this.#handle.pid;
  }
  get stdin() {
    return this.#stdin;
  }
  get stdout() {
    return this.#readers[1]?.stream;
  }
  get stderr() {
    return this.#readers[2]?.stream;
  }
  get writable() {
    return this.#stdin;
  }
  get readable() {
    return this.stdout;
  }
  get stdio() {
    return this.#stdio;
  }
  get terminal() {
    return undefined;
  }
  get exited() {
    return this.#exited.promise;
  }
  get exitCode() {
    return this.#exitCode;
  }
  get signalCode() {
    return this.#signalCode;
  }
  get killed() {
    return !this.#handle.isRunning;
  }
  get connected() {
    return this.#channel?.isOpen ?? false;
  }

  kill(signal = 'SIGTERM') {
    // As in Bun, null, '' and NaN select SIGTERM.
    const number = signalNumber(signal === null || signal === '' || NumberIsNaN(signal) ? 'SIGTERM' : signal);
    try {
      this.#handle.kill(number);
    } catch (error) {
      if (error.code !== 'ESRCH') throw error;
    }
  }
  ref() {
    this.#reference('ref');
  }
  unref() {
    this.#reference('unref');
  }
  #reference(verb) {
    this.#handle[verb]();
    for (const reader of intact(this.#readers)) reader?.[verb]();
    this.#channel?.[verb]();
  }
  resourceUsage() {
    const { ResourceUsage } = require('rt/spawn/usage');
    return this.#usage === undefined ? undefined : new ResourceUsage(this.#usage);
  }
  send(message) {
    if (this.#channel === undefined || !this.#channel.isOpen) {
      const why = this.#handle.isRunning
        ? 'can only be used if an IPC channel is open'
        : 'cannot be used after the process has exited';
      throw withCode(new Error(`Subprocess.send() ${why}.`), 'ERR_IPC_CHANNEL_CLOSED');
    }
    return this.#channel.send(message);
  }
  disconnect() {
    this.#channel?.close();
  }
  [consoleForm](printer) {
    const fields = {};
    for (const name of intact(ArraySort(ObjectGetOwnPropertyNames(Subprocess.prototype))))
      if (name !== 'constructor') fields[name] = this[name];
    return printer.object(fields, 'Subprocess');
  }
  async [Symbol.asyncDispose]() {
    if (this.#handle.isRunning) this.kill();
    await this.exited;
  }
}
ObjectDefineProperty(Subprocess.prototype, Symbol.toStringTag, { __proto__: null, value: 'Subprocess', configurable: true });

/** Writes a body or stream to a child. The child's exit ends this silently; a failure of the source ends the child's input. */
async function pump(input, sink) {
  try {
    const stream = isReadableStream(input) ? input : typeof input.stream === 'function' ? input.stream() : input.body;
    if (stream !== null) for await (const chunk of intactAsync(stream)) await sink.write(chunk);
    await sink.end();
  } catch (error) {
    sink.close();
    if (error?.code !== 'EPIPE') throw error;
  }
}

const spawn = (command, options) =>
  new Subprocess(prepare(command, options, { isSync: false, defaults: ['ignore', 'pipe', 'inherit'] }));

module.exports = { spawn };
