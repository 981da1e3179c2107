'use strict';
// Owns: statistics of HTTP/2 sessions and streams while there is an observer of 'http2'; each becomes an entry.

const native = host.native;
const { MathMax } = require('internal/primordials');
const startValues = require('internal/start_values');
const { PerformanceNodeEntry } = require('node/perf_hooks/entries');
const { enqueue, isObserved } = require('node/perf_hooks/observer');

const now = () => native.now() - startValues.startedAt;

function report(name, start, detail) {
  if (isObserved('http2')) enqueue(new PerformanceNodeEntry(name, 'http2', start, now() - start, detail));
}

class StreamStatistics {
  #start = now();
  #isOver = false;
  #detail;
  #ended;

  constructor(id, ended) {
    this.#ended = ended;
    this.#detail = { bytesRead: 0, bytesWritten: 0, id, timeToFirstByte: 0, timeToFirstByteSent: 0, timeToFirstHeader: 0 };
  }
  #mark(name) {
    if (this.#detail[name] === 0) this.#detail[name] = now() - this.#start;
  }
  head() {
    this.#mark('timeToFirstHeader');
  }
  took(size) {
    this.#detail.bytesRead += size;
    this.#mark('timeToFirstByte');
  }
  sent(size) {
    if (size === 0) return;
    this.#detail.bytesWritten += size;
    this.#mark('timeToFirstByteSent');
  }
  end() {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#ended(now() - this.#start);
    report('Http2Stream', this.#start, this.#detail);
  }
}

class SessionStatistics {
  bytesRead = 0;
  bytesWritten = 0;
  framesReceived = 0;
  framesSent = 0;
  pingRTT = 0;
  #start = now();
  #type;
  #open = 0;
  #most = 0;
  #count = 0;
  #ended = 0;
  #durations = 0;

  constructor(type) {
    this.#type = type;
  }
  stream(id) {
    this.#count++;
    this.#most = MathMax(this.#most, ++this.#open);
    return new StreamStatistics(id, (duration) => {
      this.#open--;
      this.#ended++;
      this.#durations += duration;
    });
  }
  end() {
    report('Http2Session', this.#start, {
      bytesRead: this.bytesRead,
      bytesWritten: this.bytesWritten,
      framesReceived: this.framesReceived,
      framesSent: this.framesSent,
      maxConcurrentStreams: this.#most,
      pingRTT: this.pingRTT,
      streamAverageDuration: this.#ended === 0 ? 0 : this.#durations / this.#ended,
      streamCount: this.#count,
      type: this.#type,
    });
  }
}

module.exports = { SessionStatistics };
