// @ts-check
'use strict';
// Owns: the module of `--test-global-setup`: its `globalSetup` runs before all files, its `globalTeardown` after them.

async function begin({ globalSetupPath, cwd }) {
  const { pathToFileURL } = require('node/url/files');
  const path = require('node/path/path').resolve(cwd, globalSetupPath);
  const loaded = await require('node/test/loading').load(pathToFileURL(path).href);
  const { globalSetup, globalTeardown } = loaded.globalSetup || loaded.globalTeardown ? loaded : (loaded.default ?? loaded);
  await globalSetup?.();
  return { end: () => globalTeardown?.() };
}

module.exports = { begin };
