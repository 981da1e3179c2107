'use strict';
// Owns: `rt --test`: files from the command line, or those whose names match, and the exit status.

const runtimeParts = require('internal/parts');
const options = require('node/test/options');

const SAME_PORT =
  'Using the inspector with --test forces running at a concurrency of 1. Use the inspectPort option to run with concurrency';

/** `words`: paths and patterns of the command line; existing files are taken literally. */
async function start(words) {
  const { process } = runtimeParts.process;
  try {
    const settings = options.current();
    const { run, kCommand } = require('node/test/run');
    const isAlone = settings.isolation === 'none';
    const isInspected = !isAlone && require('node/test/inspector_ports').isRequested();

    const concurrency = isInspected ? 1 : settings.concurrency === undefined ? true : settings.concurrency;
    require('node/util/util').debuglog('test_runner')('test runner configuration: %O', {
      ...settings,
      concurrency: isAlone ? 1 : concurrency,
      timeout: settings.timeout,
    });
    const stream = run({
      [kCommand]: true,
      globPatterns: words,
      isolation: settings.isolation,
      concurrency,
      testTimeout: settings.timeout, // per test; a file has no limit
      only: settings.only,
      testNamePatterns: settings.namePatterns ?? undefined,
      testSkipPatterns: settings.skipPatterns ?? undefined,
      testTagFilters: settings.tagExpressions,
      forceExit: settings.forceExit,
      watch: settings.watch,
      shard: settings.shard,
      globalSetupPath: settings.globalSetup,
      preloads: settings.preloads,
      updateSnapshots: settings.updatesSnapshots,
      randomSeed: settings.randomSeed,
      rerunFailuresFilePath: settings.rerunFailures,
      ...coverageOptions(settings.coverage),
    });
    if (isInspected) process.emitWarning(SAME_PORT);
    stream.on('test:summary', ({ success, file }) => {
      if (!success && file === undefined) process.exitCode = 1;
    });
    const written = require('node/test/output').attach(stream);
    await written;
    if (settings.forceExit || settings.watch) process.exit(); // the global setup may have left handles open that keep the program alive
  } catch (error) {
    const isMissing = error instanceof require('node/test/run').NothingFound;
    process.stderr.write(`${isMissing ? error.message : (error?.stack ?? error)}\n`);
    process.exitCode = 1;
  }
}

/** Converts the command line's coverage flags to options of `run`. */
function coverageOptions(coverage) {
  if (coverage === undefined) return undefined;
  const { include, exclude, includeAll, thresholds } = coverage;
  return {
    coverage: true,
    coverageIncludeGlobs: include,
    coverageExcludeGlobs: exclude,
    coverageIncludeAll: includeAll,
    lineCoverage: thresholds.line,
    branchCoverage: thresholds.branch,
    functionCoverage: thresholds.function,
  };
}

module.exports = { start };
