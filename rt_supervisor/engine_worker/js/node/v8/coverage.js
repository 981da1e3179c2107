'use strict';
// Owns: NODE_V8_COVERAGE: the inspector counts which parts of the program's files run; at the program's end, and when it calls
// `v8.takeCoverage`, a file for c8 and its like is written into the folder that the variable names.
//
// Counts are of the code that runs. Where rt has put something before a file's text, that is taken off again; of a file that it has
// compiled, the map is in `source-map-cache`, as Node writes it for files that come with one.

const handedDown = require('internal/parts');
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

/** Count from now on; `value` is NODE_V8_COVERAGE. */
function begin(value) {
  const { Session } = require('node/inspector/session');
  const { env } = handedDown.process.process;
  folder = require('node/path/path').resolve(value);
  env.NODE_V8_COVERAGE = folder; // for children that run elsewhere
  session = new Session();
  session.connect();
  post('Profiler.enable');
  post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  handedDown.coverage = { __proto__: null, take, stop, end };
}

const lineLengthsOf = (code) => ArrayMap(StringSplit(code, '\n'), (line) => line.length);

/** Move all offsets back by the length of what was put before the file's text. */
function shifted(functions, by) {
  for (const each of intact(functions)) {
    for (const range of intact(each.ranges)) {
      range.startOffset = MathMax(0, range.startOffset - by);
      range.endOffset = MathMax(0, range.endOffset - by);
    }
  }
}

/** Write what has run since the last time. */
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
    if (by > 0) shifted(functions, by);
    if (map) {
      const data = JSONParse(map);
      data.sources = isOurs ? [url] : ArrayMap(data.sources, (source) => new (require('web/url/class').URL)(source, url).href);
      maps[url] = { lineLengths: lineLengthsOf(code), data, url: null };
    }
  }
  const text = JSONStringify({ result: files, timestamp, ...(ObjectKeys(maps).length > 0 ? { 'source-map-cache': maps } : {}) });
  const fs = require('node/fs/sync');
  const name = `coverage-${handedDown.process.process.pid}-${DateNow()}-${handedDown.worker?.self.threadId ?? 0}.json`;
  try {
    fs.mkdirSync(folder, { recursive: true });
    fs.writeFileSync(`${folder}/${name}`, text);
  } catch (error) {
    handedDown.process.process.stderr.write(`rt: NODE_V8_COVERAGE: ${error.message}\n`);
  }
}

function stop() {
  if (session === undefined) return;
  post('Profiler.stopPreciseCoverage');
  post('Profiler.disable');
  session.disconnect();
  session = undefined;
}

/** The program ends. */
function end() {
  if (isWritten) return;
  isWritten = true;
  take();
}

module.exports = { begin };
