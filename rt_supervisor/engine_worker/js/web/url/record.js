// @ts-check
'use strict';
// Owns: URL records, the parsed form behind a URL object, and their serialization (the standard's URL serializer). { scheme,
// username, password, host, port, path, query, fragment }: path is an array, or a string if opaque; host, port, query and
// fragment may be null.

const { ArrayPop, RegExpTest } = require('internal/primordials');

const SPECIAL_PORTS = { __proto__: null, ftp: 21, file: null, http: 80, https: 443, ws: 80, wss: 443 };
// The same schemes by name, to intern the strings.
const SPECIAL_SCHEMES = { __proto__: null, ftp: 'ftp', file: 'file', http: 'http', https: 'https', ws: 'ws', wss: 'wss' };
const isSpecialScheme = (scheme) => scheme in SPECIAL_PORTS;

// A drive letter in a parsed path.
const NORMALIZED_LETTER = /^[A-Za-z]:$/;

const newRecord = () => ({
  scheme: '',
  username: '',
  password: '',
  host: null,
  port: null,
  path: [],
  query: null,
  fragment: null,
});

/** Removes the last segment of the path, except a drive letter of a file URL. */
function shorten(url) {
  const { path } = url;
  if (url.scheme === 'file' && path.length === 1 && RegExpTest(NORMALIZED_LETTER, path[0])) return;
  ArrayPop(path);
}

function serializePath(url) {
  if (typeof url.path === 'string') return url.path;
  let text = '';
  for (let index = 0; index < url.path.length; index++) text += `/${url.path[index]}`;
  return text;
}

function serialize(url, withFragment = true) {
  let text = `${url.scheme}:`;
  if (url.host !== null) {
    text += '//';
    if (url.username !== '' || url.password !== '') text += `${url.username}${url.password === '' ? '' : `:${url.password}`}@`;
    text += url.host;
    if (url.port !== null) text += `:${url.port}`;
  } else if (typeof url.path !== 'string' && url.path.length > 1 && url.path[0] === '') {
    text += '/.'; // else the path would parse as a host
  }
  text += serializePath(url);
  if (url.query !== null) text += `?${url.query}`;
  if (withFragment && url.fragment !== null) text += `#${url.fragment}`;
  return text;
}

module.exports = {
  SPECIAL_PORTS,
  SPECIAL_SCHEMES,
  NORMALIZED_LETTER,
  isSpecialScheme,
  newRecord,
  shorten,
  serialize,
  serializePath,
};
