'use strict';
// Owns: the route names of a FileSystemRouter (`/a/[id]`, `/a/[...rest]`, `/a/[[...rest]]`): their kinds, the order in which
// they are tried, and matching. Brackets are significant only at the start of a segment.

const {
  ArrayIndexOf,
  ArrayJoin,
  ArraySlice,
  RegExpExec,
  RegExpReplace,
  StringIncludes,
  StringRepeat,
  StringSlice,
  StringSplit,
  StringStartsWith,
  StringToLowerCase,
  intact,
} = require('internal/primordials');

const ORDER = ['exact', 'dynamic', 'catch-all', 'optional-catch-all'];
const LAST = '\uffff'; // brackets sort after every literal name

/** Converts `posts/[id]/index.tsx` to `/posts/[id]`. */
function nameOfFile(file) {
  const path = `/${RegExpReplace(/\.[^./]*$/, file, '')}`;
  return RegExpReplace(/\/index$/, path, '') || '/';
}

/** Returns [kind, parameter name] of a segment. */
function readSegment(segment, problem) {
  if (!StringStartsWith(segment, '[')) return ['exact', segment];
  if (StringStartsWith(segment, '[[')) {
    const { 1: optional } = RegExpExec(/^\[\[\.\.\.([^\]]+)\]\]/, segment) ?? [];
    if (optional !== undefined) return ['optional-catch-all', optional];
    if (!StringIncludes(segment, ']]')) throw problem('Route is missing a closing bracket]');
    throw problem('Invalid optional catch-all route, e.g. should be [[...param]]');
  }
  if (segment === '[]') throw problem('Invalid dynamic route');
  const { 1: dots, 2: name } = RegExpExec(/^\[(\.{0,3})([^\]]+)\]/, segment) ?? [];
  if (name === undefined || (dots === '...' && name === '')) throw problem('Route is missing a closing bracket]');
  if (dots === '') return ['dynamic', name];
  if (dots !== '...') throw problem('Invalid catch-all route, e.g. should be [...param]');
  return ['catch-all', name];
}

const segmentsOf = (name) => StringSplit(StringSlice(name, 1), '/');
const never = (message) => new Error(message);

/** Returns the kind of a whole name; `problem` creates the error for an invalid one. */
function kindOfName(name, problem) {
  let highest = 0;
  const segments = segmentsOf(name);
  for (let index = 0; index < segments.length; index++) {
    const rank = ArrayIndexOf(ORDER, readSegment(segments[index], problem)[0]);
    if (rank > 1 && index + 1 < segments.length) throw problem('Catch-all route must be at the end of the path');
    if (rank > highest) highest = rank;
  }
  return ORDER[highest];
}

const sortKey = (name) =>
  RegExpReplace(/\[\[?(?:\.\.\.)?/g, StringToLowerCase(name), (bracket) => StringRepeat(LAST, bracket.length));

/** Sorts literal names first, with the index page last among them, then names by increasing generality. */
function compareNames(a, b) {
  const byKind = ArrayIndexOf(ORDER, a.kind) - ArrayIndexOf(ORDER, b.kind);
  if (byKind !== 0) return byKind;
  if (a.name === '/' || b.name === '/') return a.name === '/' ? 1 : -1;
  const first = sortKey(a.name);
  const second = sortKey(b.name);
  return first < second ? -1 : Number(first > second);
}

/** Returns whether a literal name matches a path (without enclosing slashes), as written or in lower case. */
function isKnownAs(name, path) {
  if (name === '/') return path === '' || path === 'index';
  const own = StringSlice(name, 1);
  const target = RegExpReplace(/\/index$/, path, '');
  return own === target || StringToLowerCase(own) === target;
}

/** Returns the parameters with which a name matches a path, or null. Parameters never match the index page. */
function matchName(name, path, put) {
  if (path === '') return null;
  const params = {};
  const parts = StringSplit(path, '/');
  const segments = segmentsOf(name);
  for (let index = 0; index < segments.length; index++) {
    const [kind, own] = intact(readSegment(segments[index], never));
    const isLast = index + 1 === segments.length;
    if (kind === 'exact') {
      if (own !== parts[index]) return null;
    } else if (kind === 'dynamic') {
      // As in Bun, a page whose name is a parameter also matches its folder, with an empty parameter.
      const isFolder = isLast && index > 0 && !StringStartsWith(segments[index - 1], '[');
      if (index >= parts.length && !(isFolder && index === parts.length)) return null;
      put(params, own, parts[index] ?? '');
    } else {
      const rest = ArrayJoin(ArraySlice(parts, index), '/');
      if (rest !== '') put(params, own, rest);
      return rest !== '' || kind === 'optional-catch-all' ? params : null;
    }
  }
  return parts.length <= segments.length ? params : null;
}

module.exports = { nameOfFile, kindOfName, compareNames, isKnownAs, matchName };
