'use strict';
// Owns: `node:test/reporters`. `spec` is a transform stream, the others are generators.

const { intactAsync } = require('internal/async_iteration');
const { ArrayPush, MathMax, intact } = require('internal/primordials');
const runtimeParts = require('internal/parts');
const { LcovReporter } = require('node/test/coverage/lcov');
const { junit } = require('node/test/junit');
const { SpecReporter } = require('node/test/spec');
const { tap } = require('node/test/tap');

const COLUMNS = 20;

async function* dot(source) {
  let count = 0;
  const failures = [];
  for await (const { type, data } of intactAsync(source)) {
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    yield type === 'test:pass' ? '.' : 'X';
    if (type === 'test:fail') ArrayPush(failures, data);
    if (++count % MathMax(COLUMNS, runtimeParts.process.process.stdout.columns ?? COLUMNS) === 0) yield '\n';
  }
  yield '\n';
  if (failures.length === 0) return;
  yield '\nFailed tests:\n\n';
  const { failureText } = require('node/test/spec');
  for (const each of intact(failures)) yield failureText(each, '');
}

/** Callable with and without `new`. */
function spec(...args) {
  return new SpecReporter(...intact(args));
}
spec.prototype = SpecReporter.prototype;

function lcov(...args) {
  return new LcovReporter(...intact(args));
}
lcov.prototype = LcovReporter.prototype;

module.exports = { dot, junit, spec, tap, lcov };
