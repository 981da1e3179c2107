'use strict';
// Owns: `run` of node:test: files as processes of their own, one after the other or several at once, whose TAP is told on as events.

const { validateObject, validateArray } = require('internal/validators');
const { TestsStream } = require('node/test/stream');

const POINT = /^( *)(not )?ok (\d+) - (.*?)(?: # (SKIP|TODO)(?: (.*))?)?$/;
const TIME = /^ *duration_ms: (.*)$/;
const KIND = /^ *type: '(.*)'$/;

function run(options = {}) {
  validateObject(options, 'options');
  const { files = [], concurrency = false, execArgv = [], argv = [], cwd = host.cwd() } = options;
  validateArray(files, 'options.files');
  const stream = new TestsStream();
  options.setup?.(stream);
  const counts = { tests: 0, suites: 0, pass: 0, fail: 0, cancelled: 0, skipped: 0, todo: 0 };
  const started = host.native.now();
  const waiting = [...files];
  const work = async () => {
    for (let file = waiting.shift(); file !== undefined; file = waiting.shift())
      await runFile(file, { execArgv, argv, cwd, stream, counts });
  };
  const width = concurrency === true ? 4 : Math.max(1, Number(concurrency) || 1);
  Promise.all(Array.from({ length: width }, work)).then(
    () => {
      const duration = host.native.now() - started;
      stream.tell('test:plan', { nesting: 0, count: files.length });
      for (const name of Object.keys(counts))
        stream.tell('test:diagnostic', { nesting: 0, message: `${name} ${counts[name]}`, level: 'info' });
      stream.tell('test:summary', { counts, duration_ms: duration, success: counts.fail === 0 });
      stream.end();
    },
    (error) => stream.destroy(error),
  );
  return stream;
}

/** Run one file and tell what its TAP says; a file that fails without saying so is a failure itself. */
function runFile(file, { execArgv, argv, cwd, stream, counts }) {
  const { spawn } = require('node/child_process/child_process');
  const path = require('node/path/path').resolve(cwd, file);
  return new Promise((resolve) => {
    const child = spawn(host.process.process.execPath, [...execArgv, path, ...argv], {
      cwd,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...host.process.process.env, RT_TEST_REPORTER: 'tap' },
    });
    const reader = require('node/readline/readline').createInterface({ input: child.stdout });
    let point;
    let failures = 0;
    reader.on('line', (line) => {
      const found = POINT.exec(line);
      if (found) {
        const [, indent, not, number, name, directive, reason] = found;
        point = {
          name,
          nesting: indent.length / 4,
          testNumber: Number(number),
          file: path,
          details: { duration_ms: 0, type: 'test' },
          isFailure: Boolean(not),
        };
        if (directive === 'SKIP') point.skip = reason ?? true;
        if (directive === 'TODO') point.todo = reason ?? true;
        stream.tell('test:start', { name, nesting: point.nesting, file: path });
      } else if (point !== undefined) {
        if (TIME.test(line)) point.details.duration_ms = Number(TIME.exec(line)[1]);
        else if (KIND.test(line)) point.details.type = KIND.exec(line)[1];
        else if (/^ *\.\.\.$/.test(line)) {
          const { isFailure, ...data } = point;
          point = undefined;
          if (isFailure) failures++;
          countPoint(data, isFailure, counts);
          if (isFailure) data.details.error = require('node/test/tree').testFailure('test failed', 'testCodeFailure');
          stream.tell(isFailure ? 'test:fail' : 'test:pass', data);
        }
      } else if (!/^ *(?:TAP version|\d+\.\.\d+|# )/.test(line)) stream.tell('test:stdout', { file: path, message: `${line}\n` });
    });
    child.stderr.setEncoding('utf8').on('data', (message) => stream.tell('test:stderr', { file: path, message }));
    child.on('close', (code, signal) => {
      if (code !== 0 && failures === 0) {
        counts.tests++;
        counts.fail++;
        const error = require('node/test/tree').testFailure('test failed', 'testCodeFailure');
        stream.tell('test:fail', {
          name: file,
          nesting: 0,
          testNumber: 1,
          file: path,
          details: { duration_ms: 0, type: 'test', error, exitCode: code, signal },
        });
      }
      resolve();
    });
  });
}

function countPoint({ details, skip, todo }, isFailure, counts) {
  if (details.type === 'suite') counts.suites++;
  else {
    counts.tests++;
    counts[skip ? 'skipped' : todo ? 'todo' : isFailure ? 'fail' : 'pass']++;
  }
}

module.exports = { run };
