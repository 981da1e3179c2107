// @ts-check
'use strict';
// Owns: the connection of a ClientRequest: events for incoming data, upgrades, the end of the response, and the close of
// either side. The request is in node/http/client.

const { ObjectDefineProperty } = require('internal/primordials');
const runtimeParts = require('internal/parts');
const { HttpParser, KEEP_ALIVE } = require('internal/http_parser');
const { kErrored, kNeedDrain, kTimed } = require('node/http/outgoing_symbols');
const { IncomingMessage, readStop } = require('node/http/incoming');
const { maxHeaderSize } = require('node/http/fields');
const { isLenient } = require('node/http/leniency');
const context = require('internal/async/context');
const { nextTick } = require('internal/timers');
const { Buffer } = require('node/buffer/buffer');
const { debug } = require('node/http/debug_log');
const { asBuffer } = require('node/buffer/views');

const kReset = Symbol('reset');

function resetError(message) {
  const error = new Error(message);
  error.code = 'ECONNRESET';
  return error;
}

function emitClose(request) {
  request._closed = true;
  request.emit('close');
}

/** Builds one response from the parser's output: the receiver of `HttpParser.execute`. */
class Reading {
  constructor(request, socket, parser) {
    this.request = request;
    this.socket = socket;
    this.parser = parser;
    this.res = null;
    this.isUpgrade = false;
    this.isExtra = false;
  }

  head(status, reason, version, rawHeaders, flags) {
    const { request, socket } = this;
    const response = new IncomingMessage(socket);
    this.parser.incoming = response;
    const minor = version % 10;
    response.httpVersionMajor = (version - minor) / 10;
    response.httpVersionMinor = minor;
    response.httpVersion = `${response.httpVersionMajor}.${minor}`;
    response.joinDuplicateHeaders = request.joinDuplicateHeaders;
    const most = request.maxHeadersCount ?? 2000;
    if (most > 0 && rawHeaders.length > most * 2) rawHeaders.length = most * 2;
    response._addHeaderLines(rawHeaders, rawHeaders.length);
    response.statusCode = status;
    response.statusMessage = reason;
    debug('AGENT incoming response: %d %s', status, reason, rawHeaders);
    if (request.res) {
      // A second response to the same request is ignored.
      this.isExtra = true;
      socket.destroy();
      return;
    }
    if (status === 101 || (request.method === 'CONNECT' && status >= 200)) {
      response.upgrade = true;
      this.isUpgrade = true;
      this.res = response;
      request.res = response;
      return;
    }
    if (status < 200) {
      if (status === 100) request.emit('continue');
      request.emit('information', {
        statusCode: status,
        statusMessage: reason,
        httpVersion: response.httpVersion,
        httpVersionMajor: response.httpVersionMajor,
        httpVersionMinor: minor,
        headers: response.headers,
        rawHeaders,
      });
      this.isInterim = true;
      return;
    }
    this.res = response;
    request.res = response;
    if (request.shouldKeepAlive && !(flags & KEEP_ALIVE) && !request.upgradeOrConnect) request.shouldKeepAlive = false;
    response.req = request;
    response.upgrade = false;
    response.on('end', responseOnEnd);
    request.on('finish', requestOnFinish);
    socket.on('timeout', emitResponseTimeout);
    if (request.timeoutCb) response.timeoutCb = request.timeoutCb;
    runtimeParts.publish?.('http.client.response.finish', { request, response });
    request[kTimed]?.({ res: { statusCode: status, statusMessage: reason, headers: response.headers } });
    if (request.aborted || !request.emit('response', response)) response._dump();
    if (request.method === 'HEAD') this.isHead = true;
  }

  body(bytes) {
    const { res } = this;
    if (res === null || res._dumped || this.isExtra) return;
    if (!res.push(asBuffer(bytes))) readStop(this.socket);
  }

  end(rawTrailers) {
    if (this.isInterim) {
      this.isInterim = false;
      return;
    }
    const { res } = this;
    if (res === null || res.upgrade || this.isExtra) return;
    res.complete = true;
    if (rawTrailers !== undefined) res._addHeaderLines(rawTrailers, rawTrailers.length);
    res.push(null);
  }
}

function onDrainOfSocket() {
  const request = this._httpMessage;
  if (request && !request.finished && request[kNeedDrain]) {
    request[kNeedDrain] = false;
    request.emit('drain');
  }
}

const kResource = Symbol('resource'); // the node:async_hooks resource of a request

/** Binds listeners to the async context of the request, whichever connection it uses. */
function inContext(request, listeners) {
  if (request[kResource] === undefined) return;
  listeners.data = context.bindTo(request[kResource], listeners.data);
}

function attach(request, socket) {
  const parser = new HttpParser(true, request.maxHeaderSize || maxHeaderSize(), request.insecureHTTPParser ?? isLenient());
  parser.answers(request.method);
  request.socket = socket;
  request.parser = parser;
  socket.parser = parser;
  socket._httpMessage = request;
  socket._paused = false;
  const reading = new Reading(request, socket, parser);
  const listeners = {
    data: (bytes) => onData(request, reading, bytes),
    end: () => onEnd(request, reading),
    close: () => onClose(request, reading),
    error: (error) => onError(request, reading, error),
  };
  const reset = () => {
    for (const event in listeners) socket.removeListener(event, listeners[event]);
    socket.removeListener('drain', onDrainOfSocket);
    socket.removeListener('timeout', emitResponseTimeout);
    parser.free();
    if (request[kResource] !== undefined) context.endResource(request[kResource]);
    socket.parser = null;
    request.parser = null;
  };
  request[kReset] = reset;
  if (context.isUsed) inContext(request, listeners);
  for (const event in listeners) socket.on(event, listeners[event]);
  socket.on('drain', onDrainOfSocket);
  if (request.timeout !== undefined || request.agent?.options?.timeout) listenTimeout(request);
  debug('CLIENT request has a socket: %s %s', request.method, request.path);
  request.emit('socket', socket);
}

function onData(request, reading, bytes) {
  const { parser, socket } = reading;
  if (parser.isFreed) return;
  const result = parser.execute(bytes, reading);
  if (result === undefined) {
    if (reading.res?.complete && !parser.isFreed && reading.isAfter) readStop(socket);
    return;
  }
  if (result.isUpgrade) {
    giveAway(request, reading, bytes.subarray(result.offset));
    return;
  }
  const { error } = result;
  error.rawPacket = asBuffer(bytes);
  request[kReset]();
  socket.removeListener('error', noop);
  socket.on('error', noop);
  socket.once('close', () => onClose(request, reading));
  socket.destroy();
  emitError(request, error);
}
const noop = () => {};

function emitError(request, error) {
  if (request.isErrorEmitted) return;
  runtimeParts.publish?.('http.client.request.error', { request, error });
  ObjectDefineProperty(request, 'isErrorEmitted', { __proto__: null, value: true, enumerable: false, configurable: true });
  request[kErrored] ??= error;
  if (request.socket) request.socket._hadError = true; // what was not sent does not finish the request
  request.emit('error', error);
}

function giveAway(request, reading, rest) {
  const { socket, res } = reading;
  request.upgradeOrConnect = true;
  res.req = request;
  request[kReset]();
  clearTimeoutOf(request, socket);
  const event = request.method === 'CONNECT' ? 'connect' : 'upgrade';
  if (request.listenerCount(event) > 0) {
    socket.readableFlowing = null;
    socket._httpMessage = null;
    // The connection leaves the agent.
    socket.emit('agentRemove');
    request.destroyed = true;
    res.complete = true;
    res._readableState.readingMore = false;
    res.push(null);
    if (rest.length === 0) request.emit(event, res, socket, Buffer.alloc(0));
    else request.emit(event, res, socket, asBuffer(rest));
    nextTick(emitClose, request);
  } else {
    socket.destroy();
  }
}

function onEnd(request, reading) {
  const { parser, socket } = reading;
  if (parser.isFreed) return;
  if (!request.res && !request.isErrorEmitted) {
    emitError(request, resetError('socket hang up'));
  }
  parser.finish(reading);
  socket.end();
}

function onClose(request, reading) {
  debug('CLIENT socket close: %s %s', request.method, request.path);
  const { parser, socket } = reading;
  request.destroyed = true;
  const { res } = reading;
  if (res) {
    if (!res.complete) res.destroy(resetError('aborted'));
    request._closed = true;
    request.emit('close');
    if (!res.aborted && res.readable) res.push(null);
  } else {
    if (!request.isErrorEmitted) emitError(request, request[kErrored] ?? resetError('socket hang up'));
    request._closed = true;
    request.emit('close');
  }
  if (request.outputData) request.outputData.length = 0;
  if (!parser.isFreed) parser.finish(reading);
  request[kReset]?.();
  socket._httpMessage = null;
  // A socket destroyed by the program may report the error after it has closed.
  socket.on('error', (error) => onError(request, reading, error));
}

function onError(request, reading, error) {
  const { socket } = reading;
  if (request) emitError(request, error);
  if (!reading.parser.isFreed) reading.parser.finish(reading);
  socket.removeListener('data', noop);
  socket.destroy();
}

// --- end of a response

function responseOnEnd() {
  const request = this.req;
  const { socket } = request;
  if (socket) clearTimeoutOf(request, socket);
  request._ended = true;
  if (!request.shouldKeepAlive) {
    if (socket?.writable) {
      if (typeof socket.destroySoon === 'function') socket.destroySoon();
      else socket.end();
    }
  } else if (request.writableFinished && !this.aborted) {
    responseOnFree(request);
  }
}

function requestOnFinish() {
  if (this.shouldKeepAlive && this._ended) responseOnFree(this);
}

/** Request and response are complete: releases the connection. */
function responseOnFree(request) {
  const { socket } = request;
  if (request.isFreed || socket === null) return;
  ObjectDefineProperty(request, 'isFreed', { __proto__: null, value: true, enumerable: false });
  socket.removeListener('drain', onDrainOfSocket);
  if (request.timeoutCb) {
    socket.setTimeout(0, request.timeoutCb);
    request.timeoutCb = null;
  }
  request[kReset]();
  if (!socket.destroyed && !socket._paused) socket.resume();
  request.destroyed = true;
  nextTick(emitFree, request, socket);
}

function emitFree(request, socket) {
  request._closed = true;
  request.emit('close');
  if (socket) {
    socket.emit('free');
    if (socket._httpMessage === request) socket._httpMessage = null;
  }
}

// --- timeouts

function clearTimeoutOf(request, socket) {
  if (request.timeoutCb) {
    socket.removeListener('timeout', request.timeoutCb);
    request.timeoutCb = null;
    request.res?.removeListener?.('timeout', emitTimeout);
  }
  socket.removeListener('timeout', emitTimeout);
}
function emitTimeout() {
  const request = this._httpMessage;
  if (request) request.emit('timeout');
}
function emitResponseTimeout() {
  this._httpMessage?.res?.emit('timeout');
}

function listenTimeout(request) {
  if (request.timeoutCb) return;
  request.timeoutCb = emitTimeout;
  if (request.socket) request.socket.once('timeout', emitTimeout);
  else request.on('socket', (socket) => socket.once('timeout', emitTimeout));
}

module.exports = { attach, kResource, emitClose, emitError, listenTimeout, resetError };
