'use strict';
// Owns: one request of a connection and its response: routing, the handler's result, and failures.

const runtimeParts = require('internal/parts');
const { AnyThen } = require('internal/any_kind');
const {
  FunctionCall,
  ObjectAssign,
  ObjectDefineProperty,
  RegExpExec,
  RegExpTest,
  StringCharCodeAt,
  StringIndexOf,
  StringSlice,
  StringToLowerCase,
} = require('internal/primordials');
const { make, originOf } = require('web/fetch/request');
const { Response, partsOf } = require('web/fetch/response');
const { Body } = require('web/fetch/body');
const { Feed } = require('node/fetch/feed');
const { respond, respondPlain } = require('rt/serve/answer');
const { urlOf } = require('rt/serve/targets');

const HAS_BODY = 4;
const NOTHING = new Body(); // the body of requests without one

const OVER_HTTP2 = 200; // the version of an HTTP/2 stream, which no HTTP/1 head can specify

/** Takes the rest of a body that nothing reads. */
const discard = () => true;

const cookiesOf = (request) => new (require('rt/cookies/cookie_map').CookieMap)(request.headers.get('cookie') ?? '');
const defineCookies = (request, get) =>
  ObjectDefineProperty(request, 'cookies', { __proto__: null, get, enumerable: true, configurable: true });

class Exchange {
  isAnswered = false;
  isBodyRead = true;
  isUpgraded = false;
  isAborted = false;
  cookies = undefined; // once the handler has accessed them
  params = undefined; // of a route
  received = 0; // bytes of the body
  observer = undefined; // while a debugger shows requests
  #controller;
  #feed;

  constructor(connection, method, target, version, rawHeaders, flags) {
    this.connection = connection;
    this.method = method;
    this.target = target;
    this.version = version;
    this.rawHeaders = rawHeaders;
    this.keepsAlive = (flags & 1) !== 0;
    this.request = undefined;
    if (flags & HAS_BODY) {
      this.isBodyRead = false;
      this.#feed = new Feed({
        pause: () => connection.pause(),
        resume: () => connection.resume(),
        cancel: () => {},
        announced: () => Number(this.header('content-length')),
        targetFor: (length) => connection.targetFor(this, length),
      });
    }
  }

  // --- called by its Request

  url() {
    return urlOf(this.connection.server, this.method, this.target, this.header('host'));
  }
  signal() {
    this.#controller ??= new (require('web/abort').AbortController)();
    if (this.isAborted) this.#controller.abort();
    return this.#controller.signal;
  }

  header(name) {
    const { rawHeaders } = this;
    for (let i = 0; i < rawHeaders.length; i += 2) {
      if (rawHeaders[i].length === name.length && StringToLowerCase(rawHeaders[i]) === name) return rawHeaders[i + 1];
    }
    return undefined;
  }

  // --- the body

  take(bytes) {
    this.received += bytes.length;
    this.observer?.received(bytes);
    if (this.received > this.connection.server.maxBodySize) {
      this.tooLarge();
      return true;
    }
    return this.#feed.push(bytes);
  }
  /** As many bytes have been read into the memory that `targetFor` returned. */
  filled(count) {
    this.received += count;
    this.#feed.filled(count);
    this.observer?.received(this.#feed.lastFilled(count));
  }
  tooLarge() {
    this.#feed?.fail(ObjectAssign(new Error('Request body exceeded maxRequestBodySize'), { code: 'ERR_HTTP_BODY_TOO_LARGE' }));
    if (!this.isAnswered) {
      this.keepsAlive = false;
      respondPlain(this, 413);
    }
    this.connection.finish();
  }
  /** The response is complete: drops the rest of the body and fails its reader, which must not mistake a part for the whole. */
  dropBody() {
    this.take = discard;
    this.#feed?.fail(closedError('ERR_STREAM_PREMATURE_CLOSE'));
  }
  bodyEnded() {
    this.isBodyRead = true;
    this.#feed?.end();
  }

  /** Called when the client has disconnected; `isComplete` means that the whole response has been written. */
  abort(isComplete = false) {
    this.#feed?.fail(closedError('ECONNRESET'));
    if (isComplete) return;
    this.observer?.aborted();
    this.isAborted = true;
    this.#controller?.abort();
    if (this.onGone === undefined) return;
    const { DOMException } = require('internal/dom_exception');
    this.onGone(new DOMException('The connection was closed.', 'AbortError'));
  }

  // --- handling

  run() {
    const { server } = this.connection;
    if (runtimeParts.observeServed !== undefined) this.observer = runtimeParts.observeServed(this);
    const { limit } = server;
    if (this.#feed !== undefined) {
      const length = Number(this.header('content-length') ?? 0);
      if (length > server.maxBodySize) {
        this.tooLarge();
        return;
      }
      if (this.version === 11 && RegExpTest(/100-continue/i, this.header('expect') ?? ''))
        this.connection.write(0, 'HTTP/1.1 100 Continue\r\n\r\n');
    }
    if (limit !== undefined) return;
    let body = NOTHING;
    if (this.#feed !== undefined) {
      body = new Body();
      body.feed = this.#feed;
    }
    const request = (this.request = make(this.method, this, this.rawHeaders, body));
    let result;
    try {
      const { routes } = server;
      if (routes === undefined) {
        result = server.handler === undefined ? undefined : FunctionCall(server.handler, server.object, request, server.object);
      } else {
        const query = StringIndexOf(this.target, '?');
        const path = pathOf(query === -1 ? this.target : StringSlice(this.target, 0, query));
        const route = routes.find(path, this.method);
        if (route === undefined || route.handler === false) {
          if (server.handler === undefined) {
            respondPlain(this, 404);
            return;
          }
          result = FunctionCall(server.handler, server.object, request, server.object);
        } else if (typeof route.handler === 'function') {
          request.params = this.params = route.params;
          this.#addCookies(request);
          result = FunctionCall(route.handler, server.object, request, server.object);
        } else {
          respond(this, route.handler, { isShared: true });
          return;
        }
      }
    } catch (error) {
      this.fail(error);
      return;
    }
    this.#await(result);
  }
  #await(result) {
    if (result instanceof Response) this.give(result);
    else if (typeof result?.then === 'function')
      AnyThen(
        result,
        (value) => this.give(value),
        (error) => this.fail(error),
      );
    else this.give(result);
  }

  /** Called if a route's file does not exist: calls the handler for requests without a route. Returns false if there is none. */
  fallBack() {
    const { server } = this.connection;
    if (server.handler === undefined) return false;
    this.isAnswered = false;
    let result;
    try {
      result = FunctionCall(server.handler, server.object, this.request, server.object);
    } catch (error) {
      this.fail(error);
      return true;
    }
    this.#await(result);
    return true;
  }

  /** Adds `cookies` to a route's request; changes to them are sent with the response. */
  #addCookies(request) {
    const get = () => {
      this.cookies ??= cookiesOf(request);
      return this.cookies;
    };
    defineCookies(request, get);
  }

  /** A clone of a route's request has `params`, and its own `cookies`, which are not sent. */
  dress(clone) {
    if (this.params === undefined) return;
    clone.params = this.params;
    let cookies;
    defineCookies(clone, () => (cookies ??= cookiesOf(clone)));
  }

  /** Sends what a handler returned. */
  give(value) {
    if (this.isUpgraded || this.isAnswered || this.connection.isGone) {
      if (this.connection.isGone && value instanceof Response)
        partsOf(value)
          .body.stream?.cancel?.()
          .catch(() => {});
      return;
    }
    if (value instanceof Response) {
      const { body, status } = partsOf(value);
      if (body.isDisturbed || body.isLocked)
        this.fail(ObjectAssign(new TypeError('Body already used'), { code: 'ERR_BODY_ALREADY_USED' }));
      else if (status === 0) this.fail(new TypeError('Response.error() cannot be sent'));
      else {
        try {
          respond(this, value);
        } catch (error) {
          this.fail(error);
        }
      }
      return;
    }
    this.fail(new TypeError(`Expected a Response object, but received '${describeValue(value)}'`));
  }

  /** Called when a handler threw or rejected. */
  fail(error, isSecond = false) {
    if (this.isAnswered || this.connection.isGone) {
      if (!this.isAnswered) return;
      host.writeErr(require('internal/errors/report').thrownText(error, { colors: host.stderrHasColors() }));
      this.connection.destroy();
      return;
    }
    const { server } = this.connection;
    if (server.onError !== undefined && !isSecond) {
      let answer;
      try {
        answer = FunctionCall(server.onError, server.object, error);
      } catch (another) {
        this.fail(another, true);
        return;
      }
      const take = (value) => {
        if (value instanceof Response) this.give(value);
        else this.fail(error, true);
      };
      if (typeof answer?.then === 'function') AnyThen(answer, take, (another) => this.fail(another, true));
      else take(answer);
      return;
    }
    host.writeErr(require('internal/errors/report').thrownText(error, { colors: host.stderrHasColors() }));
    if (server.isDevelopment) {
      respond(
        this,
        new Response(require('rt/serve/error_page').page(error), {
          status: 500,
          headers: { 'Content-Type': 'text/html;charset=utf-8' },
        }),
      );
    } else {
      respondPlain(this, 500, 'Something went wrong!');
    }
  }
}

const closedError = (code) => ObjectAssign(new Error('The connection was closed.'), { name: 'AbortError', code });
const describeValue = (value) =>
  typeof value === 'object' && value !== null ? require('internal/inspect/inspect').inspect(value) : String(value);

/** Returns the path for routing; of an absolute target only the path. */
function pathOf(target) {
  if (StringCharCodeAt(target, 0) === 47) return target;
  return RegExpExec(/^https?:\/\/[^/?#]*(\/[^?#]*)?/i, target)?.[1] ?? '/';
}

module.exports = { OVER_HTTP2, Exchange, originOf };
