'use strict';
// Owns: what reporters are told: TestsStream, a stream of `{ type, data }`, and how a test that is over becomes such events.

const Readable = require('node/stream/readable');

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

/** Tell of a test and all below it, and count them. */
function report(test, number, root) {
  const { counts, stream } = root;
  const place = test.place ?? {};
  const where = {
    name: test.name,
    nesting: test.nesting,
    testNumber: number,
    line: place.line,
    column: place.column,
    file: place.file,
  };
  stream.tell('test:start', { name: test.name, nesting: test.nesting, line: place.line, column: place.column, file: place.file });
  test.children.forEach((child, index) => report(child, index + 1, root));
  if (test.children.length > 0)
    stream.tell('test:plan', { nesting: test.nesting + 1, count: test.children.length, file: place.file });
  count(test, counts);
  const details = { duration_ms: test.duration, type: test.isSuite ? 'suite' : 'test' };
  if (!test.passed) details.error = test.error;
  const data = { ...where, details };
  if (test.skipReason) data.skip = test.skipReason;
  if (test.todoReason) data.todo = test.todoReason;
  stream.tell(test.passed ? 'test:pass' : 'test:fail', data);
  for (const message of test.diagnostics) stream.tell('test:diagnostic', { ...where, message, level: 'info' });
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

module.exports = { TestsStream, report };
