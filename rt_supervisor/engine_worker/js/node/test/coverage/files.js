'use strict';
// Owns: which files coverage reports: below node_modules only files included explicitly; test files only if exclude patterns
// other than Node's defaults are given.

const { ArrayFilter, ArrayMap, ArraySome, StringIncludes, StringStartsWith } = require('internal/primordials');

const TESTS = '**/{test,test/**/*,test-*,*[._-]test}.{js,mjs,cjs,ts,mts,cts}';
const SOURCES = '**/*.{js,mjs,cjs,ts,mts,cts}';

/** Compiles the pattern lists `{ include, exclude }` to a predicate on URLs. */
function makeIsMeasured({ include, exclude, cwd }) {
  const { matchesGlob } = require('node/path/glob');
  const { relative } = require('node/path/path');
  const { fileURLToPath } = require('internal/file_url_host');
  const exclusions = exclude.length > 0 ? exclude : [TESTS];
  return (url) => {
    if (!StringStartsWith(url, 'file:')) return false;
    const path = fileURLToPath(url);
    const short = relative(cwd, path);
    const isMeant = (pattern) => matchesGlob(short, pattern, false) || matchesGlob(path, pattern, false);
    if (ArraySome(exclusions, isMeant)) return false;
    if (include.length > 0) return ArraySome(include, isMeant);
    return !StringIncludes(url, '/node_modules/');
  };
}

/** The URLs of all source files below `cwd`, whether they were loaded or not. */
function allSources(cwd) {
  const { globSync } = require('node/fs/fs');
  const { pathToFileURL } = require('node/url/files');
  const path = require('node/path/path');
  const files = globSync([SOURCES], { cwd, exclude: (name) => name === 'node_modules' || name === '.git' });
  return ArrayMap(ArrayFilter(files, isFile(cwd)), (name) => pathToFileURL(path.resolve(cwd, name)).href);
}

const isFile = (cwd) => (name) => require('node/fs/fs').statSync(require('node/path/path').resolve(cwd, name)).isFile();

module.exports = { makeIsMeasured, allSources };
