'use strict';
// Owns: a session's pings that have not been acknowledged.

const { ArrayBufferIsView, ArrayPush, ArrayShift, ArraySplice, TypedArraySlice, intact } = require('internal/primordials');
const context = require('internal/async/context');
const { nextTick } = require('internal/timers');
const { http2Error } = require('node/http2/errors');
const { TYPE, frame } = require('node/http2/frames');
const { codes } = require('internal/errors/errors');
const { validateFunction } = require('internal/validators');

const MOST_WAITING = 10;

class Pings {
  #waiting = [];

  /** Returns true if the ping was sent, false if too many are outstanding, undefined while connecting or after the close. */
  send(session, payload, callback) {
    if (typeof payload === 'function') [payload, callback] = intact([undefined, payload]);
    if (payload !== undefined) {
      if (!ArrayBufferIsView(payload))
        throw new codes.ERR_INVALID_ARG_TYPE('payload', ['Buffer', 'TypedArray', 'DataView'], payload);
      if (payload.byteLength !== 8) throw http2Error('ERR_HTTP2_PING_LENGTH');
    }
    validateFunction(callback, 'callback');
    const bytes =
      payload === undefined ? new Uint8Array(8) : TypedArraySlice(new Uint8Array(payload.buffer, payload.byteOffset, 8));
    if (session.connecting || session.closed) {
      nextTick(callback, http2Error('ERR_HTTP2_PING_CANCEL'));
      return undefined;
    }
    if (context.isUsed) callback = context.bind(callback, 'HTTP2PING');
    if (this.#waiting.length >= (session.options.maxOutstandingPings ?? MOST_WAITING)) {
      nextTick(callback, http2Error('ERR_HTTP2_PING_CANCEL'));
      return false;
    }
    ArrayPush(this.#waiting, { callback, since: host.now() });
    session.write(frame(TYPE.PING, 0, 0, bytes));
    return true;
  }

  /** Calls the callback of the oldest outstanding ping; returns false if there is none. */
  acknowledge(payload, statistics) {
    const ping = ArrayShift(this.#waiting);
    if (ping === undefined) return false;
    const { Buffer } = require('node/buffer/buffer');
    const own = new Uint8Array(payload); // with a buffer of exactly its size
    const time = host.now() - ping.since;
    if (statistics !== undefined) statistics.pingRTT = time;
    ping.callback(null, time, Buffer.from(own.buffer));
    return true;
  }

  /** Cancels all pings at the end of the session. */
  cancel() {
    for (const { callback } of intact(ArraySplice(this.#waiting, 0))) nextTick(callback, http2Error('ERR_HTTP2_PING_CANCEL'));
  }
}

module.exports = { Pings };
