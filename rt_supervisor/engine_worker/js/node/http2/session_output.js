'use strict';
// Owns: outgoing frames of a session: header blocks, bodies as far as both windows and the socket permit, and answers to the
// peer.

const {
  ArrayShift,
  DataViewSetUint32,
  MapValues,
  MathMin,
  SetAdd,
  SetClear,
  TypedArraySet,
  TypedArraySubarray,
  intact,
} = require('internal/primordials');
const { nextTick, setImmediate } = require('internal/timers');
const { floodError } = require('node/http2/errors');
const { TYPE, FLAG, frame, head, frameOfNumbers } = require('node/http2/frames');
const { paddedFrame, paddedSize } = require('node/http2/padding');
const { FrameQueue, joins } = require('node/http2/frame_queue');
const { FlowSession } = require('node/http2/session_flow');

const SERVER = 0;
const MOST_HEADER_BYTES = 64 * 1024; // of one outgoing header block
const FIELD_BYTES = 12; // the maximum overhead of a field besides its name and value
const { 0: FRAME_SIZE_ERROR, 1: REFUSED_STREAM } = [6, 7]; // error codes
const MOST_AHEAD = 256 * 1024; // body bytes passed to the socket before it has sent earlier ones
const MOST_UNSENT = 4 * 1024 * 1024; // unsent bytes up to which pings and settings are answered
const MOST_ANSWERS = 1000; // answers to pings and settings per tick

class OutgoingSession extends FlowSession {
  carrier; // the socket below
  hasProgress = false; // whether something was sent since the last timeout check
  statistics; // for 'http2' performance observers; undefined without any
  #queue = new FrameQueue();
  #holds = 0;
  #isSending = false; // at the end of this tick
  #unflushed = new Set(); // streams with something to send
  #blocked = false;
  #answers = 0;

  get pads() {
    return this.options.paddingStrategy > 0;
  }

  /** Sends an encoded frame. */
  write(bytes) {
    this.put(bytes);
    if (this.statistics !== undefined) this.statistics.framesSent++;
  }
  /** Writes bytes to the socket; `callback` is called when the socket has accepted them, or no longer accepts any. */
  put(bytes, callback = undefined) {
    const socket = this.carrier;
    if (socket === undefined || socket.destroyed || !socket.writable) {
      if (callback !== undefined) nextTick(callback);
      return;
    }
    this.#queue.put(bytes, callback);
    if (this.unsent >= MOST_AHEAD) this.#blocked = true;
    this.#send();
    if (this.statistics !== undefined) this.statistics.bytesWritten += bytes.length;
  }
  /** Bytes that the system has not accepted. */
  get unsent() {
    return this.#queue.size + (this.carrier?.writableLength ?? 0);
  }
  /** Sends all frames queued by `work`, and by programs that it calls, together when it is done. */
  holding(work) {
    if (!joins(this.carrier)) {
      work();
      return;
    }
    this.#holds++;
    try {
      work();
    } finally {
      if (--this.#holds === 0) this.flushQueue();
    }
  }
  #send() {
    if (this.#isSending) return;
    this.#isSending = true;
    nextTick(() => {
      this.#isSending = false;
      if (joins(this.carrier)) this.#flushStreams();
      if (this.#holds === 0) this.flushQueue();
    });
  }
  /** Passes all queued frames to the socket. */
  flushQueue() {
    if (this.carrier === undefined) return;
    this.#answers = 0;
    const wasBlocked = this.#blocked;
    this.#blocked = !this.#queue.flush(this.carrier);
    if (wasBlocked && !this.#blocked) this.flushAll();
  }
  /** The socket has drained. */
  unblock() {
    this.#blocked = false;
    this.flushAll();
  }

  /** Returns false if the fields exceed the limit; the stream and the session end then. */
  sendHeaders(stream, fields, isEnd, promisedId = undefined) {
    this.touch();
    stream.statistics?.head();
    if (sizeOf(fields) > (this.options.maxSendHeaderBlockLength ?? MOST_HEADER_BYTES)) {
      this.#rejectHeaders(stream, promisedId === undefined ? TYPE.HEADERS : TYPE.PUSH_PROMISE);
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
      if (isLast) flags |= FLAG.END_HEADERS;
      if (this.pads && isLast && place === 0)
        this.write(paddedFrame(this.options.paddingStrategy, most, type, flags, stream.id, block));
      else this.write(frame(type, flags, stream.id, TypedArraySubarray(block, place, place + most)));
      if (isLast) break;
      type = TYPE.CONTINUATION;
      flags = 0;
    }
    if (this.unsent > MOST_UNSENT * 4) this.destroy(undefined, 11);
    return true;
  }
  /** Handles headers that are too large: the stream emits 'frameError', then it and the session end. */
  #rejectHeaders(stream, type) {
    nextTick(() => stream.emit('frameError', type, FRAME_SIZE_ERROR, stream.id));
    setImmediate(() => {
      if (this.type === SERVER) stream.close(FRAME_SIZE_ERROR);
      else stream.reset(REFUSED_STREAM); // the server does not know the stream
      this.close();
    });
  }
  sendEnd(stream) {
    this.write(head(0, TYPE.DATA, FLAG.END_STREAM, stream.id));
  }
  sendReset(stream, code) {
    this.write(frameOfNumbers(TYPE.RST_STREAM, 0, stream.id, code));
  }
  /** Sends an answer that a peer can provoke at will; ends the session of a peer that does not read them. */
  answer(bytes) {
    this.write(bytes);
    if (++this.#answers > MOST_ANSWERS) this.failWith(floodError(), 11);
    else if (this.unsent > MOST_UNSENT) this.fail(11);
  }

  /** Sends a stream's pending data when the program's tick has ended. */
  flushSoon(stream) {
    if (SetAdd(this.#unflushed, stream).size > 1) return;
    if (joins(this.carrier)) this.#send();
    else nextTick(() => this.#flushStreams());
  }
  #flushStreams() {
    if (this.#unflushed.size === 0) return;
    for (const each of intact(this.#unflushed)) this.flush(each);
    SetClear(this.#unflushed);
  }
  /** Sends a stream's pending data as far as there is room. */
  flush(stream) {
    while (this.#sendPiece(stream));
  }
  flushAll() {
    // One piece of each in turn, so that none starves.
    for (let isMore = true; isMore && !this.#blocked;) {
      isMore = false;
      for (const stream of intact(MapValues(this.streams))) isMore = this.#sendPiece(stream) || isMore;
    }
  }
  /** Sends a DATA frame; returns the bytes that count towards both windows. */
  #sendData(stream, piece, flags, callback) {
    const most = this.pads ? MathMin(this.remote.maxFrameSize, this.window, stream.window) : 0;
    const size = this.pads ? paddedSize(this.options.paddingStrategy, piece.length, most) : piece.length;
    const padding = size - piece.length;
    this.write(head(size, TYPE.DATA, flags | (padding > 0 ? FLAG.PADDED : 0), stream.id));
    if (padding > 0) this.put(new Uint8Array([padding - 1]));
    this.put(piece, padding > 1 ? undefined : callback);
    if (padding > 1) this.put(new Uint8Array(padding - 1), callback);
    stream.statistics?.sent(piece.length);
    return size;
  }
  #sendPiece(stream) {
    if (stream.pending || stream.isOver || stream.isLocalEnded || this.#blocked) return false;
    const [first] = intact(stream.out);
    if (first === undefined) {
      if (stream.isEnding && stream.wantsEnd()) {
        if (!stream.isEndSent) this.sendEnd(stream);
        stream.endLocal();
      }
      return false;
    }
    const { bytes, callback } = first;
    const size = MathMin(bytes.length, this.remote.maxFrameSize, this.window, stream.window);
    if (size <= 0 && bytes.length > 0) return false;
    if (size > 0) {
      stream.isEndSent = size === bytes.length && stream.endsWith(first);
      const piece = size === bytes.length ? bytes : bytes.subarray(0, size);
      const onWritten = size === bytes.length ? callback : undefined;
      const sentBytes = this.#sendData(stream, piece, stream.isEndSent ? FLAG.END_STREAM : 0, onWritten);
      this.window -= sentBytes;
      stream.window -= sentBytes;
      this.hasProgress = stream.hasProgress = true;
    }
    if (size === bytes.length) {
      ArrayShift(stream.out);
      if (size === 0) nextTick(callback);
    } else first.bytes = bytes.subarray(size);
    return stream.out.length > 0;
  }
}

/** The maximum encoded size of fields. */
function sizeOf(fields) {
  let size = FIELD_BYTES;
  for (let i = 0; i < fields.length; i++) size += FIELD_BYTES + fields[i][0].length + fields[i][1].length;
  return size;
}

module.exports = { OutgoingSession };
