// @ts-check
'use strict';
// Owns: Windows paths: both slashes are separators; roots are drives (`C:\`), shares (`\\host\share\`) and devices.

const { RegExpSplit } = require('internal/patterns');
const {
  ArrayJoin,
  ArrayPush,
  ArraySlice,
  ArraySome,
  MathMin,
  RegExpExec,
  RegExpReplace,
  RegExpTest,
  StringCharCodeAt,
  StringIncludes,
  StringIndexOf,
  StringReplaceAll,
  StringSlice,
  StringSplit,
  StringStartsWith,
  StringToLowerCase,
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
const { validateObject, validateString } = require('internal/validators');

const isSeparatorCode = (code) => code === 47 || code === 92;
const isSeparator = (path, index) => isSeparatorCode(StringCharCodeAt(path, index));
const isDriveLetter = (code) => (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
const hasDrive = (path) => path.length >= 2 && path[1] === ':' && isDriveLetter(StringCharCodeAt(path, 0));
const SEPARATORS = /[\\/]/;
const RESERVED = /^(?:CON|PRN|AUX|NUL|COM[1-9¹²³]|LPT[1-9¹²³])$/i;
const isReserved = (path, colon) => RegExpTest(RESERVED, StringSlice(path, 0, colon));
const UNC = /^[\\/]{2}([^\\/]+)[\\/]+([^\\/]+)(?:[\\/]|$)/;

/** Parses a path's root: { device, length, isAbsolute, isShare }; `length` covers the whole root. */
function rootOf(path, namesDevices = false) {
  if (path.length === 0) return { device: '', length: 0, isAbsolute: false };
  if (isSeparator(path, 0)) {
    if (path.length > 1 && isSeparator(path, 1)) {
      const share = RegExpExec(UNC, path);
      if (share !== null) {
        const isDevice = share[1] === '.' || share[1] === '?';
        if (isDevice) {
          const name = StringSlice(path, 4, StringIndexOf(path, ':') + 1);
          if (namesDevices && isReserved(name, name.length - 1)) {
            return { device: `\\\\?\\${name}`, length: 4 + name.length, isAbsolute: true };
          }
          return { device: `\\\\${share[1]}`, length: 4, isAbsolute: true };
        }
        return {
          device: `\\\\${share[1]}\\${share[2]}`,
          length: RegExpReplace(/[\\/]$/, share[0], '').length,
          isAbsolute: true,
          isShare: true,
        };
      }
    }
    return { device: '', length: 1, isAbsolute: true };
  }
  if (hasDrive(path)) {
    const isAbsolute = path.length > 2 && isSeparator(path, 2);
    return { device: StringSlice(path, 0, 2), length: isAbsolute ? 3 : 2, isAbsolute };
  }
  const colon = StringIndexOf(path, ':');
  if (namesDevices && colon > 0 && isReserved(path, colon)) {
    return { device: StringSlice(path, 0, colon + 1), length: colon + 1, isAbsolute: false };
  }
  return { device: '', length: 0, isAbsolute: false };
}

function normalize(path) {
  validateString(path, 'path');
  if (path.length === 0) return '.';
  if (path.length === 1) return isSeparator(path, 0) ? '\\' : path;
  const { device, length, isAbsolute, isShare } = rootOf(path, true);
  if (isShare && path.length === length) return `${device}\\`;
  const rest = StringSlice(path, length);
  let tail = ArrayJoin(normalizeSegments(RegExpSplit(SEPARATORS, rest), isAbsolute), '\\');
  if (tail === '' && !isAbsolute) tail = '.';
  if (tail !== '' && isSeparator(path, path.length - 1)) tail += '\\';
  // A relative path must not turn into a drive by losing what precedes the colon.
  if (!isAbsolute && device === '' && StringIncludes(path, ':')) {
    if (tail.length >= 2 && isDriveLetter(StringCharCodeAt(tail, 0)) && tail[1] === ':') return `.\\${tail}`;
    for (let colon = StringIndexOf(path, ':'); colon !== -1; colon = StringIndexOf(path, ':', colon + 1)) {
      if (colon === path.length - 1 || isSeparator(path, colon + 1)) return `.\\${tail}`;
    }
  }
  if (isReserved(path, StringIndexOf(path, ':'))) return `.\\${device}${tail}`;
  if (device === '') return isAbsolute ? `\\${tail}` : tail;
  return isAbsolute ? `${device}\\${tail}` : `${device}${tail}`;
}

function resolve(...paths) {
  let device = '';
  let tail = '';
  let isAbsolute = false;
  for (let i = paths.length - 1; i >= -1; i--) {
    let path;
    if (i >= 0) {
      path = paths[i];
      validateString(path, `paths[${i}]`);
      if (path.length === 0) continue;
    } else if (device === '') {
      path = host.cwd();
    } else {
      path = host.cwd();
      // Only the working directory of the same drive can complete the path.
      if (StringToLowerCase(StringSlice(path, 0, 2)) !== StringToLowerCase(device) && path[2] === '\\') path = `${device}\\`;
    }
    const root = rootOf(path);
    if (root.device !== '') {
      if (device !== '') {
        if (StringToLowerCase(root.device) !== StringToLowerCase(device)) continue;
      } else {
        device = root.device;
      }
    }
    if (isAbsolute) {
      if (device !== '') break;
    } else {
      tail = `${StringSlice(path, root.length)}\\${tail}`;
      isAbsolute = root.isAbsolute;
      if (isAbsolute && device !== '') break;
    }
  }
  tail = ArrayJoin(normalizeSegments(RegExpSplit(SEPARATORS, tail), isAbsolute), '\\');
  return isAbsolute ? `${device}\\${tail}` : `${device}${tail}` || '.';
}

function join(...paths) {
  const parts = [];
  for (let index = 0; index < paths.length; index++) {
    const path = paths[index];
    validateString(path, 'path');
    if (path.length > 0) ArrayPush(parts, path);
  }
  if (parts.length === 0) return '.';
  let joined = ArrayJoin(parts, '\\');
  // Leading slashes make a share only if the first part itself names one.
  const first = parts[0];
  let slashes = 0;
  let needsReplace = true;
  if (isSeparator(first, 0)) {
    slashes = 1;
    if (first.length > 1 && isSeparator(first, 1)) {
      slashes = 2;
      if (first.length > 2) {
        if (isSeparator(first, 2)) slashes = 3;
        else needsReplace = false;
      }
    }
  }
  if (needsReplace) {
    while (slashes < joined.length && isSeparator(joined, slashes)) slashes++;
    if (slashes >= 2) joined = `\\${StringSlice(joined, slashes)}`;
  }
  // A reserved name with a colon is a device anywhere in the path: nothing around it may be normalised away.
  const namesDevice = ArraySome(
    StringSplit(joined, '\\'),
    (part) => StringIncludes(part, ':') && isReserved(part, StringIndexOf(part, ':')),
  );
  return namesDevice ? StringReplaceAll(joined, '/', '\\') : normalize(joined);
}

function relative(from, to) {
  validateString(from, 'from');
  validateString(to, 'to');
  if (from === to) return '';
  const fromFull = resolve(from);
  const toFull = resolve(to);
  if (fromFull === toFull || StringToLowerCase(fromFull) === StringToLowerCase(toFull)) return '';
  const fromLower = StringToLowerCase(fromFull);
  const toLower = StringToLowerCase(toFull);
  if (fromLower.length !== fromFull.length || toLower.length !== toFull.length) return relativeByParts(fromFull, toFull);
  const { 0: fromStart, 1: fromEnd } = withoutOuterSlashes(fromLower);
  const { 0: toStart, 1: toEnd } = withoutOuterSlashes(toLower);
  const fromPart = StringSlice(fromLower, fromStart, fromEnd);
  const toPart = StringSlice(toLower, toStart, toEnd);
  if (toPart.length > fromPart.length && StringStartsWith(toPart, fromPart)) {
    if (toPart[fromPart.length] === '\\') return StringSlice(toFull, toStart + fromPart.length + 1, toEnd);
    if (fromPart.length === 2) return StringSlice(toFull, toStart + 2, toEnd);
  }
  const shared = sharedPrefix(fromPart, toPart);
  if (shared === -1) return toFull;
  const climbed = fromStart + shared + 1 > fromEnd ? 0 : StringSplit(StringSlice(fromPart, shared + 1), '\\').length;
  const rest = StringSlice(toFull, toStart + shared, toEnd);
  if (climbed > 0) return ArrayJoin(Array(climbed).fill('..'), '\\') + rest;
  return StringStartsWith(rest, '\\') ? StringSlice(rest, 1) : rest;
}

/** As `relative`, for texts whose lower-case form has another length, so that indexes do not carry over. */
function relativeByParts(fromFull, toFull) {
  const partsOf = (path) => StringSplit(StringSlice(path, 0, withoutOuterSlashes(path)[1]), '\\');
  const from = partsOf(fromFull);
  const to = partsOf(toFull);
  let shared = 0;
  while (shared < from.length && shared < to.length && StringToLowerCase(from[shared]) === StringToLowerCase(to[shared]))
    shared++;
  if (shared === 0) return toFull;
  return ArrayJoin([...intact(Array(from.length - shared).fill('..')), ...intact(ArraySlice(to, shared))], '\\');
}

function withoutOuterSlashes(path) {
  let start = 0;
  while (start < path.length && path[start] === '\\') start++;
  let end = path.length;
  while (end - 1 > start && path[end - 1] === '\\') end--;
  return [start, end];
}

/** The length of the common prefix, up to the separator after the last common segment; -1 if there is none. */
function sharedPrefix(from, to) {
  const length = MathMin(from.length, to.length);
  let separator = -1;
  let i = 0;
  for (; i < length && from[i] === to[i]; i++) if (from[i] === '\\') separator = i;
  if (i !== length) return separator;
  if (from.length > length) {
    if (from[i] === '\\') separator = i;
    else if (i === 2) separator = 3;
  }
  return separator === -1 ? 0 : separator;
}

function toNamespacedPath(path) {
  if (typeof path !== 'string' || path.length === 0) return path;
  const resolved = resolve(path);
  if (resolved.length <= 2) return path;
  if (StringStartsWith(resolved, '\\\\')) {
    if (resolved[2] !== '?' && resolved[2] !== '.') return `\\\\?\\UNC\\${StringSlice(resolved, 2)}`;
  } else if (hasDrive(resolved) && resolved[2] === '\\') {
    return `\\\\?\\${resolved}`;
  }
  return resolved;
}

/** The length of the root as dirname, basename and parse treat it. */
function rootLength(path) {
  if (path.length === 0) return 0;
  if (path.length === 1) return isSeparator(path, 0) ? 1 : 0;
  if (isSeparator(path, 0)) {
    const share = isSeparator(path, 1) ? RegExpExec(UNC, path) : null;
    if (share === null) return 1;
    return share[0].length;
  }
  if (hasDrive(path)) return path.length > 2 && isSeparator(path, 2) ? 3 : 2;
  return 0;
}

function dirname(path) {
  validateString(path, 'path');
  if (path.length === 0) return '.';
  if (path.length === 1) return isSeparator(path, 0) ? path : '.';
  const root = rootLength(path);
  if (root === path.length && isSeparator(path, 0) && root > 1) return path;
  const end = directoryEnd(path, root, isSeparator);
  if (end !== -1) return StringSlice(path, 0, end);
  return root === 0 ? '.' : StringSlice(path, 0, root);
}

function parse(path) {
  validateString(path, 'path');
  const result = { root: '', dir: '', base: '', ext: '', name: '' };
  if (path.length === 0) return result;
  if (path.length === 1 && isSeparator(path, 0)) {
    result.root = result.dir = path;
    return result;
  }
  const root = rootLength(path);
  result.root = StringSlice(path, 0, root);
  if (root === path.length) {
    result.dir = path;
    return result;
  }
  const { 0: begin, 1: end } = lastSegment(path, root, isSeparator);
  result.base = StringSlice(path, begin, end);
  result.ext = extensionOf(result.base);
  result.name = result.ext === '' ? result.base : StringSlice(result.base, 0, -result.ext.length);
  result.dir = begin > root ? StringSlice(path, 0, begin - 1) : result.root;
  return result;
}

module.exports = {
  resolve,
  normalize,
  isAbsolute(path) {
    validateString(path, 'path');
    if (path.length === 0) return false;
    return isSeparator(path, 0) || (hasDrive(path) && path.length > 2 && isSeparator(path, 2));
  },
  join,
  relative,
  toNamespacedPath,
  dirname,
  basename(path, suffix) {
    return sharedBasename(path, suffix, (text) => (hasDrive(text) ? 2 : 0), isSeparator);
  },
  extname(path) {
    validateString(path, 'path');
    const { 0: begin, 1: end } = lastSegment(path, hasDrive(path) ? 2 : 0, isSeparator);
    return extensionOf(StringSlice(path, begin, end));
  },
  format(pathObject) {
    validateObject(pathObject, 'pathObject');
    return format('\\', pathObject);
  },
  parse,
  matchesGlob(path, pattern) {
    validateString(path, 'path');
    validateString(pattern, 'pattern');
    return require('node/path/glob').matchesGlob(path, pattern, true);
  },
  sep: '\\',
  delimiter: ';',
  win32: null,
  posix: null,
  _makeLong: toNamespacedPath,
};
