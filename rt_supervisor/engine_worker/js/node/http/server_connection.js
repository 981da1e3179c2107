'use strict';
// Owns: one connection of an http.Server: parses requests one after the other and sends the responses in their order;
// malformed or slow requests are answered with an error status.

const runtimeParts = require('internal/parts');
// prettier-ignore
const { ArrayAt, ArrayFilter, ArrayPush, ArrayShift, DateNow, FunctionCall, NumberIsFinite, ObjectDefineProperty, RegExpTest, SetAdd,
  SetDelete, TypedArraySubarray } = require('internal/primordials');
const { HttpParser, KEEP_ALIVE, WISHES_UPGRADE } = require('internal/http_parser');
const { readStart, readStop } = require('node/http/incoming');
const { emitClose } = require('node/http/response');
const { kNeedDrain, kUniqueHeaders } = require('node/http/outgoing_symbols');
const { codes } = require('internal/errors/errors');
const { errorHead } = require('node/http/status_codes');
const { maxHeaderSize } = require('node/http/fields');
const { isLenient } = require('node/http/leniency');
const context = require('internal/async/context');
const { bindListeners } = require('internal/async/turns');
const { nextTick } = require('internal/timers');
const { Socket } = require('node/net/socket');
const Duplex = require('node/stream/duplex');
const { asBuffer } = require('node/buffer/views');
const { debug } = require('node/http/debug_log');

// The server's state for its connections.
const kConnections = Symbol('http.server.connections');
const kServerResponse = Symbol('ServerResponse');
const kIncomingMessage = Symbol('IncomingMessage');
const kOptimizeEmptyRequests = Symbol('OptimizeEmptyRequestsOption');
const refuseEncoding = () => {
  throw new codes.ERR_HTTP_SOCKET_ENCODING();
};

/** reading requests --upgrade or CONNECT--> detached; any error, or the end --> closed */
class Connection {
  incoming = []; // requests without a response
  outgoing = []; // responses that wait for earlier ones
  outgoingSize = 0;
  requests = 0;
  keepAliveTimeoutSet = false;
  #request; // the request whose body is being read
  #upgraded; // the request that takes over the connection
  #startTime; // ms: when the first byte of a request arrived
  #isHeadRead = true;
  #listeners;
  #isGivenAway = false;
  #resource; // for node:async_hooks
  #onPendingData = (change) => this.#pending(change);

  constructor(server, socket) {
    this.server = server;
    this.socket = socket;
    socket.server = server;
    this.parser = new HttpParser(false, server.maxHeaderSize || maxHeaderSize(), server.insecureHTTPParser ?? isLenient());
    socket.parser = this.parser;
    this.#startTime = DateNow();
    this.#isHeadRead = false;
    if (server.timeout && typeof socket.setTimeout === 'function') socket.setTimeout(server.timeout);
    this.#listeners = {
      data: (bytes) => this.#onData(bytes),
      error: (error) => this.fail(error),
      end: () => this.#onEnd(),
      close: () => this.#onClose(),
      drain: () => this.#onDrain(),
      timeout: () => this.#onTimeout(),
    };
    this.#resource = bindListeners('HTTPINCOMINGMESSAGE', { socket }, socket._handle, this.#listeners);
    for (const event in this.#listeners) socket.on(event, this.#listeners[event]);
    if (socket instanceof Socket) this.#parseDirectly();
    socket._paused = false;
    socket.setEncoding = refuseEncoding; // the parser reads bytes
    SetAdd(server[kConnections], this);
    debug('SERVER new http connection');
  }

  get isIdle() {
    return this.incoming.length === 0 && this.outgoing.length === 0 && this.#isHeadRead;
  }

  isLate(now, headersMs, requestMs) {
    if (this.#startTime === undefined || this.#isGivenAway) return false;
    const time = now - this.#startTime;
    return (requestMs > 0 && time > requestMs) || (!this.#isHeadRead && headersMs > 0 && time > headersMs);
  }

  // --- input

  /** Lets the parser read the connection itself, as Node does, until something else listens to its bytes. */
  #parseDirectly() {
    const { socket } = this;
    socket.parseWith(this.parser, (items, bytes) => {
      if (!this.parser.isFreed) this.#take(this.parser.deliver(items, bytes, this), bytes);
    });
    if (socket.isParsing) for (const name in LISTENING) socket[name] = LISTENING[name];
  }

  #onData(bytes) {
    if (!this.parser.isFreed) this.#take(this.parser.execute(bytes, this), bytes);
  }

  /** Part of a header has arrived: starts its time limit. */
  beginHead() {
    if (!this.#isHeadRead) return;
    this.#isHeadRead = false;
    this.#startTime = DateNow();
  }

  #take(stopped, bytes) {
    while (stopped?.isUpgrade) {
      const rest = TypedArraySubarray(bytes, stopped.offset);
      if (this.#upgraded !== undefined) {
        this.#giveAway(rest);
        return;
      }
      bytes = rest;
      stopped = this.parser.execute(bytes, this);
    }
    if (stopped !== undefined && !this.parser.isFreed) this.fail(stopped.error);
  }

  head(method, url, version, rawHeaders, flags) {
    const { server, socket } = this;
    this.#isHeadRead = true;
    this.#startTime ??= DateNow();
    if (this.keepAliveTimeoutSet) {
      this.keepAliveTimeoutSet = false;
      socket.setTimeout(server.timeout || 0);
    }
    const request = new server[kIncomingMessage](socket);
    const minor = version % 10;
    request.httpVersionMajor = (version - minor) / 10;
    request.httpVersionMinor = minor;
    request.httpVersion = version === 11 ? '1.1' : `${request.httpVersionMajor}.${minor}`;
    request.joinDuplicateHeaders = server.joinDuplicateHeaders;
    request.url = url;
    request.method = method;
    const most = server.maxHeadersCount ?? 2000;
    if (most > 0 && rawHeaders.length > most * 2) rawHeaders.length = most * 2;
    request._addHeaderLines(rawHeaders, rawHeaders.length);
    request.upgrade = method === 'CONNECT' || ((flags & WISHES_UPGRADE) !== 0 && Boolean(server.shouldUpgradeCallback(request)));
    this.#request = request;
    this.parser.incoming = request;
    if (request.upgrade) {
      this.#upgraded = request;
      return;
    }
    debug('SERVER incoming request: %s %s', method, request.url, rawHeaders);
    ArrayPush(this.incoming, request);
    if (server[kOptimizeEmptyRequests] && !announcesBody(request.headers)) {
      request._dumpAndCloseReadable();
      request._read();
    }
    this.#answer(request, (flags & KEEP_ALIVE) !== 0);
  }

  body(bytes) {
    const request = this.#request;
    if (request === undefined || request._dumped) return;
    if (!request.push(asBuffer(bytes))) {
      if (this.socket) readStop(this.socket);
    }
  }

  end(rawTrailers) {
    const request = this.#request;
    this.#request = undefined;
    this.#startTime = undefined;
    if (request === undefined) return;
    request.complete = true;
    if (rawTrailers !== undefined) request._addHeaderLines(rawTrailers, rawTrailers.length);
    request.push(null);
    // The next request may be read.
    if (this.socket && !this.socket._paused) readStart(this.socket);
  }

  #giveAway(rest) {
    const { server, socket } = this;
    const request = this.#upgraded;
    this.#isGivenAway = true;
    this.#release();
    const event = request.method === 'CONNECT' ? 'connect' : 'upgrade';
    if (server.listenerCount(event) === 0) {
      socket.destroy();
      return;
    }
    socket.readableFlowing = null;
    request.complete = true;
    request._readableState.readingMore = false;
    request.push(null);
    server.emit(event, request, socket, asBuffer(rest));
  }

  /** Stops reading: the program owns the connection now, or it is destroyed. */
  #release() {
    const { socket } = this;
    endParsing(socket);
    for (const event in this.#listeners) socket.removeListener(event, this.#listeners[event]);
    this.#forget();
  }

  #forget() {
    this.parser.free();
    this.socket.parser = null;
    SetDelete(this.server[kConnections], this);
    if (this.#resource !== undefined) context.endResource(this.#resource);
  }

  // --- responses

  #answer(request, shouldKeepAlive) {
    const { server, socket } = this;
    const response = new server[kServerResponse](request, {
      highWaterMark: socket.writableHighWaterMark,
      rejectNonStandardBodyWrites: server.rejectNonStandardBodyWrites,
    });
    response._keepAliveTimeout = server.keepAliveTimeout;
    response._maxRequestsPerSocket = server.maxRequestsPerSocket;
    response._onPendingData = this.#onPendingData;
    response.shouldKeepAlive = shouldKeepAlive;
    response[kUniqueHeaders] = server[kUniqueHeaders];
    runtimeParts.publish?.('http.server.request.start', { request, response, socket, server });
    if (socket._httpMessage)
      ArrayPush(this.outgoing, response); // an earlier response is not complete
    else response.assignSocket(socket);
    response.on('finish', () => this.#onFinish(request, response));
    let isHandled = false;
    let isTooMany = false;
    if (request.httpVersionMajor === 1 && request.httpVersionMinor === 1) {
      if (server.requireHostHeader && request.headers.host === undefined) {
        response.writeHead(400, ['Connection', 'close']);
        response.end();
        return;
      }
      const { maxRequestsPerSocket } = server;
      const isLimited = typeof maxRequestsPerSocket === 'number' && maxRequestsPerSocket > 0;
      if (isLimited) {
        this.requests++;
        isTooMany = maxRequestsPerSocket < this.requests;
        response.maxRequestsOnConnectionReached = maxRequestsPerSocket <= this.requests;
      }
      const { expect } = request.headers;
      if (isLimited && isTooMany) {
        isHandled = true;
        server.emit('dropRequest', request, socket);
        response.writeHead(503);
        response.end();
      } else if (expect !== undefined) {
        isHandled = true;
        if (RegExpTest(/(?:^|\W)100-continue(?:$|\W)/i, expect)) {
          response._expect_continue = true;
          if (server.listenerCount('checkContinue') > 0) server.emit('checkContinue', request, response);
          else {
            response.writeContinue();
            server.emit('request', request, response);
          }
        } else if (server.listenerCount('checkExpectation') > 0) {
          server.emit('checkExpectation', request, response);
        } else {
          response.writeHead(417);
          response.end();
        }
      }
    }
    if (!isHandled) {
      server.emit('request', request, response);
    }
  }

  #onFinish(request, response) {
    const { server, socket } = this;
    runtimeParts.publish?.('http.server.response.finish', { request, response, socket, server });
    if (this.incoming[0] === request) ArrayShift(this.incoming);
    else this.incoming = ArrayFilter(this.incoming, (each) => each !== request);
    this.#releaseIncoming(request);
    // Nothing has read the body: it is discarded before the next request.
    const { resumeScheduled, dataEmitted } = request._readableState;
    if (!request._consuming && !resumeScheduled && !dataEmitted) request._dump();
    response.detachSocket(socket);
    nextTick(emitClose, response);
    if (response._last) {
      if (typeof socket.destroySoon === 'function') socket.destroySoon();
      else socket.end();
    } else if (this.outgoing.length === 0) {
      const { keepAliveTimeout } = server;
      const idle = NumberIsFinite(keepAliveTimeout) && keepAliveTimeout >= 0 ? keepAliveTimeout : 0;
      if (idle > 0 && typeof socket.setTimeout === 'function') {
        socket.setTimeout(idle + (NumberIsFinite(server.keepAliveTimeoutBuffer) ? server.keepAliveTimeoutBuffer : 0));
        this.keepAliveTimeoutSet = true;
      }
    } else {
      const next = ArrayShift(this.outgoing);
      if (next) next.assignSocket(socket);
    }
  }

  /** The parser does not keep a request that has been answered and read to its end. */
  #releaseIncoming(request) {
    if (this.parser.incoming !== request) return;
    if (request.readableEnded) this.parser.incoming = null;
    else request.on('end', () => this.#releaseIncoming(request));
  }

  /** While too many bytes of responses are buffered, no further requests are read. */
  #pending(change) {
    this.outgoingSize += change;
    const { socket } = this;
    if (socket._paused && this.outgoingSize < socket.writableHighWaterMark) this.#onDrain();
    else if (!socket._paused && this.outgoingSize >= socket.writableHighWaterMark * 4) {
      socket._paused = true;
      socket.pause();
    }
  }

  #onDrain() {
    const { socket } = this;
    if (socket._paused && this.outgoingSize <= socket.writableHighWaterMark) {
      socket._paused = false;
      socket.resume();
    }
    const message = socket._httpMessage;
    if (message && !message.finished && message.writableNeedDrain) {
      message[kNeedDrain] = false;
      message.emit('drain');
    }
  }

  // --- ends

  #onEnd() {
    const result = this.parser.finish(this);
    if (result?.error) {
      this.fail(result.error);
      return;
    }
    const { server, socket } = this;
    if (!server.httpAllowHalfOpen) {
      socket.end(); // pending writes are sent first; requests are aborted once it is closed
    } else if (this.outgoing.length > 0) {
      ArrayAt(this.outgoing, -1)._last = true;
    } else if (socket._httpMessage) {
      socket._httpMessage._last = true;
    } else {
      socket.end();
    }
  }

  #onClose() {
    debug('SERVER socket close');
    this.#forget();
    this.#abortIncoming();
    for (let index = 0, list = this.outgoing; index < list.length; index++) {
      const response = list[index];
      response.destroyed = true;
      response._closed = true;
      response.emit('close');
    }
    this.outgoing = [];
  }

  #abortIncoming() {
    const { incoming } = this;
    this.incoming = [];
    for (let index = 0; index < incoming.length; index++) {
      const request = incoming[index];
      request.destroy(new ConnResetException('aborted'));
    }
  }

  #onTimeout() {
    const { server, socket } = this;
    const request = ArrayAt(this.incoming, -1);
    const isTaken =
      Boolean(request && !request.complete && request.emit('timeout', socket)) |
      Boolean(socket._httpMessage && socket._httpMessage.emit('timeout', socket)) |
      Boolean(server.emit('timeout', socket));
    if (!isTaken) socket.destroy();
  }

  /** Handles a failed request or connection: emits 'clientError', or without a listener sends the status for the error. */
  fail(error) {
    const { server, socket } = this;
    socket.removeListener('error', this.#listeners.error);
    if (socket.listenerCount('error') === 0) socket.on('error', () => {});
    this.parser.free();
    if (error.rawPacket !== undefined) error.rawPacket = asBuffer(error.rawPacket);
    if (server.emit('clientError', error, socket)) return;
    const isWritable = socket.writable;
    if (isWritable && (!socket._httpMessage || !socket._httpMessage._headerSent)) {
      socket.write(errorResponse(error), 'latin1');
    }
    // Pending writes are sent first.
    if (isWritable) socket.end(() => socket.destroy(error));
    else socket.destroy(error);
  }
}

const endParsing = (socket) => {
  if (!socket.isParsing) return;
  for (const name in LISTENING) if (socket[name] === LISTENING[name]) delete socket[name];
  socket.endParsing();
};
const listening = (name) =>
  function (event, listener) {
    if (event === 'data' || event === 'readable') endParsing(this);
    return FunctionCall(Duplex.prototype[name], this, event, listener);
  };
/** The methods of a connection whose bytes go to the parser only: as in Node, a listener for the bytes ends that. */
const LISTENING = {
  __proto__: null,
  on: listening('on'),
  addListener: listening('addListener'),
  prependListener: listening('prependListener'),
};

/** Whether a header announces a body, even an empty one. */
const announcesBody = (headers) => headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;

function errorResponse(error) {
  switch (error.code) {
    case 'HPE_HEADER_OVERFLOW':
      return errorHead(431);
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return errorHead(413);
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return errorHead(408);
    default:
      return errorHead(400);
  }
}

class ConnResetException extends Error {
  constructor(message) {
    super(message);
    this.code = 'ECONNRESET';
  }
}
ObjectDefineProperty(ConnResetException.prototype, 'constructor', {
  __proto__: null,
  value: Error,
  writable: true,
  enumerable: false,
  configurable: true,
});

module.exports = { Connection, ConnResetException, kConnections, kServerResponse, kIncomingMessage, kOptimizeEmptyRequests };
