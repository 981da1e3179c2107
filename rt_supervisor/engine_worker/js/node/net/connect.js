// @ts-check
'use strict';
// Owns: how a socket connects: name lookup, then one address after the other (each with a time limit if there are several); a
// path is a single address. The first connection that succeeds becomes the socket's.

const native = host.native;
const { isUint8Array } = require('internal/brands');
const startValues = require('internal/start_values');
const runtimeParts = require('internal/parts');
const { ArrayFilter, ArrayIsArray, ArrayPush, MathMax, ObjectAssign, ObjectGetPrototypeOf } = require('internal/primordials');
const context = require('internal/async/context');
const { PipeHandle } = require('internal/pipe_handle');
const { attachHandle } = require('node/net/active_handle');
const { nextTick, setTimeout: startTimer, clearTimeout: stopTimer } = require('internal/timers');
const { codes, exceptionWithHostPort } = require('internal/errors/errors');
const { validateBoolean, validateFunction, validateInt32 } = require('internal/validators');
const { forgetPlace, keepPlace } = require('internal/errors/places');
const { isIP } = require('node/net/address');
const { checkTarget, normalizeArgs } = require('node/net/arguments');

const ETIMEDOUT = -110;
const ADDRCONFIG = 32; // only address families that this machine has
const LEAST_ATTEMPT_MS = 10;
const kResource = Symbol('resource'); // the node:async_hooks resource of a TLS socket
const USUAL_ATTEMPT_MS = 500;
/** Defaults set by the program. @type {{ autoSelectFamily?: boolean, attemptTimeoutMs?: number }} */
const settings = {};
const autoSelects = () => settings.autoSelectFamily ?? startValues.autoSelectFamily ?? true;
const attemptTimeout = () => settings.attemptTimeoutMs ?? startValues.attemptTimeoutMs ?? USUAL_ATTEMPT_MS;

function connect(socket, args) {
  const { 0: options, 1: callback } = ArrayIsArray(args[0]) ? args[0] : normalizeArgs(args);
  if (socket.write !== ObjectGetPrototypeOf(socket).write) delete socket.write; // it had ended before
  if (options.onread !== undefined && options.onread !== null) validateOnread(options.onread);
  checkTarget(options);
  if (socket.destroyed) {
    socket._undestroy();
    socket._handle = null;
  }
  runtimeParts.publish?.('net.client.socket', { socket });
  const { autoSelectFamilyAttemptTimeout: limit } = options;
  if (limit !== undefined && limit !== null) validateInt32(limit, 'options.autoSelectFamilyAttemptTimeout', 1);
  if (callback !== null) socket.once('connect', callback);
  socket.touch();
  socket.connecting = true;
  socket.autoSelectFamilyAttemptedAddresses = undefined;
  if (options.noDelay) socket.setNoDelay(true);
  if (options.keepAlive) socket.setKeepAlive(true, MathMax(0, options.keepAliveInitialDelay || 0));
  // As in Node the handle exists from the start; it has no descriptor yet.
  if (socket._handle === null)
    attachHandle(socket, socket.encrypted === true ? socket.ssl : new PipeHandle(-1), Boolean(options.path));
  keepPlace(socket);
  new Attempt(socket, options).start();
  return socket;
}

function validateOnread({ buffer, callback }) {
  if (typeof buffer !== 'function' && !isUint8Array(buffer))
    throw new codes.ERR_INVALID_ARG_TYPE('options.onread.buffer', ['Buffer', 'Uint8Array', 'Function'], buffer);
  validateFunction(callback, 'options.onread.callback');
}

class Attempt {
  #socket;
  #options;
  #descriptor = -1;
  #timer;
  #errors = [];
  #isOver = false;
  #resource; // the handle's, for node:async_hooks

  constructor(socket, options) {
    this.#socket = socket;
    this.#options = options;
    if (context.isUsed) this.#resource = context.initResource({}, options.path ? 'PIPEWRAP' : 'TCPWRAP');
    const stopConnecting = () => this.#stop();
    socket.stopConnecting = stopConnecting;
  }

  #stop() {
    this.#isOver = true;
    stopTimer(this.#timer);
    if (this.#descriptor >= 0) native.net_giveUp(this.#descriptor);
    this.#descriptor = -1;
    if (this.#resource !== undefined) context.endResource(this.#resource);
  }

  start() {
    if (this.#resource === undefined) this.#start();
    else context.withTrigger(this.#socket[kResource] ?? this.#resource, () => this.#start());
  }

  #start() {
    const { path, host: name = 'localhost', family = 0, hints = 0, lookup } = this.#options;
    if (path) {
      this.#try([{ address: path, family: 'pipe' }], 0);
      return;
    }
    const kind = isIP(name ?? 'localhost');
    if (kind) {
      // In a tick, so that listeners can be added first.
      nextTick(() => {
        if (this.#socket.connecting) this.#try([{ address: name, family: kind }], 0);
      });
      return;
    }
    if (lookup !== undefined) validateFunction(lookup, 'options.lookup');
    if (this.#options.autoSelectFamily !== undefined) validateBoolean(this.#options.autoSelectFamily, 'options.autoSelectFamily');
    const all = (this.#options.autoSelectFamily ?? autoSelects()) && family !== 4 && family !== 6 && !this.#options.localAddress;
    this.#socket._host = name;
    (lookup ?? require('node/dns/dns').lookup)(
      name ?? 'localhost',
      {
        family: this.#options.family,
        hints: hints === 0 && family !== 4 && family !== 6 ? ADDRCONFIG : hints,
        ...(all ? { all } : {}),
      },
      (error, address, found) => this.#onLookup(name, error, address, found),
    );
  }

  #onLookup(name, error, address, family) {
    const socket = this.#socket;
    const list = ArrayIsArray(address) ? address : [{ address, family }];
    for (let index = 0, all = error ? [{ address: undefined, family: undefined }] : list; index < all.length; index++) {
      const one = all[index];
      socket.emit('lookup', error, one.address, one.family, name);
    }
    if (!socket.connecting || this.#isOver) return;
    if (error) {
      nextTick(() => socket.destroy(error));
      return;
    }
    const usable = [];
    for (let index = 0; index < list.length; index++) {
      const one = list[index];
      if (!isIP(one.address)) {
        nextTick(() => socket.destroy(new codes.ERR_INVALID_IP_ADDRESS(one.address)));
        return;
      }
      if (one.family !== 4 && one.family !== 6) {
        nextTick(() => socket.destroy(new codes.ERR_INVALID_ADDRESS_FAMILY(one.family, this.#options.host, this.#options.port)));
        return;
      }
      ArrayPush(usable, one);
    }
    this.#try(alternating(usable), 0);
  }

  /** Tries address `index` and those after it. */
  #try(list, index) {
    const socket = this.#socket;
    const { address, family } = list[index];
    const { port = 0, blockList } = this.#options;
    if (family !== 'pipe' && blockList?.check(address, `ipv${family}`)) {
      const error = ObjectAssign(new Error(`IP(${address}) is blocked by net.BlockList`), { code: 'ERR_IP_BLOCKED' });
      nextTick(() => this.#handleFailure(list, index, error));
      return;
    }
    if (family !== 'pipe') {
      if (list.length > 1) ArrayPush((socket.autoSelectFamilyAttemptedAddresses ??= []), `${address}:${port}`);
      socket.emit('connectionAttempt', address, Number(port), family);
    }
    if (this.#isOver) return;
    const timed = family === 'pipe' ? undefined : runtimeParts.timing?.begin('net', 'connect', { host: address, port });
    let isSettled = false;
    let isTimedOut = false;
    let done = (outcome) => {
      if (isSettled || this.#isOver) return;
      isSettled = true;
      stopTimer(this.#timer);
      if (outcome === 0) {
        timed?.();
        if (this.#descriptor >= 0) this.#handleSuccess();
        else this.#handleOpen();
      } else this.#handleFailure(list, index, this.#error(outcome, list[index]), isTimedOut);
    };
    if (this.#resource !== undefined) {
      const request = context.initResource({}, family === 'pipe' ? 'PIPECONNECTWRAP' : 'TCPCONNECTWRAP', this.#resource);
      done = context.bindTo(request, done, true);
    }
    if (require('node/net/custom_handle').connectThrough(socket._handle, this.#options, family, address, done)) return;
    const descriptor =
      family === 'pipe'
        ? native.net_connectUnix(address, done)
        : native.net_connect(
            address,
            Number(port),
            { family, localAddress: this.#options.localAddress ?? '', localPort: Number(this.#options.localPort ?? 0) },
            done,
          );
    if (descriptor < 0) {
      nextTick(done, descriptor);
      return;
    }
    this.#descriptor = descriptor;
    if (index < list.length - 1) {
      const limit = MathMax(LEAST_ATTEMPT_MS, this.#options.autoSelectFamilyAttemptTimeout ?? attemptTimeout());
      this.#timer = startTimer(() => {
        isTimedOut = true;
        socket.emit('connectionAttemptTimeout', address, Number(port), family);
        done(ETIMEDOUT);
      }, limit);
    }
  }

  #error(outcome, { address, family }) {
    if (family === 'pipe') return exceptionWithHostPort(outcome, 'connect', address, undefined, undefined);
    const { localAddress = family === 6 ? '::' : '0.0.0.0', localPort, port } = this.#options;
    const details = localAddress && localPort ? `${localAddress}:${localPort}` : undefined;
    const error = exceptionWithHostPort(outcome, 'connect', address, Number(port), details);
    return details === undefined ? error : ObjectAssign(error, { localAddress, localPort });
  }

  #handleFailure(list, index, error, isTimedOut = false) {
    const socket = this.#socket;
    if (this.#descriptor >= 0) native.net_giveUp(this.#descriptor);
    this.#descriptor = -1;
    const { address, family } = list[index];
    ArrayPush(this.#errors, error);
    if (list.length > 1 && !isTimedOut)
      socket.emit('connectionAttemptFailed', address, Number(this.#options.port), family, error);
    if (this.#isOver) return;
    if (index < list.length - 1) {
      this.#try(list, index + 1);
      return;
    }
    this.#isOver = true;
    if (this.#resource !== undefined) context.endResource(this.#resource);
    socket.destroy(this.#errors.length === 1 ? error : aggregate(this.#errors));
  }

  #handleSuccess() {
    const socket = this.#socket;
    const { _handle: early } = socket;
    const handle = early instanceof PipeHandle && early.isClosed ? early : new PipeHandle(-1);
    handle.open(this.#descriptor, this.#resource);
    this.#descriptor = -1;
    socket.connecting = false;
    socket.attach(handle);
    this.#handleOpen();
  }
  #handleOpen() {
    const socket = this.#socket;
    this.#isOver = true;
    socket.stopConnecting = undefined;
    socket.connecting = false;
    if (socket.encrypted !== true) forgetPlace(socket); // else the handshake follows
    socket.touch();
    socket.emit('connect');
    socket.emit('ready');
    if (socket.readable && !socket.isPaused() && !socket.destroyed) socket.read(0);
  }
}

/** Alternates the address families, starting with the first. */
function alternating(list) {
  const first = ArrayFilter(list, ({ family }) => family === list[0].family);
  const second = ArrayFilter(list, ({ family }) => family !== list[0].family);
  const result = [];
  for (let index = 0; index < MathMax(first.length, second.length); index++) {
    if (index < first.length) ArrayPush(result, first[index]);
    if (index < second.length) ArrayPush(result, second[index]);
  }
  return result;
}

function aggregate(errors) {
  const error = new AggregateError(errors);
  error.code = errors[0].code;
  return error;
}

function setAttemptTimeout(value) {
  validateInt32(value, 'value', 1);
  settings.attemptTimeoutMs = MathMax(LEAST_ATTEMPT_MS, value);
}

module.exports = {
  connect,
  kResource,
  autoSelects,
  attemptTimeout,
  setAutoSelect(value) {
    validateBoolean(value, 'value');
    settings.autoSelectFamily = value;
  },
  setAttemptTimeout,
};
