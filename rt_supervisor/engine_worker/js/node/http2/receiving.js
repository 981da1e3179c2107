'use strict';
// Owns: the handling of each incoming frame (RFC 9113 §5, §6): frames are validated before anything is done, and what a peer
// can make this side store or answer is limited.

const { AnySlice, AnySubarray } = require('internal/any_kind');
const { setOf } = require('internal/collections');
const { ArrayFind, ArrayPush, MapGet, MapValues, MathMax, MathMin, TypedArraySubarray, intact } = require('internal/primordials');
const { Buffer } = require('node/buffer/buffer');
const { asBuffer } = require('node/buffer/views');
const { http2Error, protocolError } = require('node/http2/errors');
const { TYPE, FLAG, frame, numberAt, concatenate } = require('node/http2/frames');
const { HpackError } = require('node/http2/hpack');
const { isGood, withoutBlanks } = require('node/http2/headers');
const settingsOf = require('node/http2/settings');

const {
  0: PROTOCOL_ERROR,
  1: INTERNAL_ERROR,
  2: FLOW_CONTROL_ERROR,
  3: STREAM_CLOSED,
  4: FRAME_SIZE_ERROR,
  5: REFUSED_STREAM,
  6: COMPRESSION_ERROR,
  7: CALM,
} = [1, 2, 3, 5, 6, 7, 9, 11];
const MOST_WINDOW = 2 ** 31 - 1;
const SERVER = 0;
// A client may reset this many streams in a burst, then so many a second; beyond that its session ends with
// ENHANCE_YOUR_CALM.
const RESET_BURST = 1000;
const RESETS_A_SECOND = 33;
// The same for frames without effect: PRIORITY, and those of unknown types.
const IDLE_BURST = 10_000;
const IDLE_A_SECOND = 330;
const USUAL_FIELDS = 128;
const CALLBACK_FAILURE = -902; // Node's `errno` when a peer exceeds the limits below
const MOST_INVALID = 1000; // invalid frames of a session; consecutive empty DATA frames
const MOST_REJECTED = 100;

function receive(session, type, flags, id, payload) {
  if (session.block !== undefined && (type !== TYPE.CONTINUATION || id !== session.block.id)) {
    session.fail(PROTOCOL_ERROR);
    return;
  }
  if (!session.isGreeted) {
    if (type !== TYPE.SETTINGS || flags & FLAG.ACK) {
      session.fail(PROTOCOL_ERROR);
      return;
    }
    session.isGreeted = true;
  }
  if (takers[type] === undefined) countIdle(session);
  else takers[type](session, flags, id, payload);
}

/** The payload without padding; undefined if the padding exceeds the payload. */
function removePadding(flags, payload) {
  if (!(flags & FLAG.PADDED)) return payload;
  if (payload.length === 0 || payload[0] >= payload.length) return undefined;
  return AnySubarray(payload, 1, payload.length - payload[0]);
}
/** Whether no stream with this ID has existed (RFC 9113 §5.1). */
function isIdle(session, id) {
  const isOwn = id % 2 === (session.type === SERVER ? 0 : 1);
  return isOwn ? id >= session.nextId : id > session.lastId;
}

const takers = {
  [TYPE.DATA](session, flags, id, payload) {
    if (id === 0 || isIdle(session, id)) return session.fail(PROTOCOL_ERROR);
    const size = payload.length;
    if (size > session.room) return session.fail(FLOW_CONTROL_ERROR);
    session.room -= size;
    session.giveSessionRoom(size);
    const bytes = removePadding(flags, payload);
    if (bytes === undefined) return session.fail(PROTOCOL_ERROR);
    const stream = MapGet(session.streams, id);
    if (size === 0 && !(flags & FLAG.END_STREAM)) {
      session.empty = (session.empty ?? 0) + 1;
      if (session.empty > (session.options.maxSessionInvalidFrames ?? MOST_INVALID)) return tooMany(session);
    } else session.empty = 0;
    if (stream === undefined) return undefined; // reset, but the peer does not know yet
    if (stream.isRemoteEnded) return breakOff(session, stream, STREAM_CLOSED);
    stream.room ??= session.local.initialWindowSize;
    if (size > stream.room) return breakOff(session, stream, FLOW_CONTROL_ERROR);
    stream.room -= size;
    stream.received += bytes.length;
    const isLast = (flags & FLAG.END_STREAM) !== 0;
    if (stream.expected !== undefined && (stream.received > stream.expected || (isLast && stream.received !== stream.expected)))
      return breakOff(session, stream, PROTOCOL_ERROR);
    if (size > bytes.length) session.giveRoom(stream, size - bytes.length);
    if (bytes.length > 0) {
      stream.take(asBuffer(bytes));
    }
    if (isLast) stream.endRemote();
    return undefined;
  },

  [TYPE.HEADERS](session, flags, id, payload) {
    if (id === 0) return session.fail(PROTOCOL_ERROR);
    let block = removePadding(flags, payload);
    if (block === undefined) return session.fail(PROTOCOL_ERROR);
    if (flags & FLAG.PRIORITY) {
      if (block.length < 5) return session.fail(FRAME_SIZE_ERROR);
      if ((numberAt(block, 0) & MOST_WINDOW) === id) return session.fail(PROTOCOL_ERROR);
      block = AnySubarray(block, 5);
    }
    return gather(session, { id, flags, isEnd: (flags & FLAG.END_STREAM) !== 0, pieces: [], size: 0 }, flags, block);
  },
  [TYPE.CONTINUATION](session, flags, id, payload) {
    if (session.block === undefined) return session.fail(PROTOCOL_ERROR);
    return gather(session, session.block, flags, payload);
  },
  [TYPE.PUSH_PROMISE](session, flags, id, payload) {
    const bytes = removePadding(flags, payload);
    if (session.type === SERVER || !session.local.enablePush || id === 0 || bytes === undefined || bytes.length < 4)
      return session.fail(PROTOCOL_ERROR);
    const promised = numberAt(bytes, 0) & MOST_WINDOW;
    if (promised === 0 || promised % 2 === 1 || promised <= session.lastId) return session.fail(PROTOCOL_ERROR);
    return gather(session, { id, flags, promised, isEnd: false, pieces: [], size: 0 }, flags, TypedArraySubarray(bytes, 4));
  },

  [TYPE.PRIORITY](session, flags, id, payload) {
    if (id === 0) session.fail(PROTOCOL_ERROR);
    else if (payload.length !== 5) session.fail(FRAME_SIZE_ERROR);
    else countIdle(session);
  },

  [TYPE.RST_STREAM](session, flags, id, payload) {
    if (payload.length !== 4) return session.fail(FRAME_SIZE_ERROR);
    if (id === 0 || isIdle(session, id)) return session.fail(PROTOCOL_ERROR);
    if (session.type === SERVER && !mayReset(session)) return session.fail(CALM);
    MapGet(session.streams, id)?.reset(numberAt(payload, 0));
    return undefined;
  },

  [TYPE.SETTINGS](session, flags, id, payload) {
    if (id !== 0) return session.fail(PROTOCOL_ERROR);
    if (flags & FLAG.ACK) {
      if (payload.length !== 0) return session.fail(FRAME_SIZE_ERROR);
      return session.acknowledgeSettings();
    }
    if (payload.length % 6 !== 0) return session.fail(FRAME_SIZE_ERROR);
    if (payload.length > 6 * (session.options.maxSettings ?? 32)) return session.fail(CALM);
    const { settings, problem } = settingsOf.unpackSettings(payload);
    if (problem !== undefined) return session.fail(problem);
    if (settings.initialWindowSize !== undefined) {
      const change = settings.initialWindowSize - session.remote.initialWindowSize;
      for (const stream of intact(MapValues(session.streams))) {
        stream.window += change;
        if (stream.window > MOST_WINDOW) return session.fail(FLOW_CONTROL_ERROR);
      }
    }
    if (session.remote.enableConnectProtocol && settings.enableConnectProtocol === false)
      return session.failWith(protocolError(), PROTOCOL_ERROR);
    if (!session.hasSettings) session.remote.maxConcurrentStreams = 2 ** 32 - 1;
    session.hasSettings = true;
    session.handleSettings(settings);
    if (settings.headerTableSize !== undefined) session.encoder.resize(settings.headerTableSize);
    session.answer(frame(TYPE.SETTINGS, FLAG.ACK, 0, new Uint8Array(0)));
    session.emit('remoteSettings', session.remoteSettings);
    session.settingsCame?.();
    session.flushAll();
    return undefined;
  },

  [TYPE.PING](session, flags, id, payload) {
    if (id !== 0) return session.fail(PROTOCOL_ERROR);
    if (payload.length !== 8) return session.fail(FRAME_SIZE_ERROR);
    if (flags & FLAG.ACK) return session.pong(payload);
    session.answer(frame(TYPE.PING, FLAG.ACK, 0, payload));
    session.emit('ping', Buffer.from(payload));
    return undefined;
  },

  [TYPE.GOAWAY](session, flags, id, payload) {
    if (id !== 0) return session.fail(PROTOCOL_ERROR);
    if (payload.length < 8) return session.fail(FRAME_SIZE_ERROR);
    const last = numberAt(payload, 0) & MOST_WINDOW;
    const code = numberAt(payload, 4);
    session.goawayCode = code;
    session.goawayLastStreamID = last;
    session.goawayId = last;
    session.emit('goaway', code, last, payload.length > 8 ? Buffer.from(AnySubarray(payload, 8)) : undefined);
    if (session.destroyed) return undefined;
    if (code !== 0) return session.failWith(http2Error('ERR_HTTP2_SESSION_ERROR', code), 0);
    const isOwn = (each) => each.id % 2 === (session.type === SERVER ? 0 : 1);
    for (const stream of intact([...intact(MapValues(session.streams))]))
      if (isOwn(stream) && stream.id > last) stream.reset(REFUSED_STREAM);
    session.close();
    return undefined;
  },

  [TYPE.WINDOW_UPDATE](session, flags, id, payload) {
    if (payload.length !== 4) return session.fail(FRAME_SIZE_ERROR);
    const more = numberAt(payload, 0) & MOST_WINDOW;
    if (id === 0) {
      if (more === 0) return session.fail(PROTOCOL_ERROR);
      session.window += more;
      if (session.window > MOST_WINDOW) return session.fail(FLOW_CONTROL_ERROR);
      session.flushAll();
      return undefined;
    }
    if (isIdle(session, id)) return session.fail(PROTOCOL_ERROR);
    const stream = MapGet(session.streams, id);
    if (stream === undefined) return undefined;
    if (more === 0) return breakOff(session, stream, PROTOCOL_ERROR);
    stream.window += more;
    if (stream.window > MOST_WINDOW) return breakOff(session, stream, FLOW_CONTROL_ERROR);
    session.flush(stream);
    return undefined;
  },

  [TYPE.ALTSVC](session, flags, id, payload) {
    if (session.type === SERVER || payload.length < 2) return;
    const length = (payload[0] << 8) | payload[1];
    const text = (bytes) => host.native.decodeUtf8(AnySlice(bytes));
    session.emit('altsvc', text(AnySubarray(payload, 2 + length)), text(AnySubarray(payload, 2, 2 + length)), id);
  },
  [TYPE.ORIGIN](session, flags, id, payload) {
    if (session.type === SERVER || id !== 0 || !session.encrypted) return;
    const origins = [];
    for (let place = 0; place + 2 <= payload.length;) {
      const length = (payload[place] << 8) | payload[place + 1];
      ArrayPush(origins, host.native.decodeUtf8(AnySlice(payload, place + 2, place + 2 + length)));
      place += 2 + length;
    }
    session.origins = [...intact(setOf([...intact(session.origins ?? []), ...intact(origins)]))];
    session.emit('origin', origins);
  },
};

/** Resets a stream after a violation by the peer; too many of these end the session. */
function breakOff(session, stream, code) {
  session.sendReset(stream, code);
  stream.reset?.(code);
  session.invalidFrames = (session.invalidFrames ?? 0) + 1;
  if (session.invalidFrames > (session.options.maxSessionInvalidFrames ?? MOST_INVALID)) tooMany(session);
}
/** Refuses a new stream beyond the limits; too many of these end the session. */
function reject(session, stream, code) {
  session.sendReset(stream, code);
  session.rejectedStreams = (session.rejectedStreams ?? 0) + 1;
  if (session.rejectedStreams > (session.options.maxSessionRejectedStreams ?? MOST_REJECTED)) tooMany(session);
}
function tooMany(session) {
  const error = http2Error('ERR_HTTP2_TOO_MANY_INVALID_FRAMES');
  error.errno = CALLBACK_FAILURE;
  session.failWith(error, INTERNAL_ERROR);
}

/** Takes one from a bucket of `burst` that fills up by `rate` a second; returns whether there was one. */
function take(bucket, burst, rate) {
  const now = host.now();
  bucket.left = MathMin(burst, bucket.left + ((now - bucket.since) / 1000) * rate);
  bucket.since = now;
  return --bucket.left >= 0;
}

function mayReset(session) {
  const { streamResetBurst = RESET_BURST, streamResetRate = RESETS_A_SECOND } = session.options;
  session.resets ??= { left: streamResetBurst, since: host.now() };
  return take(session.resets, streamResetBurst, streamResetRate);
}

/** Counts a frame without effect; too many of these end the session. */
function countIdle(session) {
  session.idleFrames ??= { left: IDLE_BURST, since: host.now() };
  if (!take(session.idleFrames, IDLE_BURST, IDLE_A_SECOND)) session.failWith(protocolError(), CALM);
}

/** Joins the fragments of a header block and decodes it; a block beyond its limits ends the session. */
function gather(session, block, flags, piece) {
  ArrayPush(block.pieces, piece);
  block.size += piece.length;
  if (block.size > session.mostHeaderBytes + 1024 || block.pieces.length > 64) {
    session.fail(CALM);
    return;
  }
  if (!(flags & FLAG.END_HEADERS)) {
    session.block = block;
    return;
  }
  session.block = undefined;
  let fields;
  try {
    fields = session.decoder.decode(
      block.pieces.length === 1 ? piece : concatenate(block.pieces, block.size),
      session.mostHeaderBytes,
    );
  } catch (error) {
    if (!(error instanceof HpackError)) throw error;
    session.fail(COMPRESSION_ERROR);
    return;
  }
  if (fields !== undefined && session.options.strictFieldWhitespaceValidation !== false) fields = withoutBlanks(fields);
  if (fields !== undefined && fields.length > mostFields(session)) fields = undefined;
  block.flags |= flags;
  if (block.promised !== undefined) session.handlePushPromise(block, fields);
  else headersCame(session, block, fields);
}

/** The maximum number of fields of a message. */
function mostFields({ type, options }) {
  return MathMax(options.maxHeaderListPairs ?? USUAL_FIELDS, type === SERVER ? 4 : 1);
}

function headersCame(session, { id, flags, isEnd }, fields) {
  const stream = MapGet(session.streams, id);
  stream?.statistics?.head();
  if (stream === undefined) {
    if (session.type !== SERVER) {
      if (isIdle(session, id)) session.fail(PROTOCOL_ERROR);
    } else if (id % 2 === 0 || (id <= session.lastId && !session.isClosing))
      session.fail(id % 2 === 0 ? PROTOCOL_ERROR : STREAM_CLOSED);
    else session.openStream(id, flags, fields, isEnd);
    return;
  }
  if (stream.isRemoteEnded) {
    breakOff(session, stream, STREAM_CLOSED);
    return;
  }
  const areTrailers = session.type === SERVER || stream.response !== undefined;
  if (fields === undefined || (areTrailers && !isEnd) || !isGood(fields, areTrailers ? 'trailers' : 'response')) {
    breakOff(session, stream, fields === undefined ? CALM : PROTOCOL_ERROR);
    return;
  }
  if (!areTrailers) stream.expected = expectedOf(fields, stream.headRequest);
  stream.headers(fields, flags, isEnd);
  if (!isEnd || stream.isOver) return;
  if (stream.expected !== undefined && stream.received !== stream.expected) breakOff(session, stream, PROTOCOL_ERROR);
  else stream.endRemote();
}

function expectedOf(fields, hasNoBody = false) {
  const field = ArrayFind(fields, ({ 0: name }) => name === 'content-length');
  const status = fields[0]?.[1];
  return field === undefined || hasNoBody || status === '304' ? undefined : Number(field[1]);
}

module.exports = { receive, expectedOf, breakOff, reject, REFUSED_STREAM, CALM };
