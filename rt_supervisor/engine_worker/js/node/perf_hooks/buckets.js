'use strict';
// Owns: counts of values in buckets of bounded relative error, after the HDR histogram: the first `subBuckets` are one unit
// wide, and the width doubles with each power of two above them.

const {
  ArrayPush,
  ArraySort,
  MapGet,
  MapSet,
  MathCeil,
  MathFloor,
  MathLog2,
  MathMax,
  MathMin,
  MathTrunc,
  intact,
} = require('internal/primordials');

class Buckets {
  constructor(lowest, highest, figures) {
    const largestWithUnits = 2 * 10 ** figures;
    const magnitude = MathCeil(MathLog2(largestWithUnits));
    this.unit = MathMax(0, MathFloor(MathLog2(lowest)));
    this.halfMagnitude = MathMax(magnitude, 1) - 1;
    this.subBuckets = 2 ** (this.halfMagnitude + 1);
    this.highest = highest;
    this.clear();
  }

  clear() {
    this.counts = new Map(); // lowest value of a bucket -> its count
    this.total = 0;
    this.least = Infinity;
    this.greatest = 0;
  }

  /** The width of the bucket of `value`. */
  width(value) {
    const bits = MathFloor(MathLog2(MathMax(value, 1)));
    return 2 ** MathMax(this.unit, bits - this.halfMagnitude);
  }

  lowestEquivalent(value) {
    const width = this.width(value);
    return MathFloor(value / width) * width;
  }

  highestEquivalent(value) {
    return this.lowestEquivalent(value) + this.width(value) - 1;
  }

  medianEquivalent(value) {
    return this.lowestEquivalent(value) + MathFloor(this.width(value) / 2);
  }

  /** Counts a value; returns false if it is larger than `highest`. */
  record(value, count = 1) {
    if (value > this.highest && this.lowestEquivalent(value) > this.highest) return false;
    const key = this.lowestEquivalent(value);
    MapSet(this.counts, key, (MapGet(this.counts, key) ?? 0) + count);
    this.total += count;
    this.least = MathMin(this.least, value);
    this.greatest = MathMax(this.greatest, value);
    return true;
  }

  sorted() {
    return ArraySort([...intact(this.counts)], ({ 0: a }, { 0: b }) => a - b);
  }

  /** The central moment of `order` around the mean. */
  moment(order) {
    const mean = this.mean();
    let sum = 0;
    for (const { 0: value, 1: count } of intact(this.counts)) sum += (this.medianEquivalent(value) - mean) ** order * count;
    return sum / this.total;
  }

  mean() {
    let sum = 0;
    for (const { 0: value, 1: count } of intact(this.counts)) sum += this.medianEquivalent(value) * count;
    return sum / this.total;
  }

  percentile(percentile) {
    const rank = MathMax(1, MathFloor((MathMin(percentile, 100) / 100) * this.total + 0.5));
    let seen = 0;
    for (const { 0: value, 1: count } of intact(this.sorted())) {
      seen += count;
      if (seen >= rank) return value;
    }
    return 0;
  }

  /** [percentile, value] at 0, 50, 75, 87.5 and so on as far as there are values, and at 100. */
  percentiles() {
    const list = [];
    let percentile = 0;
    let seen = 0;
    let last = 0;
    for (const { 0: value, 1: count } of intact(this.sorted())) {
      seen += count;
      last = value;
      while (percentile <= (100 * seen) / this.total) {
        ArrayPush(list, [percentile, value]);
        const halvings = MathTrunc(MathLog2(100 / (100 - percentile))) + 1;
        percentile += 100 / 2 ** halvings;
        if (seen === this.total) break;
      }
    }
    ArrayPush(list, [100, last]);
    return list;
  }
}

module.exports = { Buckets };
