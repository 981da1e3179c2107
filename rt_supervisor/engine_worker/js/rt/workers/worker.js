'use strict';
// Owns: the Worker class of the Web: a script in a separate engine that communicates through events. node/worker_threads/launch
// manages its thread.

const runtimeParts = require('internal/parts');
const { ArrayConcat, ArrayMap, ObjectAssign, ObjectDefineProperty, StringStartsWith, intact } = require('internal/primordials');
const { EventTarget, Event, defineEventHandler } = require('web/event_target');
const { MessageEvent, ErrorEvent } = require('web/messaging/events');
const { Launch } = require('node/worker_threads/launch');

/** Returns the file, data: or blob: URL of a script; relative names are resolved from the current folder. */
function entryOf(url) {
  const text = `${url?.href ?? url}`;
  if (StringStartsWith(text, 'data:')) return { entry: text, code: null };
  if (StringStartsWith(text, 'blob:')) {
    const { codeOf } = require('rt/workers/blob_source');
    return { entry: '', code: codeOf(text) };
  }
  const { fileURLToPath } = require('node/url/url');
  const { resolve } = require('node/path/path');
  return { entry: StringStartsWith(text, 'file:') ? fileURLToPath(text) : resolve(text), code: null };
}

class Worker extends EventTarget {
  #launch;

  constructor(url, options = undefined) {
    if (arguments.length === 0) throw new TypeError('Not enough arguments');
    super();
    const { entry, code } = entryOf(url);
    const settings = options ?? {};
    const preload = settings.preload === undefined ? [] : ArrayConcat([], settings.preload);
    const name = settings.name === undefined ? '' : `${settings.name}`;
    const redirects = { stdout: false, stderr: false, stdin: false };
    const request = {
      entry,
      code,
      argv: ArrayMap([...intact(settings.argv ?? [])], (each) => `${each}`),
      execArgv: settings.execArgv ?? runtimeParts.process.process.execArgv,
      env: { ...(typeof settings.env === 'object' && settings.env !== null ? settings.env : runtimeParts.process.process.env) },
      preloads: ArrayMap(preload, (each) => `${each}`),
      heapLimitMb: null,
      settings: { kind: 'web', name, limits: {}, redirects },
    };
    this.#launch = new Launch(
      request,
      [{ workerData: settings.workerData ?? null, environmentData: [] }, settings.transferList ?? []],
      {
        onOnline: () => this.dispatchEvent(new Event('open')),
        onError: (error) =>
          this.dispatchEvent(new ErrorEvent('error', { message: `${error?.message ?? error}`, error, cancelable: true })),
        onOutput() {},
        onExit: (status) => this.dispatchEvent(ObjectAssign(new Event('close'), { code: status })),
      },
    );
    this.#launch.port.addEventListener('message', ({ data, ports }) =>
      this.dispatchEvent(new MessageEvent('message', { data, ports })),
    );
    this.#launch.port.unref();
    if (settings.ref === false) this.#launch.unref();
  }

  get threadId() {
    return this.#launch.id;
  }

  postMessage(message, transferOrOptions = undefined) {
    if (arguments.length === 0) throw new TypeError('Not enough arguments');
    if (!this.#launch.hasEnded) this.#launch.port.postMessage(message, transferOrOptions);
  }

  terminate() {
    this.#launch.terminate();
  }
  ref() {
    if (!this.#launch.hasEnded) this.#launch.ref();
  }
  unref() {
    if (!this.#launch.hasEnded) this.#launch.unref();
  }
}
for (const type of intact(['message', 'messageerror', 'error'])) defineEventHandler(Worker.prototype, type);
ObjectDefineProperty(Worker.prototype, Symbol.toStringTag, { __proto__: null, configurable: true, value: 'Worker' });

module.exports = { Worker };
