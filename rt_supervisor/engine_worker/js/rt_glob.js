'use strict';
// Owns: RT.Glob: matching text and finding files. Patterns are the host's (linear in pattern times text).

const native = host.native;
const { validateString } = require('./validators');

const SPECIAL = /[*?[\]{}()!+@\\]/;

/** Where a pattern can match: the folder it names before its first special character, and how deep below it may lead. */
function reachOf(pattern) {
  const segments = pattern.split('/');
  let fixed = 0;
  while (fixed < segments.length - 1 && !SPECIAL.test(segments[fixed]) && segments[fixed] !== '') fixed++;
  const isDeep = pattern.includes('**') || /[{(][^})]*\//.test(pattern) || pattern.startsWith('!');
  return { folder: pattern.startsWith('!') ? '' : segments.slice(0, fixed).join('/'), depth: isDeep ? Infinity : segments.length - fixed };
}

function checkedOptions(options) {
  if (options === undefined || options === null) return {};
  if (typeof options === 'string') return { cwd: options };
  if (typeof options !== 'object') throw new TypeError('Glob.scan: expected first argument to be an object');
  return options;
}

class Walk {
  constructor(pattern, options) {
    const { cwd, dot, absolute, followSymlinks, onlyFiles = true, throwErrorOnBrokenSymlink } = options;
    Object.assign(this, { dot, followSymlinks, onlyFiles, isStrict: Boolean(throwErrorOnBrokenSymlink) });
    this.fs = require('./fs_sync');
    this.path = require('./path');
    const isRooted = pattern.startsWith('/');
    this.pattern = isRooted ? pattern.slice(1) : pattern.replace(/^(?:\.\/)+/, '');
    this.root = isRooted ? '/' : this.path.resolve(`${cwd ?? host.cwd()}`);
    this.isAbsolute = absolute || isRooted;
    this.wantsHidden = this.pattern.split('/').some((part) => part.startsWith('.'));
  }

  #isFolder(entry, name) {
    if (!entry.isSymbolicLink()) return entry.isDirectory();
    const stats = this.fs.statSync(this.path.join(this.root, name), { throwIfNoEntry: this.isStrict });
    return Boolean(this.followSymlinks && stats?.isDirectory());
  }

  *found() {
    const { folder: start, depth } = reachOf(this.pattern);
    const top = this.path.join(this.root, start);
    if (start !== '' && !this.fs.statSync(top, { throwIfNoEntry: false })?.isDirectory()) return;
    const waiting = [[start, 1]];
    const seen = new Set([this.fs.realpathSync(top)]);
    for (let next; (next = waiting.shift()) !== undefined;) {
      const [folder, level] = next;
      const names = [];
      for (const entry of this.fs.readdirSync(this.path.join(this.root, folder), { withFileTypes: true })) {
        if (entry.name.startsWith('.') && !this.dot && !this.wantsHidden) continue;
        const name = folder === '' ? entry.name : `${folder}/${entry.name}`;
        const isFolder = this.#isFolder(entry, name);
        if (isFolder && level < depth) {
          const real = this.followSymlinks ? this.fs.realpathSync(this.path.join(this.root, name)) : name;
          if (!seen.has(real)) {
            seen.add(real);
            waiting.push([name, level + 1]);
          }
        }
        if (!isFolder || !this.onlyFiles) names.push(name);
      }
      for (const place of native.rt_globMatches(this.pattern, names)) {
        yield this.isAbsolute ? this.path.join(this.root, names[place]) : names[place];
      }
    }
  }
}

class Glob {
  #pattern;

  constructor(pattern) {
    validateString(pattern, 'pattern');
    this.#pattern = pattern;
  }

  match(text) {
    validateString(text, 'text');
    return native.rt_globMatches(this.#pattern, [text]).length > 0;
  }

  /** Paths below `cwd`. Options: cwd, dot, absolute, followSymlinks, onlyFiles, throwErrorOnBrokenSymlink. */
  scanSync(options = undefined) { return new Walk(this.#pattern, checkedOptions(options)).found(); }

  scan(options = undefined) {
    const walk = new Walk(this.#pattern, checkedOptions(options));
    return (async function* found() { yield* walk.found(); })();
  }
}

module.exports = { Glob };
