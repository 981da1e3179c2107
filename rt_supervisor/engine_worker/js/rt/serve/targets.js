'use strict';
// Owns: the URL formed by a request's target and its Host field, and the rejection of invalid combinations (RFC 9112, 3.2).

const { RegExpExec, RegExpTest, StringCharCodeAt, StringToLowerCase } = require('internal/primordials');

const SLASH = 47;
const ABSOLUTE = /^(https?):\/\/([^/?#]+)([^]*)$/i;
const HOST = /^[!$&'()*+,\-.0-9:;=A-Z[\]_a-z~%]+$/;
const TO_NORMALIZE = /[^\w!$%&()*+,\-./:;=?@[\]~|]|\/\.|%2e/i;

/**
 * Returns the normalized `http://host`, or undefined for an invalid host. The last result is cached, because clients repeat it.
 */
function originOf(server, host) {
  if (host === undefined || host === '') return `${server.scheme}://${server.authority}`;
  if (server.knownHost === host) return server.knownOrigin;
  if (!RegExpTest(HOST, host)) return undefined;
  const { URL } = require('web/url/class');
  const url = URL.parse(`${server.scheme}://${host}`);
  if (url === null) return undefined;
  server.knownHost = host;
  server.knownOrigin = url.origin;
  return server.knownOrigin;
}

/** Returns whether the target is valid for the method and the server's scheme. */
function isSound(server, method, target, host) {
  if (originOf(server, host) === undefined) return false;
  if (StringCharCodeAt(target, 0) === SLASH) return true;
  if (method === 'CONNECT') return originOf(server, target) !== undefined;
  const absolute = RegExpExec(ABSOLUTE, target);
  return absolute !== null && StringToLowerCase(absolute[1]) === server.scheme && originOf(server, absolute[2]) !== undefined;
}

/** Returns the URL of a valid request. An absolute target includes its host. */
function urlOf(server, method, target, host) {
  if (StringCharCodeAt(target, 0) === SLASH) {
    const text = originOf(server, host) + target;
    if (!RegExpTest(TO_NORMALIZE, target)) return text;
    return new (require('web/url/class').URL)(text).href;
  }
  if (method === 'CONNECT') return `${originOf(server, target)}/`;
  return new (require('web/url/class').URL)(target).href;
}

module.exports = { isSound, urlOf };
