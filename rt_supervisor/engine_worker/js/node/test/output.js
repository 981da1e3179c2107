'use strict';
// Owns: where the events of a run go: through the reporter that RT_TEST_REPORTER names, `spec` otherwise, to standard output.

function attach(stream) {
  const { process } = host.process;
  const named = process.env.RT_TEST_REPORTER ?? 'spec';
  const reporters = require('node/test/reporters');
  const reporter = reporters[named] ?? reporters.spec;
  const isClass = named === 'spec' || named === 'lcov';
  if (isClass) stream.pipe(new reporter()).on('data', (text) => process.stdout.write(text));
  else writeAll(reporter(stream), process.stdout);
}

async function writeAll(texts, output) {
  for await (const text of texts) output.write(text);
}

module.exports = { attach };
