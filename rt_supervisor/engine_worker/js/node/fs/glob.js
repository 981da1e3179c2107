'use strict';
// Owns: fs.glob in its three forms. A pattern is walked segment by segment, so only folders that can hold a match are
// read. The walk is a generator that asks for folders; its caller reads them at once or on the loop's pool.

const { AnyCatch, AnySlice, AnyTest, AnyThen } = require('internal/any_kind');
const {
  ArrayAt,
  ArrayFlat,
  ArrayFlatMap,
  ArrayForEach,
  ArrayIsArray,
  ArrayMap,
  ArrayPop,
  ArrayPush,
  ArraySlice,
  ArraySome,
  GeneratorNext,
  MapHas,
  MapSet,
  MapValues,
  RegExpReplace,
  RegExpTest,
  StringEndsWith,
  StringIndexOf,
  StringSlice,
  StringSplit,
  StringStartsWith,
  intact,
} = require('internal/primordials');
const sync = require('node/fs/sync');
const { codes } = require('internal/errors/errors');
const { validateObject, validateString } = require('internal/validators');

const SPECIAL = /[*?[\]{}()!+@\\]/;
const EXTENDED = { '?': ')?', '*': ')*', '+': ')+', '@': ')' };

/** All patterns that the braces of one stand for. */
function unbraced(pattern) {
  let depth = 0;
  let start = -1;
  let parts = [];
  let last = 0;
  for (let at = 0; at < pattern.length; at++) {
    const letter = pattern[at];
    if (letter === '\\') at++;
    else if (letter === '{' && depth++ === 0) [start, last, parts] = intact([at, at + 1, []]);
    else if (letter === ',' && depth === 1) {
      ArrayPush(parts, AnySlice(pattern, last, at));
      last = at + 1;
    } else if (letter === '}' && depth > 0 && --depth === 0) {
      ArrayPush(parts, AnySlice(pattern, last, at));
      if (parts.length < 2) continue;
      return ArrayFlatMap(parts, (part) => unbraced(AnySlice(pattern, 0, start) + part + AnySlice(pattern, at + 1)));
    }
  }
  return [pattern];
}

const escaped = (letter) => RegExpReplace(/[\\^$.*+?()[\]{}|/]/, letter, (each) => `\\${each}`);

/** The regular expression for a segment of a pattern. */
function expression(segment) {
  let text = '';
  const ends = [];
  for (let at = 0; at < segment.length; at++) {
    const letter = segment[at];
    if (letter === '\\' && at + 1 < segment.length) text += escaped(segment[++at]);
    else if (letter in EXTENDED && segment[at + 1] === '(') {
      text += '(?:';
      ArrayPush(ends, EXTENDED[letter]);
      at++;
    } else if (letter === '!' && segment[at + 1] === '(') {
      text += '(?:(?!(?:';
      ArrayPush(ends, ')$)[^/]*)');
      at++;
    } else if (letter === '|' && ends.length > 0) text += '|';
    else if (letter === ')' && ends.length > 0) text += ArrayPop(ends);
    else if (letter === '*') text += '[^/]*';
    else if (letter === '?') text += '[^/]';
    else if (letter === '[') {
      const end = StringIndexOf(segment, ']', at + 2);
      if (end < 0) text += '\\[';
      else {
        const inside = RegExpReplace(/\\/g, RegExpReplace(/^!/, StringSlice(segment, at + 1, end), '^'), '\\\\');
        text += `[${inside}]`;
        at = end;
      }
    } else text += escaped(letter);
  }
  return new RegExp(`^${text}$`, 'u');
}

/** A segment: a name, '**', or a test, which hidden names pass only if the pattern begins with a dot. */
function segmentOf(text) {
  if (text === '**' || !RegExpTest(SPECIAL, text)) return text;
  const matches = expression(text);
  return { test: (name) => RegExpTest(matches, name) && (StringStartsWith(text, '.') || !StringStartsWith(name, '.')) };
}

/** The segments of a pattern; a name and the '..' after it are left out. */
function segmentsOf(pattern) {
  const segments = [];
  for (const part of intact(StringSplit(pattern, '/'))) {
    if (part === '' || part === '.') continue;
    const last = ArrayAt(segments, -1);
    if (part === '..' && typeof last === 'string' && last !== '..' && last !== '**') ArrayPop(segments);
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
    const { cwd, exclude, withFileTypes = false } = options;
    this.root = require('node/path/path').resolve(
      cwd instanceof require('web/url/class').URL ? require('internal/file_url_host').fileURLToPath(cwd) : (cwd ?? '.'),
    );
    this.withFileTypes = withFileTypes;
    this.isExcluded = this.#exclusion(exclude);
    this.patterns = ArrayFlatMap(ArrayFlat([patterns]), unbraced);
  }

  #exclusion(exclude) {
    if (exclude === undefined || exclude === null) return () => false;
    if (typeof exclude === 'function') return (path, entry) => exclude(this.withFileTypes ? entry : entry.name);
    if (!ArrayIsArray(exclude)) throw new codes.ERR_INVALID_ARG_TYPE('options.exclude', ['Function', 'string[]'], exclude);
    const lists = ArrayMap(ArrayFlatMap(exclude, unbraced), segmentsOf);
    return (path) => ArraySome(lists, (segments) => isMatch(segments, StringSplit(path, '/')));
  }

  /** Yields { list: folder } and is sent its entries, or { look: path } and is sent its entry; returns what was found. */
  *run() {
    this.found = new Map();
    for (const pattern of intact(this.patterns)) {
      if (StringStartsWith(pattern, '!')) continue;
      const isRooted = StringStartsWith(pattern, '/');
      const segments = segmentsOf(pattern);
      if (segments.length > 0) yield* intact(this.#walk(isRooted ? '/' : '', segments, StringEndsWith(pattern, '/')));
    }
    return [...intact(MapValues(this.found))];
  }

  #tell(path, entry) {
    if (!MapHas(this.found, path)) MapSet(this.found, path, this.withFileTypes ? entry : path);
  }

  *#walk(folder, segments, onlyFolders) {
    const [segment, ...rest] = intact(segments);
    const isLast = rest.length === 0;
    if (segment === '**') {
      if (!isLast) yield* intact(this.#walk(folder, rest, onlyFolders));
      else {
        const entry = yield { look: folder === '' ? '.' : folder };
        if (entry) this.#tell(folder === '' ? '.' : folder, entry);
      }
      for (const entry of intact(yield { list: folder })) {
        if (StringStartsWith(entry.name, '.')) continue;
        const path = join(folder, entry.name);
        if (this.isExcluded(path, entry)) continue;
        if (entry.isDirectory()) yield* intact(this.#walk(path, segments, onlyFolders));
        else if (isLast && !onlyFolders) this.#tell(path, entry);
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
      if (entry && !this.isExcluded(path, entry)) yield* intact(this.#next(path, entry, rest, onlyFolders));
      return;
    }
    for (const entry of intact(yield { list: folder })) {
      const path = join(folder, entry.name);
      if (segment.test(entry.name) && !this.isExcluded(path, entry)) yield* intact(this.#next(path, entry, rest, onlyFolders));
    }
  }

  *#next(path, entry, rest, onlyFolders) {
    if (rest.length > 0) {
      if (entry.isDirectory() || entry.isSymbolicLink()) yield* intact(this.#walk(path, rest, onlyFolders));
    } else if (!onlyFolders || entry.isDirectory()) this.#tell(path, entry);
  }

  place(path) {
    return require('node/path/path').resolve(this.root, path);
  }
  entryOf(path, stats) {
    const { Dirent } = require('node/fs/values');
    const { dirname, basename } = require('node/path/path');
    const type = stats.isDirectory() ? 2 : stats.isSymbolicLink() ? 3 : stats.isFile() ? 1 : 0;
    return new Dirent(path === '.' ? '.' : basename(path), dirname(this.place(path)), type);
  }
}

/** Whether the parts of a path match the segments of a pattern. */
function isMatch(segments, parts) {
  if (segments.length === 0) return parts.length === 0;
  const [segment, ...rest] = intact(segments);
  if (segment === '**') return isMatch(rest, parts) || (parts.length > 0 && isMatch(segments, ArraySlice(parts, 1)));
  if (parts.length === 0) return false;
  return (typeof segment === 'string' ? segment === parts[0] : AnyTest(segment, parts[0])) && isMatch(rest, ArraySlice(parts, 1));
}

function globSync(patterns, options) {
  const walk = new Walk(patterns, options);
  const steps = walk.run();
  let step = GeneratorNext(steps);
  while (!step.done) {
    const { list, look } = step.value;
    let answer;
    if (list !== undefined) {
      try {
        answer = sync.readdirSync(walk.place(list), { withFileTypes: true });
      } catch {
        answer = []; // no folder, or none that may be read
      }
    } else {
      const stats = sync.lstatSync(walk.place(look), { throwIfNoEntry: false });
      answer = stats && walk.entryOf(look, stats);
    }
    step = GeneratorNext(steps, answer);
  }
  return step.value;
}

async function globAll(patterns, options) {
  const fs = require('node/fs/promises');
  const walk = new Walk(patterns, options);
  const steps = walk.run();
  let step = GeneratorNext(steps);
  while (!step.done) {
    const { list, look } = step.value;
    const answer =
      list !== undefined
        ? await AnyCatch(fs.readdir(walk.place(list), { withFileTypes: true }), () => [])
        : await AnyThen(
            fs.lstat(walk.place(look)),
            (stats) => walk.entryOf(look, stats),
            () => undefined,
          );
    step = GeneratorNext(steps, answer);
  }
  return step.value;
}

async function* glob(patterns, options) {
  yield* intact(await globAll(patterns, options));
}

module.exports = { glob, globAll, globSync };
