'use strict';
// Owns: settings of a test run from the command line and the environment: name filters, time limits, the destination of
// results. A process that `--test` started for one file sends its events to the runner.

const { isRegExp } = require('internal/brands');
const { AnyExec } = require('internal/any_kind');
const { ArrayIncludes, ArrayIsArray, ArrayMap, ArraySome, RegExpExec, intact } = require('internal/primordials');
const { givenFlags } = require('internal/given_flags');
const runtimeParts = require('internal/parts');
const startValues = require('internal/start_values');
const { codes } = require('internal/errors/errors');
const { validateString } = require('internal/validators');
const { filtersOf, isChosenBy } = require('node/test/tags');

const CHILD = 'child-v8'; // the value of NODE_TEST_CONTEXT in a file's process
const WRITTEN = /^\/(.*)\/([a-z]*)$/s;

let settings;

/** Parses a pattern of the command line: `/text/flags`, or the source of a regular expression. */
function patternOf(text, name) {
  const [, source, flags] = intact(RegExpExec(WRITTEN, text) ?? [undefined, text, '']);
  try {
    return new RegExp(source, flags);
  } catch (error) {
    throw new codes.ERR_INVALID_ARG_VALUE(name, text, `is an invalid regular expression. ${error}`);
  }
}

/** One or more patterns, as strings or regular expressions; null if there are none. */
function patternsOf(patterns, name) {
  if (patterns === undefined || patterns === null) return null;
  const list = ArrayIsArray(patterns) ? patterns : [patterns];
  return ArrayMap(list, (each, place) => {
    if (isRegExp(each)) return each;
    validateString(each, ArrayIsArray(patterns) ? `${name}[${place}]` : name);
    return patternOf(each, name);
  });
}

function shardOf(text) {
  const [, index, total] = intact(RegExpExec(/^(\d+)\/(\d+)$/, text) ?? []);
  if (index === undefined) throw new codes.ERR_INVALID_ARG_VALUE('--test-shard', text, 'must be in the form of <index>/<total>');
  return { index: Number(index), total: Number(total) };
}

/** Whether source maps of precompiled files are enabled. */
function followsSourceMaps() {
  return ArrayIncludes(givenFlags(runtimeParts.process.process), '--enable-source-maps');
}

/** The settings of `--experimental-test-coverage`; the processes of files only count. */
function coverageOf(flags, { isChild, isRunner }) {
  if (flags['experimental-test-coverage'] !== true || (isChild && !isRunner)) return undefined;
  return {
    cwd: host.cwd(),
    include: flags['test-coverage-include'] ?? [],
    exclude: flags['test-coverage-exclude'] ?? [],
    includeAll: flags['test-coverage-include-all'] === true,
    sourceMaps: followsSourceMaps(),
    thresholds: {
      __proto__: null,
      line: flags['test-coverage-lines'] ?? 0,
      branch: flags['test-coverage-branches'] ?? 0,
      function: flags['test-coverage-functions'] ?? 0,
    },
  };
}

/** The settings, read once when the first test is declared or the runner starts. */
function current() {
  if (settings !== undefined) return settings;
  const flags = startValues.tests ?? {};
  const { env } = runtimeParts.process.process;
  settings = {
    isChild: env.NODE_TEST_CONTEXT === CHILD,
    isRunner: flags.test === true,
    namePatterns: patternsOf(flags['test-name-pattern'], '--test-name-pattern'),
    skipPatterns: patternsOf(flags['test-skip-pattern'], '--test-skip-pattern'),
    tagExpressions: flags['experimental-test-tag-filter'],
    tagFilters: null,
    only: flags['test-only'] === true,
    timeout: flags['test-timeout'] > 0 ? flags['test-timeout'] : Infinity,
    concurrency: flags['test-concurrency'],
    forceExit: flags['test-force-exit'] === true,
    watch: flags.watch !== undefined,
    updatesSnapshots: flags['test-update-snapshots'] === true || env.RT_TEST_UPDATE_SNAPSHOTS === '1',
    isolation: flags['test-isolation'] ?? 'process',
    globalSetup: flags['test-global-setup'],
    preloads: flags.preloads,
    shard: flags['test-shard'] === undefined ? undefined : shardOf(flags['test-shard']),
    reporters: flags['test-reporter'] ?? [],
    rerunFailures: flags['test-rerun-failures'] && require('node/path/path').resolve(flags['test-rerun-failures']),
    randomSeed:
      flags['test-random-seed'] ?? (flags['test-randomize'] === true ? require('node/test/random').newSeed() : undefined),
    destinations: flags['test-reporter-destination'] ?? [],
  };
  settings.tagFilters = filtersOf(settings.tagExpressions, (index) => `--experimental-test-tag-filter[${index}]`);
  settings.coverage = coverageOf(flags, settings);
  return settings;
}

/** Overrides settings: for `run` with `isolation: 'none'`, whose tests run in this process. */
function change(values) {
  settings = { ...current(), ...values };
}

function matches(test, patterns) {
  if (ArraySome(patterns, (pattern) => AnyExec(pattern, test.name) !== null)) return true;
  if (test.parent === null || test.parent.isRoot) return false;
  return matches(test.parent, patterns) || ArraySome(patterns, (pattern) => AnyExec(pattern, nameWithParents(test)) !== null);
}

const nameWithParents = (test) =>
  test.parent === null || test.parent.isRoot ? test.name : `${nameWithParents(test.parent)} ${test.name}`;

const hasOnly = (test) => ArraySome(test.children, (child) => child.options.only || (child.isSuite && hasOnly(child)));

/** Whether `--test-only` selects a test: it or a descendant is marked, or an enclosing suite in which no other test is. */
function isChosen(test) {
  if (test.options.only || (test.isSuite && hasOnly(test))) return true;
  for (let outer = test.parent; outer !== null && !outer.isRoot; outer = outer.parent) {
    if (!outer.isSuite) return true; // its subtests are selected by its own `runOnly`
    if (outer.options.only) return !hasOnly(outer);
  }
  return false;
}

/** Whether a suite is needed for its contents. */
const hasChild = (test) => test.isSuite && ArraySome(test.children, (child) => !isLeftOut(child));

/** Whether a test is excluded by name or by `only`: it neither runs nor is reported. */
function isLeftOut(test) {
  const { namePatterns, skipPatterns, only, tagFilters } = current();
  if (only && test.parent !== null && test.parent.runsOnly && !test.options.only) return true;
  if (tagFilters !== null && !isChosenBy(tagFilters, test.tags)) return !hasChild(test);
  if (namePatterns === null && skipPatterns === null && !only) return false;
  if (skipPatterns !== null && matches(test, skipPatterns)) return true;
  if (only && !isChosen(test)) return true;
  if (namePatterns === null || matches(test, namePatterns)) return false;
  return !hasChild(test);
}

module.exports = { current, change, patternsOf, hasOnly, isLeftOut, followsSourceMaps, CHILD };
