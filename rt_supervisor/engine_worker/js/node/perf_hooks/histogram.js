'use strict';
// Owns: the histograms of node:perf_hooks: recordable ones, and one that measures the delay of the event loop.

const { AnyClear } = require('internal/any_kind');
const { mapOf } = require('internal/collections');
const {
  ArrayMap,
  MathMax,
  MathMin,
  MathRound,
  MathSqrt,
  NumberIsNaN,
  ObjectDefineProperty,
  ObjectFromEntries,
  ObjectHasOwn,
  SymbolFor,
  intact,
} = require('internal/primordials');
const native = host.native;
const { codes } = require('internal/errors/errors');
const { validateInteger, validateNumber, validateObject } = require('internal/validators');
const { Buckets } = require('node/perf_hooks/buckets');
const { inspectNamed } = require('internal/inspect/named');

const kOwn = Symbol('kOwn');
const kBuckets = Symbol('kBuckets');
const kExceeds = Symbol('kExceeds');
const NONE = 9223372036854775807n; // `min` of an empty histogram
const NS_PER_MS = 1e6;

function bucketsOf(histogram, className = 'Histogram') {
  const buckets = histogram?.[kBuckets];
  if (buckets === undefined) throw new codes.ERR_INVALID_THIS(className);
  return buckets;
}

function checkPercentile(percentile) {
  validateNumber(percentile, 'percentile');
  if (NumberIsNaN(percentile) || percentile <= 0 || percentile > 100) {
    throw new codes.ERR_OUT_OF_RANGE('percentile', '> 0 && <= 100', percentile);
  }
}

class Histogram {
  constructor(token) {
    if (token !== kOwn) throw new codes.ERR_ILLEGAL_CONSTRUCTOR();
  }

  [SymbolFor('nodejs.util.inspect.custom')](depth, options, inspect) {
    if (depth < 0) return `[${this.constructor.name}]`;
    const { min, max, mean, exceeds, stddev, skewness, kurtosis, count, percentiles } = this;
    const fields = { min, max, mean, exceeds, stddev, skewness, kurtosis, count, percentiles };
    return inspectNamed('Histogram', fields, options, inspect);
  }

  get count() {
    return bucketsOf(this).total;
  }
  get countBigInt() {
    return BigInt(bucketsOf(this).total);
  }
  get min() {
    return Number(this.minBigInt);
  }
  get minBigInt() {
    const buckets = bucketsOf(this);
    return buckets.total === 0 ? NONE : BigInt(buckets.lowestEquivalent(buckets.least));
  }
  get max() {
    return Number(this.maxBigInt);
  }
  get maxBigInt() {
    const buckets = bucketsOf(this);
    return buckets.total === 0 ? 0n : BigInt(buckets.highestEquivalent(buckets.greatest));
  }
  get mean() {
    return bucketsOf(this).mean();
  }
  get exceeds() {
    return bucketsOf(this) && this[kExceeds];
  }
  get exceedsBigInt() {
    return BigInt(this.exceeds);
  }
  get stddev() {
    return MathSqrt(bucketsOf(this).moment(2));
  }
  get skewness() {
    const buckets = bucketsOf(this);
    return buckets.total < 3 ? 0 : buckets.moment(3) / buckets.moment(2) ** 1.5 || 0;
  }
  get kurtosis() {
    const buckets = bucketsOf(this);
    return buckets.total < 4 ? 0 : buckets.moment(4) / buckets.moment(2) ** 2 - 3 || 0;
  }

  percentile(percentile) {
    const buckets = bucketsOf(this);
    checkPercentile(percentile);
    return buckets.percentile(percentile);
  }

  percentileBigInt(percentile) {
    const buckets = bucketsOf(this);
    checkPercentile(percentile);
    return BigInt(buckets.percentile(percentile));
  }

  get percentiles() {
    return mapOf(bucketsOf(this).percentiles());
  }
  get percentilesBigInt() {
    return mapOf(ArrayMap(bucketsOf(this).percentiles(), ({ 0: key, 1: value }) => [key, BigInt(value)]));
  }

  reset() {
    AnyClear(bucketsOf(this));
    this[kExceeds] = 0;
  }

  toJSON() {
    const { count, min, max, mean, exceeds, stddev, skewness, kurtosis, percentiles } = this;
    return {
      count,
      min,
      max,
      mean,
      exceeds,
      stddev,
      skewness,
      kurtosis,
      ewmaMean: 0,
      ewmaStddev: 0,
      ewmaErrorRate: 0,
      percentiles: ObjectFromEntries(intact(percentiles)),
    };
  }
}

function put(histogram, value) {
  if (!histogram[kBuckets].record(Number(value))) histogram[kExceeds]++;
}

const hiddenProperty = (value) => ({ __proto__: null, value, writable: true, enumerable: false });

let isDelays;

class RecordableHistogram extends Histogram {
  #last;

  record(val) {
    bucketsOf(this, 'RecordableHistogram');
    if (typeof val !== 'bigint') validateInteger(val, 'val', 1);
    put(this, val);
  }

  /** Records the nanoseconds since the last call. */
  recordDelta() {
    bucketsOf(this, 'RecordableHistogram');
    const now = native.now();
    if (this.#last !== undefined) put(this, MathMax(1, MathRound((now - this.#last) * NS_PER_MS)));
    this.#last = now;
  }

  add(other) {
    const buckets = bucketsOf(this, 'RecordableHistogram');
    if (!(other instanceof RecordableHistogram)) throw new codes.ERR_INVALID_ARG_TYPE('other', 'RecordableHistogram', other);
    for (const { 0: value, 1: count } of intact(other[kBuckets].counts))
      if (!buckets.record(value, count)) this[kExceeds] += count;
    buckets.least = MathMin(buckets.least, other[kBuckets].least);
    buckets.greatest = MathMax(buckets.greatest, other[kBuckets].greatest);
    this[kExceeds] += other[kExceeds];
  }
}

/** Records the intervals between the calls of its timer, in nanoseconds. */
class ELDHistogram extends Histogram {
  #timer = null;
  #resolution;

  static {
    isDelays = (value) => #timer in value;
  }

  constructor(token, resolution) {
    super(token);
    this.#resolution = resolution;
  }

  enable() {
    bucketsOf(this, 'ELDHistogram');
    if (this.#timer !== null) return false;
    let last = native.now();
    this.#timer = require('internal/timers')
      .setInterval(() => {
        const now = native.now();
        const delta = MathRound((now - last) * NS_PER_MS);
        last = now;
        if (delta > 0) put(this, delta);
      }, this.#resolution)
      .unref();
    return true;
  }

  disable() {
    bucketsOf(this, 'ELDHistogram');
    if (this.#timer === null) return false;
    require('internal/timers').clearInterval(this.#timer);
    this.#timer = null;
    return true;
  }

  [Symbol.dispose]() {
    this.disable();
  }
}

function addBuckets(histogram, lowest, highest, figures) {
  ObjectDefineProperty(histogram, kBuckets, hiddenProperty(new Buckets(Number(lowest), Number(highest), figures)));
  ObjectDefineProperty(histogram, kExceeds, hiddenProperty(0));
  return histogram;
}

function createHistogram(options = {}) {
  validateObject(options, 'options');
  const { lowest = 1, highest = Number.MAX_SAFE_INTEGER, figures = 3 } = options;
  if (typeof lowest !== 'bigint') validateInteger(lowest, 'options.lowest', 1, Number.MAX_SAFE_INTEGER);
  if (typeof highest !== 'bigint') validateInteger(highest, 'options.highest');
  if (BigInt(highest) < 2n * BigInt(lowest)) {
    throw new codes.ERR_OUT_OF_RANGE('options.highest', `>= 2 * options.lowest (${2n * BigInt(lowest)}n)`, highest);
  }
  validateInteger(figures, 'options.figures', 1, 5);
  return addBuckets(new RecordableHistogram(kOwn), lowest, highest, figures);
}

function monitorEventLoopDelay(options = {}) {
  validateObject(options, 'options');
  const { resolution = 10 } = options;
  validateInteger(resolution, 'options.resolution', 1);
  return addBuckets(new ELDHistogram(kOwn, resolution), 1, 3.6e12, 3);
}

function viewOf(histogram) {
  const view = new Histogram(kOwn);
  for (const key of intact([kBuckets, kExceeds])) ObjectDefineProperty(view, key, hiddenProperty(histogram[key]));
  return view;
}

require('internal/cloneable').registerCloneable(
  (value) => ObjectHasOwn(value, kBuckets),
  // A clone has the same buckets, so it includes later records; that of delays cannot start or stop the measurement.
  (histogram) => (isDelays(histogram) ? viewOf(histogram) : histogram),
);

module.exports = { createHistogram, monitorEventLoopDelay, RecordableHistogram };
