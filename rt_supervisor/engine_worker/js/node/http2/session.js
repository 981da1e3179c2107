'use strict';
// Owns: what both kinds of sessions are: the socket below, flow control, and how a session ends. Frames that arrive are
// node/http2/receiving.js's, settings node/http2/session_settings.js's.
//
//     open --close(), GOAWAY--> closing (streams go on) --last one gone--> destroyed; destroy(), failure, the socket's end --> destroyed

const { setOf } = require('internal/collections');
// prettier-ignore
const { ArrayFilter, ArrayShift, ArraySplice, DataViewSetUint32, MapDelete, MapValues, MathMin, ObjectAssign, SetAdd, SetClear,
  SymbolFor, TypedArraySet, TypedArraySubarray, intact } = require('internal/primordials');
const { nextTick, setTimeout, setImmediate, clearTimeout, drain } = require('internal/timers');
const { http2Error, protocolError } = require('node/http2/errors');
const { TYPE, FLAG, PREFACE, FrameReader, frame, head, frameOfNumbers, goawayFrame } = require('node/http2/frames');
const { Encoder, Decoder } = require('node/http2/hpack');
const { FlowSession } = require('node/http2/session_flow');
const { receive } = require('node/http2/receiving');
const { Pings } = require('node/http2/pings');
const { checkGoaway, checkStreamId, stateOf } = require('node/http2/session_checks');
const { socketFace } = require('node/http2/socket_face');
const { validateNumber } = require('internal/validators');
const kBoundSession = Symbol('the session of a socket');
const SERVER = 0;
const MOST_WINDOW = 2 ** 31 - 1;
const MOST_HEADER_BYTES = 64 * 1024; // of one head that is sent
const FIELD_BYTES = 12; // of a field besides its name and value, at most
const { 0: FRAME_SIZE_ERROR, 1: REFUSED_STREAM, 2: CLOSE_MS } = [6, 7, 5000]; // codes; time for the other side to close after us
const MOST_UNSENT = 4 * 1024 * 1024; // answers to pings and settings that a peer does not read

class Http2Session extends FlowSession {
  streams = new Map();
  pendingRequests = []; // of a client's side
  encoder = new Encoder();
  decoder = new Decoder();
  lastId = 0; // of the other side's streams
  goawayId = 2 ** 31 - 1;
  isClosing = false;
  hasNews = false; // events wait for their tick
  #pings = new Pings();
  #isDestroyed = false;
  #isClosed = false; // by the program, or as the other side asked for
  #isGoawaySent = false;
  #isCorked = false;
  #socket;
  #unflushed = new Set(); // streams with something new
  #face;
  #timeout;
  #blocked = false;

  constructor(type, socket, options = {}) {
    super();
    if (socket[kBoundSession] !== undefined) throw http2Error('ERR_HTTP2_SOCKET_BOUND');
    socket[kBoundSession] = this;
    this.type = type;
    this.options = options;
    this.#socket = socket;
    this.remote.maxConcurrentStreams = options.peerMaxConcurrentStreams ?? 100; // until the other side has spoken
    this.reader = new FrameReader(type === SERVER ? PREFACE : undefined);
    this.mostHeaderBytes = options.settings?.maxHeaderListSize ?? options.settings?.maxHeaderSize ?? 65535;
    socket.on('data', (bytes) => this.#take(bytes));
    socket.on('error', (error) => {
      // What a connection ends with is no error where nobody waits for anything of it any more.
      const isUnwanted = this.isClosing && this.streams.size === 0 && !this.pendingRequests?.length;
      const isExpected = isUnwanted || (this.goawayCode === 0 && (error.code === 'ECONNRESET' || error.code === 'EPIPE'));
      this.failWith(isExpected ? undefined : error, undefined);
    });
    socket.on('end', () => {
      if (!this.isClosing || this.streams.size > 0) nextTick(() => this.#socketClosed());
    });
    socket.on('close', () => this.#socketClosed());
    socket.on('drain', () => {
      this.#blocked = false;
      this.flushAll();
    });
    socket.setNoDelay?.(true);
    socket.setTimeout?.(0);
  }

  begin() {
    if (this.type !== SERVER) this.write(host.native.encodeUtf8(PREFACE));
    this.settings(this.options.settings ?? {});
  }

  // --- what can be asked

  get encrypted() {
    return this.#socket === undefined ? undefined : Boolean(this.#socket.encrypted);
  }
  get alpnProtocol() {
    return this.#socket === undefined ? undefined : this.#socket.encrypted ? this.#socket.alpnProtocol || 'h2' : 'h2c';
  }
  get originSet() {
    if (!this.encrypted) return undefined;
    const own = this.authority === undefined ? [] : [`https://${this.authority.host}`];
    return [...intact(setOf([...intact(own), ...intact(this.origins ?? [])]))];
  }
  /** The server is not that authority's. */
  misdirected(authority) {
    const origin = `https://${authority}`;
    if (this.origins) this.origins = ArrayFilter(this.origins, (each) => each !== origin);
  }
  get connecting() {
    return Boolean(this.#socket?.connecting || this.#socket?.secureConnecting);
  }
  get closed() {
    return this.#isClosed;
  }
  get destroyed() {
    return this.#isDestroyed;
  }
  get state() {
    return this.#isDestroyed ? {} : stateOf(this, this.windowSize);
  }
  get socket() {
    return (this.#face ??= socketFace(this, () => this.#socket));
  }
  ref() {
    this.#socket?.ref?.();
  }
  unref() {
    this.#socket?.unref?.();
  }
  setTimeout(ms, callback) {
    validateNumber(ms, 'msecs', 0);
    this.timeout = ms;
    if (callback !== undefined) this.once('timeout', callback);
    this.touch();
    return this;
  }
  touch() {
    if (this.#timeout !== undefined && this.timeout === this.#timeout._idleTimeout) {
      this.#timeout.refresh();
      return;
    }
    clearTimeout(this.#timeout);
    this.#timeout =
      this.timeout > 0 && !this.#isDestroyed ? setTimeout(() => this.emit('timeout'), this.timeout).unref() : undefined;
  }

  /** What an async listener was rejected with, where `captureRejections` asks for it. */
  [SymbolFor('nodejs.rejection')](error, event, stream) {
    if (event === 'stream') stream.destroy(error);
    else this.destroy(error);
  }

  // --- frames out

  write(bytes) {
    const socket = this.#socket;
    if (socket === undefined || socket.destroyed || !socket.writable) return;
    if (!this.#isCorked && typeof socket.cork === 'function') {
      this.#isCorked = true;
      socket.cork();
      nextTick(() => {
        this.#isCorked = false;
        socket.uncork();
      });
    }
    const { Buffer } = require('node/buffer/buffer');
    if (!socket.write(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))) this.#blocked = true;
  }

  /** False where they are more than may be sent; the stream ends then. */
  sendHeaders(stream, fields, isEnd, promisedId = undefined) {
    this.touch();
    if (sizeOf(fields) > (this.options.maxSendHeaderBlockLength ?? MOST_HEADER_BYTES)) {
      this.#tooLarge(stream, promisedId === undefined ? TYPE.HEADERS : TYPE.PUSH_PROMISE);
      return false;
    }
    let block = this.encoder.encode(fields);
    if (promisedId !== undefined) {
      const whole = new Uint8Array(block.length + 4);
      DataViewSetUint32(new DataView(whole.buffer), 0, promisedId);
      TypedArraySet(whole, block, 4);
      block = whole;
    }
    const most = this.remote.maxFrameSize;
    let type = promisedId === undefined ? TYPE.HEADERS : TYPE.PUSH_PROMISE;
    let flags = isEnd ? FLAG.END_STREAM : 0;
    for (let place = 0; ; place += most) {
      const isLast = place + most >= block.length;
      this.write(frame(type, flags | (isLast ? FLAG.END_HEADERS : 0), stream.id, TypedArraySubarray(block, place, place + most)));
      if (isLast) break;
      type = TYPE.CONTINUATION;
      flags = 0;
    }
    if (this.#socket?.writableLength > MOST_UNSENT * 4) this.destroy(undefined, 11);
    return true;
  }
  /** A head that is not sent: the stream is told, then it and the session end. */
  #tooLarge(stream, type) {
    nextTick(() => stream.emit('frameError', type, FRAME_SIZE_ERROR, stream.id));
    setImmediate(() => {
      if (this.type === SERVER) stream.close(FRAME_SIZE_ERROR);
      else stream.reset(REFUSED_STREAM); // the server knows nothing of it
      this.close();
    });
  }
  sendEnd(stream) {
    this.write(head(0, TYPE.DATA, FLAG.END_STREAM, stream.id));
  }
  sendReset(stream, code) {
    this.write(frameOfNumbers(TYPE.RST_STREAM, 0, stream.id, code));
  }
  /** An answer that a peer can ask for at will: one that does not read them is left. */
  answer(bytes) {
    this.write(bytes);
    if (this.#socket?.writableLength > MOST_UNSENT) this.fail(11);
  }

  /** Send what a stream has when the program's tick has ended. */
  flushSoon(stream) {
    if (SetAdd(this.#unflushed, stream).size > 1) return;
    nextTick(() => {
      for (const each of intact(this.#unflushed)) this.flush(each);
      SetClear(this.#unflushed);
    });
  }
  /** Send what a stream has, as far as there is room. */
  flush(stream) {
    while (this.#sendPiece(stream));
  }
  flushAll() {
    // One piece of each in turn: none starves.
    for (let isMore = true; isMore && !this.#blocked;) {
      isMore = false;
      for (const stream of intact(MapValues(this.streams))) isMore = this.#sendPiece(stream) || isMore;
    }
  }
  #sendPiece(stream) {
    if (stream.pending || stream.closed || stream.isLocalEnded || this.#blocked) return false;
    const [first] = intact(stream.out);
    if (first === undefined) {
      if (stream.isEnding && stream.wantsEnd()) {
        if (!stream.isEndSent) this.sendEnd(stream);
        stream.localEnded();
      }
      return false;
    }
    const { bytes, callback } = first;
    const size = MathMin(bytes.length, this.remote.maxFrameSize, this.window, stream.window);
    if (size <= 0 && bytes.length > 0) return false;
    if (size > 0) {
      stream.isEndSent = size === bytes.length && stream.endsWith(first);
      this.write(head(size, TYPE.DATA, stream.isEndSent ? FLAG.END_STREAM : 0, stream.id));
      this.write(size === bytes.length ? bytes : bytes.subarray(0, size));
      this.window -= size;
      stream.window -= size;
    }
    if (size === bytes.length) {
      ArrayShift(stream.out);
      nextTick(callback); // as in Node: what was written counts as waiting until then
    } else first.bytes = bytes.subarray(size);
    return stream.out.length > 0;
  }

  // --- pings

  ping(payload, callback) {
    if (this.#isDestroyed) throw http2Error('ERR_HTTP2_INVALID_SESSION');
    return this.#pings.send(this, payload, callback);
  }
  pong(payload) {
    // Nobody asked for it.
    if (!this.#pings.answered(payload)) this.failWith(protocolError(), 1);
  }

  // --- ends

  #take(bytes) {
    if (this.#isDestroyed) return;
    this.touch();
    const plain = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.reader.push(
      plain,
      (type, flags, id, payload) => {
        receive(this, type, flags, id, payload);
        // The program hears of each message before the next frame counts, as in Node.
        if (this.hasNews) {
          this.hasNews = false;
          drain();
        }
        return !this.#isDestroyed;
      },
      (code) => {
        if (this.type === SERVER && this.reader.preface !== undefined && this.unknownProtocol !== undefined)
          this.unknownProtocol();
        else this.fail(code);
      },
    );
  }
  fail(code) {
    this.failWith(http2Error('ERR_HTTP2_SESSION_ERROR', code), code);
  }
  failWith(error, code) {
    this.#end(error, code, true);
  }

  forget(stream) {
    if (stream.id !== undefined) MapDelete(this.streams, stream.id);
    this.streamGone?.();
    if (this.isClosing && this.streams.size === 0) nextTick(() => this.#destroyIfIdle());
  }
  #destroyIfIdle() {
    if (this.isClosing && this.streams.size === 0 && !this.pendingRequests?.length) this.destroy();
  }

  /** The number of the next stream that this side opens. */
  setNextStreamID(id) {
    if (this.#isDestroyed) throw http2Error('ERR_HTTP2_INVALID_SESSION');
    checkStreamId(id);
    this.nextId = id;
  }

  goaway(code = 0, lastId = 0, data = undefined) {
    if (this.#isDestroyed) throw http2Error('ERR_HTTP2_INVALID_SESSION');
    checkGoaway(code, lastId, data);
    this.#isGoawaySent = true;
    this.write(goawayFrame(lastId || this.lastId, code, data));
  }

  close(callback) {
    if (typeof callback === 'function' && !this.#isDestroyed) this.once('close', callback);
    if (this.isClosing) return;
    this.isClosing = true;
    this.#isClosed = true;
    const finish = () => this.#destroyIfIdle();
    if (this.connecting) {
      this.once('connect', () => {
        if (this.#isDestroyed) return;
        this.goaway();
        nextTick(finish);
      });
      return;
    }
    this.goaway();
    nextTick(finish);
  }

  destroy(error = undefined, code = undefined) {
    this.#end(error, code, false);
  }
  #end(error, code, isPeersFault) {
    if (this.#isDestroyed) return;
    if (typeof error === 'number') {
      code = error;
      error = code === 0 ? undefined : http2Error('ERR_HTTP2_SESSION_ERROR', code);
    }
    code ??= error ? 2 : 0;
    if (!this.#isGoawaySent || code !== 0) this.goaway(code);
    this.#isDestroyed = true;
    this.isClosing = true;
    this.destroyCode = code;
    clearTimeout(this.#timeout);
    for (const one of intact(ArraySplice(this.pendingRequests, 0))) one.destroy(http2Error('ERR_HTTP2_STREAM_CANCEL', error));
    for (const stream of intact([...intact(MapValues(this.streams))])) {
      // What a client does is no error of a program that serves it, unless it listens.
      if (error && !(isPeersFault && this.type === SERVER && stream.listenerCount('error') === 0)) stream.destroy(error);
      else stream.reset(8);
    }
    this.#pings.cancel();
    const socket = this.#socket;
    this.#socket = undefined;
    const finish = () => {
      socket[kBoundSession] = undefined;
      if (error) this.emit('error', error);
      this.emit('close');
    };
    if (socket.destroyed) nextTick(finish);
    else {
      socket.once('close', finish);
      socket.resume?.();
      if (error) socket.destroySoon ? socket.destroySoon() : socket.destroy();
      else if (this.#isClosed) {
        // What is on its way to us must not break what is on its way from us: the other side closes, too.
        socket.end();
        setTimeout(() => socket.destroy(), CLOSE_MS).unref();
      } else socket.end(() => socket.destroy());
    }
  }
  #socketClosed() {
    if (this.#isDestroyed) return;
    this.#isGoawaySent = true;
    if (this.streams.size > 0 || this.pendingRequests?.length) {
      const error = ObjectAssign(new Error('The connection was closed'), { code: 'ECONNRESET' });
      for (const stream of intact([...intact(MapValues(this.streams))])) stream.reset(8);
      for (const one of intact(ArraySplice(this.pendingRequests, 0))) one.destroy(http2Error('ERR_HTTP2_STREAM_CANCEL', error));
    }
    this.destroy();
  }
}

/** As many bytes as fields may take. */
function sizeOf(fields) {
  let size = FIELD_BYTES;
  for (let i = 0; i < fields.length; i++) size += FIELD_BYTES + fields[i][0].length + fields[i][1].length;
  return size;
}

module.exports = { Http2Session, MOST_WINDOW };
