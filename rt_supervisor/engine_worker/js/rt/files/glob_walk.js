'use strict';
// Owns: the walk that finds the files of a pattern. A pattern is split into components, and a folder is read only if one of
// them can match in it. The host matches components, except for the most common forms.

const native = host.native;
const {
  ArrayAt,
  ArrayFilter,
  ArrayIncludes,
  ArrayMap,
  ArrayPop,
  ArrayPush,
  ArrayShift,
  ArraySome,
  RegExpExec,
  RegExpTest,
  SetAdd,
  SetHas,
  StringEndsWith,
  StringIncludes,
  StringStartsWith,
  intact,
} = require('internal/primordials');

const SPECIAL = /[*?[\]{}()!+@\\]/;
const ANY_BEFORE = /^\*([\w.-]+)$/; // `*.ts`
const ANY_DEPTH = '**';

/** Splits a pattern into components at slashes, except those inside brackets, braces and parentheses. */
function componentsOf(pattern) {
  const components = [];
  let depth = 0;
  let component = '';
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern[at];
    if (character === '\\') {
      component += character + (pattern[++at] ?? '');
      continue;
    }
    if (StringIncludes('[{(', character)) depth++;
    else if (StringIncludes(']})', character)) depth = depth > 0 ? depth - 1 : 0;
    if (character === '/' && depth === 0) {
      ArrayPush(components, component);
      component = '';
    } else component += character;
  }
  ArrayPush(components, component);
  return components;
}

/** Returns the patterns that `pattern` expands to: more than one if its braces contain slashes. */
function patternsOf(pattern) {
  if (!ArraySome(componentsOf(pattern), (part) => StringIncludes(part, '/'))) return [pattern];
  return require('rt/shell/words').braces(pattern);
}

/** Returns the indexes of the `names` that a component matches. */
function matches(component, names) {
  if (component === '*' || component === ANY_DEPTH) return ArrayMap(names, (_, place) => place);
  const end = RegExpExec(ANY_BEFORE, component)?.[1];
  if (end === undefined && RegExpTest(SPECIAL, component)) return native.rt_globMatches(component, names);
  const isMatch = end === undefined ? (name) => name === component : (name) => StringEndsWith(name, end);
  return ArrayFilter(
    ArrayMap(names, (name, place) => (isMatch(name) ? place : -1)),
    (place) => place >= 0,
  );
}

function addTo(list, item) {
  if (!ArrayIncludes(list, item)) ArrayPush(list, item);
}

/** A folder of the walk, and the components that may match in it. */
class Visit {
  constructor(folder, components, above) {
    this.folder = folder; // as shown: '' or a path that ends in a slash
    this.components = components;
    this.above = above; // real paths of the enclosing folders, to detect links that lead back to them
  }
}

class Walk {
  #fs = require('node/fs/sync');
  #path = require('node/path/path');
  #patterns;
  #root;
  #options;

  constructor(pattern, options) {
    const { cwd, onlyFiles = true } = options;
    this.#patterns = patternsOf(pattern);
    this.#root = this.#path.resolve(cwd || host.cwd());
    this.#options = { __proto__: null, ...options, onlyFiles };
  }

  *found() {
    if (this.#patterns.length === 1) {
      yield* intact(this.#foundBy(this.#patterns[0]));
      return;
    }
    const seen = new Set();
    for (let index = 0; index < this.#patterns.length; index++) {
      for (const path of intact(this.#foundBy(this.#patterns[index]))) {
        if (SetHas(seen, path)) continue;
        SetAdd(seen, path);
        yield path;
      }
    }
  }

  *#foundBy(pattern) {
    const components = componentsOf(pattern);
    const wantsFolders = components.length > 1 && ArrayAt(components, -1) === '';
    if (wantsFolders) ArrayPop(components);
    if (wantsFolders && this.#options.onlyFiles) return;
    const last = components.length - 1;
    const isRooted = StringStartsWith(pattern, '/');
    const show = (path) => (isRooted || this.#options.absolute ? this.#path.join(isRooted ? '/' : this.#root, path) : path);
    const waiting = [this.#start(components, isRooted)];
    for (let visit; (visit = ArrayShift(waiting)) !== undefined;) {
      if (visit === null) continue;
      const entries = this.#entries(visit.folder, isRooted);
      const states = this.#states(entries, visit.components, components);
      for (let index = 0; index < entries.length; index++) {
        const state = states[index];
        if (state === undefined) continue;
        const entry = entries[index];
        const path = visit.folder + entry.name;
        const kind = this.#kindOf(entry, path, isRooted);
        const isMatch = wantsFolders ? kind === 'folder' : kind === 'file' || !this.#options.onlyFiles;
        if (state.isLast && isMatch) yield show(path);
        if (kind !== 'folder' || state.next.length === 0) continue;
        const real = entry.isSymbolicLink()
          ? this.#fs.realpathSync(this.#place(path, isRooted))
          : `${ArrayAt(visit.above, -1)}/${entry.name}`;
        // A link to an enclosing folder would be a cycle.
        if (ArrayIncludes(visit.above, real)) continue;
        this.#enter(`${path}/`, state.next, components, [...intact(visit.above), real], waiting);
      }
    }
    if (wantsFolders && components[last] === '.' && last === 0) yield show('.');
  }

  #place(path, isRooted) {
    return isRooted ? `/${path}` : this.#path.join(this.#root, path);
  }

  /**
   * Returns the first folder to read: the literal part of the pattern before its first special character, or null if it does
   * not exist.
   */
  #start(components, isRooted) {
    let fixed = 0;
    let folder = '';
    for (; fixed < components.length - 1 && !RegExpTest(SPECIAL, components[fixed]); fixed++) {
      if (components[fixed] !== '') folder += `${components[fixed]}/`;
    }
    const place = this.#place(folder, isRooted);
    if (folder !== '' && !this.#fs.statSync(place, { throwIfNoEntry: false })?.isDirectory()) return null;
    const indexes = components[fixed] === ANY_DEPTH && fixed < components.length - 1 ? [fixed, fixed + 1] : [fixed];
    return new Visit(folder, indexes, [this.#fs.realpathSync(place)]);
  }

  /** Queues the folder for those of the components that match names; `.` and `..` are entered directly. */
  #enter(folder, indexes, components, above, waiting) {
    const next = [];
    for (let place = 0; place < indexes.length; place++) {
      const index = indexes[place];
      const component = components[index];
      if (component === '' && index < components.length - 1) ArrayPush(indexes, index + 1);
      else if ((component === '.' || component === '..') && index < components.length - 1)
        this.#enter(`${folder}${component}/`, [index + 1], components, above, waiting);
      else {
        addTo(next, index);
        if (component === ANY_DEPTH && index < components.length - 1) ArrayPush(indexes, index + 1);
      }
    }
    if (next.length > 0) ArrayPush(waiting, new Visit(folder, next, above));
  }

  #entries(folder, isRooted) {
    return this.#fs.readdirSync(this.#place(folder, isRooted), { withFileTypes: true });
  }

  /** Returns for each entry that a component matches whether it was the last component, and which components may match below. */
  #states(entries, indexes, components) {
    const states = [];
    const names = ArrayMap(entries, (entry) => entry.name);
    for (let place = 0; place < indexes.length; place++) {
      const index = indexes[place];
      const component = components[index];
      const isLast = index === components.length - 1;
      for (let at = 0, list = matches(component, names); at < list.length; at++) {
        const match = list[at];
        if (StringStartsWith(names[match], '.') && !this.#options.dot && !StringStartsWith(component, '.')) continue;
        const state = (states[match] ??= { isLast: false, next: [] });
        if (component === ANY_DEPTH) addTo(state.next, index);
        if (isLast) state.isLast = true;
        else if (component !== ANY_DEPTH) addTo(state.next, index + 1);
      }
    }
    return states;
  }

  /** Returns "folder", "file", or "other" for a link that is not followed or is broken. */
  #kindOf(entry, path, isRooted) {
    if (!entry.isSymbolicLink()) return entry.isDirectory() ? 'folder' : 'file';
    const { followSymlinks, throwErrorOnBrokenSymlink } = this.#options;
    const stats = this.#fs.statSync(this.#place(path, isRooted), { throwIfNoEntry: Boolean(throwErrorOnBrokenSymlink) });
    if (stats?.isDirectory()) return followSymlinks ? 'folder' : 'other';
    return stats === undefined ? 'other' : 'file';
  }
}

module.exports = { Walk };
