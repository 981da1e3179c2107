// @ts-check
'use strict';
// Owns: a worker from its parent's side, below Node's and the Web's classes: its mailboxes, its events, its end. It calls
// `onOnline()`, `onMessage(data, ports)`, `onMessageError(error)`, `onError(error)`, `onOutput(name, bytes)` and
// `onExit(status)` of its listener.

const { JSONStringify, MapDelete, MapGet, MapSet, MapValues, intact } = require('internal/primordials');
const { PromiseReject } = require('internal/promises');
const startValues = require('internal/start_values');
const { native } = host;
const { acrossPort, openPair, takeFrom } = require('web/messaging/across');
const { unpackError } = require('node/worker_threads/errors');
const { codes } = require('internal/errors/errors');
const timers = require('internal/timers');
const { linkOf } = require('web/messaging/port');

let running = 0;

/** Releases a mailbox and its contents. */
function discard(box) {
  native.mailboxListen(box, undefined);
  native.mailboxClose(box);
  for (;;) {
    try {
      const packet = native.mailboxTake(box);
      if (packet === null) return;
      const toThread = packet?.[0]?.toThread;
      if (toThread !== undefined) require('node/worker_threads/to_thread').refuse(toThread);
    } catch {
      // an unreadable message is discarded, too
    }
  }
}

class Launch {
  #id;
  #listener;
  #isReferenced = false;
  #hasEnded = false;
  #isTerminated = false;
  #isOnline = false;
  #reports;
  #boxes;
  #input;
  #questions = new Map(); // id -> [resolve, reject]
  #nextQuestion = 1;

  /**
   * `request`: entry, code, argv, execArgv, env, preloads, heapLimitMb, settings (plain data); `start`: [message, transfer
   * list]
   * that the worker starts with.
   */
  constructor(request, { 0: message, 1: transfer }, listener) {
    this.#listener = listener;
    const [toWorker, fromWorker] = intact(openPair());
    const [begin, reports] = intact(openPair());
    this.#reports = reports;
    this.#boxes = [toWorker, fromWorker, begin, reports];
    this.#input = begin;
    this.port = acrossPort(fromWorker, toWorker);
    const { send } = require('web/messaging/across');
    send(begin, message, transfer, undefined);
    const { startedAt, timeOrigin } = startValues;
    const settings = {
      ...request.settings,
      startedAt,
      timeOrigin,
      boxes: { inbox: toWorker, outbox: fromWorker, begin, reports },
    };
    native.mailboxListen(reports, () => this.#pump());
    require('node/worker_threads/to_thread').settleMain();
    this.#id = native.workers_start(JSONStringify({ ...request, settings }), (status, reason) => this.#handleEnd(status, reason));
    running++;
    this.ref();
  }

  get id() {
    return this.#hasEnded ? -1 : this.#id;
  }
  /** The mailbox that the worker listens to while it runs; undefined once it has ended. */
  get begin() {
    return this.#hasEnded ? undefined : this.#input;
  }
  get hasEnded() {
    return this.#hasEnded;
  }

  #pump() {
    for (;;) {
      const packet = takeFrom(this.#reports);
      if (packet === undefined || packet === null) return;
      const { kind, value, name } = packet.data;
      if (kind === 'online') {
        this.#isOnline = !this.#isTerminated;
        if (this.#isOnline) this.#listener.onOnline();
      } else if (kind === 'error') this.#listener.onError(unpackError(value));
      else if (kind === 'output') this.#listener.onOutput(name, value);
      else if (kind === 'answer') this.#handleResponse(packet.data);
    }
  }

  /** Sends a request to the worker's thread; resolves with its response (node/worker_threads/requests.js). */
  ask(what, argument) {
    if (this.#hasEnded) return PromiseReject(new codes.ERR_WORKER_NOT_RUNNING());
    const id = this.#nextQuestion++;
    return new Promise((resolve, reject) => {
      MapSet(this.#questions, id, [resolve, reject]);
      native.mailboxPost(this.#input, { ask: { id, what, argument } });
    });
  }

  #handleResponse({ id, value, failure, code }) {
    const { 0: resolve, 1: reject } = MapGet(this.#questions, id);
    MapDelete(this.#questions, id);
    if (failure === undefined) resolve(value);
    else reject(code in codes ? new codes[code](failure) : new Error(failure));
  }

  /** Sends bytes to the worker's standard input; null ends it. */
  feed(bytes) {
    if (!this.#hasEnded) native.mailboxPost(this.#input, { input: bytes });
  }

  #handleEnd(status, reason) {
    this.#hasEnded = true;
    running--;
    this.#pump();
    for (const { 1: reject } of intact([...intact(MapValues(this.#questions))])) reject(new codes.ERR_WORKER_NOT_RUNNING());
    linkOf(this.port)?.pump();
    for (const box of intact(this.#boxes)) discard(box);
    if (reason === 'memory') this.#listener.onError(new codes.ERR_WORKER_OUT_OF_MEMORY('JS heap out of memory'));
    else if (reason !== '') this.#listener.onError(new codes.ERR_WORKER_INIT_FAILED(reason));
    // The worker's last messages are delivered before its end is reported.
    timers.setImmediate(() =>
      timers.setImmediate(() => {
        this.unref();
        this.#listener.onExit(this.#isTerminated && !this.#isOnline ? 0 : status);
      }),
    );
  }

  terminate() {
    if (this.#hasEnded) return;
    this.#isTerminated = true;
    native.workers_terminate(this.#id);
  }

  ref() {
    if (this.#isReferenced) return;
    this.#isReferenced = true;
    native.pipes_reference(1);
  }

  unref() {
    if (!this.#isReferenced) return;
    this.#isReferenced = false;
    native.pipes_reference(-1);
  }
}

module.exports = { Launch, runningWorkers: () => running };
