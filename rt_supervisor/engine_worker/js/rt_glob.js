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
    this.lead = isRooted ? '' : /^(?:\.\/)*/.exec(pattern)[0]; // told as it was asked for
    this.pattern = pattern.slice(isRooted ? 1 : this.lead.length);
    this.root = isRooted ? '/' : this.path.resolve(`${cwd ?? host.cwd()}`);
    this.isAbsolute = absolute || isRooted;
    this.wantsHidden = this.pattern.split('/').some((part) => part.startsWith('.'));
  }

  /** "folder", "file", or "other" for a link that is not followed or leads nowhere. */
  #kindOf(entry, name) {
    if (!entry.isSymbolicLink()) return entry.isDirectory() ? 'folder' : 'file';
    const stats = this.fs.statSync(this.path.join(this.root, name), { throwIfNoEntry: this.isStrict });
    if (stats?.isDirectory()) return this.followSymlinks ? 'folder' : 'other';
    return stats === undefined ? 'other' : 'file';
  }

  *found() {
    const { folder: start, depth } = reachOf(this.pattern);
    const top = this.path.join(this.root, start);
    if (start !== '' && !this.fs.statSync(top, { throwIfNoEntry: false })?.isDirectory()) return;
    const waiting = [[start, 1, [this.fs.realpathSync(top)]]];
    for (let next; (next = waiting.shift()) !== undefined;) {
      const [folder, level, above] = next;
      const names = [];
      for (const entry of this.fs.readdirSync(this.path.join(this.root, folder), { withFileTypes: true })) {
        if (entry.name.startsWith('.') && !this.dot && !this.wantsHidden) continue;
        const name = folder === '' ? entry.name : `${folder}/${entry.name}`;
        const kind = this.#kindOf(entry, name);
        if (kind === 'folder' && level < depth) {
          // A link may lead back to where it was found; it is followed once.
          const real = entry.isSymbolicLink() ? this.fs.realpathSync(this.path.join(this.root, name)) : `${above.at(-1)}/${entry.name}`;
          if (!above.includes(real)) waiting.push([name, level + 1, [...above, real]]);
        }
        if (kind === 'file' || !this.onlyFiles) names.push(name);
      }
      for (const place of native.rt_globMatches(this.pattern, names)) yield this.#shown(names[place]);
    }
  }

  #shown(name) { return this.isAbsolute ? this.path.join(this.root, name) : this.lead + name; }
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
