'use strict';
// Owns: `--test-rerun-failures`: the file that records, run by run and in Node's format, which tests have passed. A test that
// has passed is not run again: it passes again, with its former children.

const { intact } = require('internal/primordials');
const runtimeParts = require('internal/parts');
const { relative } = require('node/path/path');

let runs; // the runs in the file
const startCounts = new Map(); // location -> number of tests started there

/** The runs recorded in the file at `path`; empty if it does not exist. */
function runsOf(path) {
  let text;
  try {
    text = require('node/fs/fs').readFileSync(path, 'utf8');
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
    return [];
  }
  return JSON.parse(text);
}

/** Identifies a test by its location; several tests at one location are numbered. */
function nameOf({ file, line, column }, seen) {
  const place = `${relative(runtimeParts.process.process.cwd(), file)}:${line}:${column}`;
  const count = seen.get(place) ?? 0;
  seen.set(place, count + 1);
  return count === 0 ? place : `${place}:(${count})`;
}

/** Looks up the previous outcome of `test`; one that passed passes again. */
function follow(test, path) {
  if (test.place === undefined) return;
  runs ??= runsOf(path);
  test.attempt = runs.length;
  const before = runs.at(-1)?.[nameOf(test.place, startCounts)];
  if (before === undefined) return;
  test.passedAttempt = before.passed_on_attempt;
  if (!test.isSuite) test.replayedMs = before.duration_ms;
  test.fn = () => {
    for (const { name, line, column, file } of intact(before.children ?? [])) {
      const place = { line, column, file };
      const child = test.add(new test.constructor({ name, fn() {}, parent: test, place }));
      if (!test.isSuite) test.schedule(child);
    }
  };
}

/** Appends the results of `stream` to the file. */
function record(stream, path) {
  const runs = runsOf(path);
  const passed = {};
  const seen = new Map();
  let open = []; // the tests that have started, outermost first
  stream.on('test:start', (data) => {
    open = open.slice(0, data.nesting);
    const entry = { data, children: [] };
    const { nesting, name, line, column, file } = data;
    open.at(-1)?.children.push({ nesting, name, line, column, file });
    open[nesting] = entry;
  });
  const over = (data) => {
    if (data.file === undefined) return undefined;
    return { id: nameOf(data, seen), children: open[data.nesting]?.children ?? [] };
  };
  stream.on('test:fail', over);
  stream.on('test:pass', (data) => {
    const { id, children } = over(data) ?? {};
    if (id === undefined) return;
    const { passed_on_attempt: earlier, attempt = runs.length, duration_ms: duration } = data.details;
    passed[id] = { name: data.name, children, passed_on_attempt: earlier ?? attempt, duration_ms: duration };
  });
  stream.on('test:summary', ({ file }) => {
    if (file !== undefined) return; // of one file only
    require('node/fs/fs').writeFileSync(path, JSON.stringify([...intact(runs), passed], null, 2));
  });
}

module.exports = { follow, record };
