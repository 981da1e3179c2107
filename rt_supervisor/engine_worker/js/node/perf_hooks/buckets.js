'use strict';
// Owns: counts of values in buckets of bounded relative error, after the HDR histogram: the lowest bucket of `subBuckets` counts single
// units, each further one counts units twice as wide.

class Buckets {
  constructor(lowest, highest, figures) {
    const largestWithUnits = 2 * 10 ** figures;
    const magnitude = Math.ceil(Math.log2(largestWithUnits));
    this.unit = Math.max(0, Math.floor(Math.log2(lowest)));
    this.halfMagnitude = Math.max(magnitude, 1) - 1;
    this.subBuckets = 2 ** (this.halfMagnitude + 1);
    this.highest = highest;
    this.clear();
  }

  clear() {
    this.counts = new Map(); // lowest value of a bucket -> how many
    this.total = 0;
    this.least = Infinity;
    this.greatest = 0;
  }

  /** How wide the bucket of `value` is. */
  width(value) {
    const bits = Math.floor(Math.log2(Math.max(value, 1)));
    return 2 ** Math.max(this.unit, bits - this.halfMagnitude);
  }

  lowestEquivalent(value) {
    const width = this.width(value);
    return Math.floor(value / width) * width;
  }

  highestEquivalent(value) {
    return this.lowestEquivalent(value) + this.width(value) - 1;
  }

  medianEquivalent(value) {
    return this.lowestEquivalent(value) + Math.floor(this.width(value) / 2);
  }

  /** Whether `value` was small enough. */
  record(value, count = 1) {
    if (value > this.highest && this.lowestEquivalent(value) > this.highest) return false;
    const key = this.lowestEquivalent(value);
    this.counts.set(key, (this.counts.get(key) ?? 0) + count);
    this.total += count;
    this.least = Math.min(this.least, value);
    this.greatest = Math.max(this.greatest, value);
    return true;
  }

  sorted() {
    return [...this.counts].sort(([a], [b]) => a - b);
  }

  /** The central moment of `order` around the mean. */
  moment(order) {
    const mean = this.mean();
    let sum = 0;
    for (const [value, count] of this.counts) sum += (this.medianEquivalent(value) - mean) ** order * count;
    return sum / this.total;
  }

  mean() {
    let sum = 0;
    for (const [value, count] of this.counts) sum += this.medianEquivalent(value) * count;
    return sum / this.total;
  }

  percentile(percentile) {
    const wanted = Math.max(1, Math.floor((Math.min(percentile, 100) / 100) * this.total + 0.5));
    let seen = 0;
    for (const [value, count] of this.sorted()) {
      seen += count;
      if (seen >= wanted) return value;
    }
    return 0;
  }

  /** [percentile, value] at 0, 50, 75, 87.5 and so on as far as there are values, and at 100. */
  percentiles() {
    const found = [];
    let wanted = 0;
    let seen = 0;
    let last = 0;
    for (const [value, count] of this.sorted()) {
      seen += count;
      last = value;
      while (wanted <= (100 * seen) / this.total) {
        found.push([wanted, value]);
        const halvings = Math.trunc(Math.log2(100 / (100 - wanted))) + 1;
        wanted += 100 / 2 ** halvings;
        if (seen === this.total) break;
      }
    }
    found.push([100, last]);
    return found;
  }
}

module.exports = { Buckets };
