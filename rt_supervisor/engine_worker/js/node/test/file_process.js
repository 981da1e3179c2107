'use strict';
// Owns: a test file run in its own process: the process's command line, its events, and the meaning of its exit.

const { ArrayPush, RegExpTest, intact } = require('internal/primordials');
const { PromiseResolve } = require('internal/promises');
const { normalizeFlag } = require('internal/given_flags');
const runtimeParts = require('internal/parts');
const { CHILD } = require('node/test/options');
const { FrameReader } = require('node/test/frames');
const { VARIABLE: LOADS } = require('internal/watch_channel');
const { withPort, isRequested, splitMessages } = require('node/test/inspector_ports');
const { inNanoseconds } = require('node/test/stream');
const { testFailure, FAILURE } = require('node/test/tree');

// rt's flags for the runner itself; those that apply to the tests of a file are added again.
const OF_RUNNER = /^--(?:(?:experimental-)?test(?:-[\w-]+)?|watch(?:-[\w-]+)?)(?:=|$)/;
const WITH_NEXT_WORD =
  /^--(?:experimental-)?test-(?:tag-filter|name-pattern|skip-pattern|reporter|reporter-destination|concurrency|timeout|shard|isolation|global-setup|rerun-failures|random-seed|coverage-(?:include|exclude|lines|branches|functions))$/;

const TOGETHER = ''; // in place of a file: all of them in one process

const TOTAL = /^(?:tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) [\d.]+$/;

function handedOn(words) {
  const list = [];
  for (let index = 0; index < words.length; index++) {
    if (RegExpTest(WITH_NEXT_WORD, normalizeFlag(words[index]))) index++;
    else if (!RegExpTest(OF_RUNNER, normalizeFlag(words[index]))) ArrayPush(list, words[index]);
  }
  return list;
}

function argumentsFor(file, settings) {
  const { execArgv, argv, namePatterns, skipPatterns, only, forceExit, updateSnapshots } = settings;
  const timeout = settings.testTimeout ?? settings.timeout;
  const own = withPort(handedOn(runtimeParts.process.process.execArgv), settings.inspectPort);
  const words = [...intact(own), ...intact(execArgv)];
  for (const pattern of intact(namePatterns ?? [])) ArrayPush(words, `--test-name-pattern=${pattern}`);
  for (const pattern of intact(skipPatterns ?? [])) ArrayPush(words, `--test-skip-pattern=${pattern}`);
  for (const text of intact(settings.tagExpressions ?? [])) ArrayPush(words, `--experimental-test-tag-filter=${text}`);
  if (only) ArrayPush(words, '--test-only');
  if (forceExit) ArrayPush(words, '--test-force-exit');
  if (settings.randomSeed !== undefined) ArrayPush(words, `--test-random-seed=${settings.randomSeed}`);
  if (settings.rerunFailuresFilePath) ArrayPush(words, `--test-rerun-failures=${settings.rerunFailuresFilePath}`);
  if (updateSnapshots) ArrayPush(words, '--test-update-snapshots');
  if (timeout !== undefined && timeout !== null && timeout !== Infinity) ArrayPush(words, `--test-timeout=${timeout}`);
  if (file === TOGETHER) ArrayPush(words, '--test', '--test-isolation=none');
  return [...intact(words), ...intact(file === TOGETHER ? settings.files : [file]), ...intact(argv)];
}

/**
 * Runs the file of `results` in a process and passes its events to `results`. In watch mode, `settings.follow(file)` returns
 * the channel on which the process reports the files it loads.
 */
function runFile(results, settings, worker) {
  const { spawn } = require('node/child_process/child_process');
  const { file } = results;
  const { process } = runtimeParts.process;
  const startTime = host.native.now();
  const env = { ...(settings.env ?? process.env), NODE_TEST_CONTEXT: CHILD, NODE_TEST_WORKER_ID: `${worker}` };
  delete env.RT_TEST_REPORTER;
  if (file === TOGETHER) env.RT_TEST_TOGETHER = '1';
  const channel = settings.follow?.(file);
  if (channel !== undefined) env[LOADS] = channel.name;
  let words;
  try {
    words = argumentsFor(file, settings);
  } catch (error) {
    results.fail(testFailure(error, FAILURE.code));
    return PromiseResolve();
  }
  return new Promise((resolve) => {
    const child = spawn(process.execPath, words, { cwd: settings.cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let stopReason; // why it was ended
    const stop = (error) => {
      stopReason ??= error;
      child.kill('SIGTERM');
    };
    results.stop = stop;
    const onAbort = () => stop(testFailure('This operation was aborted', FAILURE.aborted));
    settings.signal?.addEventListener('abort', onAbort, { once: true });
    const limit = limitOf(settings, stop);
    const reader = new FrameReader(
      (type, data) => take(results, type, data),
      (bytes) => results.emitEvent('test:stdout', { file, message: `${bytes}` }),
    );
    child.stdout.on('data', (bytes) => reader.push(bytes));
    const isInspected = isRequested();
    child.stderr.setEncoding('utf8').on('data', (text) => {
      const { 0: inspectorText, 1: message } = isInspected ? splitMessages(text) : ['', text];
      if (inspectorText !== '') process.stderr.write(inspectorText);
      if (message !== '') results.emitEvent('test:stderr', { file, message });
    });
    child.on('error', (error) => {
      stopReason ??= testFailure(error, FAILURE.code);
    });
    child.on('close', (exitCode, signal) => {
      reader.end();
      channel?.end();
      results.stop = undefined;
      require('internal/timers').clearTimeout(limit);
      settings.signal?.removeEventListener('abort', onAbort);
      if (stopReason !== undefined) results.fail(stopReason, { exitCode, signal });
      else if ((exitCode !== 0 || signal !== null) && results.failed === 0)
        results.fail(testFailure('test failed', FAILURE.code), { exitCode, signal });
      else if (results.reported === 0) results.pass(inNanoseconds(host.native.now() - startTime));
      resolve();
    });
  });
}

/** The time limit of a file as a whole is that of each of its tests. */
function limitOf({ timeout }, stop) {
  if (timeout === undefined || timeout === null || timeout === Infinity) return undefined;
  return require('internal/timers').setTimeout(
    () => stop(testFailure(`test timed out after ${timeout}ms`, FAILURE.code)),
    timeout,
  );
}

/** Passes an event on, except the file's own plan and totals: the run reports those once, for all files. */
function take(results, type, data) {
  if (type === 'test:plan' && data.nesting === 0) return;
  if (type === 'test:summary') {
    results.emitEvent(type, { ...data, file: results.file });
    return;
  }
  if (type === 'test:diagnostic' && data.nesting === 0 && RegExpTest(TOTAL, data.message)) return;
  if (type === 'test:pass' || type === 'test:fail') {
    if (data.nesting === 0) results.reported++;
    if (type === 'test:fail') results.failed++;
  }
  results.emitEvent(type, data);
}

module.exports = { runFile, TOGETHER };
