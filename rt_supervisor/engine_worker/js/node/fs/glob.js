'use strict';
// Owns: fs.glob in its three forms. A pattern is walked segment by segment, so that only directories that may contain a match
// are read. The walk is a generator that requests directories; its caller reads them synchronously or on the loop's thread
// pool.

const {
  ArrayAt,
  ArrayFlat,
  ArrayFlatMap,
  ArrayForEach,
  ArrayIsArray,
  ArrayMap,
  ArrayPop,
  ArrayPush,
  ArraySome,
  GeneratorNext,
  MapHas,
  MapSet,
  MapValues,
  RegExpTest,
  StringEndsWith,
  StringSplit,
  StringStartsWith,
  intact,
} = require('internal/primordials');
const sync = require('node/fs/sync');
const { codes } = require('internal/errors/errors');
const { validateBoolean, validateInteger, validateObject, validateString } = require('internal/validators');
const { expandPattern, isPattern, matchesGlob, segment } = require('node/path/glob');

/** Parses a segment: a name, '**', or a predicate on names. */
function segmentOf(text) {
  if (text === '**' || !isPattern(text)) return text;
  return { test: segment(text, false) };
}

/** Splits a pattern into segments; a name or name pattern followed by '..' is removed along with it. */
function segmentsOf(pattern) {
  const segments = [];
  for (const part of intact(StringSplit(pattern, '/'))) {
    if (part === '' || part === '.') continue;
    const last = ArrayAt(segments, -1);
    if (part === '..' && last !== undefined && last !== '..' && last !== '**') ArrayPop(segments);
    else ArrayPush(segments, segmentOf(part));
  }
  return segments;
}

const join = (folder, name) => (folder === '' ? name : StringEndsWith(folder, '/') ? folder + name : `${folder}/${name}`);

class Walk {
  constructor(patterns, options = {}) {
    if (!ArrayIsArray(patterns)) validateString(patterns, 'patterns');
    else ArrayForEach(patterns, (pattern, index) => validateString(pattern, `patterns[${index}]`));
    validateObject(options, 'options');
    const { cwd, exclude, followSymlinks, maxDepth, withFileTypes = false } = options;
    if (followSymlinks !== undefined && followSymlinks !== null) validateBoolean(followSymlinks, 'options.followSymlinks');
    this.followSymlinks = followSymlinks === true;
    this.maxDepth = maxDepth ?? Infinity;
    if (this.maxDepth !== Infinity) validateInteger(maxDepth, 'options.maxDepth', 0);
    this.root = require('node/path/path').resolve(
      cwd instanceof require('web/url/class').URL ? require('internal/file_url_host').fileURLToPath(cwd) : (cwd ?? '.'),
    );
    this.withFileTypes = withFileTypes;
    this.shown = cwd instanceof require('web/url/class').URL ? this.root : (cwd ?? '.');
    this.#setExclusion(exclude);
    this.patterns = ArrayFlatMap(ArrayFlat([patterns]), expandPattern);
  }

  #setExclusion(exclude) {
    this.isOut = () => false;
    this.isRequested = () => false;
    if (exclude === undefined || exclude === null) return;
    if (typeof exclude === 'function') this.isRequested = (path, entry) => exclude(this.withFileTypes ? entry : path);
    else if (!ArrayIsArray(exclude)) {
      throw new codes.ERR_INVALID_ARG_TYPE('options.exclude', ['string[]', 'function'], exclude);
    } else {
      ArrayForEach(exclude, (each, index) => validateString(each, `options.exclude[${index}]`));
      const patterns = ArrayMap(exclude, (each) => this.place(each));
      this.isOut = (path) => ArraySome(patterns, (pattern) => matchesGlob(path, pattern, false));
    }
  }

  /**
   * Whether to descend into an entry: a directory that is not excluded, and not a symbolic link unless links are followed,
   * each once on a path.
   */
  *#isOpen(path, entry) {
    const place = this.place(path);
    if (!entry.isDirectory()) {
      if (!this.followSymlinks || !entry.isSymbolicLink()) return false;
      const target = yield { follow: path };
      if (target === undefined || place === target || StringStartsWith(place, `${target}/`)) return false;
    }
    return !this.isOut(place) && !this.isOut(`${place}/`) && !this.isRequested(path, entry);
  }

  *#list(folder) {
    return this.#depthOf(folder) < this.maxDepth ? yield { list: folder } : [];
  }

  #depthOf(path) {
    if (this.maxDepth === Infinity) return 0;
    const relative = require('node/path/path').relative(this.root, this.place(path));
    return relative === '' ? 0 : StringSplit(relative, '/').length;
  }

  /**
   * Yields `{ list: directory }` and receives its entries, or `{ look: path }` and receives its entry; returns the matches.
   */
  *run() {
    this.found = new Map();
    for (const pattern of intact(this.patterns)) {
      const isRooted = StringStartsWith(pattern, '/');
      const segments = segmentsOf(pattern);
      if (segments.length > 0) yield* intact(this.#walk(isRooted ? '/' : '', segments, RegExpTest(/\/\.?$/, pattern)));
      else if (isRooted) this.#add('/', yield { look: '/' });
    }
    return [...intact(MapValues(this.found))];
  }

  #add(path, entry) {
    if (MapHas(this.found, path) || this.isOut(this.place(path)) || this.#depthOf(path) > this.maxDepth) return;
    MapSet(this.found, path, this.withFileTypes ? this.#shownEntry(path, entry) : path);
  }

  /** The entry as the program sees it, with the directory spelled as in the pattern. */
  #shownEntry(path, entry) {
    const { basename, dirname, isAbsolute, join } = require('node/path/path');
    const shown = isAbsolute(path) ? path : join(this.shown, path);
    return new (require('node/fs/values').Dirent)(basename(shown), dirname(shown), typeOf(entry));
  }

  *#walk(folder, segments, onlyFolders) {
    const [segment, ...rest] = intact(segments);
    const isLast = rest.length === 0;
    if (segment === '**') {
      if (!isLast) yield* intact(this.#walk(folder, rest, onlyFolders));
      else {
        const entry = yield { look: folder === '' ? '.' : folder };
        if (entry) this.#add(folder === '' ? '.' : folder, entry);
      }
      for (const entry of intact(yield* intact(this.#list(folder)))) {
        if (StringStartsWith(entry.name, '.') || this.isRequested(entry.name, entry)) continue;
        const path = join(folder, entry.name);
        if (yield* intact(this.#isOpen(path, entry))) yield* intact(this.#walk(path, segments, onlyFolders));
        else if (isLast && !onlyFolders && !entry.isDirectory()) this.#add(path, entry);
      }
      return;
    }
    if (typeof segment === 'string') {
      const path = join(folder, segment);
      if (segment === '..') {
        if (!isLast) yield* intact(this.#walk(path, rest, onlyFolders));
        return;
      }
      const entry = yield { look: path };
      if (!entry) return;
      if (!isLast && entry.isSymbolicLink())
        yield* intact(this.#walk(path, rest, onlyFolders)); // named explicitly
      else yield* intact(this.#next(path, entry, rest, onlyFolders));
      return;
    }
    for (const entry of intact(yield* intact(this.#list(folder)))) {
      const path = join(folder, entry.name);
      if (segment.test(entry.name)) yield* intact(this.#next(path, entry, rest, onlyFolders));
    }
  }

  *#next(path, entry, rest, onlyFolders) {
    if (rest.length > 0) {
      if (yield* intact(this.#isOpen(path, entry))) yield* intact(this.#walk(path, rest, onlyFolders));
    } else if (!onlyFolders || (yield* intact(this.#isOpen(path, entry)))) this.#add(path, entry);
  }

  place(path) {
    return require('node/path/path').resolve(this.root, path);
  }
  entryOf(path, stats) {
    const { Dirent } = require('node/fs/values');
    const { dirname, basename } = require('node/path/path');
    return new Dirent(path === '.' ? '.' : basename(path), dirname(this.place(path)), typeOf(stats));
  }
}

/** The type number of a Dirent. */
const typeOf = (stats) => (stats.isDirectory() ? 2 : stats.isSymbolicLink() ? 3 : stats.isFile() ? 1 : 0);

function globSync(patterns, options) {
  const walk = new Walk(patterns, options);
  const steps = walk.run();
  const answerTo = ({ list, look, follow }) => {
    if (list !== undefined) return sync.readdirSync(walk.place(list), { withFileTypes: true });
    if (look !== undefined) return walk.entryOf(look, sync.lstatSync(walk.place(look)));
    const place = walk.place(follow);
    return sync.statSync(place).isDirectory() ? sync.realpathSync(place) : undefined;
  };
  let step = GeneratorNext(steps);
  while (!step.done) {
    let answer;
    try {
      answer = answerTo(step.value);
    } catch {
      answer = step.value.list === undefined ? undefined : []; // missing, not a directory, or not readable
    }
    step = GeneratorNext(steps, answer);
  }
  return step.value;
}

async function globAll(patterns, options) {
  const fs = require('node/fs/promises');
  const walk = new Walk(patterns, options);
  walk.shown = walk.root; // Node's entries have absolute paths here
  const steps = walk.run();
  const answerTo = async ({ list, look, follow }) => {
    if (list !== undefined) return fs.readdir(walk.place(list), { withFileTypes: true });
    if (look !== undefined) return walk.entryOf(look, await fs.lstat(walk.place(look)));
    const place = walk.place(follow);
    return (await fs.stat(place)).isDirectory() ? fs.realpath(place) : undefined;
  };
  let step = GeneratorNext(steps);
  while (!step.done) {
    let answer;
    try {
      answer = await answerTo(step.value);
    } catch {
      answer = step.value.list === undefined ? undefined : [];
    }
    step = GeneratorNext(steps, answer);
  }
  return step.value;
}

async function* glob(patterns, options) {
  yield* intact(await globAll(patterns, options));
}

module.exports = { glob, globAll, globSync };
