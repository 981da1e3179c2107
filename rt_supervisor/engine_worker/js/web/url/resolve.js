// @ts-check
'use strict';
// Owns: joining two parsed legacy URLs for url.resolve: which components come from which, and dot segments.

const { AnyHas, AnyIndexOf } = require('internal/any_kind');
const {
  ArrayJoin,
  ArrayShift,
  ArrayUnshift,
  ObjectAssign,
  ObjectKeys,
  RegExpTest,
  StringEndsWith,
  StringSplit,
  intact,
} = require('internal/primordials');

/** `make` creates an empty result; `slashed` holds the protocols whose URLs have `//` and a path. */
function resolveLegacy(source, relative, make, slashed) {
  const result = ObjectAssign(make(), source);
  result.hash = relative.hash; // even an empty one replaces the base's
  if (relative.href === '') {
    result.href = result.format();
    return result;
  }
  if (relative.slashes && !relative.protocol) return takeAllButProtocol(result, relative, slashed);
  if (relative.protocol && relative.protocol !== result.protocol) return changeProtocol(result, relative, slashed);
  return joinPaths(result, relative, slashed);
}

function takeAllButProtocol(result, relative, slashed) {
  for (const key of intact(ObjectKeys(relative))) if (key !== 'protocol') result[key] = relative[key];
  if (AnyHas(slashed, result.protocol) && result.hostname && !result.pathname) result.path = result.pathname = '/';
  result.href = result.format();
  return result;
}

function changeProtocol(result, relative, slashed) {
  if (!AnyHas(slashed, relative.protocol)) {
    ObjectAssign(result, relative);
    result.href = result.format();
    return result;
  }
  result.protocol = relative.protocol;
  if (!relative.host && !RegExpTest(/^file:?$/, relative.protocol) && relative.protocol !== 'javascript:') {
    const segments = StringSplit(relative.pathname || '', '/');
    while (segments.length > 0 && !(relative.host = ArrayShift(segments)));
    relative.host ||= '';
    relative.hostname ||= '';
    if (segments[0] !== '') ArrayUnshift(segments, '');
    if (segments.length < 2) ArrayUnshift(segments, '');
    result.pathname = ArrayJoin(segments, '/');
  } else {
    result.pathname = relative.pathname;
  }
  result.search = relative.search;
  result.query = relative.query;
  result.host = relative.host || '';
  result.auth = relative.auth;
  result.hostname = relative.hostname || relative.host;
  result.port = relative.port;
  if (result.pathname || result.search) result.path = `${result.pathname || ''}${result.search || ''}`;
  result.slashes = result.slashes || relative.slashes;
  result.href = result.format();
  return result;
}

function joinPaths(result, relative, slashed) {
  const isSourceAbsolute = Boolean(result.pathname && result.pathname[0] === '/');
  const isRelativeAbsolute = Boolean(relative.host || (relative.pathname && relative.pathname[0] === '/'));
  let mustEndAbsolute = isRelativeAbsolute || isSourceAbsolute || Boolean(result.host && relative.pathname);
  const removesAllDots = mustEndAbsolute;
  let path = (result.pathname && StringSplit(result.pathname, '/')) || [];
  const relativePath = (relative.pathname && StringSplit(relative.pathname, '/')) || [];
  const isNameless = Boolean(result.protocol && !AnyHas(slashed, result.protocol));
  if (isNameless) {
    // The host of such a URL is parsed as the first segment of its path.
    result.hostname = '';
    result.port = null;
    if (result.host) {
      if (path[0] === '') path[0] = result.host;
      else ArrayUnshift(path, result.host);
    }
    result.host = '';
    if (relative.protocol) {
      relative.hostname = null;
      relative.port = null;
      result.auth = null;
      if (relative.host) {
        if (relativePath[0] === '') relativePath[0] = relative.host;
        else ArrayUnshift(relativePath, relative.host);
      }
      relative.host = null;
    }
    mustEndAbsolute = mustEndAbsolute && (relativePath[0] === '' || path[0] === '');
  }
  if (isRelativeAbsolute) {
    if (relative.host || relative.host === '') {
      if (result.host !== relative.host) result.auth = null;
      result.host = relative.host;
      result.port = relative.port;
    }
    if (relative.hostname || relative.hostname === '') {
      if (result.hostname !== relative.hostname) result.auth = null;
      result.hostname = relative.hostname;
    }
    result.search = relative.search;
    result.query = relative.query;
    path = relativePath;
  } else if (relativePath.length > 0) {
    path.pop();
    path = path.concat(relativePath);
    result.search = relative.search;
    result.query = relative.query;
  } else if (relative.search !== null && relative.search !== undefined) {
    return onlySearch(result, relative, path, isNameless);
  }
  return finishPath(result, relative, path, { mustEndAbsolute, removesAllDots, isNameless });
}

function splitAuth(result) {
  const host = result.host && AnyIndexOf(result.host, '@') > 0 && StringSplit(result.host, '@');
  if (!host) return;
  result.auth = ArrayShift(host);
  result.host = result.hostname = ArrayShift(host);
}

function onlySearch(result, relative, path, isNameless) {
  if (isNameless) {
    result.hostname = result.host = path.shift();
    splitAuth(result);
  }
  result.search = relative.search;
  result.query = relative.query;
  if (result.pathname !== null || result.search !== null) result.path = `${result.pathname || ''}${result.search || ''}`;
  result.href = result.format();
  return result;
}

function finishPath(result, relative, path, { mustEndAbsolute, removesAllDots, isNameless }) {
  if (path.length === 0) {
    result.pathname = null;
    result.path = result.search ? `/${result.search}` : null;
    result.href = result.format();
    return result;
  }
  const last = path.at(-1);
  const hasTrailingSlash = ((result.host || relative.host || path.length > 1) && (last === '.' || last === '..')) || last === '';
  path = withoutDots(path, !mustEndAbsolute && !removesAllDots);
  if (mustEndAbsolute && path[0] !== '' && (!path[0] || path[0][0] !== '/')) ArrayUnshift(path, '');
  if (hasTrailingSlash && !StringEndsWith(path.join('/'), '/')) path.push('');
  const isAbsolute = path[0] === '' || Boolean(path[0] && path[0][0] === '/');
  if (isNameless) {
    result.hostname = result.host = isAbsolute ? '' : path.length > 0 ? path.shift() : '';
    splitAuth(result);
  }
  mustEndAbsolute ||= Boolean(result.host && path.length > 0);
  if (mustEndAbsolute && !isAbsolute) ArrayUnshift(path, '');
  if (path.length === 0) {
    result.pathname = null;
    result.path = null;
  } else {
    result.pathname = path.join('/');
  }
  if (result.pathname !== null || result.search !== null) result.path = `${result.pathname || ''}${result.search || ''}`;
  result.auth = relative.auth || result.auth;
  result.slashes = result.slashes || relative.slashes;
  result.href = result.format();
  return result;
}

function withoutDots(path, keepsLeadingDots) {
  let up = 0;
  for (let i = path.length - 1; i >= 0; i--) {
    if (path[i] === '.') {
      path.splice(i, 1);
    } else if (path[i] === '..') {
      path.splice(i, 1);
      up++;
    } else if (up > 0) {
      path.splice(i, 1);
      up--;
    }
  }
  if (keepsLeadingDots) while (up-- > 0) ArrayUnshift(path, '..');
  return path;
}

module.exports = { resolveLegacy };
