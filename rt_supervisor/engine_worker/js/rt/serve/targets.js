'use strict';
// Owns: the URL that a request's target and its Host field name together, and which of them name none (RFC 9112, 3.2).

const { RegExpExec, RegExpTest, StringCharCodeAt, StringToLowerCase } = require('internal/primordials');

const SLASH = 47;
const ABSOLUTE = /^(https?):\/\/([^/?#]+)([^]*)$/i;
const HOST = /^[!$&'()*+,\-.0-9:;=A-Z[\]_a-z~%]+$/;
const TO_NORMALIZE = /[^\w!$%&()*+,\-./:;=?@[\]~|]|\/\.|%2e/i;

/** `http://host` as a URL has it; undefined where the field names no host. The last one is kept: clients ask the same one again. */
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

/** Whether a request asks for something that a server of this scheme can have. */
function isSound(server, method, target, host) {
  if (originOf(server, host) === undefined) return false;
  if (StringCharCodeAt(target, 0) === SLASH) return true;
  if (method === 'CONNECT') return originOf(server, target) !== undefined;
  const absolute = RegExpExec(ABSOLUTE, target);
  return absolute !== null && StringToLowerCase(absolute[1]) === server.scheme && originOf(server, absolute[2]) !== undefined;
}

/** The URL of a sound request. An absolute target says itself which host is meant. */
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
