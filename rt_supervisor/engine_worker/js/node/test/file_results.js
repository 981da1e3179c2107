'use strict';
// Owns: the results of one test file, reported in the order of the files although these run concurrently.

const { ArrayPush, ObjectAssign, intact } = require('internal/primordials');
const { countPoint } = require('node/test/stream');

/** The results of one file. Files run concurrently; each is reported when all earlier ones have ended. */
class FileResults {
  #stream;
  #counts;
  #early = [];
  #isFirst = false;
  #isOver = false;
  next;
  index; // index among the files
  reported = 0; // number of the file's completed top-level tests
  failed = 0;
  stop; // ends the file's process with a reason, while it runs

  constructor(file, stream, counts) {
    this.file = file;
    this.#stream = stream;
    this.#counts = counts;
  }

  beFirst() {
    this.#isFirst = true;
    for (const { 0: type, 1: data } of intact(this.#early)) this.#give(type, data);
    this.#early = [];
    if (this.#isOver) this.next?.beFirst();
  }

  /** Reports `next` after this file. */
  followedBy(next) {
    if (this.#isOver && this.#isFirst) next.beFirst();
    else this.next = next;
  }

  emitEvent(type, data) {
    if (this.#isFirst) this.#give(type, data);
    else ArrayPush(this.#early, [type, data]);
  }

  #give(type, data) {
    if (type === 'test:pass' || type === 'test:fail') {
      countPoint(this.#counts, data, type === 'test:fail');
      if (data.nesting === 0) data.testNumber = ++this.#counts.topLevel;
    }
    this.#stream.emitEvent(type, data);
  }

  abort() {
    const { testFailure, FAILURE } = require('node/test/tree');
    const error = testFailure('This operation was aborted', FAILURE.aborted);
    this.fail(error);
  }

  /** The file itself failed. */
  fail(error, exit = {}) {
    const data = this.#own({ duration_ms: 0, type: 'test', error });
    ObjectAssign(data.details, exit);
    this.emitEvent('test:fail', data);
  }

  /** A file without tests counts as a passed test. */
  pass(duration) {
    this.emitEvent('test:pass', this.#own({ duration_ms: duration, type: 'test' }));
  }

  #own(details) {
    const name = require('node/path/path').relative(host.cwd(), this.file);
    const place = { name, nesting: 0, file: this.file, line: 1, column: 1, tags: [] };
    this.emitEvent('test:start', { ...place });
    return { ...place, testNumber: 0, details };
  }

  end() {
    this.#isOver = true;
    if (this.#isFirst) this.next?.beFirst();
  }
}

module.exports = { FileResults };
