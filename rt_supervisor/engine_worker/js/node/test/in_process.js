'use strict';
// Owns: `isolation: 'none'`: all files are imported into this process, and their tests form one tree.

const { RegExpTest, StringStartsWith, intact } = require('internal/primordials');
const runtimeParts = require('internal/parts');
const options = require('node/test/options');

/** Imports a module of `--require` or `--import`. */
async function preload(name, cwd) {
  const { pathToFileURL } = require('node/url/files');
  let url = name;
  if (!RegExpTest(/^(?:data|file|node):/, name)) {
    const found = require('node/module/commonjs').createRequire(`${cwd}/`).resolve(name);
    url = StringStartsWith(found, '/') ? pathToFileURL(found).href : found;
  }
  await require('node/test/loading').load(url);
}

async function start(settings, stream) {
  const harness = require('node/test/harness');
  runtimeParts.process.process.env.NODE_TEST_WORKER_ID = '1';
  try {
    const { namePatterns, skipPatterns, tagFilters, only = false } = settings;
    const timeout = settings.testTimeout ?? settings.timeout;
    options.change({
      namePatterns,
      skipPatterns,
      tagFilters,
      only,
      timeout: timeout > 0 ? timeout : Infinity,
      coverage: settings.measures,
      randomSeed: settings.randomSeed,
      rerunFailures: settings.rerunFailuresFilePath,
    });
    harness.wait();
    harness.startRoot(stream);
    if (settings.randomSeed !== undefined) harness.note(`Randomized test order seed: ${settings.randomSeed}`);
    await settings.setup?.(stream);
    const globals = settings.globalSetupPath && (await require('node/test/global_setup').begin(settings));
    if (globals) harness.atEnd(() => globals.end());
    for (const name of intact(settings.preloads ?? [])) await preload(name, settings.cwd);
    const { pathToFileURL } = require('node/url/files');
    for (const file of intact(settings.files)) {
      try {
        await require('node/test/loading').load(pathToFileURL(file).href);
      } catch (error) {
        harness.reportFileFailure(file, error);
      }
    }
    harness.go();
  } catch (error) {
    harness.abandon();
    stream.destroy(error);
  }
}

module.exports = { start };
