'use strict';
// Owns: POSIX paths: `/` is the separator, a leading one makes a path absolute.

const {
  ArrayJoin,
  ArrayPush,
  MathMin,
  ObjectDefineProperty,
  StringCharCodeAt,
  StringSlice,
  StringSplit,
  intact,
} = require('internal/primordials');
const {
  normalizeSegments,
  lastSegment,
  directoryEnd,
  extensionOf,
  basename: sharedBasename,
  format,
} = require('node/path/segments');
const { validateString } = require('internal/validators');

const isSlash = (path, index) => StringCharCodeAt(path, index) === 47;
const noRoot = () => 0;

function normalize(path) {
  validateString(path, 'path');
  if (path.length === 0) return '.';
  const isAbsolute = isSlash(path, 0);
  const hasTail = isSlash(path, path.length - 1);
  let body = ArrayJoin(normalizeSegments(StringSplit(path, '/'), isAbsolute), '/');
  if (body === '') {
    if (isAbsolute) return '/';
    return hasTail ? './' : '.';
  }
  if (hasTail) body += '/';
  return isAbsolute ? `/${body}` : body;
}

function resolve(...paths) {
  let resolved = '';
  let isAbsolute = false;
  for (let i = paths.length - 1; i >= 0 && !isAbsolute; i--) {
    const path = paths[i];
    validateString(path, `paths[${i}]`);
    if (path === '') continue;
    resolved = `${path}/${resolved}`;
    isAbsolute = isSlash(path, 0);
  }
  if (!isAbsolute) {
    const cwd = host.cwd();
    resolved = `${cwd}/${resolved}`;
    isAbsolute = isSlash(cwd, 0);
  }
  const body = ArrayJoin(normalizeSegments(StringSplit(resolved, '/'), isAbsolute), '/');
  if (isAbsolute) return `/${body}`;
  return body === '' ? '.' : body;
}

function join(...paths) {
  const parts = [];
  for (let index = 0; index < paths.length; index++) {
    const path = paths[index];
    validateString(path, 'path');
    if (path !== '') ArrayPush(parts, path);
  }
  return parts.length === 0 ? '.' : normalize(ArrayJoin(parts, '/'));
}

function relative(from, to) {
  validateString(from, 'from');
  validateString(to, 'to');
  if (from === to) return '';
  from = resolve(from);
  to = resolve(to);
  if (from === to) return '';
  const length = MathMin(from.length, to.length);
  let at = 0;
  let shared = 0; // the length of the common folders, with the slash after them
  for (; at < length && StringCharCodeAt(from, at) === StringCharCodeAt(to, at); at++) if (isSlash(from, at)) shared = at + 1;
  // One path may be a folder above the other.
  if (at === length && isSlash(from.length > length ? from : to, length)) shared = length + 1;
  let up = from.length > shared ? '..' : '';
  for (let place = shared; place < from.length; place++) if (isSlash(from, place)) up += '/..';
  const down = StringSlice(to, shared);
  return up === '' || down === '' ? up + down : `${up}/${down}`;
}

function dirname(path) {
  validateString(path, 'path');
  if (path.length === 0) return '.';
  const isAbsolute = isSlash(path, 0);
  const end = directoryEnd(path, 1, isSlash);
  if (end === -1) return isAbsolute ? '/' : '.';
  return isAbsolute && end === 1 ? '//' : StringSlice(path, 0, end);
}

function extname(path) {
  validateString(path, 'path');
  const { 0: begin, 1: end } = lastSegment(path, 0, isSlash);
  return extensionOf(StringSlice(path, begin, end));
}

function parse(path) {
  validateString(path, 'path');
  const result = { root: '', dir: '', base: '', ext: '', name: '' };
  if (path.length === 0) return result;
  if (isSlash(path, 0)) result.root = '/';
  const { 0: begin, 1: end } = lastSegment(path, result.root.length, isSlash);
  result.base = StringSlice(path, begin, end);
  // As in Node, `..` directly under the root counts as a name with an empty extension.
  result.ext = result.base === '..' && result.root !== '' && begin === 1 ? '.' : extensionOf(result.base);
  result.name = result.ext === '' ? result.base : StringSlice(result.base, 0, -result.ext.length);
  if (begin > result.root.length) result.dir = StringSlice(path, 0, begin - 1);
  else result.dir = result.root;
  return result;
}

module.exports = {
  resolve,
  normalize,
  isAbsolute(path) {
    validateString(path, 'path');
    return path.length > 0 && isSlash(path, 0);
  },
  join,
  relative,
  toNamespacedPath: (path) => path,
  dirname,
  basename: (path, suffix) => sharedBasename(path, suffix, noRoot, isSlash),
  extname,
  format: (pathObject) => format('/', pathObject),
  parse,
  matchesGlob(path, pattern) {
    validateString(path, 'path');
    validateString(pattern, 'pattern');
    return require('node/path/glob').matchesGlob(path, pattern, false);
  },
  sep: '/',
  delimiter: ':',
  win32: null,
  posix: null,
};
for (const name of intact(['isAbsolute', 'basename', 'format', 'matchesGlob', 'toNamespacedPath'])) {
  ObjectDefineProperty(module.exports[name], 'name', { __proto__: null, value: name, configurable: true });
}
module.exports._makeLong = module.exports.toNamespacedPath;
