'use strict';
// Owns: one request of a fetch, to one target: what a connection needs to send it, and the methods by which the connection
// reports the response. It is also the source of the feed of the response's body. node/fetch/fetch decides what follows.

const { valueOf } = require('web/fetch/headers');
const { abortError } = require('node/fetch/errors');
const verbose = require('node/http/verbose');

class Task {
  #fetching;
  messages; // messages on diagnostics channels, if there are subscribers
  head = ''; // the serialized header
  pairs = undefined; // its fields
  path = '';
  body = null; // a string or bytes
  length = undefined; // of a stream, if the program set Content-Length
  key = ''; // that of the target in the pool of connections
  connection = undefined; // set with the head of the response
  rawHeaders = undefined; // of the response
  sink = undefined; // receives the body: push(bytes), end(), fail(error)
  next = undefined; // called at the end of a response that is a redirect, in place of the sink
  trailers = undefined;
  retries = 0;
  isOver = false; // the response is complete: the connection may serve another request

  /**
   * With `isStream`, fetch writes the body; if the target `isAlone`, the connection serves no other request, before or after.
   * `place` is that of the call (internal/errors/places).
   */
  constructor(fetching, { method, target, isStream, place }) {
    this.#fetching = fetching;
    this.method = method;
    this.target = target;
    this.isStream = isStream;
    this.isAlone = target.isAlone;
    this.place = place;
  }

  onHead(status, reason, rawHeaders) {
    if (verbose.isOn()) verbose.response(status, reason, rawHeaders);
    this.rawHeaders = rawHeaders;
    this.#fetching.handleHead(this, status, reason, rawHeaders);
  }

  /** Returns false if the connection should pause. */
  onBody(bytes) {
    return this.sink?.push(bytes);
  }

  onEnd() {
    this.isOver = true;
    this.#fetching.handleEnd(this);
  }

  /** `mayRetry`: the server has not processed the request. */
  onError(error, mayRetry) {
    this.#fetching.handleError(this, error, mayRetry);
  }

  // --- the source of a feed

  announced() {
    return Number(valueOf(this.rawHeaders, 'content-length'));
  }
  pause() {
    if (!this.isOver) this.connection.pause();
  }
  resume() {
    if (!this.isOver) this.connection.resume();
  }
  cancel() {
    this.#fetching.stop();
    if (!this.isOver) this.connection.destroy();
    this.messages?.failed(abortError());
  }
}

module.exports = { Task };
