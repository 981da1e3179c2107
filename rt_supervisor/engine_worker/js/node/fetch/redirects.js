// @ts-check
'use strict';
// Owns: the target of a redirect, and which parts of a request are sent there.

const { RegExpTest, StringCharCodeAt, intact } = require('internal/primordials');
const { URL } = require('web/url/class');

const ABOUT_BODY = ['content-encoding', 'content-language', 'content-location', 'content-type', 'content-length'];
const PRIVATE = ['authorization', 'proxy-authorization', 'cookie', 'host'];

/** Decodes a UTF-8 field value that has one character per byte. */
function asText(field) {
  if (!RegExpTest(/[\x80-\xff]/, field)) return field;
  const bytes = new Uint8Array(field.length);
  for (let index = 0; index < bytes.length; index++) bytes[index] = StringCharCodeAt(field, index);
  return host.native.decodeUtf8(bytes);
}

/** The URL for `location` relative to `url`; throws if it cannot be requested. */
function nextPlace(url, location) {
  const next = new URL(asText(location), url);
  if (!RegExpTest(/^https?:$/, next.protocol)) throw new Error('URL scheme must be a HTTP(S) scheme');
  if (next.origin === url.origin && !next.username && !next.password && (url.username || url.password)) {
    next.username = url.username;
    next.password = url.password;
  }
  if (next.hash === '' && url.hash !== '') next.hash = url.hash;
  return next;
}

/** Whether a redirect changes the request to a GET without a body. */
const becomesGet = (status, method) =>
  ((status === 301 || status === 302) && method === 'POST') || (status === 303 && method !== 'GET' && method !== 'HEAD');

function forgetBody(headers) {
  for (const name of intact(ABOUT_BODY)) headers.delete(name);
}

/** Removes fields that are specific to an origin before a request goes to another one. */
function forgetPrivate(headers, from, to) {
  if (to.origin !== from.origin) for (const name of intact(PRIVATE)) headers.delete(name);
}

module.exports = { nextPlace, becomesGet, forgetBody, forgetPrivate };
