'use strict';
// Owns: PerformanceResourceTiming: the entry of a request on the performance timeline (Resource Timing standard).

const { ObjectDefineProperty, ObjectEntries, ObjectKeys, intact } = require('internal/primordials');
const { codes } = require('internal/errors/errors');
const { PerformanceEntry, kOwn, tag } = require('node/perf_hooks/entries');

const HEADER_BYTES = 300;

/** A getter for a value of the connection's timing info. */
const connection = (place) => (request) => request.times.finalConnectionTimingInfo?.[place];
const time = (place) => (request) => request.times[place];

// member -> its value for a request, in the order of toJSON.
const MEMBERS = {
  __proto__: null,
  initiatorType: (request) => request.initiatorType,
  nextHopProtocol: connection('ALPNNegotiatedProtocol'),
  workerStart: time('finalServiceWorkerStartTime'),
  redirectStart: time('redirectStartTime'),
  redirectEnd: time('redirectEndTime'),
  fetchStart: time('postRedirectStartTime'),
  domainLookupStart: connection('domainLookupStartTime'),
  domainLookupEnd: connection('domainLookupEndTime'),
  connectStart: connection('connectionStartTime'),
  connectEnd: connection('connectionEndTime'),
  secureConnectionStart: connection('secureConnectionStartTime'),
  requestStart: time('finalNetworkRequestStartTime'),
  finalResponseHeadersStart: time('finalNetworkResponseStartTime'),
  firstInterimResponseStart: ({ times }) => times.firstInterimNetworkResponseStartTime ?? 0,
  responseStart: ({ times }) => times.firstInterimNetworkResponseStartTime || times.finalNetworkResponseStartTime,
  responseEnd: time('endTime'),
  transferSize({ cacheMode, times }) {
    if (cacheMode === 'local') return 0;
    return cacheMode === 'validated' ? HEADER_BYTES : times.encodedBodySize + HEADER_BYTES;
  },
  encodedBodySize: time('encodedBodySize'),
  decodedBodySize: time('decodedBodySize'),
  deliveryType: (request) => request.deliveryType,
  responseStatus: (request) => request.responseStatus,
  renderBlockingStatus: ({ times }) => (times.renderBlocking === true ? 'blocking' : 'non-blocking'),
  contentType: ({ body }) => body?.contentType ?? '',
  contentEncoding: ({ body }) => body?.contentEncoding ?? '',
};

/** Members that PerformanceEntry stores and this class computes. */
const OVERRIDDEN = {
  __proto__: null,
  name: (request) => request.url,
  startTime: time('startTime'),
  duration: ({ times }) => times.endTime - times.startTime,
};

class PerformanceResourceTiming extends PerformanceEntry {
  #request;

  constructor(token = undefined, request = undefined) {
    if (token !== kOwn) throw new codes.ERR_ILLEGAL_CONSTRUCTOR();
    super(kOwn, request.url, 'resource');
    this.#request = request;
  }

  static {
    const define = (name, read, enumerable) => {
      const get = function () {
        if (!(#request in this)) throw new codes.ERR_INVALID_THIS('PerformanceResourceTiming');
        return read(this.#request);
      };
      ObjectDefineProperty(get, 'name', { __proto__: null, value: `get ${name}`, configurable: true });
      ObjectDefineProperty(this.prototype, name, { __proto__: null, configurable: true, enumerable, get });
    };
    for (const { 0: name, 1: read } of intact(ObjectEntries(OVERRIDDEN))) define(name, read, false);
    for (const { 0: name, 1: read } of intact(ObjectEntries(MEMBERS))) define(name, read, true);
  }

  toJSON() {
    if (!(#request in this)) throw new codes.ERR_INVALID_THIS('PerformanceResourceTiming');
    const { name, entryType, startTime, duration } = this;
    const fields = { name, entryType, startTime, duration };
    for (const member of intact(ObjectKeys(MEMBERS))) fields[member] = this[member];
    return fields;
  }
}
ObjectDefineProperty(PerformanceResourceTiming, 'length', { __proto__: null, value: 0, configurable: true });
ObjectDefineProperty(PerformanceResourceTiming.prototype, 'toJSON', { __proto__: null, enumerable: true });
tag(PerformanceResourceTiming);

module.exports = { PerformanceResourceTiming };
