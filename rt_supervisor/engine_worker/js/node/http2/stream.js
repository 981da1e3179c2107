'use strict';
// Owns: Http2Stream: one stream of a session as a Duplex. The session sends what the stream has queued, as far as both windows
// permit, and delivers received data; the peer is given more room as the program reads.

const { ArrayMap, ArrayPush, ArrayReduce, ArraySplice, SymbolFor, intact } = require('internal/primordials');
const Duplex = require('node/stream/duplex');
const { Buffer } = require('node/buffer/buffer');
const context = require('internal/async/context');
const { nextTick, setTimeout, clearTimeout } = require('internal/timers');
const { durationFor } = require('internal/timer_delays');
const { codeOf, http2Error } = require('node/http2/errors');
const { StreamLifecycle } = require('node/http2/stream_lifecycle');
const { fieldsOf } = require('node/http2/headers');
const { streamStateOf } = require('node/http2/session_checks');
const { publish, publishBody } = require('node/http2/diagnostics');
const { validateFunction, validateInteger } = require('internal/validators');
const { inspectNamed } = require('internal/inspect/named');

const NO_ERROR = 0;
const CANCEL = 8;

class Http2Stream extends Duplex {
  out = []; // { bytes, counted, callback }: pending writes
  isEndSent = false; // the last DATA frame had END_STREAM
  hasProgress = false; // whether something was sent since the last timeout check
  statistics; // for 'http2' performance observers; undefined without any
  unread = 0; // received bytes that the program has not read and that no WINDOW_UPDATE has returned yet
  window = 0; // bytes that this side may send
  expected; // size of the body by its Content-Length
  received = 0;
  #id;
  #session;
  #life = new StreamLifecycle();
  #finish;
  #aborted = false;
  #timeout;
  #idleMs = 0;
  #undelivered = 0; // events that wait for their tick
  #frame; // { value }: the async context in which it was created; undefined if contexts were not in use

  constructor(session, { waitForTrailers = false, ...options } = {}) {
    super({ ...options, allowHalfOpen: true, autoDestroy: false, emitClose: true, decodeStrings: false });
    this.#session = session;
    if (context.isUsed) this.#frame = { value: require('internal/async/tracking').currentFrame() };
    this.waitsForTrailers = waitForTrailers;
    this.sentHeaders = undefined;
    this.sentTrailers = undefined;
    this.sentInfoHeaders = undefined;
    this.endAfterHeaders = false; // the received headers had END_STREAM
    this.endsWithHead = false; // the headers of the request have END_STREAM
    this.headRequest = false;
    this.cork(); // until begin()
  }

  get session() {
    return this.#session;
  }
  get id() {
    return this.#id;
  }
  get pending() {
    return this.#id === undefined;
  }
  /** Pending writes may still be sent. */
  get closed() {
    return !this.#life.isOpen;
  }
  get isOver() {
    return this.#life.isClosed;
  }
  get isEnding() {
    return this.#life.isEnding;
  }
  get isLocalEnded() {
    return this.#life.isLocalEnded;
  }
  get isRemoteEnded() {
    return this.#life.isRemoteEnded;
  }
  get rstCode() {
    return this.#life.code;
  }
  get aborted() {
    return this.#aborted;
  }
  get bufferSize() {
    return ArrayReduce(this.out, (size, { bytes }) => size + bytes.length, this.writableLength);
  }
  get headersSent() {
    return this.sentHeaders !== undefined && (!this.pending || this.#session === undefined);
  }
  get state() {
    return streamStateOf(this, this.#session?.streamRoom(this) ?? 0);
  }

  /** The session has assigned an ID: `first` sends the headers, then pending writes may be sent. */
  begin(id, first = undefined) {
    this.#id = id;
    this.statistics = this.#session.statistics?.stream(id);
    first?.();
    if (this.isOver) {
      // It was closed while pending: the peer gets its headers and RST_STREAM.
      this.#session.sendReset(this, this.#life.code);
      this.#finishClosing();
      return;
    }
    this.uncork();
    if (this.out.length > 0 || this.isEnding) this.#session.flushSoon(this);
    if (!this.destroyed) this.emit('ready');
  }

  // --- the local half

  _write(chunk, encoding, callback) {
    if (this.isOver) {
      callback();
      return;
    }
    this.proceed?.();
    this.touch();
    this.#put(typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk, chunk.length, callback);
    publishBody(this, 'bodyChunkSent', () => ({ writev: false, data: chunk, encoding }));
  }
  /** Queues bytes that the Writable counts as `counted`. Whether they are the last is known only after the program's tick. */
  #put(bytes, counted, callback) {
    ArrayPush(this.out, { bytes, counted, callback });
    this.#session.flushSoon(this);
  }
  /** Whether a queued piece is the last of the body, so that its frame has END_STREAM. */
  endsWith({ counted }) {
    return this.writableEnded && !this.waitsForTrailers && this.out.length === 1 && this.writableLength === counted;
  }
  _writev(chunks, callback) {
    if (this.isOver) {
      callback();
      return;
    }
    this.proceed?.();
    this.touch();
    let length = 0;
    const parts = ArrayMap(chunks, ({ chunk, encoding }) => {
      length += chunk.length;
      return typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk;
    });
    this.#put(Buffer.concat(parts), length, callback);
    const data = () => (chunks.allBuffers ? ArrayMap(chunks, ({ chunk }) => chunk) : chunks);
    publishBody(this, 'bodyChunkSent', () => ({ writev: true, data: data(), encoding: '' }));
  }
  _final(callback) {
    if (!this.isOver) publishBody(this, 'bodySent');
    if (this.isLocalEnded || this.isOver || (this.isPush && this.headRequest && this.sentHeaders === undefined)) {
      callback();
      return;
    }
    this.proceed?.();
    this.#finish = callback;
    this.#life.startEnding();
    this.#session.flushSoon(this);
  }
  /** Everything written was sent: returns true if the end may be sent, false if trailers come first. */
  wantsEnd() {
    if (!this.waitsForTrailers || this.sentTrailers !== undefined) return true;
    if (!this.#life.isAwaitingTrailers) {
      this.#life.awaitTrailers();
      nextTick(() => {
        if (!this.isOver && !this.emit('wantTrailers')) this.sendTrailers({});
      });
    }
    return false;
  }
  /** The local half ends without a body, before or with its headers. */
  markLocalEnded() {
    this.#life.endLocal();
  }
  endLocal() {
    this.#life.endLocal();
    const finish = this.#finish;
    this.#finish = undefined;
    finish?.();
    this.#settle();
  }
  sendTrailers(headers) {
    if (this.sentTrailers !== undefined && !this.destroyed) throw http2Error('ERR_HTTP2_TRAILERS_ALREADY_SENT');
    if (this.destroyed || this.isOver) throw http2Error('ERR_HTTP2_INVALID_STREAM');
    if (!this.#life.isAwaitingTrailers) throw http2Error('ERR_HTTP2_TRAILERS_NOT_READY');
    const fields = fieldsOf(headers, 'trailers');
    this.sentTrailers = headers;
    if (fields.length === 0) this.#session.sendEnd(this);
    else if (!this.#session.sendHeaders(this, fields, true)) return;
    this.endLocal();
  }

  _read() {
    if (this.unread > 0 && this.#session !== undefined) {
      const count = this.unread;
      this.unread = 0;
      this.#session.giveRoom(this, count);
    }
  }

  // --- the remote half

  /** Calls the program in a separate tick, as Node does; later events wait for it. */
  later(work) {
    this.#undelivered++;
    if (this.#session !== undefined) this.#session.hasNews = true;
    nextTick(() => {
      this.#undelivered--;
      this.#deliver(work);
    });
  }
  #deliver(work) {
    if (this.#frame === undefined) work();
    else context.runInFrame(this.#frame.value, work);
  }
  #soon(work) {
    if (this.#undelivered === 0) this.#deliver(work);
    else this.later(work);
  }
  take(bytes) {
    this.touch();
    this.unread += bytes.length;
    this.statistics?.took(bytes.length);
    this.#session.hasNews = true;
    this.#soon(() => {
      if (this.readable && this.push(bytes)) this._read();
    });
  }
  /** A pushed stream: the client sends nothing. */
  markRemoteEnded() {
    this.#life.endRemote();
  }
  endRemote() {
    if (this.isRemoteEnded) return;
    this.#life.endRemote();
    this.#soon(() => {
      if (this.isOver && this.#life.code !== NO_ERROR) return;
      this.push(null);
      this.#settle();
    });
  }
  /** Handles RST_STREAM, or the end of the session. */
  reset(code) {
    this.#soon(() => this.#reset(code));
  }
  #reset(code) {
    if (this.isOver) return;
    const wasOpen = this.#life.close(code);
    if (!this.#life.hasEnded) this.#abort();
    if (wasOpen) publish(this, 'close');
    this.#finishClosing();
  }
  #abort() {
    if (this.#aborted || this.writableEnded) return; // once the local half has ended, it is not aborted
    this.#aborted = true;
    this.emit('aborted');
  }
  /** Discards the body of a request that a server has answered without reading it; a client may read its response later. */
  dropUnread() {
    if (this.request === undefined || this.readableFlowing !== null || this.listenerCount('readable') > 0) return false;
    this.resume();
    return true;
  }
  #settle() {
    if (this.isLocalEnded && !this.isRemoteEnded) this.dropUnread();
    if (!this.#life.hasEnded || this.destroyed || this.isOver) return;
    if (this.#life.close(NO_ERROR)) publish(this, 'close');
    this.#finishClosing();
  }
  /** Neither half sends more; received data may still be read. */
  #finishClosing() {
    this.#session?.forget(this);
    for (const { callback } of intact(ArraySplice(this.out, 0))) nextTick(callback);
    const finish = this.#finish;
    this.#finish = undefined;
    finish?.();
    if (!this.writableEnded) this.end();
    // While the program is reading, CANCEL is an end, not an error.
    const isError = this.#life.code !== NO_ERROR && (this.#life.code !== CANCEL || !this.readableFlowing);
    if (isError || this.readableEnded || !this.readable) {
      nextTick(() => this.destroy());
      return;
    }
    this.once('end', () => nextTick(() => this.destroy()));
    if (!this.isRemoteEnded) this.push(null);
    if (!this.dropUnread()) this.read(0);
  }

  // --- ends

  close(code = NO_ERROR, callback = undefined) {
    validateInteger(code, 'code', 0, 2 ** 32 - 1);
    if (callback !== undefined) {
      validateFunction(callback, 'callback');
      this.once('close', callback);
    }
    if (this.isOver) return;
    if (code === NO_ERROR && this.#life.isOpen && this.sentHeaders !== undefined && this.#mayFinish()) {
      // Pending writes are sent first.
      this.#life.startClosing();
      publish(this, 'close');
      if (!this.writableEnded) this.end();
      this.once('finish', () => this.#closeNow(code));
      return;
    }
    this.#closeNow(code);
  }
  #mayFinish() {
    const isAtTrailers = this.#life.isAwaitingTrailers || this.sentTrailers !== undefined;
    return !this.destroyed && !this.writableFinished && !isAtTrailers;
  }
  #closeNow(code) {
    if (this.isOver) return;
    if (this.pending && this.#session?.awaits(this)) {
      if (this.#life.close(code)) publish(this, 'close');
      if (!this.writableEnded) this.end();
      this.push(null);
      return;
    }
    this.#flushFirst();
    if (!this.pending && !this.#life.hasEnded) this.#session.sendReset(this, code);
    const wasOpen = this.#life.close(code);
    if (!this.isRemoteEnded && code !== NO_ERROR) this.#abort();
    if (wasOpen) publish(this, 'close');
    this.#finishClosing();
  }

  /** Sends what was written in this tick before the end. */
  #flushFirst() {
    if (this.out.length > 0 && !this.pending && !this.isOver && !this.#session.destroyed) this.#session.flush(this);
  }

  _destroy(error, callback) {
    clearTimeout(this.#timeout);
    const session = this.#session;
    this.#flushFirst();
    const isOver = this.isOver;
    const code = isOver ? this.#life.code : error ? codeOf(error, session) : NO_ERROR;
    if (!isOver) {
      if (!this.pending && !session?.destroyed && !this.#life.hasEnded) session.sendReset(this, error ? code : CANCEL);
      const wasOpen = this.#life.close(error || this.pending ? code : this.#life.hasEnded ? NO_ERROR : CANCEL);
      if (!this.pending) this.#abort();
      if (wasOpen) publish(this, 'close');
    }
    for (const waiting of intact(ArraySplice(this.out, 0))) nextTick(waiting.callback, error ?? undefined);
    const finish = this.#finish;
    this.#finish = undefined;
    finish?.(error ?? undefined);
    session?.forget(this);
    this.statistics?.end();
    const isHeard = this.request === undefined || this.listenerCount('error') > 0; // otherwise a client's reset would end the server
    const isBreak = this.#life.code !== NO_ERROR && this.#life.code !== CANCEL;
    const failure = error ?? (isBreak ? http2Error('ERR_HTTP2_STREAM_ERROR', this.#life.code) : null);
    this.#session = undefined;
    if (failure) publish(this, 'error', () => ({ error: failure }));
    callback(isHeard ? failure : error);
  }

  [SymbolFor('nodejs.util.inspect.custom')](depth, options) {
    if (typeof depth === 'number' && depth < 0) return this;
    const { id, closed, destroyed, state, _readableState: readableState, _writableState: writableState } = this;
    const shown = { id: id ?? '<pending>', closed, destroyed, state, readableState, writableState };
    return inspectNamed('Http2Stream', shown, options, require('internal/inspect/inspect').inspect);
  }

  priority() {}
  setTimeout(ms, callback) {
    if (this.destroyed) return this;
    this.timeout = ms;
    this.#idleMs = durationFor(ms, 'msecs');
    if (callback !== undefined) validateFunction(callback, 'callback');
    this.touch();
    if (callback !== undefined) this[this.#idleMs === 0 ? 'removeListener' : 'once']('timeout', callback);
    return this;
  }
  touch() {
    clearTimeout(this.#timeout);
    this.#session?.touch();
    if (this.#idleMs === 0 || this.destroyed) return;
    this.#timeout = setTimeout(() => this.#timeIsUp(), this.#idleMs).unref();
  }
  #timeIsUp() {
    if (this.hasProgress) {
      this.hasProgress = false;
      this.touch();
    } else this.emit('timeout');
  }
}

module.exports = { Http2Stream };
