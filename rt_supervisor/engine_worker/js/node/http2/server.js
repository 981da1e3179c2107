'use strict';
// Owns: the servers of node:http2 and the server session. With `allowHTTP1` a secure server falls back to HTTP/1.

const {
  ArrayFlatMap,
  ArrayIsArray,
  ArrayMap,
  FunctionCall,
  MapHas,
  MapKeys,
  MapSet,
  MapValues,
  MathMax,
  NumberIsInteger,
  ObjectAssign,
  RegExpTest,
  SetAdd,
  SetDelete,
  SymbolFor,
  intact,
} = require('internal/primordials');
const net = require('node/net/net');
const { nextTick } = require('internal/timers');
const { http2Error } = require('node/http2/errors');
const { objectOf, isGood } = require('node/http2/headers');
const { TYPE, frame } = require('node/http2/frames');
const { expectedOf, breakOff, reject, REFUSED_STREAM, CALM } = require('node/http2/receiving');
const { ServerHttp2Stream } = require('node/http2/server_stream');
const { Http2Session } = require('node/http2/session');
const { validateSettings } = require('node/http2/settings');
const { publish } = require('node/http2/diagnostics');
const { codes } = require('internal/errors/errors');
const { validateFunction, validateObject, validateString, validateUint32 } = require('internal/validators');

const SERVER = 0;
const PROTOCOL_ERROR = 1;
const USUAL_MEGABYTES = 10; // of responses waiting to be sent
const LARGEST_PAYLOAD = 16382; // bytes of an ALTSVC or ORIGIN frame
const kSessions = Symbol('sessions');
const kOptions = Symbol('options');

class ServerHttp2Session extends Http2Session {
  nextId = 2;

  constructor(server, socket, options) {
    super(SERVER, socket, options);
    this.server = server;
    this.begin();
    if (ArrayIsArray(options?.origins) && options.origins.length > 0) this.origin(...intact(options.origins));
  }

  /** Handles HEADERS that open a stream. */
  openStream(id, flags, fields, isEnd) {
    this.lastId = MathMax(this.lastId, id);
    if (this.isClosing) return this.sendReset({ id }, REFUSED_STREAM);
    if (fields === undefined) return breakOff(this, { id }, CALM);
    if (!isGood(fields, 'request', this.local.enableConnectProtocol)) return breakOff(this, { id }, PROTOCOL_ERROR);
    let open = 0;
    for (const each of intact(MapKeys(this.streams))) open += each % 2;
    if (open >= (this.options.settings?.maxConcurrentStreams ?? this.options.maxConcurrentStreams ?? Infinity))
      return reject(this, { id }, REFUSED_STREAM);
    if (this.#isOverMemory()) return reject(this, { id }, CALM);
    const expected = expectedOf(fields);
    if (isEnd && expected) return breakOff(this, { id }, PROTOCOL_ERROR);
    const headers = objectOf(fields);
    const stream = new ServerHttp2Stream(this, undefined, headers);
    stream.expected = expected;
    stream.endAfterHeaders = isEnd;
    stream.window = this.remote.initialWindowSize;
    stream.room = this.local.initialWindowSize;
    MapSet(this.streams, id, stream);
    stream.begin(id);
    const onTrailers = (trailers, trailerFlags) =>
      stream.later(() => stream.emit('trailers', objectOf(trailers), trailerFlags, rawOf(trailers)));
    stream.headers = onTrailers;
    publish(stream, 'created', () => ({ headers }));
    publish(stream, 'start', () => ({ headers }));
    const raw = rawOf(fields);
    stream.later(() => {
      const isTaken = this.emit('stream', stream, headers, flags, raw);
      if (!this.server?.emit('stream', stream, headers, flags, raw) && !isTaken) stream.close(REFUSED_STREAM);
    });
    if (isEnd) stream.endRemote();
    return undefined;
  }

  /** Whether pending responses exceed the session's memory limit: no requests are accepted meanwhile. */
  #isOverMemory() {
    const most = (this.options.maxSessionMemory ?? USUAL_MEGABYTES) * 1e6;
    let size = this.unsent;
    for (const stream of intact(MapValues(this.streams))) size += stream.bufferSize;
    return size > most;
  }

  push(parent, headers, fields) {
    const id = this.nextId;
    this.nextId += 2;
    this.sendHeaders(parent, fields, false, id);
    const stream = new ServerHttp2Stream(this, undefined, headers);
    stream.isPush = true;
    stream.markRemoteEnded();
    stream.push(null);
    stream.window = this.remote.initialWindowSize;
    MapSet(this.streams, id, stream);
    stream.begin(id);
    return stream;
  }

  altsvc(alternative, originOrStream) {
    if (this.destroyed) throw http2Error('ERR_HTTP2_INVALID_SESSION');
    validateString(alternative, 'alt');
    const isStream = typeof originOrStream === 'number';
    if (isStream && !(NumberIsInteger(originOrStream) && originOrStream > 0 && originOrStream <= 2 ** 32 - 1))
      throw new codes.ERR_OUT_OF_RANGE('originOrStream', '> 0 && < 4294967296', originOrStream);
    let origin = '';
    if (!isStream && originOrStream !== undefined) {
      if (typeof originOrStream !== 'string' && typeof originOrStream?.origin !== 'string')
        throw new codes.ERR_INVALID_ARG_TYPE('originOrStream', ['string', 'number', 'URL', 'object'], originOrStream);
      origin = originOf(originOrStream, 'ERR_HTTP2_ALTSVC_INVALID_ORIGIN');
    }
    if (!RegExpTest(/^[\x21-\x7e\x80-\xff\x20\t]*$/, alternative)) throw new codes.ERR_INVALID_CHAR('alt');
    if (origin.length + alternative.length > LARGEST_PAYLOAD) throw http2Error('ERR_HTTP2_ALTSVC_LENGTH');
    if (isStream && !MapHas(this.streams, originOrStream)) return;
    const { Buffer } = require('node/buffer/buffer');
    const size = Buffer.alloc(2);
    size.writeUInt16BE(origin.length);
    this.write(
      frame(TYPE.ALTSVC, 0, isStream ? originOrStream : 0, Buffer.concat([size, Buffer.from(origin + alternative, 'latin1')])),
    );
  }
  origin(...origins) {
    if (this.destroyed) throw http2Error('ERR_HTTP2_INVALID_SESSION');
    if (origins.length === 0) return;
    const { Buffer } = require('node/buffer/buffer');
    const parts = ArrayMap(origins, (each) => {
      const origin =
        typeof each === 'string' ? new (require('web/url/class').URL)(each).origin : Object(each) === each ? each.origin : each;
      validateString(origin, 'origin');
      if (origin === 'null') throw http2Error('ERR_HTTP2_INVALID_ORIGIN');
      const text = Buffer.from(origin, 'latin1');
      if (text.length > LARGEST_PAYLOAD) throw http2Error('ERR_HTTP2_ORIGIN_LENGTH');
      return Buffer.concat([Buffer.from([text.length >> 8, text.length & 255]), text]);
    });
    this.write(frame(TYPE.ORIGIN, 0, 0, Buffer.concat(parts)));
  }
}
const rawOf = (fields) => ArrayFlatMap(fields, ({ 0: name, 1: value }) => [name, value]);
function originOf(value, code) {
  const { URL } = require('web/url/class');
  const { origin } = typeof value === 'string' ? new URL(value) : value;
  if (typeof origin !== 'string' || origin === 'null' || origin === '') throw http2Error(code);
  return origin;
}

function setUp(server, options, listener) {
  server[kOptions] = options;
  server[kSessions] = new Set();
  server.timeout = 0;
  const compat = require('node/http2/compat');
  if (typeof listener === 'function') server.on('request', listener);
  server.on('newListener', (event) => {
    if (event === 'request') follow();
  });
  let isFollowed = false;
  const follow = () => {
    if (isFollowed) return;
    isFollowed = true;
    server.on('stream', compat.onStream(server, options));
  };
  if (typeof listener === 'function') follow();
}

function welcome(server, socket) {
  const options = server[kOptions];
  const session = new ServerHttp2Session(server, socket, options);
  SetAdd(server[kSessions], session);
  session.once('close', () => SetDelete(server[kSessions], session));
  session.on('error', (error) => server.emit('sessionError', error, session));
  session.on('timeout', () => {
    if (!server.emit('timeout', session)) session.destroy();
  });
  if (options.unknownProtocolTimeout !== 0 && !socket.encrypted) {
    const unknownProtocol = () => {
      if (!server.emit('unknownProtocol', socket)) session.destroy(undefined, PROTOCOL_ERROR);
    };
    session.unknownProtocol = unknownProtocol;
  }
  if (server.timeout > 0) session.setTimeout(server.timeout);
  server.emit('session', session);
}

const methods = {
  setTimeout(ms, callback) {
    this.timeout = ms;
    if (callback !== undefined) {
      validateFunction(callback, 'callback');
      this.on('timeout', callback);
    }
    return this;
  },
  /** Handles the rejection of an async listener, with `captureRejections`. */
  [SymbolFor('nodejs.rejection')](error, event, ...args) {
    if (event === 'stream') {
      const { 0: stream } = args;
      if (stream.sentHeaders !== undefined) stream.destroy(error);
      else {
        stream.respond({ ':status': 500 });
        stream.end();
      }
    } else if (event === 'request') {
      const response = args[1];
      if (response.headersSent || response.finished) response.destroy();
      else {
        for (const name of intact(response.getHeaderNames())) response.removeHeader(name); // the error page must not have them
        response.statusCode = 500;
        response.end(require('node/http/status_codes').STATUS_CODES[500]);
      }
    } else FunctionCall(net.Server.prototype[SymbolFor('nodejs.rejection')], this, error, event, ...intact(args));
  },
  updateSettings(settings) {
    validateObject(settings, 'settings');
    const changes = validateSettings(settings);
    this[kOptions].settings = { ...this[kOptions].settings, ...changes };
    for (const session of intact(this[kSessions])) session.settings(changes);
  },
};
/** Lets all sessions of a closing server finish. */
function closeSessions(server) {
  for (const session of intact(server[kSessions])) session.close();
}

class Http2Server extends net.Server {
  constructor(options, listener) {
    super({ ...options, allowHalfOpen: true, noDelay: true });
    setUp(this, options, listener);
    this.on('connection', (socket) => welcome(this, socket));
  }
  close(callback) {
    super.close(callback);
    closeSessions(this);
    return this;
  }
}
ObjectAssign(Http2Server.prototype, methods);

function secureServerClass() {
  const tls = require('node/tls/tls');
  class Http2SecureServer extends tls.Server {
    constructor(options, listener) {
      const { allowHTTP1 = false } = options;
      const ALPNProtocols = allowHTTP1 ? ['h2', 'http/1.1'] : ['h2'];
      super(options.ALPNCallback === undefined ? { ALPNProtocols, ...options } : options);
      setUp(this, options, listener);
      const http = require('node/http/server');
      if (allowHTTP1) http.setUp(this, { ...options, ...options.http1Options }, undefined, Symbol('given by hand'));
      this.on('secureConnection', (socket) => {
        const other = socket.alpnProtocol === false || socket.alpnProtocol === 'http/1.1';
        if (!other) welcome(this, socket);
        else if (allowHTTP1) FunctionCall(http.connectionListener, this, socket);
        else this.#refuse(socket);
      });
      this.on('tlsClientError', (error, socket) => {
        if (!this.emit('clientError', error, socket)) socket.destroy(error);
      });
    }
    #refuse(socket) {
      if (this.emit('unknownProtocol', socket)) return;
      socket.end(
        'HTTP/1.0 403 Forbidden\r\nContent-Type: text/plain\r\n\r\nMissing ALPN Protocol, expected `h2` to be available.\n' +
          'If this is a HTTP request: The server was not configured with the `allowHTTP1` option or a listener for the `unknownProtocol` event.\n',
      );
      nextTick(() => socket.destroySoon());
    }
    close(callback) {
      super.close(callback);
      closeSessions(this);
      if (this[kOptions].allowHTTP1) require('node/http/server').stopChecking(this);
      return this;
    }
  }
  ObjectAssign(Http2SecureServer.prototype, methods);
  const { closeAllConnections, closeIdleConnections } = require('node/http/server').Server.prototype;
  ObjectAssign(Http2SecureServer.prototype, { closeAllConnections, closeIdleConnections });
  return Http2SecureServer;
}
let Secure;

function checkOptions(options, listener) {
  if (typeof options === 'function') [options, listener] = intact([{}, options]);
  if (options !== undefined) validateObject(options, 'options');
  const sessionOptions = { ...options };
  if (sessionOptions.settings !== undefined) validateObject(sessionOptions.settings, 'options.settings');
  sessionOptions.settings = validateSettings(sessionOptions.settings);
  for (const name of intact(['maxSessionInvalidFrames', 'maxSessionRejectedStreams'])) {
    if (sessionOptions[name] !== undefined) validateUint32(sessionOptions[name], `options.${name}`);
  }
  return [sessionOptions, listener];
}
function createServer(options, handler) {
  return new Http2Server(...intact(checkOptions(options, handler)));
}
function createSecureServer(options, handler) {
  if (options !== undefined) validateObject(options, 'options');
  Secure ??= secureServerClass();
  return new Secure(...intact(checkOptions(options, handler)));
}
function performServerHandshake(socket, options = {}) {
  return new ServerHttp2Session(undefined, socket, checkOptions(options)[0]);
}

module.exports = { ServerHttp2Session, createServer, createSecureServer, performServerHandshake };
