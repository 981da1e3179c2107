// @ts-check
'use strict';
// Owns: what is reported to front ends that have enabled the domain Network: requests of node:http and fetch, WebSockets of the
// program, and the requests that node:http and RT.serve serve. Until then nothing here is loaded, and nothing is observed.
//
// The sources are the channels of node:diagnostics_channel, and `runtimeParts.observeServed` for RT.serve.

const runtimeParts = require('internal/parts');
const {
  ArrayPush,
  FunctionCall,
  JSONStringify,
  RegExpExec,
  RegExpTest,
  StringSlice,
  StringIndexOf,
  StringSplit,
  WeakMapDelete,
  WeakMapGet,
  WeakMapSet,
  intact,
} = require('internal/primordials');
const { subscribe, unsubscribe } = require('node/diagnostics_channel/diagnostics_channel');
const { observeBody } = require('node/http/sent_body');
const { Exchange, emit, headersOf, headersOfObject, initiator, nextId, seconds } = require('node/inspector/network_events');

/** Exchanges by the object of the program that stands for the request. */
const exchanges = new WeakMap();
const of = (message) => WeakMapGet(exchanges, message);

/** Reports the bytes that a node:http message delivers, without reading it. */
function observeIncoming(message, onChunk, onEnd) {
  const { push } = message;
  message.push = function observedPush(chunk, encoding) {
    if (chunk === null) onEnd?.();
    else onChunk(chunk);
    return FunctionCall(push, this, chunk, encoding);
  };
}

const client = {
  'http.client.request.created'({ request }) {
    const headers = headersOfObject(request.getHeaders());
    const place = headers.host ?? request.host;
    const url = RegExpTest(/^https?:\/\//, request.path) ? request.path : `${request.protocol}//${place}${request.path}`;
    const hasBody = Boolean(request.useChunkedEncodingByDefault);
    const exchange = new Exchange({ url, method: request.method, headers, hasBody, type: 'Other' });
    WeakMapSet(exchanges, request, exchange);
    observeBody(request, (bytes) => exchange.sent(bytes));
  },
  'http.client.response.finish'({ request, response }) {
    const exchange = of(request);
    if (exchange === undefined) return;
    exchange.answered(response.statusCode, response.statusMessage, headersOf(response.rawHeaders));
    observeIncoming(
      response,
      (bytes) => exchange.received(bytes),
      () => exchange.finished(),
    );
    response.once('close', () => exchange.failed(response.complete ? '' : 'aborted'));
  },
  'http.client.request.error'({ request, error }) {
    of(request)?.failed(error.message);
  },
};

const fetches = {
  'undici:request:create'({ request }) {
    const { origin, path, method, body } = request;
    const facts = { url: `${origin}${path}`, method, headers: headersOf(request.headers), hasBody: body !== null, type: 'Fetch' };
    WeakMapSet(exchanges, request, new Exchange(facts));
  },
  'undici:request:bodyChunkSent': ({ request, chunk }) => void of(request)?.sent(chunk),
  'undici:request:headers'({ request, response }) {
    of(request)?.answered(response.statusCode, response.statusText, headersOf(response.headers));
  },
  'undici:request:bodyChunkReceived': ({ request, chunk }) => void of(request)?.received(chunk),
  'undici:request:trailers': ({ request }) => void of(request)?.finished(),
  'undici:request:error': ({ request, error }) => void of(request)?.failed(error?.cause?.message ?? error?.message ?? `${error}`),
};

const webSockets = {
  'undici:websocket:open'({ websocket, handshakeResponse }) {
    const requestId = nextId();
    WeakMapSet(exchanges, websocket, requestId);
    emit('webSocketCreated', { requestId, url: websocket.url, initiator: initiator() });
    emit('webSocketHandshakeResponseReceived', {
      requestId,
      timestamp: seconds(),
      response: { ...handshakeResponse, headers: headersOfObject(handshakeResponse.headers) },
    });
  },
  'undici:websocket:close'({ websocket }) {
    const requestId = of(websocket);
    if (requestId === undefined) return;
    WeakMapDelete(exchanges, websocket);
    emit('webSocketClosed', { requestId, timestamp: seconds() });
  },
};

const server = {
  'http.server.request.start'({ request, response, socket }) {
    const headers = headersOf(request.rawHeaders);
    const url = `${socket.encrypted ? 'https' : 'http'}://${headers.host ?? 'localhost'}${request.url}`;
    const hasBody = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
    const exchange = new Exchange({ url, method: request.method, headers, hasBody, type: 'Document', isServed: true });
    WeakMapSet(exchanges, request, exchange);
    observeIncoming(request, (bytes) => exchange.sent(bytes), undefined);
    let isAnswered = false;
    const answered = () => {
      if (isAnswered || !response.headersSent) return;
      isAnswered = true;
      exchange.answered(response.statusCode, response.statusMessage ?? '', headersOfObject(response.getHeaders()));
    };
    const { write, end } = response;
    const bodyOf = (chunk, encoding) =>
      typeof chunk === 'string' && typeof encoding === 'string' && encoding !== 'utf8'
        ? require('node/buffer/buffer').Buffer.from(chunk, encoding)
        : chunk;
    const observed = (method) =>
      function observedWrite(chunk, encoding, callback) {
        const result = FunctionCall(method, this, chunk, encoding, callback);
        answered();
        if (chunk !== undefined && chunk !== null && typeof chunk !== 'function') exchange.received(bodyOf(chunk, encoding));
        return result;
      };
    response.write = observed(write);
    response.end = observed(end);
    response.once('close', () => exchange.failed(response.writableFinished ? '' : 'aborted'));
  },
  'http.server.response.finish': ({ request }) => void of(request)?.finished(),
};

/** Observes one request of RT.serve; see `rt/serve/exchange`. */
class Served {
  #exchange;

  constructor({ connection, method, rawHeaders, target }, url) {
    const headers = headersOf(rawHeaders);
    const hasBody = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
    this.#exchange = new Exchange({ url, method, headers, hasBody, type: 'Document', isServed: true });
    this.target = target;
    this.connection = connection;
  }

  /** Part of the request's body. */
  received(bytes) {
    this.#exchange.sent(bytes);
  }

  /** @param {string} text the response's head */
  head(text) {
    const lines = StringSplit(text, '\r\n');
    const { 1: status, 2: reason } = RegExpExec(/^\S+ (\d+) ?(.*)$/, lines[0]) ?? [];
    const raw = [];
    for (const line of intact(lines)) {
      const colon = StringIndexOf(line, ': ');
      if (colon > 0) ArrayPush(raw, StringSlice(line, 0, colon), StringSlice(line, colon + 2));
    }
    this.#exchange.answered(Number(status), reason ?? '', headersOf(raw));
  }

  /** Part of the response's body. */
  sent(bytes) {
    this.#exchange.received(bytes);
  }

  ended() {
    this.#exchange.finished();
  }

  aborted() {
    this.#exchange.failed('aborted');
  }
}

const sources = [client, fetches, webSockets, server];
let isObserving = false;

/** Starts or stops observing. Exchanges that have begun are reported to their end. */
function observe(isObserved) {
  if (isObserved === isObserving) return;
  isObserving = isObserved;
  for (const channels of intact(sources))
    for (const name in channels) (isObserved ? subscribe : unsubscribe)(name, channels[name]);
  runtimeParts.observeServed = isObserved ? (exchange) => new Served(exchange, exchange.url()) : undefined;
}

/**
 * Reports an event of the program's own client (`inspector.Network`).
 * @param {string} event @param {any} params
 */
function report(event, params) {
  const { data, ...others } = params;
  if (event === 'requestWillBeSent') others.initiator ??= initiator();
  if (event === 'responseReceived') {
    const { charset = '', mimeType = '' } = others.response ?? {};
    host.native.inspector_networkType(others.requestId, mimeType, charset);
  }
  const part = event === 'dataSent' ? 'request' : event === 'dataReceived' ? 'response' : undefined;
  if (part !== undefined && data !== undefined) host.native.inspector_networkData(others.requestId, part, data);
  if (event !== 'dataSent') host.native.inspector_network(`Network.${event}`, JSONStringify(others));
}

module.exports = { observe, report };
