'use strict';
// Owns: flow control of incoming data (RFC 9113 §5.2): how much the peer may send to a session and its streams, and when a
// WINDOW_UPDATE is sent.

const { http2Error } = require('node/http2/errors');
const { TYPE, frameOfNumbers } = require('node/http2/frames');
const { SettledSession } = require('node/http2/session_settings');
const { validateInt32 } = require('internal/validators');

const USUAL_WINDOW = 65535;
const LEAST_UPDATE = 16 * 1024;

class FlowSession extends SettledSession {
  window = USUAL_WINDOW; // bytes that this side may send
  room = USUAL_WINDOW; // bytes that the peer may send
  owed = 0; // bytes for the next WINDOW_UPDATE
  windowSize = USUAL_WINDOW;

  streamRoom(stream) {
    return stream.room ?? this.local.initialWindowSize;
  }
  giveRoom(stream, count) {
    if (this.destroyed || stream.isRemoteEnded || stream.isOver) return;
    stream.owed = (stream.owed ?? 0) + count;
    if (stream.owed < LEAST_UPDATE && stream.room > LEAST_UPDATE) return;
    this.write(frameOfNumbers(TYPE.WINDOW_UPDATE, 0, stream.id, stream.owed));
    stream.room += stream.owed;
    stream.owed = 0;
  }
  giveSessionRoom(count) {
    this.owed += count;
    if (this.owed < LEAST_UPDATE) return;
    this.write(frameOfNumbers(TYPE.WINDOW_UPDATE, 0, 0, this.owed));
    this.room += this.owed;
    this.owed = 0;
  }
  setLocalWindowSize(size) {
    if (this.destroyed) throw http2Error('ERR_HTTP2_INVALID_SESSION');
    validateInt32(size, 'windowSize', 0);
    this.windowSize = size;
    if (size > this.room) this.giveMore(size - this.room);
  }
  giveMore(count) {
    this.write(frameOfNumbers(TYPE.WINDOW_UPDATE, 0, 0, count));
    this.room += count;
  }
}

module.exports = { FlowSession };
