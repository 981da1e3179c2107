// @ts-check
'use strict';
// Owns: messages of fetch on the diagnostics channels `undici:request:*` and `undici:client:*`, in Node's format: tracing
// instrumentation subscribes to them and adds fields with `addHeader`. Without subscribers nothing is created.

const runtimeParts = require('internal/parts');
const { AnyIndexOf } = require('internal/any_kind');
const {
  ArrayMap,
  ArrayPush,
  ArraySome,
  FunctionCall,
  ObjectAssign,
  RegExpReplace,
  RegExpTest,
  StringSlice,
  StringToLowerCase,
} = require('internal/primordials');
const { codes } = require('internal/errors/errors');
const { hasSubscribers } = require('node/diagnostics_channel/channel');
const { Buffer } = require('node/buffer/buffer');
const { asBuffer } = require('node/buffer/views');

const REQUEST = ['create', 'bodySent', 'bodyChunkSent', 'bodyChunkReceived', 'headers', 'trailers', 'error'];
const CLIENT = ['sendHeaders', 'beforeConnect', 'connected', 'connectError'];
const OWN = /^(?:host|connection|content-length|transfer-encoding)$/;

const publish = (event, message) => runtimeParts.publish?.(`undici:request:${event}`, message);
const publishClient = (event, message) => runtimeParts.publish?.(`undici:client:${event}`, message);
const isHeard = () =>
  ArraySome(REQUEST, (event) => hasSubscribers(`undici:request:${event}`)) ||
  ArraySome(CLIENT, (event) => hasSubscribers(`undici:client:${event}`));
const inBytes = (fields) => ArrayMap(fields ?? [], (text) => Buffer.from(text, 'latin1'));

/** The request object for subscribers. */
class Request {
  #pairs;

  constructor(pairs, { method, url, body, length, type }) {
    this.#pairs = pairs;
    this.headersTimeout = undefined;
    this.bodyTimeout = undefined;
    this.method = method;
    this.typeOfService = undefined;
    this.abort = null;
    this.body = body;
    this.completed = false;
    this.aborted = false;
    this.upgrade = null;
    this.path = `${url.pathname}${url.search}`;
    this.origin = url.origin;
    this.protocol = url.protocol;
    this.idempotent = method === 'GET' || method === 'HEAD';
    this.blocking = body === null || this.idempotent;
    this.reset = null;
    this.host = null;
    this.contentLength = length;
    this.contentType = type;
    this.headers = [];
    for (let index = 0; index < pairs.length; index++)
      if (!RegExpTest(OWN, StringToLowerCase(pairs[index][0]))) ArrayPush(this.headers, pairs[index][0], pairs[index][1]);
    this.expectContinue = false;
    this.servername = null;
  }

  addHeader(name, value) {
    const { isToken, hasBadCharacter } = require('node/http/fields');
    if (!isToken(name)) throw new codes.ERR_INVALID_ARG_VALUE('name', name, 'is no name of a header');
    if (hasBadCharacter(`${value}`)) throw new codes.ERR_INVALID_ARG_VALUE('value', value, `is no value of the header ${name}`);
    ArrayPush(this.headers, name, `${value}`);
    ArrayPush(this.#pairs, [name, `${value}`]);
    return this;
  }
}

/** The messages of one request: created --> sent --> answered … ended | failed */
class RequestMessages {
  #isOver = false;

  constructor(request) {
    this.request = request;
    publish('create', { request });
  }

  sent(head, socket, body, isStream) {
    const { request } = this;
    publishClient('sendHeaders', { request, headers: StringSlice(head, 0, -2), socket });
    if (isStream) return;
    if (body !== null) this.chunkSent(typeof body === 'string' ? Buffer.from(body) : body);
    this.bodySent();
  }
  chunkSent(chunk) {
    publish('bodyChunkSent', { request: this.request, chunk });
  }
  bodySent() {
    publish('bodySent', { request: this.request });
  }

  /** Publishes the events of the task. */
  follow(task) {
    const { request } = this;
    const { onHead, onBody, onEnd, onError } = task;
    ObjectAssign(task, {
      onHead: (status, reason, rawHeaders) => {
        publish('headers', { request, response: { statusCode: status, headers: inBytes(rawHeaders), statusText: reason } });
        FunctionCall(onHead, task, status, reason, rawHeaders);
      },
      onBody: (chunk) => {
        publish('bodyChunkReceived', { request, chunk: asBuffer(chunk) });
        return FunctionCall(onBody, task, chunk);
      },
      onEnd: () => {
        if (!this.#isOver) {
          this.#isOver = request.completed = true;
          publish('trailers', { request, trailers: inBytes(task.trailers) });
        }
        FunctionCall(onEnd, task);
      },
      onError: (error, mayRetry) => {
        if (!mayRetry) this.failed(error);
        FunctionCall(onError, task, error, mayRetry);
      },
    });
  }
  failed(error) {
    if (this.#isOver) return;
    this.#isOver = true;
    publish('error', { request: this.request, error });
  }
}

/** Publishes a new request with the fields `pairs`; fields added by subscribers are in it on return. */
function begin(task, pairs, { method, url, body }) {
  if (!isHeard()) return;
  /** @type {number | null} */
  let length = null;
  let type = null;
  for (let index = 0; index < pairs.length; index++) {
    const lower = StringToLowerCase(pairs[index][0]);
    if (lower === 'content-length') length = Number(pairs[index][1]);
    else if (lower === 'content-type') type = pairs[index][1];
  }
  const request = new Request(pairs, { method, url, body: task.isStream ? {} : body, length, type });
  task.messages = new RequestMessages(request);
  task.messages.follow(task);
}

/** Publishes a new connection; returns a function to call with its outcome: an error, or its socket. */
function connecting(url, connector) {
  if (!isHeard()) return undefined;
  const hostname = RegExpReplace(/^\[|\]$/g, url.hostname, '');
  const connectParams = (version) => ({
    host: url.host,
    hostname,
    protocol: url.protocol,
    port: url.port,
    version,
    servername: url.protocol === 'https:' && AnyIndexOf(hostname, ':') === -1 ? hostname : null,
    localAddress: null,
  });
  publishClient('beforeConnect', { connectParams: connectParams(undefined), connector });
  return (error, socket) => {
    if (error) publishClient('connectError', { connectParams: connectParams(undefined), connector, error });
    else
      publishClient('connected', { connectParams: connectParams(socket.alpnProtocol === 'h2' ? 'h2' : 'h1'), connector, socket });
  };
}

module.exports = { begin, connecting };
