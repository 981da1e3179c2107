'use strict';
// Owns: inspector.Session: the program as a front end of its own engine's inspector. Responses are delivered before `post`
// returns if V8 gives them synchronously.

const { JSONParse, JSONStringify, MapClear, MapDelete, MapGet, MapSet, MapValues, intact } = require('internal/primordials');
const runtimeParts = require('internal/parts');
const startValues = require('internal/start_values');
const EventEmitter = require('node/events/events');
const { codes } = require('internal/errors/errors');
const { validateFunction, validateObject, validateString } = require('internal/validators');

const { native } = host;

/** Passed to the constructor for the library's own sessions, which need no permission. */
const kOwn = Symbol('own');

class Session extends EventEmitter {
  #connection = null;
  #nextId = 1;
  #callbacks = new Map();

  #isOwn;

  constructor(owner = undefined) {
    super();
    this.#isOwn = owner === kOwn;
  }

  connect() {
    this.#open(native.inspector_connect);
  }

  #open(connect) {
    if (!this.#isOwn) runtimeParts.permission?.check('inspector', 'Connect');
    if (this.#connection !== null) throw new codes.ERR_INSPECTOR_ALREADY_CONNECTED('The inspector session');
    // V8 can neither store what a session leaves in the heap nor iterate over a heap that is to be stored.
    if (startValues.storesHeap) throw new codes.ERR_NOT_SUPPORTED_IN_SNAPSHOT('Connecting an inspector session');
    this.#connection = connect((message) => this.#onMessage(message));
  }

  connectToMainThread() {
    if (runtimeParts.worker === undefined) throw new codes.ERR_INSPECTOR_NOT_WORKER();
    this.#open(native.inspector_connectToMain);
  }

  #onMessage(message) {
    const parsed = JSONParse(message);
    try {
      if (parsed.id !== undefined) {
        const callback = MapGet(this.#callbacks, parsed.id);
        MapDelete(this.#callbacks, parsed.id);
        if (callback === undefined) return;
        if (parsed.error) {
          const { code, message: text } = parsed.error;
          callback(new codes.ERR_INSPECTOR_COMMAND(code, text));
        } else callback(null, parsed.result);
        return;
      }
      this.emit(parsed.method, parsed);
      this.emit('inspectorNotification', parsed);
    } catch (error) {
      runtimeParts.process.process.emitWarning(error);
    }
  }

  post(method, params, callback) {
    validateString(method, 'method');
    if (!callback && typeof params === 'function') {
      callback = params;
      params = null;
    }
    if (params) validateObject(params, 'params');
    if (callback) validateFunction(callback, 'callback');
    if (this.#connection === null) throw new codes.ERR_INSPECTOR_NOT_CONNECTED();
    const id = this.#nextId++;
    const message = { id, method };
    if (params) message.params = params;
    if (callback) MapSet(this.#callbacks, id, callback);
    native.inspector_dispatch(this.#connection, JSONStringify(message));
  }

  disconnect() {
    if (this.#connection === null) return;
    native.inspector_disconnect(this.#connection);
    this.#connection = null;
    const waiting = [...intact(MapValues(this.#callbacks))];
    MapClear(this.#callbacks);
    for (const callback of intact(waiting)) runtimeParts.process.process.nextTick(callback, new codes.ERR_INSPECTOR_CLOSED());
    this.#nextId = 1;
  }
}

module.exports = { Session, kOwn };
