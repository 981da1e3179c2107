'use strict';
// Owns: fetch: from a request to its response, including redirects; a failure or an abort rejects the promise or errors the
// body, whichever is pending.

const { AnyCatch, AnyThen } = require('internal/any_kind');
const { PromiseReject } = require('internal/promises');
const { ObjectDefineProperty, PromiseThen, SetHas, StringIndexOf, StringSlice, SymbolFor } = require('internal/primordials');
const { Request, partsOf } = require('web/fetch/request');
const { make, REDIRECTS } = require('web/fetch/response');
const { Headers, valueOf } = require('web/fetch/headers');
const { Body, isBlobLike } = require('web/fetch/body');
const { URL } = require('web/url/class');
const { occasionalPlace, rejecter } = require('internal/errors/places');
const { idleConnection, placeOf } = require('node/fetch/connection');
const { open } = require('node/fetch/opening');
const { Feed } = require('node/fetch/feed');
const { Task } = require('node/fetch/task');
const { preconnect } = require('node/fetch/preconnect');
const { fetchError, lengthMismatch, terminatedError } = require('node/fetch/errors');
const { headOf } = require('node/fetch/request_head');
const verbose = require('node/http/verbose');

const MOST_REDIRECTS = 20;
const MOST_RETRIES = 5; // of a request that the server has not processed: it may refuse it each time

function fetch(input, init = undefined) {
  const place = occasionalPlace(); // first: V8 reads a frame faster while few values are alive in it
  let request;
  try {
    request = new Request(input, init);
  } catch (error) {
    return PromiseReject(error);
  }
  return new Promise((resolve) => {
    new Fetching(request, resolve, place).start();
  });
}

/** Whether the undici package may have installed a dispatcher. */
const mayBeDispatched = ({ dispatcher }) =>
  dispatcher !== undefined || globalThis[DISPATCHER_2] !== undefined || globalThis[DISPATCHER_1] !== undefined;
const NOTHING = { __proto__: null };
const DISPATCHER_1 = SymbolFor('undici.globalDispatcher.1');
const DISPATCHER_2 = SymbolFor('undici.globalDispatcher.2');

function withoutFragment({ href }) {
  const end = StringIndexOf(href, '#');
  return end === -1 ? href : StringSlice(href, 0, end);
}

class Fetching {
  #hops = 0;
  #url;
  #method;
  #headers;
  #cancel; // cancels the current step
  #connection;
  #feed;
  #messages; // diagnostics channel messages of the current request
  #isOver = false; // the promise is settled
  #stopListening;
  #place;

  constructor(request, resolve, place) {
    const { method, url, headers, implied, body, options, extra, signal } = partsOf(request);
    this.request = request;
    this.resolve = resolve;
    this.#place = place;
    this.requestBody = body;
    this.options = options;
    this.extra = extra ?? NOTHING;
    this.signal = signal;
    this.#url = url ?? new URL(request.url);
    this.#method = method;
    this.#headers = headers === undefined && implied === null ? new Headers() : new Headers(request.headers);
  }

  start() {
    const { signal } = this;
    if (signal?.aborted) {
      this.#give(signal.reason);
      return;
    }
    if (signal !== undefined) {
      const listening = require('web/abort').addAbortListener(signal, () => this.#abort(signal.reason));
      const stopListening = () => listening[Symbol.dispose]();
      this.#stopListening = stopListening;
    }
    this.#begin();
  }

  #abort(reason) {
    this.#messages?.failed(reason);
    this.#cancel?.();
    this.#connection?.destroy();
    this.#feed?.abort(reason);
    this.#give(reason);
  }

  /** After the end of the response, an abort affects only a body that has not been read. */
  #awaitReader() {
    this.#stopListening?.();
    this.#stopListening = undefined;
    if (this.signal !== undefined) this.#feed?.followSignal(this.signal);
  }

  /** Rejects, once. */
  #give(error) {
    this.#stopListening?.();
    if (this.#isOver) return;
    this.#isOver = true;
    this.requestBody.stream?.locked === false && AnyCatch(this.requestBody.stream.cancel(error), () => {});
    rejecter(this.resolve, this.#place)(error);
  }

  #settle(response) {
    this.#isOver = true;
    this.resolve(response);
  }

  #begin() {
    const { protocol } = this.#url;
    try {
      switch (protocol) {
        case 'http:':
        case 'https:':
          this.#ask();
          return;
        case 'data:':
        case 'blob:':
        case 'file:': {
          const response = require('node/fetch/schemes')[StringSlice(protocol, 0, -1)](this.#url, this.#method, this.#headers);
          this.#stopListening?.();
          this.#settle(response);
          return;
        }
        case 'about:':
          throw new Error('about scheme is not supported');
        default:
          throw new Error('unknown scheme');
      }
    } catch (error) {
      this.#give(fetchError(error));
    }
  }

  // --- request

  #ask() {
    const url = this.#url;
    if (url.username || url.password) {
      if (!this.#headers.has('authorization'))
        this.#headers.set('authorization', require('node/http/proxy').authorization(url.username, url.password));
    }
    const { unix, tls, protocol } = this.extra;
    const dispatcher = mayBeDispatched(this.extra) ? require('node/fetch/dispatcher').dispatcherFor(this.extra) : undefined;
    let { proxy } = this.extra;
    let proxyHeaders;
    if (typeof proxy === 'object' && proxy !== null && !(proxy instanceof URL)) ({ url: proxy, headers: proxyHeaders } = proxy);
    if (unix === undefined && dispatcher === undefined) proxy ??= require('node/http/proxy').proxyFor(url);
    if (proxy === '' || proxy === null) proxy = undefined;
    if (proxy !== undefined) proxy = `${proxy}`;
    const isAlone = this.extra.keepalive === false;
    const target = { url, unix, proxy, proxyHeaders, tls, protocol, dispatcher, isAlone };
    const body = this.requestBody;
    const task = new Task(this, {
      method: this.#method,
      target,
      isStream: body.stream !== undefined || body.feed !== undefined,
      place: this.#place,
    });
    if (isBlobLike(body.source)) this.#readBlob(body.source, (bytes) => this.#dispatch(task, bytes));
    else this.#dispatch(task, task.isStream ? null : body.source);
  }

  #readBlob(blob, then) {
    AnyThen(
      blob.arrayBuffer(),
      (buffer) => {
        if (!this.#isOver) then(new Uint8Array(buffer));
      },
      (error) => this.#give(fetchError(error)),
    );
  }

  #dispatch(task, body) {
    const { target } = task;
    try {
      const { cache } = this.options;
      task.body = body;
      task.head = headOf(task, { url: this.#url, method: this.#method, headers: this.#headers, cache, target, body });
    } catch (error) {
      this.#give(fetchError(error));
      return;
    }
    this.#messages = task.messages;
    if (verbose.isOn())
      verbose.request({
        method: this.#method,
        url: this.#url.href,
        headers: task.pairs,
        body: task.isStream ? {} : body,
        unix: target.unix,
      });
    if (target.dispatcher !== undefined) {
      const { Dispatched } = require('node/fetch/dispatcher');
      this.#connection = new Dispatched(target.dispatcher, this.#url);
      this.#connection.send(task, task.head, body, task.isStream ? this.requestBody.asStream() : undefined);
      return;
    }
    task.key = placeOf(target);
    const idle = task.isAlone ? undefined : idleConnection(task.key);
    if (idle !== undefined) this.#send(task, idle);
    else this.#open(task);
  }

  #send(task, connection) {
    this.#connection = connection;
    this.#cancel = undefined;
    connection.send(task, task.head, task.body);
    if (task.isStream) this.#pump(connection, task);
  }

  #open(task) {
    this.#cancel = open(task.target, (error, connection) => {
      if (this.#isOver) connection?.destroy();
      else if (error) {
        task.messages?.failed(error);
        this.#give(fetchError(error));
      } else this.#send(task, connection);
    });
  }

  /** Sends a body that is a stream. */
  async #pump(connection, task) {
    const reader = this.requestBody.asStream().getReader();
    const isPlain = task.length !== undefined;
    let remaining = task.length ?? Infinity;
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) break;
        const bytes = typeof value === 'string' ? host.native.encodeUtf8(value) : require('internal/bytes').bytesOf(value);
        if (bytes === undefined) throw new TypeError('Received non-Uint8Array chunk');
        remaining -= bytes.length;
        if (remaining < 0) throw lengthMismatch(); // the server would take further bytes for the next request
        task.messages?.chunkSent(bytes);
        const isMore = isPlain ? connection.socket.write(bytes) : connection.writeChunk(bytes);
        if (!isMore) await connection.whenDrained();
        if (connection.socket.destroyed) throw new Error('the connection is closed');
      }
      if (isPlain && remaining > 0) throw lengthMismatch();
      connection.endBody(isPlain);
      task.messages?.bodySent();
    } catch (error) {
      AnyCatch(reader.cancel(error), () => {});
      if (this.#connection === connection && !this.#isOver) {
        connection.destroy();
        this.#give(error instanceof TypeError ? error : fetchError(error));
      }
    }
  }

  // --- response

  retry(task) {
    this.#open(task);
  }

  handleEnd(task) {
    if (task.next !== undefined) {
      task.next();
      return;
    }
    task.sink?.end();
    this.#awaitReader();
  }

  handleError(task, error, mayRetry) {
    if (mayRetry && !this.#isOver && ++task.retries <= MOST_RETRIES) this.retry(task);
    else if (!this.#isOver) this.#give(fetchError(error));
    else {
      this.#stopListening?.();
      task.sink?.fail(terminatedError(error));
    }
  }

  /** The program has cancelled the body. */
  stop() {
    this.#stopListening?.();
  }

  handleHead(task, status, reason, rawHeaders) {
    if (SetHas(REDIRECTS, status) && this.options.redirect !== 'manual') {
      if (this.options.redirect === 'error') {
        this.#drop(new Error('unexpected redirect'));
        return;
      }
      const location = valueOf(rawHeaders, 'location');
      if (location !== undefined) {
        this.#redirect(task, status, location);
        return;
      }
    }
    task.connection = this.#connection;
    const feed = new Feed(task);
    this.#feed = feed;
    task.sink = feed;
    const hasBody = this.#method !== 'HEAD' && status !== 204 && status !== 205 && status !== 304;
    const coding = hasBody && this.extra.decompress !== false ? valueOf(rawHeaders, 'content-encoding') : undefined;
    if (coding !== undefined) {
      const { codingsOf, decode } = require('node/fetch/decoding');
      try {
        const codings = codingsOf(coding);
        if (codings.length > 0) task.sink = decode(codings, feed);
      } catch (error) {
        this.#drop(error);
        return;
      }
    }
    const body = new Body();
    if (hasBody) body.feed = feed;
    const response = {
      status,
      reason,
      rawHeaders,
      body,
      url: withoutFragment(this.#url),
      isRedirected: this.#hops > 0,
      type: 'basic',
    };
    const { integrity } = this.options;
    if (integrity === '') this.#settle(make(response));
    else this.#settleChecked(response, feed, integrity);
  }

  /** Resolves with the response once its whole body has arrived and matches the requested hash. */
  #settleChecked(response, feed, integrity) {
    const { fits, wantedOf } = require('node/fetch/integrity');
    const hashes = wantedOf(integrity);
    if (hashes.length === 0) {
      this.#settle(make(response));
      return;
    }
    const settle = (bytes) => {
      if (!fits(bytes, hashes)) return this.#give(fetchError(new Error('integrity mismatch')));
      if (response.body.feed !== undefined) response.body.source = bytes;
      response.body.feed = undefined;
      return this.#settle(make(response));
    };
    PromiseThen(feed.bytes(), settle, (error) => this.#give(error));
  }

  #redirect(task, status, location) {
    const { becomesGet, forgetBody, forgetPrivate, nextPlace } = require('node/fetch/redirects');
    let next;
    try {
      next = nextPlace(this.#url, location);
    } catch (error) {
      this.#drop(error);
      return;
    }
    if (++this.#hops > (this.extra.maxRedirects ?? MOST_REDIRECTS)) {
      this.#drop(new Error('redirect count exceeded'), 'TooManyRedirects');
      return;
    }
    if (becomesGet(status, this.#method)) {
      this.#method = 'GET';
      this.requestBody = new Body();
      forgetBody(this.#headers);
    } else if (task.isStream) {
      this.#drop(new Error('Response body object should not be disturbed or locked'));
      return;
    }
    forgetPrivate(this.#headers, this.#url, next);
    if (next.origin !== this.#url.origin) this.extra = { ...this.extra, unix: undefined }; // it is specific to the first origin
    this.#url = next;
    // The rest of this response is discarded; then the connection may serve the next request.
    const continueRedirect = () => {
      this.#connection = undefined;
      if (!this.#isOver) this.#begin();
    };
    task.next = continueRedirect;
  }

  #drop(cause, code = undefined) {
    this.#connection.destroy();
    this.#give(fetchError(cause, code));
  }
}

ObjectDefineProperty(fetch, 'preconnect', {
  __proto__: null,
  value: preconnect,
  writable: true,
  enumerable: true,
  configurable: true,
});

module.exports = { fetch, preconnect };
