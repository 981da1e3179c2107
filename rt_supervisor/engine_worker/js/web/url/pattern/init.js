// @ts-check
'use strict';
// Owns: processing of a URLPatternInit as the standard defines it: components of the base URL, then those of the init;
// unchanged for a pattern, canonicalized for a URL to match.

const {
  ArrayIncludes,
  ArraySome,
  RegExpReplace,
  RegExpTest,
  StringEndsWith,
  StringLastIndexOf,
  StringSlice,
  StringStartsWith,
  StringToWellFormed,
  intact,
} = require('internal/primordials');
const { URL } = require('web/url/class');
const encoding = require('web/url/pattern/encoding');

const COMPONENTS = ['protocol', 'username', 'password', 'hostname', 'port', 'pathname', 'search', 'hash'];
const strip = (text, mark) => (StringStartsWith(text, mark) ? StringSlice(text, 1) : text);
const escapePattern = (text) => RegExpReplace(/[+*?:{}()\\]/g, text, (each) => `\\${each}`);

/** Returns the members of a dictionary as strings. */
function read(input) {
  const init = {};
  for (const name of intact(['baseURL', 'hash', 'hostname', 'password', 'pathname', 'port', 'protocol', 'search', 'username'])) {
    const value = input[name];
    if (value !== undefined) init[name] = StringToWellFormed(`${value}`);
  }
  return init;
}

const isAbsolute = (path, kind) => {
  if (path === '') return false;
  if (path[0] === '/') return true;
  return kind === 'pattern' && path.length > 1 && (path[0] === '\\' || path[0] === '{') && path[1] === '/';
};

/** Returns the components of `init` ('pattern' or 'url') over those of `start`. Throws a TypeError. */
function process(init, kind, start = {}) {
  /** @type {Record<string, string>} */
  const result = { ...start };
  const raw = (text) => (kind === 'pattern' ? escapePattern(text) : text);
  let base;
  if (init.baseURL !== undefined) {
    try {
      base = new URL(init.baseURL);
    } catch {
      throw new TypeError('Invalid base URL');
    }
    const isSaid = (...names) => ArraySome(names, (name) => init[name] !== undefined);
    if (!isSaid('protocol')) result.protocol = raw(StringSlice(base.protocol, 0, -1));
    if (kind !== 'pattern' && !isSaid('protocol', 'hostname', 'port', 'username')) result.username = base.username;
    if (kind !== 'pattern' && !isSaid('protocol', 'hostname', 'port', 'username', 'password')) result.password = base.password;
    if (!isSaid('protocol', 'hostname')) result.hostname = raw(base.hostname);
    if (!isSaid('protocol', 'hostname', 'port')) result.port = base.port;
    if (!isSaid('protocol', 'hostname', 'port', 'pathname')) result.pathname = raw(base.pathname);
    if (!isSaid('protocol', 'hostname', 'port', 'pathname', 'search')) result.search = raw(StringSlice(base.search, 1));
    if (!isSaid('protocol', 'hostname', 'port', 'pathname', 'search', 'hash')) result.hash = raw(StringSlice(base.hash, 1));
  }
  const encode = (name, value, ...more) => (kind === 'pattern' ? value : encoding[name](value, ...intact(more)));
  if (init.protocol !== undefined)
    result.protocol = encode('protocol', StringEndsWith(init.protocol, ':') ? StringSlice(init.protocol, 0, -1) : init.protocol);
  for (const name of intact(['username', 'password', 'hostname']))
    if (init[name] !== undefined) result[name] = encode(name, init[name]);
  if (init.port !== undefined) result.port = encode('port', init.port, result.protocol);
  if (init.pathname !== undefined) {
    let path = init.pathname;
    if (base !== undefined && !RegExpTest(/^[^/]/, base.pathname) && !isAbsolute(path, kind)) {
      const folder = raw(base.pathname);
      const end = StringLastIndexOf(folder, '/');
      if (end >= 0) path = StringSlice(folder, 0, end + 1) + path;
    }
    const isHierarchical =
      result.protocol === undefined || result.protocol === '' || ArrayIncludes(encoding.SPECIAL, result.protocol);
    result.pathname = encode(isHierarchical ? 'pathname' : 'opaquePathname', path);
  }
  if (init.search !== undefined) result.search = encode('search', strip(init.search, '?'));
  if (init.hash !== undefined) result.hash = encode('hash', strip(init.hash, '#'));
  return result;
}

module.exports = { COMPONENTS, read, process };
