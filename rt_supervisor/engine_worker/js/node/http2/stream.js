'use strict';
// Owns: Http2Stream: one exchange as a Duplex. Its session sends what it has queued as far as both windows allow, and gives it
// what arrives; room is told to the other side as the program reads.
//
//     pending --id--> open --END_STREAM of either side--> half closed --of both, or RST_STREAM--> closed --all read--> destroyed

const { ArrayMap, ArrayPush, ArrayReduce, ArraySplice, SymbolFor, intact } = require('internal/primordials');
const Duplex = require('node/stream/duplex');
const { Buffer } = require('node/buffer/buffer');
const context = require('internal/async/context');
const { nextTick, setTimeout, clearTimeout } = require('internal/timers');
const { durationFor } = require('internal/timer_delays');
const { http2Error } = require('node/http2/errors');
const { fieldsOf } = require('node/http2/headers');
const { streamStateOf } = require('node/http2/session_checks');
const { tellOf, tellOfBody } = require('node/http2/telling');
const { validateFunction, validateInteger } = require('internal/validators');
const { inspectNamed } = require('internal/inspect/named');

const NO_ERROR = 0;
const INTERNAL_ERROR = 2;
const CANCEL = 8;

class Http2Stream extends Duplex {
  out = []; // { bytes, counted, callback }: what waits to be sent
  isEnding = false;
  isEndSent = false; // the last DATA frame had END_STREAM
  isLocalEnded = false;
  isRemoteEnded = false;
  isLocalClosing = false;
  hasProgress = false; // whether something was sent since the timeout was last checked
  statistics; // for observers of 'http2'; undefined without any
  unread = 0; // received bytes that the program has not read: no WINDOW_UPDATE gives them back yet
  window = 0; // bytes that this side may still send
  expected; // bytes of the body, as its Content-Length says
  received = 0;
  #id;
  #session;
  #code; // the error code that it was closed with; undefined while it is open
  #isToldClosed = false;
  #finish;
  #isWaitingForTrailers = false;
  #aborted = false;
  #timeout;
  #idleMs = 0;
  #untold = 0; // events that wait for their tick
  #hasFrame = false;
  #frame; // the async context that it was made in

  constructor(session, { waitForTrailers = false, ...options } = {}) {
    super({ ...options, allowHalfOpen: true, autoDestroy: false, emitClose: true, decodeStrings: false });
    this.#session = session;
    if (context.isUsed) this.#frame = require('internal/async/tracking').currentFrame();
    this.#hasFrame = context.isUsed;
    this.waitsForTrailers = waitForTrailers;
    this.sentHeaders = undefined;
    this.sentTrailers = undefined;
    this.sentInfoHeaders = undefined;
    this.endAfterHeaders = false; // the headers that arrived had END_STREAM
    this.endsWithHead = false; // a request whose headers have END_STREAM
    this.headRequest = false;
    this.cork();
    this.isPlugged = true;
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
  /** What was written may still go. */
  get closed() {
    return this.isOver || this.isLocalClosing;
  }
  get isOver() {
    return this.#code !== undefined;
  }
  get rstCode() {
    return this.#code ?? NO_ERROR;
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

  /** The session has given it an id: `first` sends its headers, then what was written may be sent. */
  begin(id, first = undefined) {
    this.#id = id;
    this.statistics = this.#session.statistics?.stream(id);
    first?.();
    if (this.isOver) {
      // It was closed before it began: the other side gets its headers and RST_STREAM.
      this.#session.sendReset(this, this.#code);
      this.#closed();
      return;
    }
    if (this.isPlugged) {
      this.isPlugged = false;
      this.uncork();
    }
    if (this.out.length > 0 || this.isEnding) this.#session.flushSoon(this);
    if (!this.destroyed) this.emit('ready');
  }

  // --- the program's side

  _write(chunk, encoding, callback) {
    if (this.isOver) {
      callback();
      return;
    }
    this.proceed?.();
    this.touch();
    this.#put(typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk, chunk.length, callback);
    tellOfBody(this, 'bodyChunkSent', () => ({ writev: false, data: chunk, encoding }));
  }
  /** Queue bytes that the Writable counts as `counted`. Only after the program's tick is it known whether they are the last. */
  #put(bytes, counted, callback) {
    ArrayPush(this.out, { bytes, counted, callback });
    this.#session.flushSoon(this);
  }
  /** Whether a piece in the queue is the last of the body: its frame has END_STREAM then. */
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
    let counted = 0;
    const parts = ArrayMap(chunks, ({ chunk, encoding }) => {
      counted += chunk.length;
      return typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk;
    });
    this.#put(Buffer.concat(parts), counted, callback);
    const data = () => (chunks.allBuffers ? ArrayMap(chunks, ({ chunk }) => chunk) : chunks);
    tellOfBody(this, 'bodyChunkSent', () => ({ writev: true, data: data(), encoding: '' }));
  }
  _final(callback) {
    if (!this.isOver) tellOfBody(this, 'bodySent');
    if (this.isLocalEnded || this.isOver || (this.isPush && this.headRequest && this.sentHeaders === undefined)) {
      callback();
      return;
    }
    this.proceed?.();
    this.#finish = callback;
    this.isEnding = true;
    this.#session.flushSoon(this);
  }
  /** All that was written is sent: true if the end may be sent, false if trailers are awaited first. */
  wantsEnd() {
    if (!this.waitsForTrailers || this.sentTrailers !== undefined) return true;
    if (!this.#isWaitingForTrailers) {
      this.#isWaitingForTrailers = true;
      nextTick(() => {
        if (!this.isOver && !this.emit('wantTrailers')) this.sendTrailers({});
      });
    }
    return false;
  }
  localEnded() {
    this.isLocalEnded = true;
    const finish = this.#finish;
    this.#finish = undefined;
    finish?.();
    this.#settle();
  }
  sendTrailers(headers) {
    if (this.sentTrailers !== undefined && !this.destroyed) throw http2Error('ERR_HTTP2_TRAILERS_ALREADY_SENT');
    if (this.destroyed || this.isOver) throw http2Error('ERR_HTTP2_INVALID_STREAM');
    if (!this.#isWaitingForTrailers) throw http2Error('ERR_HTTP2_TRAILERS_NOT_READY');
    const fields = fieldsOf(headers, 'trailers');
    this.sentTrailers = headers;
    if (fields.length === 0) this.#session.sendEnd(this);
    else if (!this.#session.sendHeaders(this, fields, true)) return;
    this.localEnded();
  }

  _read() {
    if (this.unread > 0 && this.#session !== undefined) {
      const count = this.unread;
      this.unread = 0;
      this.#session.giveRoom(this, count);
    }
  }

  // --- the other side's

  /** Call the program in a tick of its own, as Node does; later events wait for it. */
  later(work) {
    this.#untold++;
    if (this.#session !== undefined) this.#session.hasNews = true;
    nextTick(() => {
      this.#untold--;
      this.#tell(work);
    });
  }
  #tell(work) {
    if (!this.#hasFrame) work();
    else context.inside(this.#frame, work);
  }
  #soon(work) {
    if (this.#untold === 0) this.#tell(work);
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
  remoteEnded() {
    if (this.isRemoteEnded) return;
    this.isRemoteEnded = true;
    this.#soon(() => {
      if (this.isOver && this.#code !== NO_ERROR) return;
      this.push(null);
      this.#settle();
    });
  }
  /** RST_STREAM, or the session's end. */
  reset(code) {
    this.#soon(() => this.#reset(code));
  }
  #reset(code) {
    if (this.isOver) return;
    this.#code = code;
    if (!this.isRemoteEnded || !this.isLocalEnded) this.#abort();
    this.#closed();
  }
  #abort() {
    if (this.#aborted || this.writableEnded) return; // what has ended its own side is not aborted
    this.#aborted = true;
    this.emit('aborted');
  }
  /** Drop the body of a request that a server has answered and not begun to read; a client may read its answer later. */
  dropUnread() {
    if (this.request === undefined || this.readableFlowing !== null || this.listenerCount('readable') > 0) return false;
    this.resume();
    return true;
  }
  #settle() {
    if (this.isLocalEnded && !this.isRemoteEnded) this.dropUnread();
    if (!this.isLocalEnded || !this.isRemoteEnded || this.destroyed || this.isOver) return;
    this.#code = NO_ERROR;
    this.#closed();
  }
  /** Neither side sends more; what has arrived may still be read. */
  #closed() {
    this.#tellClosed();
    this.#session?.forget(this);
    for (const { callback } of intact(ArraySplice(this.out, 0))) nextTick(callback);
    const finish = this.#finish;
    this.#finish = undefined;
    finish?.();
    if (!this.writableEnded) this.end();
    // For a program that is reading, CANCEL is an end and no error.
    const isError = this.#code !== NO_ERROR && (this.#code !== CANCEL || !this.readableFlowing);
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
    if (code === NO_ERROR && !this.isLocalClosing && this.sentHeaders !== undefined && this.#mayFinish()) {
      // What was written goes first.
      this.isLocalClosing = true;
      this.#tellClosed();
      if (!this.writableEnded) this.end();
      this.once('finish', () => this.#closeNow(code));
      return;
    }
    this.#closeNow(code);
  }
  #mayFinish() {
    return !this.destroyed && !this.writableFinished && !this.#isWaitingForTrailers;
  }
  #closeNow(code) {
    if (this.isOver) return;
    if (this.pending && this.#session?.awaits(this)) {
      this.#code = code;
      this.#tellClosed();
      if (!this.writableEnded) this.end();
      this.push(null);
      return;
    }
    this.#flushFirst();
    if (!this.pending && !(this.isLocalEnded && this.isRemoteEnded)) this.#session.sendReset(this, code);
    this.#code = code;
    if (!this.isRemoteEnded && code !== NO_ERROR) this.#abort();
    this.#closed();
  }

  #tellClosed() {
    if (this.#isToldClosed) return;
    this.#isToldClosed = true;
    tellOf(this, 'close');
  }

  /** What was written in this tick goes before the end. */
  #flushFirst() {
    if (this.out.length > 0 && !this.pending && !this.isOver && !this.#session.destroyed) this.#session.flush(this);
  }

  _destroy(error, callback) {
    clearTimeout(this.#timeout);
    const session = this.#session;
    this.#flushFirst();
    const isOver = this.isOver;
    const code = isOver ? this.#code : error ? codeOf(error, session) : NO_ERROR;
    if (!isOver) {
      if (!this.pending && !session?.destroyed && !(this.isLocalEnded && this.isRemoteEnded))
        session.sendReset(this, error ? code : CANCEL);
      this.#code = error || this.pending ? code : this.isLocalEnded && this.isRemoteEnded ? NO_ERROR : CANCEL;
      if (!this.pending) this.#abort();
      this.#tellClosed();
    }
    for (const waiting of intact(ArraySplice(this.out, 0))) nextTick(waiting.callback, error ?? undefined);
    const finish = this.#finish;
    this.#finish = undefined;
    finish?.(error ?? undefined);
    session?.forget(this);
    this.statistics?.end();
    const isHeard = this.request === undefined || this.listenerCount('error') > 0; // else a client's reset would end the server
    const isBreak = this.#code !== NO_ERROR && this.#code !== CANCEL;
    const failure = error ?? (isBreak ? http2Error('ERR_HTTP2_STREAM_ERROR', this.#code) : null);
    this.#session = undefined;
    if (failure) tellOf(this, 'error', () => ({ error: failure }));
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

/** The error code for a stream that is destroyed with an error. */
function codeOf(error, session) {
  if (error.name === 'AbortError') return CANCEL;
  return (session?.destroyed && (session.goawayCode || session.destroyCode)) || INTERNAL_ERROR;
}

module.exports = { Http2Stream };
