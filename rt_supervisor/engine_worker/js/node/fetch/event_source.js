'use strict';
// Owns: EventSource: an event stream over fetch; after a disconnect it reconnects with a delay, sending the last event ID.

const { intactAsync } = require('internal/async_iteration');
const { ObjectDefineProperty, ObjectEntries, RegExpTest, StringFromCharCode, intact } = require('internal/primordials');
const { EventTarget, Event, defineEventHandler, makeEnumerable } = require('web/event_target');
const { MessageEvent, ErrorEvent } = require('web/messaging/events');
const { fetch } = require('node/fetch/fetch');
const { EventParser } = require('node/fetch/event_stream');
const { URL } = require('web/url/class');
const { setTimeout: startTimer, clearTimeout: stopTimer } = require('internal/timers');

const { 0: CONNECTING, 1: OPEN, 2: CLOSED } = [0, 1, 2];
const USUAL_RETRY_MS = 3000;

class EventSource extends EventTarget {
  #url;
  #state = CONNECTING;
  #withCredentials;
  #headers;
  #lastId = '';
  #retryMs = USUAL_RETRY_MS;
  #controller;
  #timer;

  constructor(url, init = undefined) {
    super();
    if (arguments.length === 0) throw new TypeError('EventSource constructor: 1 argument required, but 0 found.');
    try {
      this.#url = new URL(`${url}`).href;
    } catch {
      throw new (require('internal/dom_exception').DOMException)(`Invalid URL: ${url}`, 'SyntaxError');
    }
    this.#withCredentials = Boolean(init?.withCredentials);
    this.#headers = init?.headers;
    this.#connect();
  }

  get url() {
    return this.#url;
  }
  get readyState() {
    return this.#state;
  }
  get withCredentials() {
    return this.#withCredentials;
  }

  async #connect() {
    this.#state = CONNECTING;
    this.#controller = new (require('web/abort').AbortController)();
    const headers = new (require('web/fetch/headers').Headers)(this.#headers ?? {});
    headers.set('accept', 'text/event-stream');
    headers.set('cache-control', 'no-cache');
    if (this.#lastId !== '') headers.set('last-event-id', StringFromCharCode(...intact(host.native.encodeUtf8(this.#lastId))));
    let response;
    try {
      response = await fetch(this.#url, { headers, signal: this.#controller.signal });
    } catch (error) {
      if (this.#state !== CLOSED) this.#again(error);
      return;
    }
    const type = response.headers.get('content-type') ?? '';
    if (response.status !== 200 || !RegExpTest(/^text\/event-stream\s*(?:;|$)/i, type)) {
      this.#controller.abort();
      this.#fail(new Error(response.status === 200 ? `Invalid content type: ${type}` : `Unexpected status: ${response.status}`));
      return;
    }
    if (this.#state === CLOSED) return;
    this.#state = OPEN;
    this.dispatchEvent(new Event('open'));
    await this.#read(response);
  }

  async #read(response) {
    const { TextDecoder } = require('web/encoding/text');
    const decoder = new TextDecoder();
    const { origin } = new URL(response.url || this.#url);
    const parser = new EventParser({
      id: this.#lastId,
      isOver: () => this.#state === CLOSED,
      onEvent: (type, data) => {
        this.#lastId = parser.id;
        this.dispatchEvent(new MessageEvent(type, { data, origin, lastEventId: parser.id }));
      },
      onRetry: (milliseconds) => {
        this.#retryMs = milliseconds;
      },
    });
    try {
      for await (const bytes of intactAsync(response.body)) {
        parser.push(decoder.decode(bytes, { stream: true }));
        this.#lastId = parser.id;
        if (this.#state === CLOSED) return;
      }
      if (this.#state !== CLOSED) this.#again();
    } catch (error) {
      if (this.#state !== CLOSED) this.#again(error);
    }
  }

  #again(error) {
    this.#state = CONNECTING;
    this.dispatchEvent(new ErrorEvent('error', { message: error?.message ?? '', error }));
    if (this.#state === CLOSED) return;
    this.#timer = startTimer(() => this.#connect(), this.#retryMs);
  }

  #fail(error) {
    this.#state = CLOSED;
    this.dispatchEvent(new ErrorEvent('error', { message: error.message, error }));
  }

  close() {
    this.#state = CLOSED;
    stopTimer(this.#timer);
    this.#controller?.abort();
  }
}

for (const type of intact(['open', 'error', 'message'])) defineEventHandler(EventSource.prototype, type);
makeEnumerable(EventSource, 'EventSource');
for (const { 0: name, 1: value } of intact(ObjectEntries({ CONNECTING, OPEN, CLOSED }))) {
  for (const target of intact([EventSource, EventSource.prototype]))
    ObjectDefineProperty(target, name, { __proto__: null, value, enumerable: true });
}

module.exports = { EventSource };
