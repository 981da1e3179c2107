'use strict';
// Owns: RT.Glob: matching strings and finding files. The host matches patterns, in bounded time; rt/files/glob_walk.js walks
// the folders.

const native = host.native;
const { intact } = require('internal/primordials');
const { validateString } = require('internal/validators');

const mustBe = (name, kind) => require('internal/errors/errors').wrongType(`${name} must be ${kind}`);

function checkedOptions(options) {
  if (options === undefined || options === null) return {};
  if (typeof options === 'string') return { cwd: options };
  if (typeof options !== 'object' && typeof options !== 'function') throw mustBe('GlobScanOptions', 'an object');
  const { cwd } = options;
  if (cwd !== undefined && cwd !== null && typeof cwd !== 'string') throw mustBe('GlobScanOptions.cwd', 'a string');
  return { __proto__: null, ...options }; // no prototype, so that properties of Object.prototype are not options
}

class Glob {
  #pattern;

  constructor(pattern) {
    if (typeof pattern !== 'string') throw mustBe('pattern', 'a string');
    this.#pattern = pattern;
  }

  match(text) {
    validateString(text, 'text');
    return native.rt_globMatches(this.#pattern, [text]).length > 0;
  }

  /** Yields paths below `cwd`. Options: cwd, dot, absolute, followSymlinks, onlyFiles, throwErrorOnBrokenSymlink. */
  scanSync(options = undefined) {
    return new (require('rt/files/glob_walk').Walk)(this.#pattern, checkedOptions(options)).found();
  }

  scan(options = undefined) {
    const walk = new (require('rt/files/glob_walk').Walk)(this.#pattern, checkedOptions(options));
    return (async function* found() {
      yield* intact(walk.found());
    })();
  }
}

module.exports = { Glob };
