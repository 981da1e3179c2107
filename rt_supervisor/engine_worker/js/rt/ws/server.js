'use strict';
// Owns: WebSocketServer with the interface of the package `ws`: handshakes on its own server, on a given one, or through
// `handleUpgrade`.

const { setOf } = require('internal/collections');
const {
  ArrayEvery,
  ArrayFilter,
  ArrayJoin,
  ArrayMap,
  ObjectEntries,
  ObjectKeys,
  RegExpTest,
  SetAdd,
  SetDelete,
  StringSplit,
  StringToLowerCase,
  StringTrim,
  intact,
} = require('internal/primordials');
const EventEmitter = require('node/events/events');
const { nextTick } = require('internal/timers');
const builtins = require('node/module/builtins');
const { WebSocket } = require('rt/ws/socket');
const { acceptOf } = require('rt/ws/connect');

const KEY = /^[+/0-9A-Za-z]{22}==$/;
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const MOST_BYTES = 100 * 1024 * 1024;
const { 0: RUNNING, 1: CLOSING, 2: CLOSED } = [0, 1, 2];

/** Answers with a status instead of the upgrade. */
function refuse(socket, status, message, headers = {}) {
  const { STATUS_CODES } = builtins.load('http');
  const text = message ?? STATUS_CODES[status];
  const all = {
    'Connection': 'close',
    'Content-Type': 'text/html',
    'Content-Length': builtins.load('buffer').Buffer.byteLength(text),
    ...headers,
  };
  const lines = ArrayMap(ObjectEntries(all), ({ 0: name, 1: value }) => `${name}: ${value}\r\n`);
  socket.once('finish', () => socket.destroy());
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${ArrayJoin(lines, '')}\r\n${text}`);
}

/** Returns the names in Sec-WebSocket-Protocol, or undefined for an invalid header. */
function protocolsOf(header) {
  const names = ArrayMap(StringSplit(header, ','), (name) => StringTrim(name));
  return ArrayEvery(names, (name) => RegExpTest(TOKEN, name)) && setOf(names).size === names.length ? setOf(names) : undefined;
}

class WebSocketServer extends EventEmitter {
  #state = RUNNING;
  #shouldEmitClose = false;
  #removeListeners;
  #server = null;

  constructor(options, callback = undefined) {
    super();
    options = {
      maxPayload: MOST_BYTES,
      perMessageDeflate: false,
      handleProtocols: null,
      clientTracking: true,
      verifyClient: null,
      noServer: false,
      server: null,
      host: null,
      path: null,
      port: null,
      WebSocket,
      ...options,
    };
    const isGiven = [(options.port ?? null) !== null, Boolean(options.server), Boolean(options.noServer)];
    if (ArrayFilter(isGiven, Boolean).length !== 1)
      throw new TypeError('One and only one of the "port", "server", or "noServer" options must be specified');
    this.options = options;
    if (options.clientTracking) this.clients = new Set();
    if (isGiven[0]) {
      this.#server = builtins.load('http').createServer((request, response) => {
        const text = 'Upgrade Required';
        response.writeHead(426, { 'Content-Length': text.length, 'Content-Type': 'text/plain' });
        response.end(text);
      });
      this.#server.listen(options.port, options.host ?? undefined, options.backlog, callback);
    } else if (isGiven[1]) this.#server = options.server;
    this._server = this.#server;
    if (this.#server !== null) this.#listen(this.#server);
  }

  #listen(server) {
    const listeners = {
      listening: () => this.emit('listening'),
      error: (error) => this.emit('error', error),
      upgrade: (request, socket, head) =>
        this.handleUpgrade(request, socket, head, (client) => this.emit('connection', client, request)),
    };
    for (const name of intact(ObjectKeys(listeners))) server.on(name, listeners[name]);
    this.#removeListeners = () => {
      for (const name of intact(ObjectKeys(listeners))) server.off(name, listeners[name]);
    };
  }

  address() {
    if (this.options.noServer) throw new Error('The server is operating in "noServer" mode');
    return this.#server === null ? null : this.#server.address();
  }

  /** Stops accepting clients; existing connections stay open. */
  close(callback = undefined) {
    if (this.#state === CLOSED) {
      if (callback) this.once('close', () => callback(new Error('The server is not running')));
      nextTick(() => this.#emitClose());
      return;
    }
    if (callback) this.once('close', callback);
    if (this.#state === CLOSING) return;
    this.#state = CLOSING;
    const server = this.#server;
    this.#removeListeners?.();
    this.#removeListeners = this.#server = this._server = null;
    if (server !== null && !this.options.server) server.close(() => this.#emitClose());
    else if (!this.clients?.size) nextTick(() => this.#emitClose());
    else this.#shouldEmitClose = true;
  }

  #emitClose() {
    this.#state = CLOSED;
    this.emit('close');
  }

  shouldHandle(request) {
    const { path } = this.options;
    return !path || StringSplit(request.url, '?')[0] === path;
  }

  handleUpgrade(request, socket, head, callback) {
    const stop = () => socket.destroy();
    socket.on('error', stop);
    const { headers } = request;
    const key = headers['sec-websocket-key'];
    const version = Number(headers['sec-websocket-version']);
    const isNoHandshake = (status, words, more) => {
      if (this.listenerCount('wsClientError') > 0) this.emit('wsClientError', new Error(words), socket, request);
      else refuse(socket, status, words, more);
    };
    if (request.method !== 'GET') return void isNoHandshake(405, 'Invalid HTTP method');
    if ((headers.upgrade == null ? undefined : StringToLowerCase(headers.upgrade)) !== 'websocket')
      return void isNoHandshake(400, 'Invalid Upgrade header');
    if (key === undefined || !RegExpTest(KEY, key)) return void isNoHandshake(400, 'Missing or invalid Sec-WebSocket-Key header');
    if (version !== 13 && version !== 8)
      return void isNoHandshake(400, 'Missing or invalid Sec-WebSocket-Version header', { 'Sec-WebSocket-Version': '13, 8' });
    if (!this.shouldHandle(request)) return void refuse(socket, 400);
    const offer = headers['sec-websocket-protocol'];
    const protocols = offer === undefined ? new Set() : protocolsOf(offer);
    if (protocols === undefined) return void isNoHandshake(400, 'Invalid Sec-WebSocket-Protocol header');
    const go = () => {
      socket.off('error', stop);
      this.completeUpgrade(key, protocols, request, socket, head, callback);
    };
    const { verifyClient } = this.options;
    if (!verifyClient) return void go();
    const info = {
      origin: headers[version === 8 ? 'sec-websocket-origin' : 'origin'],
      secure: Boolean(request.socket?.authorized || request.socket?.encrypted),
      req: request,
    };
    if (verifyClient.length === 2)
      verifyClient(info, (isWelcome, status, message, more) => (isWelcome ? go() : refuse(socket, status || 401, message, more)));
    else if (verifyClient(info)) go();
    else refuse(socket, 401);
    return undefined;
  }

  completeUpgrade(key, protocols, request, socket, head, callback) {
    if (!socket.readable || !socket.writable) return void socket.destroy();
    if (this.#state > RUNNING) return void refuse(socket, 503);
    const headers = [
      'HTTP/1.1 101 Switching Protocols',
      'Upgrade: websocket',
      'Connection: Upgrade',
      `Sec-WebSocket-Accept: ${acceptOf(key)}`,
    ];
    const { maxPayload, perMessageDeflate, handleProtocols } = this.options;
    const settings = { maxPayload };
    if (protocols.size > 0) {
      const protocol = handleProtocols ? handleProtocols(protocols, request) : protocols.values().next().value;
      if (protocol) {
        headers.push(`Sec-WebSocket-Protocol: ${protocol}`);
        settings.protocol = protocol;
      }
    }
    if (perMessageDeflate && RegExpTest(/(?:^|,)\s*permessage-deflate/, request.headers['sec-websocket-extensions'] ?? '')) {
      headers.push('Sec-WebSocket-Extensions: permessage-deflate; server_no_context_takeover; client_no_context_takeover');
      settings.extensions = 'permessage-deflate';
      settings.squeezing = require('node/websocket/deflate').createCodec();
    }
    this.emit('headers', headers, request);
    socket.write(`${headers.join('\r\n')}\r\n\r\n`);
    const client = new this.options.WebSocket(null, undefined, this.options);
    client.setSocket(socket, head, settings);
    if (this.clients) {
      SetAdd(this.clients, client);
      client.on('close', () => {
        SetDelete(this.clients, client);
        if (this.#shouldEmitClose && this.clients.size === 0) nextTick(() => this.#emitClose());
      });
    }
    callback(client, request);
    return undefined;
  }
}

module.exports = { WebSocketServer };
