'use strict';
// Owns: TestsStream, the stream of `{ type, data }` events for reporters; the events of a completed test; the totals.

const {
  ArrayFilter,
  ArrayForEach,
  ArrayIncludes,
  ArrayMap,
  MathRound,
  NumberToFixed,
  ObjectFromEntries,
  StringSlice,
  StringToUpperCase,
  intact,
} = require('internal/primordials');
const Readable = require('node/stream/readable');

const NEEDS_FLAG = "'only' and 'runOnly' require the --test-only command-line option.";
const COUNTS = ['tests', 'suites', 'pass', 'fail', 'cancelled', 'skipped', 'todo'];

class TestsStream extends Readable {
  constructor() {
    super({ objectMode: true, highWaterMark: Number.MAX_SAFE_INTEGER, read() {} });
  }

  emitEvent(type, data) {
    this.emit(type, data);
    this.push({ type, data });
  }

  end() {
    this.push(null);
  }
}

/** Milliseconds rounded to the clock's precision. */
const inNanoseconds = (ms) => MathRound(ms * 1e6) / 1e6;

const startCounts = () => ({ ...ObjectFromEntries(intact(ArrayMap(COUNTS, (name) => [name, 0]))), topLevel: 0 });

const placeOf = (test) => ({
  name: test.name,
  nesting: test.nesting,
  line: test.place?.line,
  column: test.place?.column,
  file: test.place?.file,
});

/** Reports a test and its descendants, and counts them. */
function report(test, number, root) {
  const { counts, stream } = root;
  const where = placeOf(test);
  const tags = () => [...intact(test.tags)];
  stream.emitEvent('test:start', { ...where, tags: tags() });
  const children = ArrayFilter(test.children, (child) => !child.isLeftOut);
  ArrayForEach(children, (child, index) => report(child, index + 1, root));
  if (children.length > 0) stream.emitEvent('test:plan', { nesting: test.nesting + 1, count: children.length, file: where.file });
  count(test, counts);
  const data = { ...where, testNumber: number, details: detailsOf(test), tags: tags() };
  if (test.skipReason) data.skip = test.skipReason;
  else if (test.todoReason) data.todo = test.todoReason;
  else if (test.isToFail) data.expectFailure = test.expectFailure || true;
  stream.emitEvent(test.passed ? 'test:pass' : 'test:fail', data);
  const isMarked = test.options.only || test.parent?.runsOnly;
  const notes =
    isMarked && !require('node/test/options').current().only ? [...intact(test.diagnostics), NEEDS_FLAG] : test.diagnostics;
  for (const message of intact(notes)) stream.emitEvent('test:diagnostic', { ...where, message, level: 'info' });
}

function detailsOf(test) {
  const details = { duration_ms: test.duration, type: test.isSuite ? 'suite' : 'test' };
  if (!test.passed) details.error = test.error;
  if (test.attempt !== undefined) details.attempt = test.attempt;
  if (test.passedAttempt !== undefined) details.passed_on_attempt = test.passedAttempt;
  return details;
}

function count(test, counts) {
  if (test.isSuite) {
    counts.suites++;
    return;
  }
  counts.tests++;
  if (test.skipReason) counts.skipped++;
  else if (test.todoReason) counts.todo++;
  else if (test.isCancelled) counts.cancelled++;
  else if (test.passed) counts.pass++;
  else counts.fail++;
}

const CANCELLED = ['testTimeoutFailure', 'cancelledByParent', 'testAborted'];

/** As `count`, for an event of another process. */
function countPoint(counts, { details, skip, todo }, isFailure) {
  if (details.type === 'suite') {
    counts.suites++;
    return;
  }
  counts.tests++;
  if (skip) counts.skipped++;
  else if (todo) counts.todo++;
  else if (isFailure && ArrayIncludes(CANCELLED, details.error?.failureType)) counts.cancelled++;
  else counts[isFailure ? 'fail' : 'pass']++;
}

/** The coverage summary; undefined if it was not requested, or after a warning that it failed. */
function measureCoverage(coverage, say) {
  if (coverage === undefined) return undefined;
  try {
    return require('node/test/coverage/coverage').summary(coverage);
  } catch (error) {
    say(`Warning: Could not report code coverage. ${error}`);
    return undefined;
  }
}

/** Whether coverage meets the thresholds; reports each one that it misses. */
function isEnough(summary, say) {
  let outcome = true;
  for (const kind of intact(['line', 'branch', 'function'])) {
    const percent = summary.totals[`covered${StringToUpperCase(kind[0])}${StringSlice(kind, 1)}Percent`];
    if (percent >= summary.thresholds[kind]) continue;
    outcome = false;
    say(
      `Error: ${NumberToFixed(percent, 2)}% ${kind} coverage does not meet threshold of ${summary.thresholds[kind]}%.`,
      'error',
    );
  }
  return outcome;
}

/** Reports the totals, the last events of a run. `coverage` holds the settings of a measured run. */
function reportCounts(stream, counts, duration, { topLevel, notes = [], coverage }) {
  stream.emitEvent('test:plan', { nesting: 0, count: topLevel });
  const say = (message, level = 'info') => stream.emitEvent('test:diagnostic', { nesting: 0, message, level });
  for (const note of intact(notes)) say(note);
  const summary = measureCoverage(coverage, say);
  for (const name of intact(COUNTS)) say(`${name} ${counts[name]}`);
  const took = inNanoseconds(duration);
  say(`duration_ms ${took}`);
  let success = counts.fail + counts.cancelled === 0;
  if (summary !== undefined) {
    if (!isEnough(summary, say)) success = false;
    stream.emitEvent('test:coverage', { nesting: 0, summary });
  }
  const { tests, suites, pass, fail, cancelled, skipped, todo } = counts;
  stream.emitEvent('test:summary', {
    success,
    counts: { tests, failed: fail, passed: pass, cancelled, skipped, todo, topLevel, suites },
    duration_ms: took,
    file: undefined,
  });
  return success;
}

module.exports = { TestsStream, startCounts, placeOf, inNanoseconds, report, countPoint, reportCounts };
