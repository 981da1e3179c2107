'use strict';
// Owns: one connection of fetch to a server: sends a request, receives the response, and keeps the connection for the next
// request (node/fetch/pool) if both sides allow it. Idle connections do not keep the program alive.
//
//     connecting --> busy --complete response, kept--> idle --> busy …; failure, "close" or four idle seconds --> gone

const runtimeParts = require('internal/parts');
const { AnyToString } = require('internal/any_kind');
const { PromiseResolve } = require('internal/promises');
const native = host.native;
const { JSONStringify, MathMin, RegExpExec, RegExpReplace, RegExpTest, intact } = require('internal/primordials');
const { HttpParser, KEEP_ALIVE } = require('internal/http_parser');
const { setTimeout: startTimer, clearTimeout: stopTimer } = require('internal/timers');
const { URL } = require('web/url/class');
const { valueOf } = require('web/fetch/headers');
const { headersFor } = require('node/http/proxy');
const pool = require('node/fetch/pool');
const { answerError, socketError, unsupportedProxy } = require('node/fetch/errors');
const net = require('node/net/net');
const builtins = require('node/module/builtins');

const IDLE_MS = 4000;
const HIGH_WATER_MARK = 256 * 1024;

const isIdempotent = (method) => RegExpTest(/^(?:GET|HEAD|OPTIONS|PUT|DELETE)$/, method);

/** How long a connection is kept: a second less than the server keeps it, so that no request is sent while it closes. */
function idleMsOf(hint) {
  const seconds = hint === undefined ? null : RegExpExec(/(?:^|[,\s])timeout="?(\d+)/i, hint);
  return seconds === null ? IDLE_MS : MathMin(IDLE_MS, Number(seconds[1]) * 1000 - 1000);
}

class Connection {
  #task; // the current request: { method, onHead, onBody, onEnd, onError, … }
  #isOver = false; // the response is complete
  #isSent = false; // the request is complete
  #shouldKeep = false;
  #hasAnswer = false;
  #refusal; // the error for a response that fetch rejects
  #timer; // runs while the connection is open; its end has no effect while a request is in progress
  #isIdle = false;
  #idleMs = IDLE_MS;
  #until = Infinity; // the time until which it may be reused
  #onDrain;
  isReused = false;

  constructor(place, socket) {
    this.place = place;
    this.socket = socket;
    this.parser = new HttpParser(true);
    pool.add(this);
    socket.on('data', (bytes) => this.#onData(bytes));
    if (socket instanceof net.Socket) socket.parseWith(this.parser, (items, bytes) => this.#onParsed(items, bytes));
    socket.on('end', () => this.#onEnd());
    socket.on('error', (error) => this.#fail(error));
    socket.on('close', () => {
      this.#fail(socketError());
      this.#handleDrain();
    });
    socket.on('drain', () => this.#handleDrain());
  }

  /** Sends a request: `head` is its text, `body` null, a string or bytes; a task with `isStream` writes its body itself. */
  send(task, head, body) {
    this.#task = task;
    this.#isOver = this.#isSent = this.#hasAnswer = false;
    this.#shouldKeep = !task.isAlone;
    this.socket.ref();
    this.parser.answers(task.method);
    if (body === null) this.socket.write(head, 'latin1');
    else if (typeof body === 'string' && RegExpTest(ASCII, body)) this.socket.write(head + body, 'latin1');
    else {
      this.socket.cork();
      this.socket.write(head, 'latin1');
      this.socket.write(typeof body === 'string' ? native.encodeUtf8(body) : body);
      this.socket.uncork();
    }
    if (!task.isStream) this.#isSent = true;
    task.messages?.sent(head, this.socket, body, task.isStream);
  }

  /** Writes a body chunk in chunked encoding; returns false if the caller should await `whenDrained`. */
  writeChunk(bytes) {
    if (bytes.length === 0) return true;
    this.socket.cork();
    this.socket.write(`${AnyToString(bytes.length, 16)}\r\n`, 'latin1');
    this.socket.write(bytes);
    const isMore = this.socket.write('\r\n', 'latin1');
    this.socket.uncork();
    return isMore;
  }
  /** A promise that settles when more may be written, or when the connection is closed. */
  whenDrained() {
    return this.socket.destroyed
      ? PromiseResolve()
      : new Promise((resolve) => {
          this.#onDrain = resolve;
        });
  }
  #handleDrain() {
    const onDrain = this.#onDrain;
    this.#onDrain = undefined;
    onDrain?.();
  }
  endBody(isPlain) {
    if (!isPlain) this.socket.write('0\r\n\r\n', 'latin1');
    this.#isSent = true;
    this.#settle();
  }

  pause() {
    this.socket.pause();
  }
  resume() {
    if (!this.socket.destroyed) this.socket.resume();
  }
  ref() {
    this.socket.ref();
  }

  destroy() {
    this.#task = undefined;
    this.socket.destroy();
  }

  // --- incoming data

  #onData(bytes) {
    if (this.#task === undefined) this.#refuseData();
    else this.#handle(this.parser.execute(bytes, this));
  }

  /** As `#onData`, for what the parser has read from the socket itself. */
  #onParsed(items, bytes) {
    if (this.#task === undefined) this.#refuseData();
    else this.#handle(this.parser.deliver(items, bytes, this));
  }

  #refuseData() {
    this.socket.destroy(); // unsolicited
  }

  /** Handles the result of the parser. */
  #handle(result) {
    if (this.#isOver) this.#complete(result !== undefined || this.#refusal !== undefined);
    else if (this.#refusal !== undefined) this.#fail(this.#refusal);
    else if (result !== undefined) this.#fail(answerError(result.error));
  }

  /** The response is complete, and all data received with it is parsed: only now may the next request use the connection. */
  #complete(isSpoilt) {
    const task = this.#task;
    if (isSpoilt) this.#shouldKeep = false;
    // Released before the program sees the end: its next request may use it.
    this.#settle();
    task?.onEnd();
  }

  head(status, reason, version, rawHeaders, flags) {
    const task = this.#task;
    if (this.#isOver) {
      this.#refusal = socketError(); // data after the response
      return;
    }
    this.#hasAnswer = true;
    if (status < 200) {
      this.isInterim = true;
      if (status === 101) this.#refusal = socketError('bad upgrade');
      return;
    }
    if (!(flags & KEEP_ALIVE)) this.#shouldKeep = false;
    if (this.#shouldKeep) this.#idleMs = idleMsOf(valueOf(rawHeaders, 'keep-alive'));
    task.onHead(status, reason, rawHeaders);
  }

  body(bytes) {
    if (this.#task !== undefined && !this.#isOver && this.#task.onBody(bytes) === false) this.pause();
  }

  end(rawTrailers) {
    if (this.isInterim) {
      this.isInterim = false;
      return;
    }
    if (this.#task !== undefined) this.#task.trailers = rawTrailers;
    this.#isOver = true;
  }

  /** After the response: keeps the connection; closes it if its request is incomplete or it must not be kept. */
  #settle() {
    if (!this.#isOver || this.#task === undefined) return;
    this.#task = undefined;
    if (!this.#isSent || !this.#shouldKeep || this.#idleMs <= 0 || this.socket.destroyed) {
      this.socket.destroySoon();
      return;
    }
    this.keep();
  }

  /** Makes it available to the next request. */
  keep() {
    this.isReused = true;
    this.resume();
    if (pool.release(this)) return;
    this.socket.unref();
    this.#isIdle = true;
    this.#until = native.now() + this.#idleMs;
    // One timer for all requests: a new one each time would remain in the heap of timers until it is due.
    if (this.#timer !== undefined && this.#timer._idleTimeout === this.#idleMs) this.#timer.refresh();
    else {
      stopTimer(this.#timer);
      this.#timer = startTimer(() => this.#timeIsUp(), this.#idleMs).unref();
    }
  }
  #timeIsUp() {
    this.#timer = undefined;
    if (!this.#isIdle) return;
    pool.forget(this);
    this.socket.destroy();
  }
  /** Whether it was idle for so long that the server may be closing it: timers do not fire while the program is busy. */
  get isStale() {
    return native.now() > this.#until;
  }
  /** Returns whether it may be used; the caller has taken it from the pool. */
  claim() {
    this.#isIdle = false;
    if (this.isStale) this.socket.destroy();
    return !this.socket.destroyed && this.socket.writable;
  }

  #onEnd() {
    const result = this.parser.isFreed ? undefined : this.parser.finish(this);
    if (this.#isOver) this.#complete(true);
    else if (result !== undefined) this.#fail(socketError());
    this.socket.end();
  }

  #fail(error) {
    stopTimer(this.#timer);
    const task = this.#task;
    this.#task = undefined;
    this.#isIdle = false;
    if (!this.parser.isFreed) pool.remove(this);
    this.parser.free();
    this.socket.destroy();
    if (task === undefined) return;
    const mayRetry = this.isReused && !this.#hasAnswer && !task.isStream && isIdempotent(task.method);
    task.onError(error, mayRetry);
  }
}
const ASCII = /^[\0-\x7f]*$/;

/** An idle connection to a target. */
function idleConnection(place) {
  const shared = host.isLoaded('node/fetch/http2') ? require('node/fetch/http2').requestTo(place) : undefined;
  if (shared !== undefined) return shared;
  for (;;) {
    const connection = pool.takeIdle(place);
    if (connection === undefined || connection.claim()) return connection;
  }
}

/** The pool key of a target: requests with the same key may share a connection. */
function placeOf({ url, unix, proxy, proxyHeaders, tls, protocol }) {
  if (url.protocol === 'http:' && unix === undefined && proxy === undefined) return url.origin;
  const secure =
    url.protocol === 'https:'
      ? JSONStringify(tls ?? null, (_, value) => (typeof value === 'function' ? String(value) : value))
      : '';
  return `${url.protocol}//${url.hostname}:${url.port}|${unix ?? ''}|${proxy ?? ''}|${proxyHeaders ? JSONStringify(headersFor(proxy, proxyHeaders)) : ''}|${secure}|${protocol ?? ''}`;
}

/**
 * Opens a connection and calls `done(error, connection)`. Returns a function that cancels it.
 * `place` is the target's `placeOf`. target: { url, unix, proxy, tls, isAlone, … }; a secure connection through `proxy` uses a tunnel.
 */
function connect(target, place, done) {
  const { url, unix, proxy } = target;
  const isSecure = url.protocol === 'https:';
  const hostname = RegExpReplace(/^\[|\]$/g, url.hostname, '');
  const port = url.port === '' ? (isSecure ? 443 : 80) : Number(url.port);
  let socket;
  let isDone = false;
  const report =
    runtimeParts.publish === undefined
      ? undefined
      : require('node/fetch/diagnostics').connecting(url, () => connect(target, place, done));
  const finish = (error, connection) => {
    if (isDone) return;
    isDone = true;
    report?.(error, connection);
    if (error) {
      done(error);
      return;
    }
    connection.off('error', onError);
    connection.off('close', onClose);
    const isShared = isSecure && connection.alpnProtocol === 'h2';
    done(
      null,
      isShared ? require('node/fetch/http2').share(place, connection, url.host, IDLE_MS) : new Connection(place, connection),
    );
  };
  // On some machines localhost does not resolve to ::1, which may be the only address that a server listens on.
  let refusal;
  const onError = (error) => {
    const isFirst = refusal === undefined && hostname === 'localhost' && error.address === '127.0.0.1';
    if (!isFirst || isDone || unix !== undefined || proxy !== undefined || error.code !== 'ECONNREFUSED') {
      finish(refusal ?? error);
      return;
    }
    refusal = error;
    socket.off('close', onClose);
    straight('::1');
  };
  const onClose = () => finish(socketError());
  const watch = (made, event, isProxy = false) => {
    socket = made;
    made.on('error', onError);
    made.on('close', onClose);
    made.setNoDelay?.(true);
    made.once(event, () => {
      if (isProxy && isSecure) tunnel(made);
      else finish(null, made);
    });
  };
  const secure = (options) => {
    const tls = builtins.load('tls');
    const connectOptions = {
      servername: net.isIP(hostname) ? '' : hostname,
      ALPNProtocols: protocolsOf(target.protocol),
      ...tlsOptions(target.tls),
      ...options,
    };
    watch(tls.connect(connectOptions), 'secureConnect');
  };
  const straight = (name) => {
    if (isSecure) secure({ host: name, port });
    else watch(net.connect({ host: name, port }), 'connect');
  };
  const tunnel = (made) => {
    made.off('error', onError);
    made.off('close', onClose);
    const { openTunnel } = require('node/http/tunnel');
    let lines = 'Proxy-Connection: keep-alive\r\nConnection: close\r\n';
    for (const { 0: name, 1: value } of intact(headersFor(proxy, target.proxyHeaders))) lines += `${name}: ${value}\r\n`;
    openTunnel(made, { endpoint: `${url.hostname}:${port}`, lines, via: new URL(proxy).host }, (error) => {
      if (isDone) return;
      if (error?.statusCode > 0) error.message = `Proxy response (${error.statusCode}) !== 200 when HTTP Tunneling`;
      if (error) finish(error);
      else secure({ socket: made });
    });
  };
  try {
    if (unix !== undefined) {
      if (isSecure) secure({ path: unix });
      else watch(net.connect({ path: unix }), 'connect');
    } else if (proxy !== undefined) {
      const via = new URL(proxy);
      if (!RegExpTest(/^https?:$/, via.protocol)) throw unsupportedProxy(via.protocol);
      const place = {
        host: RegExpReplace(/^\[|\]$/g, via.hostname, ''),
        port: Number(via.port) || (via.protocol === 'https:' ? 443 : 80),
      };
      if (via.protocol !== 'https:') watch(net.connect(place), 'connect', true);
      else watch(builtins.load('tls').connect({ ...place, ...tlsOptions(target.tls) }), 'secureConnect', true);
    } else {
      straight(hostname);
    }
  } catch (error) {
    finish(error);
  }
  return () => {
    isDone = true;
    if (socket === undefined) return;
    socket.on('error', () => {});
    socket.destroy();
  };
}

/** The protocols to offer by ALPN: both, or the one that the program requires. */
function protocolsOf(protocol) {
  if (protocol === undefined) return ['h2', 'http/1.1'];
  if (protocol === 'h2' || protocol === 'http2') return ['h2'];
  if (protocol === 'h1' || protocol === 'http1.1') return ['http/1.1'];
  throw new TypeError('protocol must be "h2", "http2", "h1" or "http1.1"');
}

function tlsOptions(given) {
  if (given === undefined || given === null || typeof given !== 'object') return {};
  const { serverName, ...options } = given;
  return serverName === undefined ? options : { servername: serverName, ...options };
}

module.exports = { Connection, connect, idleConnection, placeOf, HIGH_WATER_MARK };
