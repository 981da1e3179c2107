'use strict';
// Owns: fetch: a request becomes a response, over as many redirects as are allowed; what goes wrong, or is aborted, at any
// moment is one rejected promise or one failed body.

const { AnyCatch, AnyGet, AnyThen } = require('internal/any_kind');
const { PromiseReject } = require('internal/promises');
const startValues = require('internal/start_values');
const { ArrayIsArray, ArrayPush, MapHas, ObjectDefineProperty, RegExpReplace, RegExpTest } = require('internal/primordials');
const { SetHas, StringSlice, StringToLowerCase, intact } = require('internal/primordials');
const { Request, partsOf } = require('web/fetch/request');
const { make, REDIRECTS } = require('web/fetch/response');
const { Headers, listOf, valueOf } = require('web/fetch/headers');
const { Body, isBlobLike, toBytes } = require('web/fetch/body');
const { URL } = require('web/url/class');
const { idleConnection, placeOf } = require('node/fetch/connection');
const { open } = require('node/fetch/opening');
const { Feed } = require('node/fetch/feed');
const { preconnect } = require('node/fetch/preconnect');
const verbose = require('node/http/verbose');

const MOST_REDIRECTS = 20;
const USUAL = 'gzip, deflate, br, zstd';

/** The one error that a failed fetch gives; what happened is its cause, and its code is there as well. */
const failed = (cause) => coded(new TypeError('fetch failed', { cause }), cause);
function coded(error, cause) {
  if (cause?.code !== undefined)
    ObjectDefineProperty(error, 'code', {
      __proto__: null,
      value: cause.code,
      writable: true,
      enumerable: false,
      configurable: true,
    });
  return error;
}

function fetch(input, init = undefined) {
  let request;
  try {
    request = new Request(input, init);
  } catch (error) {
    return PromiseReject(error);
  }
  return new Promise((resolve, reject) => {
    new Fetching(request, resolve, reject).start();
  });
}

class Fetching {
  #hops = 0;
  #url;
  #method;
  #headers;
  #cancel; // gives up what is under way
  #connection;
  #feed;
  #isOver = false; // the promise is settled
  #stopListening;

  constructor(request, resolve, reject) {
    const { body, options, extra, signal } = partsOf(request);
    this.request = request;
    this.resolve = resolve;
    this.reject = reject;
    this.requestBody = body;
    this.options = options;
    this.extra = extra ?? {};
    this.signal = signal;
    this.#url = new URL(request.url);
    this.#method = request.method;
    this.#headers = new Headers(request.headers);
  }

  start() {
    const { signal } = this;
    if (signal?.aborted) {
      this.#give(signal.reason);
      return;
    }
    if (signal !== undefined) {
      const listening = require('web/abort').addAbortListener(signal, () => this.#abort(signal.reason));
      this.#stopListening = () => listening[Symbol.dispose]();
    }
    this.#begin();
  }

  #abort(reason) {
    this.#cancel?.();
    this.#connection?.destroy();
    this.#feed?.fail(reason);
    this.#give(reason);
  }

  /** Reject, once. */
  #give(error) {
    this.#stopListening?.();
    if (this.#isOver) return;
    this.#isOver = true;
    this.requestBody.stream?.locked === false && AnyCatch(this.requestBody.stream.cancel(error), () => {});
    this.reject(error);
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
          const response = require('node/fetch/schemes')[StringSlice(protocol, 0, -1)](this.#url, this.#method);
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
      this.#give(failed(error));
    }
  }

  // --- asking

  #ask() {
    const url = this.#url;
    if (url.username || url.password) {
      if (!this.#headers.has('authorization'))
        this.#headers.set('authorization', require('node/http/proxy').authorization(url.username, url.password));
    }
    const { unix, tls, protocol } = this.extra;
    let { proxy } = this.extra;
    let proxyHeaders;
    if (typeof proxy === 'object' && proxy !== null && !(proxy instanceof URL)) ({ url: proxy, headers: proxyHeaders } = proxy);
    if (unix === undefined) proxy ??= require('node/http/proxy').proxyFor(url);
    if (proxy === '' || proxy === null) proxy = undefined;
    const target = { url, unix, proxy: proxy === undefined ? undefined : `${proxy}`, proxyHeaders, tls, protocol };
    const task = this.#task(target);
    const body = this.requestBody;
    if (isBlobLike(body.source)) {
      this.#readBlob(body.source, (bytes) => this.#dispatch(target, task, bytes));
    } else {
      this.#dispatch(target, task, body.stream === undefined && body.feed === undefined ? body.source : null);
    }
  }

  #readBlob(blob, then) {
    AnyThen(
      blob.arrayBuffer(),
      (buffer) => {
        if (!this.#isOver) then(new Uint8Array(buffer));
      },
      (error) => this.#give(failed(error)),
    );
  }

  #dispatch(target, task, body) {
    const kept = idleConnection(placeOf(target));
    const head = this.#head(target, task, body);
    if (verbose.isOn())
      verbose.request({
        method: this.#method,
        url: this.#url.href,
        headers: task.pairs,
        body: task.isStream ? {} : body,
        unix: target.unix,
      });
    const begin = (connection) => {
      this.#connection = connection;
      this.#cancel = undefined;
      task.retry = () => this.#open(target, task, begin);
      connection.send(task, head, body);
      if (task.isStream) this.#pump(connection, task);
    };
    if (kept !== undefined) begin(kept);
    else this.#open(target, task, begin);
  }

  #open(target, task, begin) {
    this.#cancel = open(target, (error, connection) => {
      if (this.#isOver) connection?.destroy();
      else if (error) this.#give(failed(error));
      else begin(connection);
    });
  }

  #head(target, task, body) {
    const url = this.#url;
    const pairs = [];
    const given = listOf(this.#headers);
    const add = (name, value) => {
      if (!MapHas(given, StringToLowerCase(name))) ArrayPush(pairs, [name, value]);
    };
    add('Host', url.host);
    add('Connection', 'keep-alive');
    for (const {
      0: lower,
      1: { name, value },
    } of intact(given)) {
      if (lower === 'content-length' || lower === 'transfer-encoding') continue;
      for (let index = 0, list = ArrayIsArray(value) ? value : [value]; index < list.length; index++) {
        const each = list[index];
        ArrayPush(pairs, [name, each]);
      }
    }
    add('User-Agent', startValues.userAgent);
    add('Accept', '*/*');
    add('Accept-Encoding', USUAL);
    if (task.isStream) {
      const length = AnyGet(given, 'content-length')?.value;
      if (length === undefined) ArrayPush(pairs, ['Transfer-Encoding', 'chunked']);
      else {
        ArrayPush(pairs, ['Content-Length', length]);
        task.isPlain = true;
      }
    } else if (body !== null) {
      ArrayPush(pairs, ['Content-Length', `${typeof body === 'string' ? toBytes(body).length : body.byteLength}`]);
    } else if (RegExpTest(/^(?:POST|PUT|PATCH)$/, this.#method)) {
      ArrayPush(pairs, ['Content-Length', '0']);
    }
    if (target.proxy !== undefined && url.protocol === 'http:') {
      const { headersFor } = require('node/http/proxy');
      for (const pair of intact(headersFor(target.proxy, target.proxyHeaders))) ArrayPush(pairs, pair);
    }
    task.pairs = pairs;
    const path = (task.path = `${url.pathname}${url.search}`);
    const asked = target.proxy !== undefined && url.protocol === 'http:' ? `${url.origin}${path}` : path;
    let head = `${this.#method} ${asked} HTTP/1.1\r\n`;
    for (let index = 0; index < pairs.length; index++) {
      const { 0: name, 1: value } = pairs[index];
      head += `${name}: ${value}\r\n`;
    }
    return `${head}\r\n`;
  }

  /** Send a stream. */
  async #pump(connection, task) {
    const reader = this.requestBody.asStream().getReader();
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) break;
        const bytes = typeof value === 'string' ? host.native.encodeUtf8(value) : require('internal/bytes').bytesOf(value);
        if (bytes === undefined) throw new TypeError('Received non-Uint8Array chunk');
        const isMore = task.isPlain ? connection.socket.write(bytes) : connection.writeChunk(bytes);
        if (!isMore) await connection.whenDrained();
        if (connection.socket.destroyed) throw new Error('the connection is closed');
      }
      connection.endBody(task.isPlain);
    } catch (error) {
      AnyCatch(reader.cancel(error), () => {});
      if (this.#connection === connection && !this.#isOver) {
        connection.destroy();
        this.#give(error instanceof TypeError ? error : failed(error));
      }
    }
  }

  // --- the answer

  #task() {
    const { requestBody } = this;
    const task = {
      method: this.#method,
      isStream: requestBody.stream !== undefined || requestBody.feed !== undefined,
      isPlain: false,
      sink: undefined,
      onHead: (status, reason, rawHeaders) => {
        if (verbose.isOn()) verbose.response(status, reason, rawHeaders);
        this.#answered(task, status, reason, rawHeaders);
      },
      onBody: (bytes) => task.sink?.push(bytes),
      onEnd: () => {
        this.#stopListening?.();
        task.sink?.end();
        task.next?.();
      },
      onError: (error, mayRetry) => {
        if (mayRetry && !this.#isOver) task.retry();
        else if (!this.#isOver) this.#give(failed(error));
        else {
          this.#stopListening?.();
          task.sink?.fail(coded(new TypeError('terminated', { cause: error }), error));
        }
      },
    };
    return task;
  }

  #answered(task, status, reason, rawHeaders) {
    if (SetHas(REDIRECTS, status) && this.options.redirect !== 'manual') {
      const location = valueOf(rawHeaders, 'location');
      if (location !== undefined) {
        this.#redirect(task, status, location);
        return;
      }
    }
    const connection = this.#connection;
    const feed = new Feed({
      pause: () => connection.pause(),
      resume: () => connection.resume(),
      cancel: () => {
        this.#stopListening?.();
        connection.destroy();
      },
    });
    this.#feed = feed;
    task.sink = feed;
    const hasBody = this.#method !== 'HEAD' && status !== 204 && status !== 304;
    const { codingsOf, decode } = require('node/fetch/decoding');
    const codings = hasBody && this.extra.decompress !== false ? codingsOf(valueOf(rawHeaders, 'content-encoding')) : [];
    if (codings.length > 0) task.sink = decode(codings, feed);
    const body = new Body();
    if (hasBody) body.feed = feed;
    const response = make({
      status,
      reason,
      rawHeaders,
      body,
      url: RegExpReplace(/#.*$/s, this.#url.href, ''),
      isRedirected: this.#hops > 0,
      type: 'basic',
    });
    this.#settle(response);
  }

  #redirect(task, status, location) {
    if (this.options.redirect === 'error') {
      this.#drop(new Error('unexpected redirect'));
      return;
    }
    let next;
    try {
      next = new URL(location, this.#url);
    } catch (error) {
      this.#drop(error);
      return;
    }
    if (!RegExpTest(/^https?:$/, next.protocol)) {
      this.#drop(new Error('URL scheme must be a HTTP(S) scheme'));
      return;
    }
    if (++this.#hops > MOST_REDIRECTS) {
      this.#drop(new Error('redirect count exceeded'));
      return;
    }
    const isNewQuestion =
      ((status === 301 || status === 302) && this.#method === 'POST') ||
      (status === 303 && this.#method !== 'GET' && this.#method !== 'HEAD');
    if (isNewQuestion) {
      this.#method = 'GET';
      this.requestBody = new Body();
      for (const name of intact(['content-encoding', 'content-language', 'content-location', 'content-type', 'content-length']))
        this.#headers.delete(name);
    } else if (task.isStream) {
      this.#drop(new Error('Response body object should not be disturbed or locked'));
      return;
    }
    // What is meant for one place is not told to another.
    if (next.origin !== this.#url.origin) {
      for (const name of intact(['authorization', 'proxy-authorization', 'cookie', 'host'])) this.#headers.delete(name);
    } else if (!next.username && !next.password && (this.#url.username || this.#url.password)) {
      next.username = this.#url.username;
      next.password = this.#url.password;
    }
    if (next.hash === '' && this.#url.hash !== '') next.hash = this.#url.hash;
    this.#url = next;
    // The rest of this answer goes by; then the connection may serve the next question.
    task.next = () => {
      if (!this.#isOver) this.#begin();
    };
  }

  #drop(cause) {
    this.#connection.destroy();
    this.#give(failed(cause));
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
