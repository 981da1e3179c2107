'use strict';
// Owns: http2.connect and the client session: requests wait for the connection and for a free stream on the server.

const {
  ArrayConcat,
  ArrayFlatMap,
  ArrayFilter,
  ArrayIncludes,
  ArrayIndexOf,
  ArrayIsArray,
  ArrayPush,
  ArrayShift,
  ArraySplice,
  MapHas,
  MapKeys,
  MapSet,
  ObjectKeys,
  RegExpReplace,
  RegExpTest,
  StringSlice,
  intact,
} = require('internal/primordials');
const { nextTick } = require('internal/timers');
const { http2Error, protocolError } = require('node/http2/errors');
const { fieldsOf, objectOf, isGood, sensitiveHeaders } = require('node/http2/headers');
const { ClientHttp2Stream } = require('node/http2/client_stream');
const { Http2Session } = require('node/http2/session');
const { validateSettings } = require('node/http2/settings');
const { publish } = require('node/http2/diagnostics');
const { codes } = require('internal/errors/errors');
const { validateAbortSignal, validateBoolean, validateFunction, validateNumber } = require('internal/validators');

const CLIENT = 1;
const PROTOCOL_ERROR = 1;
const CALM = 11;
const REFUSED_STREAM = 7;
const CANCEL = 8;

class ClientHttp2Session extends Http2Session {
  nextId = 1;
  pendingRequests = [];
  #isConnected = false;
  #isGreeting = false;
  #early = []; // settings given before the connection preface was sent

  constructor(socket, options, authority) {
    super(CLIENT, socket, options);
    this.authority = authority;
    if (socket.connecting || socket.secureConnecting)
      socket.once(socket.encrypted ? 'secureConnect' : 'connect', () => this.#handleConnect(socket));
    else {
      // An open stream may deliver the server's frames immediately; the preface must precede any answer to them.
      if (!socket.encrypted || socket.alpnProtocol === 'h2') this.#greet();
      nextTick(() => this.#handleConnect(socket));
    }
  }

  #handleConnect(socket) {
    if (this.destroyed) return;
    if (socket.encrypted && socket.alpnProtocol !== 'h2') {
      this.destroy(protocolError());
      return;
    }
    this.#isConnected = true;
    this.#greet();
    this.emit('connect', this, socket);
    if (this.isClosing)
      for (const stream of intact(ArraySplice(this.pendingRequests, 0))) stream.destroy(http2Error('ERR_HTTP2_GOAWAY_SESSION'));
    this.#start();
  }
  #greet() {
    if (this.#isGreeting) return;
    this.#isGreeting = true;
    this.begin();
    for (const { given, callback } of intact(ArraySplice(this.#early, 0))) super.settings(given, callback);
  }
  /** Settings given before the preface are sent after it. */
  settings(changes, callback) {
    if (this.#isGreeting || this.destroyed) {
      super.settings(changes, callback);
      return;
    }
    if (callback !== undefined) validateFunction(callback, 'callback');
    ArrayPush(this.#early, { given: validateSettings(changes), callback });
  }
  get pendingSettingsAck() {
    return this.#early.length > 0 || super.pendingSettingsAck;
  }
  awaits(stream) {
    return !this.destroyed && ArrayIncludes(this.pendingRequests, stream);
  }
  settingsCame() {
    this.#start();
  }
  streamGone(stream) {
    const place = ArrayIndexOf(this.pendingRequests, stream);
    if (place !== -1) ArraySplice(this.pendingRequests, place, 1);
    this.#start();
  }

  /** Assigns stream IDs to waiting requests, up to the server's limit of concurrent streams. */
  #start() {
    while (this.#isConnected && this.pendingRequests.length > 0 && !this.destroyed) {
      let own = 0;
      for (const id of intact(MapKeys(this.streams))) own += id % 2;
      if (own >= this.remote.maxConcurrentStreams) return;
      const stream = ArrayShift(this.pendingRequests);
      if (stream.destroyed) continue;
      if (this.nextId > 2 ** 31 - 1) {
        stream.destroy(http2Error('ERR_HTTP2_OUT_OF_STREAMS'));
        continue;
      }
      const id = this.nextId;
      this.nextId += 2;
      MapSet(this.streams, id, stream);
      stream.window = this.remote.initialWindowSize;
      stream.room = this.local.initialWindowSize;
      stream.begin(id, () => this.sendHeaders(stream, stream.requestFields, stream.endsWithHead));
      if (stream.endsWithHead && !stream.isOver) stream.endLocal();
      publish(stream, 'start', () => ({ headers: stream.sentHeaders }));
    }
  }

  request(headers = undefined, options = undefined) {
    if (this.isClosing) {
      const none = new ClientHttp2Stream(this);
      none.destroy(http2Error(this.destroyed ? 'ERR_HTTP2_INVALID_SESSION' : 'ERR_HTTP2_GOAWAY_SESSION'));
      return none;
    }
    const isList = ArrayIsArray(headers);
    const object = { __proto__: null };
    if (isList) {
      // A name repeated in the list has several values.
      for (let i = 0; i < headers.length; i += 2) {
        const name = headers[i];
        object[name] = object[name] === undefined ? headers[i + 1] : ArrayConcat([], object[name], headers[i + 1]);
      }
    } else for (const name of intact(ObjectKeys(headers ?? {}))) object[name] = headers[name];
    if (headers != null && typeof headers !== 'object') throw new codes.ERR_INVALID_ARG_TYPE('headers', 'Object', headers);
    object[':method'] ??= 'GET';
    const isConnect = object[':method'] === 'CONNECT';
    if (isConnect && object[':protocol'] === undefined) {
      if (object[':authority'] === undefined) throw http2Error('ERR_HTTP2_CONNECT_AUTHORITY');
      if (object[':scheme'] !== undefined) throw http2Error('ERR_HTTP2_CONNECT_SCHEME');
      if (object[':path'] !== undefined) throw http2Error('ERR_HTTP2_CONNECT_PATH');
    } else {
      if (object[':authority'] === undefined && object.host === undefined) object[':authority'] = this.authority.host;
      object[':scheme'] ??= StringSlice(this.authority.protocol, 0, -1);
      object[':path'] ??= '/';
    }
    if (headers?.[sensitiveHeaders] !== undefined) object[sensitiveHeaders] = headers[sensitiveHeaders];
    let fields;
    try {
      fields = fieldsOf(isList ? inOrder(headers, object) : object, 'request', this.options.strictSingleValueFields !== false);
    } catch (error) {
      if (error.code !== 'ERR_INVALID_CHAR') throw error;
      const none = new ClientHttp2Stream(this);
      nextTick(() => none.destroy(http2Error('ERR_HTTP2_STREAM_ERROR', PROTOCOL_ERROR)));
      return none;
    }
    const { endStream = RegExpTest(/^(?:GET|HEAD|DELETE)$/, object[':method']), waitForTrailers, signal } = options ?? {};
    validateBoolean(endStream, 'options.endStream');
    for (const name of intact(['exclusive', 'silent']))
      if (options?.[name] !== undefined) validateBoolean(options[name], `options.${name}`);
    for (const name of intact(['weight', 'parent']))
      if (options?.[name] !== undefined) validateNumber(options[name], `options.${name}`);
    if (signal !== undefined) validateAbortSignal(signal, 'options.signal');
    const stream = new ClientHttp2Stream(this, { waitForTrailers, highWaterMark: options?.highWaterMark });
    stream.requestFields = fields;
    stream.sentHeaders = object;
    stream.headRequest = object[':method'] === 'HEAD';
    if (endStream) {
      stream.endsWithHead = true;
      stream.markLocalEnded();
      stream.end();
    }
    if (signal?.aborted) {
      nextTick(() => stream.destroy(new (require('internal/errors/errors').AbortError)(undefined, { cause: signal.reason })));
    } else if (signal !== undefined) {
      const stop = () => stream.destroy(new (require('internal/errors/errors').AbortError)(undefined, { cause: signal.reason }));
      signal.addEventListener('abort', stop, { once: true });
      stream.once('close', () => signal.removeEventListener('abort', stop));
    }
    ArrayPush(this.pendingRequests, stream);
    if (this.#isConnected) this.#start();
    publish(stream, 'created', () => ({ headers: object }));
    return stream;
  }

  /** Handles a PUSH_PROMISE. */
  handlePushPromise({ id, promised, flags }, fields) {
    this.lastId = promised;
    if (fields === undefined || !MapHas(this.streams, id) || !isGood(fields, 'request')) {
      this.sendReset({ id: promised }, fields === undefined ? CALM : MapHas(this.streams, id) ? PROTOCOL_ERROR : REFUSED_STREAM);
      return;
    }
    let reserved = 0;
    for (const each of intact(MapKeys(this.streams))) reserved += Number(each % 2 === 0);
    const isTooMany = reserved >= (this.options.maxReservedRemoteStreams ?? 200);
    if (this.listenerCount('stream') === 0 || isTooMany) {
      this.sendReset({ id: promised }, isTooMany ? CANCEL : REFUSED_STREAM);
      return;
    }
    const stream = new ClientHttp2Stream(this);
    stream.event = 'push';
    MapSet(this.streams, promised, stream);
    stream.room = this.local.initialWindowSize;
    stream.markLocalEnded();
    stream.begin(promised);
    const headers = objectOf(fields);
    publish(stream, 'created', () => ({ headers }));
    publish(stream, 'start', () => ({ headers }));
    stream.end();
    stream.later(() =>
      this.emit(
        'stream',
        stream,
        headers,
        flags,
        ArrayFlatMap(fields, ({ 0: name, 1: value }) => [name, value]),
      ),
    );
  }
}

/** The pairs of a list in its order, after the default fields of `all` that it lacks. */
function inOrder(list, all) {
  const pairs = [];
  const own = ArrayFilter(list, (each, index) => index % 2 === 0);
  for (let index = 0, names = ObjectKeys(all); index < names.length; index++) {
    if (!ArrayIncludes(own, names[index])) ArrayPush(pairs, [names[index], all[names[index]]]);
  }
  for (let i = 0; i < list.length; i += 2) ArrayPush(pairs, [list[i], list[i + 1]]);
  pairs[sensitiveHeaders] = all[sensitiveHeaders];
  return pairs;
}

function connect(authority, options, listener) {
  if (typeof options === 'function') [options, listener] = intact([undefined, options]);
  const sessionOptions = { ...options };
  const { URL } = require('web/url/class');
  const url = typeof authority === 'string' ? new URL(authority) : authority;
  if (typeof url !== 'object' || url === null)
    throw new codes.ERR_INVALID_ARG_TYPE('authority', ['string', 'Object', 'URL'], authority);
  const protocol = url.protocol || sessionOptions.protocol || 'https:';
  const hostname = `${url.hostname || url.host?.split(':')[0] || 'localhost'}`;
  const name = RegExpReplace(/^\[|\]$/g, hostname, '');
  const port = `${url.port || (protocol === 'http:' ? 80 : 443)}`;
  let socket;
  if (typeof sessionOptions.createConnection === 'function') socket = sessionOptions.createConnection(url, sessionOptions);
  else if (protocol === 'http:')
    socket = require('node/net/net').connect({ port, host: name, ...sessionOptions, path: undefined });
  else if (protocol === 'https:') {
    const { isIP } = require('node/net/address');
    socket = require('node/tls/tls').connect({
      port,
      host: name,
      ALPNProtocols: ['h2'],
      servername: isIP(name) ? '' : name,
      ...sessionOptions,
    });
  } else throw http2Error('ERR_HTTP2_UNSUPPORTED_PROTOCOL', protocol);
  const session = new ClientHttp2Session(socket, sessionOptions, {
    protocol,
    host: `${sessionOptions.servername || hostname}:${port}`,
  });
  if (typeof listener === 'function') session.once('connect', listener);
  return session;
}

module.exports = { connect, ClientHttp2Session };
