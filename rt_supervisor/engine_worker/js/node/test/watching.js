'use strict';
// Owns: watch mode: a test file runs again when it, or anything that it has loaded, changes; new files run as well. The files
// that are running or pending form a round; its totals are reported at its end, and the next change starts another one.

const {
  ArrayFilter,
  ArrayForEach,
  ArrayIncludes,
  ArrayMap,
  ArrayPush,
  ArrayShift,
  ArraySome,
  MapDelete,
  MapGet,
  MapSet,
  MapValues,
  SetAdd,
  SetDelete,
  SetHas,
  intact,
} = require('internal/primordials');
const { PromiseCatch } = require('internal/promises');
const { FileResults } = require('node/test/file_results');
const { startCounts, reportCounts } = require('node/test/stream');
const { testFailure, FAILURE } = require('node/test/tree');
const { runFile, TOGETHER } = require('node/test/file_process');

const { native } = host;

/** Runs files until `settings.signal` aborts, or Ctrl-C ends a run of the command line. */
async function runWatched(settings, stream) {
  const run = require('node/test/run');
  const globals = await run.beginFiles(settings, stream);
  const rounds = new Rounds(settings, stream);
  const interruption = settings[run.kCommand]
    ? require('node/test/interruption').watch(
        () => rounds.running,
        stream,
        () => rounds.end(),
      )
    : undefined;
  await rounds.over;
  await globals?.end();
  interruption?.end();
  stream.end();
}

class Rounds {
  #settings;
  #stream;
  #counts = startCounts();
  #startTime = native.now();
  #files;
  #loadedPaths = new Map(); // test file -> the paths of what it has loaded
  #running = new Map(); // test file -> its results
  #again = new Set(); // running files that are to run once more
  #waiting = [];
  #last; // the results to report last
  #watch;
  #isEnding = false;
  #resolve;

  constructor(settings, stream) {
    this.over = new Promise((resolve) => {
      this.#resolve = resolve;
    });
    this.#settings = { ...settings, follow: (file) => this.#follow(file) };
    this.#stream = stream;
    this.#files = settings.files;
    this.#watch = native.testwatch_begin(settings.cwd, settings.findFiles !== undefined, (changed) =>
      this.#handleChanges(changed),
    );
    const { signal } = settings;
    if (signal?.aborted) this.end();
    else signal?.addEventListener('abort', () => this.end(), { once: true });
    this.#start(this.#units);
  }

  /** The results of running files. */
  get running() {
    return [...intact(MapValues(this.#running))];
  }

  /** The units of execution: each file, or all of them in one process. */
  get #units() {
    return this.#settings.isolation === 'none' ? [TOGETHER] : this.#files;
  }

  /** Ends the last round: stops running files and reports the final totals. */
  end() {
    if (this.#isEnding) return;
    this.#isEnding = true;
    native.testwatch_end(this.#watch);
    this.#waiting = [];
    for (const results of intact(this.running)) results.stop?.(testFailure('This operation was aborted', FAILURE.aborted));
    if (this.#running.size === 0) this.#finish();
  }

  #follow(file) {
    const files = file === TOGETHER ? this.#files : [file];
    const paths = new Set();
    MapSet(this.#loadedPaths, file, paths);
    const take = (found) => ArrayForEach(found, (path) => SetAdd(paths, path));
    take(files);
    const { 0: number, 1: name } = native.testwatch_channel(this.#watch, files, take);
    return { name, end: () => take(native.testwatch_release(this.#watch, number)) };
  }

  #handleChanges(changed) {
    if (this.#isEnding) return;
    const { findFiles } = this.#settings;
    const before = this.#files;
    if (findFiles !== undefined) this.#files = findFiles();
    this.#settings.files = this.#files;
    const isNew = (file) => !ArrayIncludes(before, file);
    const isGone = (path) => ArrayIncludes(before, path) && !ArrayIncludes(this.#files, path);
    const relevant = ArrayFilter(changed, (path) => !isGone(path)); // a removed test file is ignored
    const isStale = (unit) => {
      const paths = MapGet(this.#loadedPaths, unit);
      return paths === undefined || ArraySome(relevant, (path) => SetHas(paths, path));
    };
    const isTogether = this.#settings.isolation === 'none';
    const stale = isTogether
      ? ArrayFilter(this.#units, (unit) => ArraySome(this.#files, isNew) || isStale(unit))
      : ArrayFilter(this.#files, (file) => isNew(file) || isStale(file));
    if (stale.length === 0) return;
    if (this.#running.size === 0) this.#startTime = native.now();
    this.#stream.emitEvent('test:watch:restarted');
    this.#start(stale);
  }

  #start(units) {
    if (this.#running.size === 0) this.#counts.topLevel = 0;
    ArrayForEach(units, (unit) => {
      const results = MapGet(this.#running, unit);
      if (results === undefined) {
        if (!ArrayIncludes(this.#waiting, unit)) ArrayPush(this.#waiting, unit);
        return;
      }
      SetAdd(this.#again, unit);
      results.stop?.(testFailure('test failed', FAILURE.code));
    });
    this.#runMore();
    if (units.length === 0) this.#settle();
  }

  #runMore() {
    while (this.#waiting.length > 0 && this.#running.size < this.#settings.width) {
      const results = this.#nextResults(ArrayShift(this.#waiting));
      MapSet(this.#running, results.file, results);
      const workers = ArrayMap(this.running, (each) => each.worker);
      results.worker = 1;
      while (ArrayIncludes(workers, results.worker)) results.worker++;
      PromiseCatch(this.#runOne(results), (error) => this.#stream.destroy(error));
    }
  }

  async #runOne(results) {
    await runFile(results, this.#settings, results.worker);
    results.end();
    MapDelete(this.#running, results.file);
    if (SetDelete(this.#again, results.file) && !this.#isEnding) ArrayPush(this.#waiting, results.file);
    this.#runMore();
    this.#settle();
  }

  #nextResults(unit) {
    const results = new FileResults(unit, this.#stream, this.#counts);
    if (this.#last === undefined) results.beFirst();
    else this.#last.followedBy(results);
    this.#last = results;
    return results;
  }

  /** Reports the totals once nothing is running. */
  #settle() {
    if (this.#running.size > 0) return;
    if (this.#isEnding) {
      this.#finish();
      return;
    }
    this.#stream.emitEvent('test:watch:drained');
    this.#reportTotals();
  }

  #reportTotals() {
    const { topLevel } = this.#counts;
    reportCounts(this.#stream, this.#counts, native.now() - this.#startTime, { topLevel, coverage: this.#settings.measures });
    this.#counts = startCounts();
    this.#last = undefined;
  }

  #finish() {
    this.#reportTotals();
    this.#resolve();
  }
}

module.exports = { runWatched };
