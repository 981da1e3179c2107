'use strict';
// Owns: conversion of file URLs to paths and back, and of URLs to HTTP request options.

const { RegExpTest, StringEndsWith, StringReplaceAll, StringSlice, StringStartsWith } = require('internal/primordials');
const { codes } = require('internal/errors/errors');
const { URL } = require('web/url/class');
const { percentDecodeBytes } = require('web/url/percent');

const isURL = (value) => Boolean(value?.href && value.protocol && value.auth === undefined && value.path === undefined);

function checkFileURL(input) {
  if (typeof input === 'string') input = new URL(input);
  else if (!isURL(input)) throw new codes.ERR_INVALID_ARG_TYPE('path', ['string', 'URL'], input);
  if (input.protocol !== 'file:') throw new codes.ERR_INVALID_URL_SCHEME('file');
  return input;
}

function fileURLToPath(input, options = undefined) {
  const url = checkFileURL(input);
  return options?.windows ? windowsPath(url) : posixPath(url);
}

function checkPosix(url) {
  if (url.hostname !== '') throw new codes.ERR_INVALID_FILE_URL_HOST(host.platform);
  if (RegExpTest(/%2f/i, url.pathname)) throw new codes.ERR_INVALID_FILE_URL_PATH('must not include encoded / characters', url);
}

function posixPath(url) {
  checkPosix(url);
  return decodeURIComponent(url.pathname);
}

function windowsPath(url) {
  if (RegExpTest(/%2f|%5c/i, url.pathname))
    throw new codes.ERR_INVALID_FILE_URL_PATH('must not include encoded \\ or / characters', url);
  const path = decodeURIComponent(StringReplaceAll(url.pathname, '/', '\\'));
  if (url.hostname !== '') return `\\\\${require('web/url/idna').toUnicode(url.hostname)}${path}`;
  if (!RegExpTest(/^\\[A-Za-z]:/, path)) throw new codes.ERR_INVALID_FILE_URL_PATH('must be absolute', url);
  return path.slice(1);
}

function fileURLToPathBuffer(input, options = undefined) {
  const url = checkFileURL(input);
  const { Buffer } = require('node/buffer/buffer');
  if (options?.windows) return Buffer.from(windowsPath(url));
  checkPosix(url);
  return Buffer.from(percentDecodeBytes(url.pathname));
}

function pathToFileURL(path, options = undefined) {
  require('internal/validators').validateString(path, 'path');
  if (options?.windows) return windowsURL(path);
  let resolved = require('node/path/path').posix.resolve(path);
  // resolve() drops a trailing separator, which marks a directory here.
  if (StringEndsWith(path, '/') && !StringEndsWith(resolved, '/')) resolved += '/';
  return new URL(require('internal/file_url').pathToHref(resolved));
}

const LONG = '\\\\?\\'; // the prefix of a long path, and of one on a server
const LONG_UNC = '\\\\?\\UNC\\';

function windowsURL(path) {
  const { win32 } = require('node/path/path');
  if (StringStartsWith(path, LONG_UNC)) path = `\\\\${StringSlice(path, LONG_UNC.length)}`;
  else if (StringStartsWith(path, LONG)) path = StringSlice(path, LONG.length);
  if (StringStartsWith(path, '\\\\')) {
    const end = path.indexOf('\\', 2);
    if (end === -1) throw new codes.ERR_INVALID_ARG_VALUE('path', path, 'Missing UNC resource path');
    if (end === 2) throw new codes.ERR_INVALID_ARG_VALUE('path', path, 'Empty UNC servername');
    const url = new URL('file://');
    url.hostname = require('web/url/idna').toASCII(path.slice(2, end)) ?? '';
    url.pathname = encodePath(StringReplaceAll(path.slice(end), '\\', '/'));
    return url;
  }
  let resolved = win32.resolve(path);
  if (RegExpTest(/[\\/]$/, path) && !StringEndsWith(resolved, '\\')) resolved += '\\';
  return new URL(`file:///${encodePath(StringReplaceAll(resolved, '\\', '/'))}`);
}

const encodePath = (path) => StringSlice(require('internal/file_url').pathToHref(path), 7);

function urlToHttpOptions(url) {
  require('internal/validators').validateObject(url, 'url', { allowArray: true, allowFunction: true });
  const { hostname, pathname, port, username, password, search } = url;
  const options = {
    __proto__: null,
    ...url,
    protocol: url.protocol,
    hostname: hostname && hostname[0] === '[' ? StringSlice(hostname, 1, -1) : hostname,
    hash: url.hash,
    search,
    pathname,
    path: `${pathname || ''}${search || ''}`,
    href: url.href,
  };
  if (port !== '') options.port = Number(port);
  if (username || password) options.auth = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return options;
}

module.exports = { isURL, fileURLToPath, fileURLToPathBuffer, pathToFileURL, urlToHttpOptions };
