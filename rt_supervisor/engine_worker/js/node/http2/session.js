'use strict';
// Owns: Http2Session, the base of both sides: the socket below, and how a session ends. Incoming frames are in
// node/http2/receiving.js, outgoing ones in node/http2/session_output.js.
//
//     open --close(), GOAWAY--> closing (streams continue) --last stream ends--> destroyed
//     any state --destroy(), failure, end of the socket--> destroyed

const runtimeParts = require('internal/parts');
const { setOf } = require('internal/collections');
const { ArrayFilter, ArraySplice, MapDelete, MapValues, ObjectAssign, SymbolFor, intact } = require('internal/primordials');
const { nextTick, setTimeout, setImmediate, clearTimeout, drain } = require('internal/timers');
const { http2Error, protocolError } = require('node/http2/errors');
const { PREFACE, FrameReader, goawayFrame } = require('node/http2/frames');
const { Encoder, Decoder } = require('node/http2/hpack');
const { OutgoingSession } = require('node/http2/session_output');
const { receive } = require('node/http2/receiving');
const { Pings } = require('node/http2/pings');
const { checkGoaway, checkStreamId, stateOf } = require('node/http2/session_checks');
const { socketFace } = require('node/http2/socket_face');
const { durationFor } = require('internal/timer_delays');
const { validateFunction } = require('internal/validators');
const { debuglog } = require('node/util/promisify');

const debug = debuglog('http2');
const kBoundSession = Symbol('the session of a socket');
const SERVER = 0;
const MOST_WINDOW = 2 ** 31 - 1;
const CLOSE_MS = 5000; // how long to wait for the peer to close after us

class Http2Session extends OutgoingSession {
  streams = new Map();
  pendingRequests = []; // clients only
  encoder = new Encoder();
  decoder = new Decoder();
  lastId = 0; // of the streams opened by the peer
  goawayId = 2 ** 31 - 1;
  isClosing = false;
  hasNews = false; // events for the program are waiting for their tick
  #pings = new Pings();
  #isDestroyed = false;
  #isClosed = false; // by the program, or at the peer's request
  #isGoawaySent = false;
  #isSettling = false; // the last stream has just ended
  #face;
  #timeout;
  #idleMs = 0;

  constructor(type, socket, options = {}) {
    super();
    if (socket[kBoundSession] !== undefined) throw http2Error('ERR_HTTP2_SOCKET_BOUND');
    socket[kBoundSession] = this;
    this.statistics = runtimeParts.timing?.http2?.(type === SERVER ? 'server' : 'client');
    this.type = type;
    this.options = options;
    this.carrier = socket;
    this.remote.maxConcurrentStreams = options.peerMaxConcurrentStreams ?? 100; // until the peer's settings arrive
    this.reader = new FrameReader(type === SERVER ? PREFACE : undefined);
    this.mostHeaderBytes = options.settings?.maxHeaderListSize ?? options.settings?.maxHeaderSize ?? 65535;
    socket.on('data', (bytes) => this.#take(bytes));
    socket.on('error', (error) => {
      // While the session is closing without streams, nothing depends on the connection: its error is not reported.
      const isUnwanted = this.isClosing && this.streams.size === 0 && !this.pendingRequests?.length;
      const isExpected = isUnwanted || (this.goawayCode === 0 && (error.code === 'ECONNRESET' || error.code === 'EPIPE'));
      this.failWith(isExpected ? undefined : error, undefined);
    });
    socket.on('end', () => {
      if (!this.isClosing || this.streams.size > 0) nextTick(() => this.#handleSocketClose());
    });
    socket.on('close', () => this.#handleSocketClose());
    socket.on('drain', () => this.unblock());
    socket.setNoDelay?.(true);
    socket.setTimeout?.(0);
  }

  begin() {
    debug('Http2Session %s: begins', this.type === SERVER ? 'server' : 'client');
    if (this.type !== SERVER) this.put(host.native.encodeUtf8(PREFACE));
    this.settings(this.options.settings ?? {});
  }

  // --- properties

  get encrypted() {
    return this.carrier === undefined ? undefined : Boolean(this.carrier.encrypted);
  }
  get alpnProtocol() {
    return this.carrier === undefined ? undefined : this.carrier.encrypted ? this.carrier.alpnProtocol || 'h2' : 'h2c';
  }
  get originSet() {
    if (!this.encrypted) return undefined;
    const own = this.authority === undefined ? [] : [`https://${this.authority.host}`];
    return [...intact(setOf([...intact(own), ...intact(this.origins ?? [])]))];
  }
  /** The server answered 421 for an authority: removes it from the session's origins. */
  removeOrigin(authority) {
    const origin = `https://${authority}`;
    if (this.origins) this.origins = ArrayFilter(this.origins, (each) => each !== origin);
  }
  get connecting() {
    return Boolean(this.carrier?.connecting || this.carrier?.secureConnecting);
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
    return (this.#face ??= socketFace(this, () => this.carrier));
  }
  ref() {
    this.carrier?.ref?.();
  }
  unref() {
    this.carrier?.unref?.();
  }
  setTimeout(ms, callback) {
    if (this.#isDestroyed) return this;
    this.timeout = ms;
    this.#idleMs = durationFor(ms, 'msecs');
    if (callback !== undefined) validateFunction(callback, 'callback');
    this.touch();
    if (callback !== undefined) this[this.#idleMs === 0 ? 'removeListener' : 'once']('timeout', callback);
    return this;
  }
  touch() {
    if (this.#timeout !== undefined && this.#idleMs === this.#timeout._idleTimeout) {
      this.#timeout.refresh();
      return;
    }
    clearTimeout(this.#timeout);
    this.#timeout = this.#idleMs > 0 && !this.#isDestroyed ? setTimeout(() => this.#timeIsUp(), this.#idleMs).unref() : undefined;
  }
  #timeIsUp() {
    // A session that has sent something since the last check is not idle, even if the peer reads slowly.
    if (this.hasProgress) {
      this.hasProgress = false;
      this.touch();
    } else this.emit('timeout');
  }

  /** Handles the rejection of an async listener, with `captureRejections`. */
  [SymbolFor('nodejs.rejection')](error, event, stream) {
    if (event === 'stream') stream.destroy(error);
    else this.destroy(error);
  }

  // --- pings

  ping(payload, callback) {
    if (this.#isDestroyed) throw http2Error('ERR_HTTP2_INVALID_SESSION');
    return this.#pings.send(this, payload, callback);
  }
  pong(payload) {
    // An acknowledgement without a ping is a protocol error.
    if (!this.#pings.acknowledge(payload, this.statistics)) this.failWith(protocolError(), 1);
  }

  // --- ends

  #take(bytes) {
    if (this.#isDestroyed) return;
    this.touch();
    if (this.statistics !== undefined) this.statistics.bytesRead += bytes.length;
    const plain = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.holding(() => this.#read(plain));
  }
  #read(plain) {
    this.reader.push(
      plain,
      (type, flags, id, payload) => {
        if (this.statistics !== undefined) this.statistics.framesReceived++;
        receive(this, type, flags, id, payload);
        // The program's listeners are called for each message before the next frame is handled, as in Node.
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
    this.streamGone?.(stream);
    if (this.streams.size > 0 || this.#isSettling || this.#isDestroyed) return;
    // Frames that arrived with the end of the last stream are handled before the session is destroyed, as in Node.
    this.#isSettling = true;
    setImmediate(() => {
      this.#isSettling = false;
      this.#destroyIfIdle();
    });
  }
  #destroyIfIdle() {
    if (this.isClosing && !this.#isSettling && this.streams.size === 0 && !this.pendingRequests?.length) this.destroy();
  }

  /** The ID of the next stream that this side opens. */
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
      // A client's fault must not be an uncaught error of a server: its streams get the error only if the program listens.
      if (error && !(isPeersFault && this.type === SERVER && stream.listenerCount('error') === 0)) stream.destroy(error);
      else stream.reset(8);
    }
    this.#pings.cancel();
    this.statistics?.end();
    this.flushQueue();
    const socket = this.carrier;
    this.carrier = undefined;
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
        // Data that arrives at a destroyed socket resets the connection, which could lose sent data: the peer closes first.
        socket.end();
        setTimeout(() => socket.destroy(), CLOSE_MS).unref();
      } else socket.end(() => socket.destroy());
    }
  }
  #handleSocketClose() {
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

module.exports = { Http2Session, MOST_WINDOW };
