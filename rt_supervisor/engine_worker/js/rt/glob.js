'use strict';
// Owns: RT.Glob: matching text and finding files. Patterns are the host's (linear in pattern times text).

const native = host.native;
const {
  ArrayAt,
  ArrayIncludes,
  ArrayJoin,
  ArrayPush,
  ArrayShift,
  ArraySlice,
  ArraySome,
  ObjectAssign,
  RegExpExec,
  RegExpTest,
  StringIncludes,
  StringSlice,
  StringSplit,
  StringStartsWith,
  intact,
} = require('internal/primordials');
const { validateString } = require('internal/validators');

const SPECIAL = /[*?[\]{}()!+@\\]/;

/** Where a pattern can match: the folder it names before its first special character, and how deep below it may lead. */
function reachOf(pattern) {
  const segments = StringSplit(pattern, '/');
  let fixed = 0;
  while (fixed < segments.length - 1 && !RegExpTest(SPECIAL, segments[fixed]) && segments[fixed] !== '') fixed++;
  const isDeep = StringIncludes(pattern, '**') || RegExpTest(/[{(][^})]*\//, pattern) || StringStartsWith(pattern, '!');
  return {
    folder: StringStartsWith(pattern, '!') ? '' : ArrayJoin(ArraySlice(segments, 0, fixed), '/'),
    depth: isDeep ? Infinity : segments.length - fixed,
  };
}

function checkedOptions(options) {
  if (options === undefined || options === null) return {};
  if (typeof options === 'string') return { cwd: options };
  if (typeof options !== 'object') throw new TypeError('Glob.scan: expected first argument to be an object');
  return { __proto__: null, ...options }; // what a program has put on Object.prototype is no option
}

class Walk {
  constructor(pattern, options) {
    const { cwd, dot, absolute, followSymlinks, onlyFiles = true, throwErrorOnBrokenSymlink } = options;
    ObjectAssign(this, { dot, followSymlinks, onlyFiles, isStrict: Boolean(throwErrorOnBrokenSymlink) });
    this.fs = require('node/fs/sync');
    this.path = require('node/path/path');
    const isRooted = StringStartsWith(pattern, '/');
    this.lead = isRooted ? '' : RegExpExec(/^(?:\.\/)*/, pattern)[0]; // results begin with it, as the pattern does
    this.pattern = StringSlice(pattern, isRooted ? 1 : this.lead.length);
    this.root = isRooted ? '/' : this.path.resolve(`${cwd ?? host.cwd()}`);
    this.isAbsolute = absolute || isRooted;
    this.wantsHidden = ArraySome(StringSplit(this.pattern, '/'), (part) => StringStartsWith(part, '.'));
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
    for (let next; (next = ArrayShift(waiting)) !== undefined;) {
      const { 0: folder, 1: level, 2: above } = next;
      const names = [];
      for (
        let index = 0, list = this.fs.readdirSync(this.path.join(this.root, folder), { withFileTypes: true });
        index < list.length;
        index++
      ) {
        const entry = list[index];
        if (StringStartsWith(entry.name, '.') && !this.dot && !this.wantsHidden) continue;
        const name = folder === '' ? entry.name : `${folder}/${entry.name}`;
        const kind = this.#kindOf(entry, name);
        if (kind === 'folder' && level < depth) {
          // A link may lead back to where it was found; it is followed once.
          const real = entry.isSymbolicLink()
            ? this.fs.realpathSync(this.path.join(this.root, name))
            : `${ArrayAt(above, -1)}/${entry.name}`;
          if (!ArrayIncludes(above, real)) ArrayPush(waiting, [name, level + 1, [...intact(above), real]]);
        }
        if (kind === 'file' || !this.onlyFiles) ArrayPush(names, name);
      }
      for (let index = 0, list = native.rt_globMatches(this.pattern, names); index < list.length; index++) {
        const place = list[index];
        yield this.#shown(names[place]);
      }
    }
  }

  #shown(name) {
    return this.isAbsolute ? this.path.join(this.root, name) : this.lead + name;
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
  scanSync(options = undefined) {
    return new Walk(this.#pattern, checkedOptions(options)).found();
  }

  scan(options = undefined) {
    const walk = new Walk(this.#pattern, checkedOptions(options));
    return (async function* found() {
      yield* intact(walk.found());
    })();
  }
}

module.exports = { Glob };
