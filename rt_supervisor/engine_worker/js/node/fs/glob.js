'use strict';
// Owns: fs.glob in its three forms. A pattern is walked segment by segment, so only folders that can hold a match are
// read. The walk asks for folders and tells what it finds; whoever drives it reads them at once or on the loop's pool.

const { RegExpTest, intact } = require('internal/primordials');
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
      parts.push(pattern.slice(last, at));
      last = at + 1;
    } else if (letter === '}' && depth > 0 && --depth === 0) {
      parts.push(pattern.slice(last, at));
      if (parts.length < 2) continue;
      return parts.flatMap((part) => unbraced(pattern.slice(0, start) + part + pattern.slice(at + 1)));
    }
  }
  return [pattern];
}

const escaped = (letter) => letter.replace(/[\\^$.*+?()[\]{}|/]/, '\\$&');

/** The expression that a segment of a pattern stands for. */
function expression(segment) {
  let text = '';
  const ends = [];
  for (let at = 0; at < segment.length; at++) {
    const letter = segment[at];
    if (letter === '\\' && at + 1 < segment.length) text += escaped(segment[++at]);
    else if (letter in EXTENDED && segment[at + 1] === '(') {
      text += '(?:';
      ends.push(EXTENDED[letter]);
      at++;
    } else if (letter === '!' && segment[at + 1] === '(') {
      text += '(?:(?!(?:';
      ends.push(')$)[^/]*)');
      at++;
    } else if (letter === '|' && ends.length > 0) text += '|';
    else if (letter === ')' && ends.length > 0) text += ends.pop();
    else if (letter === '*') text += '[^/]*';
    else if (letter === '?') text += '[^/]';
    else if (letter === '[') {
      const end = segment.indexOf(']', at + 2);
      if (end < 0) text += '\\[';
      else {
        const inside = segment
          .slice(at + 1, end)
          .replace(/^!/, '^')
          .replace(/\\/g, '\\\\');
        text += `[${inside}]`;
        at = end;
      }
    } else text += escaped(letter);
  }
  return new RegExp(`^${text}$`, 'u');
}

/** A segment: a name, '**', or an expression that hidden names match only where it says so. */
function segmentOf(text) {
  if (text === '**' || !RegExpTest(SPECIAL, text)) return text;
  const matches = expression(text);
  return { test: (name) => matches.test(name) && (text.startsWith('.') || !name.startsWith('.')) };
}

/** The segments of a pattern; a name and the '..' after it are nothing. */
function segmentsOf(pattern) {
  const segments = [];
  for (const part of intact(pattern.split('/'))) {
    if (part === '' || part === '.') continue;
    const last = segments.at(-1);
    if (part === '..' && typeof last === 'string' && last !== '..' && last !== '**') segments.pop();
    else segments.push(segmentOf(part));
  }
  return segments;
}

const join = (folder, name) => (folder === '' ? name : folder.endsWith('/') ? folder + name : `${folder}/${name}`);

class Walk {
  constructor(patterns, options = {}) {
    if (!Array.isArray(patterns)) validateString(patterns, 'patterns');
    else patterns.forEach((pattern, index) => validateString(pattern, `patterns[${index}]`));
    validateObject(options, 'options');
    const { cwd, exclude, withFileTypes = false } = options;
    this.root = require('node/path/path').resolve(
      cwd instanceof URL ? require('internal/file_url_host').fileURLToPath(cwd) : (cwd ?? '.'),
    );
    this.withFileTypes = withFileTypes;
    this.isExcluded = this.#exclusion(exclude);
    this.patterns = [patterns].flat().flatMap(unbraced);
  }

  #exclusion(exclude) {
    if (exclude === undefined || exclude === null) return () => false;
    if (typeof exclude === 'function') return (path, entry) => exclude(this.withFileTypes ? entry : entry.name);
    if (!Array.isArray(exclude)) throw new codes.ERR_INVALID_ARG_TYPE('options.exclude', ['Function', 'string[]'], exclude);
    const lists = exclude.flatMap(unbraced).map(segmentsOf);
    return (path) => lists.some((segments) => isMatch(segments, path.split('/')));
  }

  /** Yields { list: folder } and is sent its entries, or { look: path } and is sent its entry; returns what was found. */
  *run() {
    this.found = new Map();
    for (const pattern of intact(this.patterns)) {
      if (pattern.startsWith('!')) continue;
      const isRooted = pattern.startsWith('/');
      const segments = segmentsOf(pattern);
      if (segments.length > 0) yield* this.#walk(isRooted ? '/' : '', segments, pattern.endsWith('/'));
    }
    return [...intact(this.found.values())];
  }

  #tell(path, entry) {
    if (!this.found.has(path)) this.found.set(path, this.withFileTypes ? entry : path);
  }

  *#walk(folder, segments, onlyFolders) {
    const [segment, ...rest] = intact(segments);
    const isLast = rest.length === 0;
    if (segment === '**') {
      if (!isLast) yield* this.#walk(folder, rest, onlyFolders);
      else {
        const entry = yield { look: folder === '' ? '.' : folder };
        if (entry) this.#tell(folder === '' ? '.' : folder, entry);
      }
      for (const entry of intact(yield { list: folder })) {
        if (entry.name.startsWith('.')) continue;
        const path = join(folder, entry.name);
        if (this.isExcluded(path, entry)) continue;
        if (entry.isDirectory()) yield* this.#walk(path, segments, onlyFolders);
        else if (isLast && !onlyFolders) this.#tell(path, entry);
      }
      return;
    }
    if (typeof segment === 'string') {
      const path = join(folder, segment);
      if (segment === '..') {
        if (!isLast) yield* this.#walk(path, rest, onlyFolders);
        return;
      }
      const entry = yield { look: path };
      if (entry && !this.isExcluded(path, entry)) yield* this.#next(path, entry, rest, onlyFolders);
      return;
    }
    for (const entry of intact(yield { list: folder })) {
      const path = join(folder, entry.name);
      if (segment.test(entry.name) && !this.isExcluded(path, entry)) yield* this.#next(path, entry, rest, onlyFolders);
    }
  }

  *#next(path, entry, rest, onlyFolders) {
    if (rest.length > 0) {
      if (entry.isDirectory() || entry.isSymbolicLink()) yield* this.#walk(path, rest, onlyFolders);
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
  if (segment === '**') return isMatch(rest, parts) || (parts.length > 0 && isMatch(segments, parts.slice(1)));
  if (parts.length === 0) return false;
  return (typeof segment === 'string' ? segment === parts[0] : segment.test(parts[0])) && isMatch(rest, parts.slice(1));
}

function globSync(patterns, options) {
  const walk = new Walk(patterns, options);
  const steps = walk.run();
  let step = steps.next();
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
    step = steps.next(answer);
  }
  return step.value;
}

async function globAll(patterns, options) {
  const fs = require('node/fs/promises');
  const walk = new Walk(patterns, options);
  const steps = walk.run();
  let step = steps.next();
  while (!step.done) {
    const { list, look } = step.value;
    const answer =
      list !== undefined
        ? await fs.readdir(walk.place(list), { withFileTypes: true }).catch(() => [])
        : await fs.lstat(walk.place(look)).then(
            (stats) => walk.entryOf(look, stats),
            () => undefined,
          );
    step = steps.next(answer);
  }
  return step.value;
}

async function* glob(patterns, options) {
  yield* await globAll(patterns, options);
}

module.exports = { glob, globAll, globSync };
