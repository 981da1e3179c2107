'use strict';
// Owns: NODE_V8_COVERAGE: counts executed ranges with the inspector; at exit, and on `v8.takeCoverage`, writes a file for c8
// and similar tools to the directory that the variable names.
//
// Counts refer to the running code. The length of rt's prefix before a file's text is subtracted; the map of a file compiled
// by rt is in `source-map-cache`, as Node writes it for files with a map.

const runtimeParts = require('internal/parts');
const {
  ArrayFilter,
  ArrayMap,
  DateNow,
  JSONParse,
  JSONStringify,
  MathMax,
  ObjectKeys,
  StringSplit,
  StringStartsWith,
  intact,
} = require('internal/primordials');

const { native } = host;

let session;
let folder;
let isWritten = false;

function post(method, params) {
  let answer;
  session.post(method, params, (error, result) => {
    if (error) throw error;
    answer = result;
  });
  return answer;
}

/** Starts counting; `value` is NODE_V8_COVERAGE. */
function begin(value) {
  const { Session } = require('node/inspector/session');
  const { env } = runtimeParts.process.process;
  folder = require('node/path/path').resolve(value);
  env.NODE_V8_COVERAGE = folder; // for child processes in other directories
  session = new Session();
  session.connect();
  post('Profiler.enable');
  post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  runtimeParts.coverage = { __proto__: null, take, stop, end };
}

const lineLengthsOf = (code) => ArrayMap(StringSplit(code, '\n'), (line) => line.length);

/** Moves all offsets back by the length of the prefix before the file's text. */
function shiftOffsets(functions, by) {
  for (const each of intact(functions)) {
    for (const range of intact(each.ranges)) {
      range.startOffset = MathMax(0, range.startOffset - by);
      range.endOffset = MathMax(0, range.endOffset - by);
    }
  }
}

/** Writes what has run since the last call. */
function take() {
  if (session === undefined) return;
  const { result, timestamp } = post('Profiler.takePreciseCoverage');
  const files = ArrayFilter(result, ({ url }) => StringStartsWith(url, 'file:'));
  const { fileURLToPath } = require('internal/file_url_host');
  const maps = {};
  for (const { url, functions } of intact(files)) {
    const { search } = new (require('web/url/class').URL)(url);
    const path = fileURLToPath(url) + search;
    const { 0: by, 1: code, 2: map, 3: isOurs } = native.core_compiledSource(path);
    if (by > 0) shiftOffsets(functions, by);
    if (map) {
      const data = JSONParse(map);
      data.sources = isOurs ? [url] : ArrayMap(data.sources, (source) => new (require('web/url/class').URL)(source, url).href);
      maps[url] = { lineLengths: lineLengthsOf(code), data, url: null };
    }
  }
  const text = JSONStringify({ result: files, timestamp, ...(ObjectKeys(maps).length > 0 ? { 'source-map-cache': maps } : {}) });
  const fs = require('node/fs/sync');
  const name = `coverage-${runtimeParts.process.process.pid}-${DateNow()}-${runtimeParts.worker?.self.threadId ?? 0}.json`;
  try {
    fs.mkdirSync(folder, { recursive: true });
    fs.writeFileSync(`${folder}/${name}`, text);
  } catch (error) {
    runtimeParts.process.process.stderr.write(`rt: NODE_V8_COVERAGE: ${error.message}\n`);
  }
}

function stop() {
  if (session === undefined) return;
  post('Profiler.stopPreciseCoverage');
  post('Profiler.disable');
  session.disconnect();
  session = undefined;
}

/** Writes the final counts at exit. */
function end() {
  if (isWritten) return;
  isWritten = true;
  take();
}

module.exports = { begin };
