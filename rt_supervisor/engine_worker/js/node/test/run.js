'use strict';
// Owns: `run` of node:test: which files run, the order in which their results are reported, and the overall outcome. Each
// file has its own process (`node/test/file_process`), unless `isolation` is `none`.

const {
  ArrayFilter,
  ArrayForEach,
  ArrayFrom,
  ArrayIsArray,
  ArrayJoin,
  ArrayMap,
  ArrayShift,
  ArraySome,
  ArraySort,
  MathMax,
  MathMin,
  RegExpTest,
  intact,
} = require('internal/primordials');
const { PromiseAll, PromiseCatch } = require('internal/promises');
const runtimeParts = require('internal/parts');
const startValues = require('internal/start_values');
const { codes } = require('internal/errors/errors');
const {
  validateAbortSignal,
  validateArray,
  validateBoolean,
  validateFunction,
  validateNumber,
  validateObject,
  validateOneOf,
  validateString,
  validateStringArray,
  validateInteger,
  validateUint32,
} = require('internal/validators');
const { FileResults } = require('node/test/file_results');
const { TestsStream, startCounts, reportCounts } = require('node/test/stream');
const { newSeed, shuffle } = require('node/test/random');
const { patternsOf } = require('node/test/options');
const { filtersOf } = require('node/test/tags');

const kCommand = Symbol('the run is the program');
const MOST_MS = 2 ** 31 - 1;
const KINDS = 'js,mjs,cjs';
const TYPED_KINDS = ',cts,mts,ts';
const NO_TYPES = /^--no-(?:experimental-)?strip-types$/;

/** Node's pattern of test files, without TypeScript if a flag turns it off. */
function defaultPattern() {
  const { execArgv } = runtimeParts.process.process;
  const isTyped = !ArraySome(execArgv, (word) => RegExpTest(NO_TYPES, word));
  return `**/{test,test/**/*,test-*,*[._-]test}.{${KINDS}${isTyped ? TYPED_KINDS : ''}}`;
}

function run(options = {}) {
  validateObject(options, 'options');
  const settings = checkOptions(options);
  const stream = new TestsStream();
  const refuse = (error) => stream.destroy(error);
  if (settings.watch) PromiseCatch(require('node/test/watching').runWatched(settings, stream), refuse);
  else if (settings.isolation === 'none') require('node/test/in_process').start(settings, stream);
  else PromiseCatch(runFiles(settings, stream), refuse);
  return stream;
}

function checkOptions(options) {
  const { files, globPatterns, only, signal, timeout, shard, setup, concurrency, isolation = 'process' } = options;
  const { forceExit, watch, cwd = host.cwd(), execArgv = [], argv = [], globalSetupPath, coverage } = options;
  if (files !== undefined) validateArray(files, 'options.files');
  if (globPatterns !== undefined) {
    validateArray(globPatterns, 'options.globPatterns');
    if (globPatterns.length > 0 && files?.length > 0) {
      throw new codes.ERR_INVALID_ARG_VALUE(
        'options.globPatterns',
        globPatterns,
        "is not supported when specifying 'options.files'",
      );
    }
  }
  if (watch !== undefined && watch !== null) validateBoolean(watch, 'options.watch');
  if (forceExit !== undefined && forceExit !== null) validateBoolean(forceExit, 'options.forceExit');
  if (forceExit && watch) throw new codes.ERR_INVALID_ARG_VALUE('options.forceExit', watch, 'is not supported with watch mode');
  const randomSeed = checkSeed(options);
  if (only !== undefined) validateBoolean(only, 'options.only');
  if (coverage !== undefined) validateBoolean(coverage, 'options.coverage');
  if (signal !== undefined) validateAbortSignal(signal, 'options.signal');
  if (timeout !== undefined && timeout !== null && timeout !== Infinity) validateNumber(timeout, 'options.timeout', 0, MOST_MS);
  if (shard !== undefined && shard !== null) {
    validateObject(shard, 'options.shard');
    validateInteger(shard.total, 'options.shard.total', 1);
    validateInteger(shard.index, 'options.shard.index', 1, shard.total);
    if (watch) throw new codes.ERR_INVALID_ARG_VALUE('options.shard', watch, 'shards not supported with watch mode');
  }
  if (setup !== undefined && setup !== null) validateFunction(setup, 'options.setup');
  if (typeof concurrency !== 'boolean' && concurrency !== undefined && concurrency !== null)
    validateInteger(concurrency, 'options.concurrency', 1);
  validateString(cwd, 'options.cwd');
  validateStringArray(execArgv, 'options.execArgv');
  validateStringArray(argv, 'options.argv');
  validateOneOf(isolation, 'options.isolation', ['process', 'none']);
  const measures = coverage ? checkCoverage(options, cwd) : undefined;
  if (globalSetupPath !== undefined) validateString(globalSetupPath, 'options.globalSetupPath');
  return {
    ...options,
    measures,
    randomSeed,
    rerunFailuresFilePath: options.rerunFailuresFilePath && require('node/path/path').resolve(cwd, options.rerunFailuresFilePath),
    isolation,
    inspectPort: options[kCommand] ? undefined : (options.inspectPort ?? require('node/test/inspector_ports').nextPort),
    cwd,
    execArgv,
    argv,
    files: inOrder(chosenFiles(files, globPatterns, cwd, shard), isolation === 'none' ? undefined : randomSeed),
    findFiles: files === undefined || files === null ? () => chosenFiles(undefined, globPatterns, cwd) : undefined,
    width: concurrency === true ? require('node/os').availableParallelism() - 1 || 1 : Number(concurrency) || 1,
    namePatterns: patternsOf(options.testNamePatterns, 'options.testNamePatterns'),
    skipPatterns: patternsOf(options.testSkipPatterns, 'options.testSkipPatterns'),
    ...tagsChosen(options.testTagFilters),
  };
}

/** The tag filter expressions, and their compiled form. */
function tagsChosen(expressions) {
  const tagExpressions =
    expressions === undefined || expressions === null || ArrayIsArray(expressions) ? expressions : [expressions];
  return { tagExpressions, tagFilters: filtersOf(tagExpressions, (index) => `options.testTagFilters[${index}]`) };
}

/** The seed of a random order; undefined for the declared order. */
function checkSeed({ randomize, randomSeed, rerunFailuresFilePath, watch }) {
  if (randomize !== undefined && randomize !== null) validateBoolean(randomize, 'options.randomize');
  if (randomSeed !== undefined && randomSeed !== null) validateUint32(randomSeed, 'options.randomSeed');
  const refuse = (mode) => {
    const name = randomSeed === undefined || randomSeed === null ? 'randomize' : 'randomSeed';
    const value = name === 'randomize' ? randomize : randomSeed;
    if (name === 'randomSeed' || randomize)
      throw new codes.ERR_INVALID_ARG_VALUE(`options.${name}`, value, `is not supported with ${mode} mode`);
  };
  if (watch) refuse('watch');
  if (rerunFailuresFilePath) {
    validateString(rerunFailuresFilePath, 'options.rerunFailuresFilePath');
    refuse('rerun failures');
  }
  return randomSeed ?? (randomize ? newSeed() : undefined);
}
const inOrder = (files, seed) => (seed === undefined ? files : shuffle(files, seed));

/** The coverage settings: which files to report, and thresholds. */
function checkCoverage(options, cwd) {
  const {
    coverageIncludeGlobs: include = [],
    coverageExcludeGlobs: exclude = [],
    coverageIncludeAll: includeAll = false,
  } = options;
  const { lineCoverage = 0, branchCoverage = 0, functionCoverage = 0 } = options;
  const listed = (globs, name) => {
    const list = ArrayIsArray(globs) ? globs : [globs];
    validateStringArray(list, name);
    return list;
  };
  validateBoolean(includeAll, 'options.coverageIncludeAll');
  const measures = {
    cwd,
    include: listed(include, 'options.coverageIncludeGlobs'),
    exclude: listed(exclude, 'options.coverageExcludeGlobs'),
    includeAll,
    isRunnerMeasured: !(options[kCommand] && options.isolation !== 'none'),
    sourceMaps: require('node/test/options').followsSourceMaps(),
    thresholds: { __proto__: null, line: lineCoverage, branch: branchCoverage, function: functionCoverage },
  };
  validateInteger(lineCoverage, 'options.lineCoverage', 0, 100);
  validateInteger(branchCoverage, 'options.branchCoverage', 0, 100);
  validateInteger(functionCoverage, 'options.functionCoverage', 0, 100);
  require('node/test/coverage/coverage').begin();
  return measures;
}

/**
 * Returns absolute paths: the given ones, otherwise those that match the patterns (Node's defaults) below `cwd`,
 * without node_modules.
 */
function chosenFiles(files, globPatterns, cwd, shard) {
  const path = require('node/path/path');
  let paths = files;
  if (paths === undefined || (paths.length === 0 && globPatterns?.length > 0)) {
    const patterns = globPatterns?.length > 0 ? globPatterns : [defaultPattern()];
    const fs = require('node/fs/fs');
    paths = fs.globSync(patterns, { cwd, exclude: (name) => name === 'node_modules' });
    paths = ArraySort(ArrayFilter(paths, (each) => fs.statSync(path.resolve(cwd, each)).isFile()));
    if (paths.length === 0 && globPatterns?.length > 0) throw new NothingFound(globPatterns);
  }
  const all = ArrayMap(paths, (each) => path.resolve(cwd, each));
  return shard ? ArrayFilter(all, (each, index) => index % shard.total === shard.index - 1) : all;
}

class NothingFound extends Error {
  constructor(patterns) {
    super(`Could not find '${ArrayJoin(patterns, ', ')}'`);
  }
}

/** Prepares the run before its first file; returns the started `globalSetupPath` module. */
async function beginFiles(settings, stream) {
  await new Promise((resolve) => host.nextTick(resolve)); // the caller adds its listeners first
  await settings.setup?.(stream);
  if (settings.rerunFailuresFilePath) require('node/test/reruns').record(stream, settings.rerunFailuresFilePath);
  return settings.globalSetupPath ? require('node/test/global_setup').begin(settings) : undefined;
}

async function runFiles(settings, stream) {
  const globals = await beginFiles(settings, stream);
  const counts = startCounts();
  const startTime = host.native.now();
  const waiting = ArrayMap(settings.files, (file) => new FileResults(file, stream, counts));
  ArrayForEach(waiting, (each, index) => {
    each.index = index;
    each.next = waiting[index + 1];
  });
  waiting[0]?.beFirst();
  const queue = [...intact(waiting)];
  const interruption = settings[kCommand] ? require('node/test/interruption').watch(() => waiting, stream) : undefined;
  const isNode = startValues.programName === 'node';
  let left = waiting.length;
  const report = () =>
    reportCounts(stream, counts, host.native.now() - startTime, {
      topLevel: counts.topLevel,
      coverage: settings.measures,
      notes: settings.randomSeed === undefined ? [] : [`Randomized test order seed: ${settings.randomSeed}`],
    });
  const work = async () => {
    for (let results = ArrayShift(queue); results !== undefined; results = ArrayShift(queue)) {
      if (settings.signal?.aborted) results.abort();
      else if (!interruption?.isOver)
        await require('node/test/file_process').runFile(results, settings, (results.index % settings.width) + 1);
      results.end();
      left--;
      if (isNode && interruption?.isOver && left === 0 && globals === undefined) {
        // As in Node, only reporters that do not wait see more than the interruption.
        report();
        runtimeParts.process.process.exit();
      }
    }
  };
  await PromiseAll(ArrayFrom({ length: MathMax(1, MathMin(settings.width, queue.length)) }, work));
  interruption?.end();
  await globals?.end();
  report();
  stream.end();
}

module.exports = { run, beginFiles, kCommand, NothingFound };
