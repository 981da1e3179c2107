// @ts-check
'use strict';
// Owns: merging several processes' counts of the same file: functions are identified by name and location, and a range that
// ran in any process is covered.

const { ArrayFind, ArrayPush } = require('internal/primordials');

const isSame = (one, other) => one.startOffset === other.startOffset && one.endOffset === other.endOffset;
const holds = (outer, inner) => outer.startOffset <= inner.startOffset && outer.endOffset >= inner.endOffset;

/** Merges range counts: those of both; of uncovered ranges, what neither ran. */
function mergeRanges(ours, theirs) {
  const merged = [];
  const add = (range) => {
    if (ArrayFind(merged, (each) => each === range) === undefined) ArrayPush(merged, range);
  };
  for (let place = 0; place < ours.length; place++) if (ours[place].count > 0) add(ours[place]);
  for (let place = 0; place < theirs.length; place++) {
    const their = theirs[place];
    let isKnown = false;
    for (let index = 0; index < ours.length; index++) {
      const our = ours[index];
      if (isSame(our, their)) {
        our.count += their.count;
        add(our);
        isKnown = true;
        break;
      }
      if (our.count !== 0 || their.count !== 0) continue;
      if (holds(our, their)) add(their);
      else if (holds(their, our)) add(our);
    }
    if (their.count > 0 && !isKnown) add(their);
  }
  return merged;
}

/** Adds the functions of `theirs` to those of `ours`. */
function mergeFunctions(ours, theirs) {
  for (let place = 0; place < theirs.length; place++) {
    const their = theirs[place];
    const our = ArrayFind(
      ours,
      (each) => each.functionName === their.functionName && each.ranges.length > 0 && isSame(each.ranges[0], their.ranges[0]),
    );
    if (our === undefined) ArrayPush(ours, their);
    else if (their.isBlockCoverage) {
      our.ranges = our.isBlockCoverage ? mergeRanges(our.ranges, their.ranges) : their.ranges;
      our.isBlockCoverage = true;
    }
  }
}

module.exports = { mergeFunctions };
