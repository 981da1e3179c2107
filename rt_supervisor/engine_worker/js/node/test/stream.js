'use strict';
// Owns: what reporters are told: TestsStream, a stream of `{ type, data }`; how a test that is over becomes such events; the totals.

const Readable = require('node/stream/readable');

const NEEDS_FLAG = "'only' and 'runOnly' require the --test-only command-line option.";
const COUNTS = ['tests', 'suites', 'pass', 'fail', 'cancelled', 'skipped', 'todo'];

class TestsStream extends Readable {
  constructor() {
    super({ objectMode: true, highWaterMark: Number.MAX_SAFE_INTEGER, read() {} });
  }

  tell(type, data) {
    this.emit(type, data);
    this.push({ type, data });
  }

  end() {
    this.push(null);
  }
}

const startCounts = () => ({ ...Object.fromEntries(COUNTS.map((name) => [name, 0])), topLevel: 0 });

const placeOf = (test) => ({
  name: test.name,
  nesting: test.nesting,
  line: test.place?.line,
  column: test.place?.column,
  file: test.place?.file,
});

/** Tell of a test and all below it, and count them. */
function report(test, number, root) {
  const { counts, stream } = root;
  const where = placeOf(test);
  stream.tell('test:start', { ...where });
  const children = test.children.filter((child) => !child.isLeftOut);
  children.forEach((child, index) => report(child, index + 1, root));
  if (children.length > 0) stream.tell('test:plan', { nesting: test.nesting + 1, count: children.length, file: where.file });
  count(test, counts);
  const data = { ...where, testNumber: number, details: detailsOf(test) };
  if (test.skipReason) data.skip = test.skipReason;
  else if (test.todoReason) data.todo = test.todoReason;
  else if (test.isToFail) data.expectFailure = test.expectFailure || true;
  stream.tell(test.passed ? 'test:pass' : 'test:fail', data);
  const isMarked = test.options.only || test.parent?.runsOnly;
  const notes = isMarked && !require('node/test/options').current().only ? [...test.diagnostics, NEEDS_FLAG] : test.diagnostics;
  for (const message of notes) stream.tell('test:diagnostic', { ...where, message, level: 'info' });
}

function detailsOf(test) {
  const details = { duration_ms: test.duration, type: test.isSuite ? 'suite' : 'test' };
  if (!test.passed) details.error = test.error;
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

/** As `count`, of what another process has told. */
function countPoint(counts, { details, skip, todo }, isFailure) {
  if (details.type === 'suite') {
    counts.suites++;
    return;
  }
  counts.tests++;
  if (skip) counts.skipped++;
  else if (todo) counts.todo++;
  else if (isFailure && CANCELLED.includes(details.error?.failureType)) counts.cancelled++;
  else counts[isFailure ? 'fail' : 'pass']++;
}

/** Tell what all of it comes to; the last events of a run. */
function tellCounts(stream, counts, duration, topLevel, notes = []) {
  stream.tell('test:plan', { nesting: 0, count: topLevel });
  const say = (message) => stream.tell('test:diagnostic', { nesting: 0, message, level: 'info' });
  notes.forEach(say);
  for (const name of COUNTS) say(`${name} ${counts[name]}`);
  say(`duration_ms ${duration}`);
  const success = counts.fail + counts.cancelled === 0;
  const { tests, suites, pass, fail, cancelled, skipped, todo } = counts;
  stream.tell('test:summary', {
    success,
    counts: { tests, failed: fail, passed: pass, cancelled, skipped, todo, topLevel, suites },
    duration_ms: duration,
    file: undefined,
  });
  return success;
}

module.exports = { TestsStream, startCounts, placeOf, report, countPoint, tellCounts };
