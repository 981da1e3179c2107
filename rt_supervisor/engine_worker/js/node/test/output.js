'use strict';
// Owns: the output of a run: through each requested reporter (`spec` by default) to its destination; from a file's own
// process, to the runner.

const { intactAsync } = require('internal/async_iteration');
const { ArrayIncludes, ArrayMap, RegExpTest, StringStartsWith } = require('internal/primordials');
const { PromiseAll } = require('internal/promises');
const runtimeParts = require('internal/parts');
const { codes } = require('internal/errors/errors');
const timers = require('internal/timers');
const options = require('node/test/options');

const BUILT_IN = ['spec', 'dot', 'tap', 'junit', 'lcov'];

/** Writes the events of `stream`; resolves when everything is written. */
function attach(stream) {
  const { process } = runtimeParts.process;
  const { isChild, isRunner, reporters, destinations } = options.current();
  const { RT_TEST_TOGETHER } = process.env;
  if (isChild && (!isRunner || RT_TEST_TOGETHER === '1')) {
    delete process.env.RT_TEST_TOGETHER;
    const { frameOf } = require('node/test/frames');
    return writeAll(framesOf(stream, frameOf), process.stdout);
  }
  const names = reporters.length > 0 ? reporters : [process.env.RT_TEST_REPORTER ?? 'spec'];
  const places = destinations.length > 0 ? destinations : names.length === 1 ? ['stdout'] : [];
  if (names.length !== places.length) {
    throw new codes.ERR_INVALID_ARG_VALUE(
      '--test-reporter',
      names,
      "must match the number of specified '--test-reporter-destination'",
    );
  }
  return PromiseAll(ArrayMap(names, (name, index) => attachOne(stream, name, outputOf(places[index]))));
}

async function* framesOf(stream, frameOf) {
  for await (const event of intactAsync(stream)) yield frameOf(event);
}

function outputOf(place) {
  const { process } = runtimeParts.process;
  if (place === 'stdout' || place === 'stderr') return process[place];
  return require('node/fs/fs').createWriteStream(place);
}

async function attachOne(stream, name, output) {
  const { PassThrough } = require('node/stream/transform');
  const copy = stream.pipe(new PassThrough({ objectMode: true }));
  let reporter = ArrayIncludes(BUILT_IN, name) ? require('node/test/reporters')[name] : await loadReporter(name);
  if (typeof reporter === 'function' && typeof reporter.prototype?._transform === 'function') reporter = new reporter();
  else if (typeof reporter === 'function' && (name === 'spec' || name === 'lcov')) reporter = new reporter();
  if (typeof reporter === 'function') return writeAll(reporter(copy), output);
  if (typeof reporter?.pipe === 'function' && typeof reporter.write === 'function') {
    return writeAll(copy.pipe(reporter), output);
  }
  throw new codes.ERR_INVALID_ARG_VALUE('Reporter', name, 'must be a Transform stream or an AsyncGenerator');
}

/** The default export of a reporter file or package, resolved from the run's directory. */
async function loadReporter(name) {
  const { pathToFileURL } = require('node/url/files');
  const path = require('node/path/path');
  const base = path.join(host.cwd(), 'reporter.js');
  const { createRequire } = require('node/module/module');
  let target = name;
  if (!RegExpTest(/^(?:file|data|node):/, name)) {
    target = path.isAbsolute(name) || StringStartsWith(name, '.') ? path.resolve(name) : createRequire(base).resolve(name);
    target = pathToFileURL(target).href;
  }
  const loaded = await require('node/test/loading').load(target);
  return loaded.default ?? loaded;
}

async function writeAll(texts, output) {
  const { process } = runtimeParts.process;
  // What the first test prints before it awaits something precedes the output of reporters, as in Node.
  await new Promise((resolve) => timers.setImmediate(resolve));
  for await (const text of intactAsync(texts)) output.write(text);
  if (output !== process.stdout && output !== process.stderr) await new Promise((resolve) => output.end(resolve));
}

module.exports = { attach };
