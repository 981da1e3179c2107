'use strict';
// Owns: Windows paths: both slashes separate, roots are drives (`C:\`), shares (`\\host\share\`) and devices.

const {
  normalizeSegments,
  lastSegment,
  directoryEnd,
  extensionOf,
  basename: sharedBasename,
  format,
} = require('./path_shared');
const { validateObject, validateString } = require('./validators');

const isSeparatorCode = (code) => code === 47 || code === 92;
const isSeparator = (path, index) => isSeparatorCode(path.charCodeAt(index));
const isDriveLetter = (code) => (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
const hasDrive = (path) => path.length >= 2 && path[1] === ':' && isDriveLetter(path.charCodeAt(0));
const SEPARATORS = /[\\/]/;
const RESERVED = /^(?:CON|PRN|AUX|NUL|COM[1-9¹²³]|LPT[1-9¹²³])$/i;
const isReserved = (path, colon) => RESERVED.test(path.slice(0, colon));
const UNC = /^[\\/]{2}([^\\/]+)[\\/]+([^\\/]+)(?:[\\/]|$)/;

/** The device, the length of the whole root and whether it is absolute; `tail` starts after the root. */
function rootOf(path, namesDevices = false) {
  if (path.length === 0) return { device: '', length: 0, isAbsolute: false };
  if (isSeparator(path, 0)) {
    if (path.length > 1 && isSeparator(path, 1)) {
      const share = UNC.exec(path);
      if (share !== null) {
        const isDevice = share[1] === '.' || share[1] === '?';
        if (isDevice) {
          const name = path.slice(4, path.indexOf(':') + 1);
          if (namesDevices && isReserved(name, name.length - 1)) {
            return { device: `\\\\?\\${name}`, length: 4 + name.length, isAbsolute: true };
          }
          return { device: `\\\\${share[1]}`, length: 4, isAbsolute: true };
        }
        return {
          device: `\\\\${share[1]}\\${share[2]}`,
          length: share[0].replace(/[\\/]$/, '').length,
          isAbsolute: true,
          isShare: true,
        };
      }
    }
    return { device: '', length: 1, isAbsolute: true };
  }
  if (hasDrive(path)) {
    const isAbsolute = path.length > 2 && isSeparator(path, 2);
    return { device: path.slice(0, 2), length: isAbsolute ? 3 : 2, isAbsolute };
  }
  const colon = path.indexOf(':');
  if (namesDevices && colon > 0 && isReserved(path, colon)) {
    return { device: path.slice(0, colon + 1), length: colon + 1, isAbsolute: false };
  }
  return { device: '', length: 0, isAbsolute: false };
}

function normalize(path) {
  validateString(path, 'path');
  if (path.length === 0) return '.';
  if (path.length === 1) return isSeparator(path, 0) ? '\\' : path;
  const { device, length, isAbsolute, isShare } = rootOf(path, true);
  if (isShare && path.length === length) return `${device}\\`;
  const rest = path.slice(length);
  let tail = normalizeSegments(rest.split(SEPARATORS), isAbsolute).join('\\');
  if (tail === '' && !isAbsolute) tail = '.';
  if (tail !== '' && isSeparator(path, path.length - 1)) tail += '\\';
  // A relative path must not turn into a drive by losing what stood before the colon.
  if (!isAbsolute && device === '' && path.includes(':')) {
    if (tail.length >= 2 && isDriveLetter(tail.charCodeAt(0)) && tail[1] === ':') return `.\\${tail}`;
    for (let colon = path.indexOf(':'); colon !== -1; colon = path.indexOf(':', colon + 1)) {
      if (colon === path.length - 1 || isSeparator(path, colon + 1)) return `.\\${tail}`;
    }
  }
  if (isReserved(path, path.indexOf(':'))) return `.\\${device}${tail}`;
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
      // Only the working directory of the same drive can complete a path.
      if (path.slice(0, 2).toLowerCase() !== device.toLowerCase() && path[2] === '\\') path = `${device}\\`;
    }
    const root = rootOf(path);
    if (root.device !== '') {
      if (device !== '') {
        if (root.device.toLowerCase() !== device.toLowerCase()) continue;
      } else {
        device = root.device;
      }
    }
    if (isAbsolute) {
      if (device !== '') break;
    } else {
      tail = `${path.slice(root.length)}\\${tail}`;
      isAbsolute = root.isAbsolute;
      if (isAbsolute && device !== '') break;
    }
  }
  tail = normalizeSegments(tail.split(SEPARATORS), isAbsolute).join('\\');
  return isAbsolute ? `${device}\\${tail}` : `${device}${tail}` || '.';
}

function join(...paths) {
  const parts = [];
  for (const path of paths) {
    validateString(path, 'path');
    if (path.length > 0) parts.push(path);
  }
  if (parts.length === 0) return '.';
  let joined = parts.join('\\');
  // Slashes at the start make a share only when the first part itself names one.
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
    if (slashes >= 2) joined = `\\${joined.slice(slashes)}`;
  }
  // A reserved name with a colon is a device wherever it stands: nothing around it may be folded away.
  const namesDevice = joined.split('\\').some((part) => part.includes(':') && isReserved(part, part.indexOf(':')));
  return namesDevice ? joined.replaceAll('/', '\\') : normalize(joined);
}

function relative(from, to) {
  validateString(from, 'from');
  validateString(to, 'to');
  if (from === to) return '';
  const fromFull = resolve(from);
  const toFull = resolve(to);
  if (fromFull === toFull || fromFull.toLowerCase() === toFull.toLowerCase()) return '';
  const fromLower = fromFull.toLowerCase();
  const toLower = toFull.toLowerCase();
  const [fromStart, fromEnd] = withoutOuterSlashes(fromLower);
  const [toStart, toEnd] = withoutOuterSlashes(toLower);
  const fromPart = fromLower.slice(fromStart, fromEnd);
  const toPart = toLower.slice(toStart, toEnd);
  if (toPart.length > fromPart.length && toPart.startsWith(fromPart)) {
    if (toPart[fromPart.length] === '\\') return toFull.slice(toStart + fromPart.length + 1, toEnd);
    if (fromPart.length === 2) return toFull.slice(toStart + 2, toEnd);
  }
  const shared = sharedPrefix(fromPart, toPart);
  if (shared === -1) return toFull;
  const climbed = fromStart + shared + 1 > fromEnd ? 0 : fromPart.slice(shared + 1).split('\\').length;
  const rest = toFull.slice(toStart + shared, toEnd);
  if (climbed > 0) return Array(climbed).fill('..').join('\\') + rest;
  return rest.startsWith('\\') ? rest.slice(1) : rest;
}

function withoutOuterSlashes(path) {
  let start = 0;
  while (start < path.length && path[start] === '\\') start++;
  let end = path.length;
  while (end - 1 > start && path[end - 1] === '\\') end--;
  return [start, end];
}

/** How much two paths share, up to the separator after the last common segment; -1 when they have nothing in common. */
function sharedPrefix(from, to) {
  const length = Math.min(from.length, to.length);
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
  if (resolved.startsWith('\\\\')) {
    if (resolved[2] !== '?' && resolved[2] !== '.') return `\\\\?\\UNC\\${resolved.slice(2)}`;
  } else if (hasDrive(resolved) && resolved[2] === '\\') {
    return `\\\\?\\${resolved}`;
  }
  return resolved;
}

/** Length of the root as dirname, basename and parse see it. */
function rootLength(path) {
  if (path.length === 0) return 0;
  if (path.length === 1) return isSeparator(path, 0) ? 1 : 0;
  if (isSeparator(path, 0)) {
    const share = isSeparator(path, 1) ? UNC.exec(path) : null;
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
  if (end !== -1) return path.slice(0, end);
  return root === 0 ? '.' : path.slice(0, root);
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
  result.root = path.slice(0, root);
  if (root === path.length) {
    result.dir = path;
    return result;
  }
  const [begin, end] = lastSegment(path, root, isSeparator);
  result.base = path.slice(begin, end);
  result.ext = extensionOf(result.base);
  result.name = result.ext === '' ? result.base : result.base.slice(0, -result.ext.length);
  result.dir = begin > root ? path.slice(0, begin - 1) : result.root;
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
    const [begin, end] = lastSegment(path, hasDrive(path) ? 2 : 0, isSeparator);
    return extensionOf(path.slice(begin, end));
  },
  format(pathObject) {
    validateObject(pathObject, 'pathObject');
    return format('\\', pathObject);
  },
  parse,
  matchesGlob: (path, pattern) => host.matchesGlob(path, pattern, true),
  sep: '\\',
  delimiter: ';',
  win32: null,
  posix: null,
  _makeLong: toNamespacedPath,
};
