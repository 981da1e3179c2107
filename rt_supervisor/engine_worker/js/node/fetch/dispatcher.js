'use strict';
// Owns: fetch through a dispatcher of the undici package: the one given with a request, or the package's global dispatcher (a
// MockAgent, an Agent with options). A dispatched request has the interface of `Connection` in node/fetch/connection.

const {
  ArrayIsArray,
  ArrayPush,
  ObjectGetOwnPropertySymbols,
  ObjectKeys,
  ObjectValues,
  StringToLowerCase,
  SymbolFor,
  intact,
} = require('internal/primordials');
const { AnyToString } = require('internal/any_kind');
const { bytesOf } = require('internal/bytes');

const GLOBALS = [SymbolFor('undici.globalDispatcher.2'), SymbolFor('undici.globalDispatcher.1')];
// The dispatcher sends these itself.
const NOT_GIVEN = { '__proto__': null, 'host': true, 'connection': true, 'transfer-encoding': true };

/** The dispatcher for a request; undefined if fetch uses its own connections. */
function dispatcherFor({ dispatcher, unix, proxy, tls, protocol }) {
  if (dispatcher !== undefined && dispatcher !== null) return dispatcher;
  if (unix !== undefined || proxy !== undefined || tls !== undefined || protocol !== undefined) return undefined;
  for (let index = 0; index < GLOBALS.length; index++) {
    const dispatcher = globalThis[GLOBALS[index]];
    if (dispatcher !== undefined && dispatcher !== null) return isUsual(dispatcher) ? undefined : dispatcher;
  }
  return undefined;
}

/**
 * Returns whether it is an Agent without options, which the package installs when loaded: it adds nothing to what fetch
 * does.
 */
function isUsual(dispatcher) {
  if (dispatcher.constructor?.name !== 'Agent') return false;
  for (const symbol of intact(ObjectGetOwnPropertySymbols(dispatcher))) {
    if (symbol.description !== 'options') continue;
    for (const value of intact(ObjectValues(dispatcher[symbol] ?? {})))
      if (value !== undefined && value !== null && value !== Infinity && value !== 0) return false;
    return true;
  }
  return false;
}

class Dispatched {
  #dispatcher;
  #url;
  #controller; // the dispatcher's: abort(), pause(), resume()
  #aborted; // { reason } while there is no controller
  #isPaused = false;
  #isOver = false;

  constructor(dispatcher, url) {
    this.#dispatcher = dispatcher;
    this.#url = url;
  }

  /** `stream` is the body of a task with `isStream`. */
  send(task, head, body, stream) {
    const { method, path } = task;
    const headers = {};
    for (const { 0: name, 1: value } of intact(task.pairs)) {
      if (NOT_GIVEN[StringToLowerCase(name)] === true) continue;
      const before = headers[name];
      if (before === undefined) headers[name] = value;
      else headers[name] = ArrayIsArray(before) ? [...intact(before), value] : [before, value];
    }
    const options = {
      path,
      origin: this.#url.origin,
      method,
      body: task.isStream ? chunksOf(stream) : body,
      headers,
      maxRedirections: 0,
      upgrade: undefined,
    };
    try {
      this.#dispatcher.dispatch(options, this.#handler(task));
    } catch (error) {
      this.#handleError(task, error);
    }
  }

  /** The handler for a dispatcher: with the methods of undici 7 and later, and those of earlier versions. */
  #handler(task) {
    const start = (controller) => {
      this.#controller = controller;
      if (this.#aborted !== undefined) controller.abort(this.#aborted.reason);
    };
    const take = (bytes) => {
      if (task.onBody(bytes) === false) this.pause();
    };
    const end = () => {
      if (this.#isOver) return;
      this.#isOver = true;
      task.onEnd();
    };
    return {
      onRequestStart: start,
      onResponseStarted() {},
      onResponseStart(controller, status, headers, reason) {
        if (status >= 200) task.onHead(status, reason ?? '', flat(headers));
      },
      onResponseData: (controller, bytes) => take(bytes),
      onResponseEnd: end,
      onResponseError: (controller, error) => this.#handleError(task, error),
      onRequestUpgrade: () => {},
      onConnect: (abort) => start({ abort }),
      onHeaders: (status, rawHeaders, resume, reason) => {
        this.#controller.resume = resume;
        if (status >= 200) task.onHead(status, reason ?? '', texts(rawHeaders));
        return !this.#isPaused;
      },
      onData: (bytes) => {
        take(bytes);
        return !this.#isPaused;
      },
      onComplete: end,
      onError: (error) => this.#handleError(task, error),
      onUpgrade() {},
      onBodySent() {},
      onRequestSent() {},
    };
  }

  #handleError(task, error) {
    if (this.#isOver) return;
    this.#isOver = true;
    task.onError(error, false);
  }

  pause() {
    this.#isPaused = true;
    this.#controller?.pause?.();
  }
  resume() {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    this.#controller?.resume?.();
  }
  destroy() {
    if (this.#isOver) return;
    this.#isOver = true;
    const reason = new (require('internal/dom_exception').DOMException)('This operation was aborted', 'AbortError');
    if (this.#controller === undefined) this.#aborted = { reason };
    else this.#controller.abort(reason);
  }
}

async function* chunksOf(stream) {
  const reader = stream.getReader();
  let isOver = false;
  try {
    while (!isOver) {
      const { done, value } = await reader.read();
      isOver = done;
      if (done) break;
      const bytes = typeof value === 'string' ? host.native.encodeUtf8(value) : bytesOf(value);
      if (bytes === undefined) throw new TypeError('Received non-Uint8Array chunk');
      yield bytes;
    }
  } finally {
    if (!isOver) await reader.cancel();
  }
}

/** Flattens a headers object to alternating names and values. */
function flat(headers) {
  const raw = [];
  for (const name of intact(ObjectKeys(headers ?? {}))) {
    const value = headers[name];
    for (const each of intact(ArrayIsArray(value) ? value : [value])) {
      ArrayPush(raw, name);
      ArrayPush(raw, `${each}`);
    }
  }
  return raw;
}

const texts = (raw) => {
  const list = [];
  for (const each of intact(raw ?? [])) ArrayPush(list, typeof each === 'string' ? each : AnyToString(each, 'latin1'));
  return list;
};

module.exports = { Dispatched, dispatcherFor };
