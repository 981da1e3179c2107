'use strict';
// Owns: header fields between programs and frames: validation in both directions, and the headers object.

const { setOf } = require('internal/collections');
const {
  ArrayFilter,
  ArrayIsArray,
  ArrayMap,
  ArrayPush,
  ArraySome,
  ObjectKeys,
  RegExpTest,
  SetAdd,
  SetHas,
  StringCharCodeAt,
  StringToLowerCase,
} = require('internal/primordials');
const { http2Error } = require('node/http2/errors');
const { isToken, hasBadCharacter } = require('node/http/fields');
const { codes } = require('internal/errors/errors');

const sensitiveHeaders = Symbol('sensitiveHeaders');
const SHORT_COOKIE = 20; // a cookie under 20 characters can be guessed from its compressed size: it is never indexed
const CONNECTION = setOf(['connection', 'http2-settings', 'keep-alive', 'proxy-connection', 'transfer-encoding', 'upgrade']);
const REQUEST_PSEUDO = setOf([':method', ':scheme', ':authority', ':path', ':protocol']);
const SINGLE = setOf([
  ':status',
  ':method',
  ':authority',
  ':scheme',
  ':path',
  ':protocol',
  'access-control-allow-credentials',
  'access-control-max-age',
  'access-control-request-method',
  'age',
  'authorization',
  'content-encoding',
  'content-language',
  'content-length',
  'content-location',
  'content-md5',
  'content-range',
  'content-type',
  'date',
  'dnt',
  'etag',
  'expires',
  'from',
  'host',
  'if-match',
  'if-modified-since',
  'if-none-match',
  'if-range',
  'if-unmodified-since',
  'last-modified',
  'location',
  'max-forwards',
  'proxy-authorization',
  'range',
  'referer',
  'retry-after',
  'tk',
  'upgrade-insecure-requests',
  'user-agent',
  'x-content-type-options',
]);
const DECLARES = { __proto__: null, request: REQUEST_PSEUDO, response: setOf([':status']), trailers: new Set() };

/** The fields to send for an object or a flat list: pseudo-header fields first. */
function fieldsOf(headers, kind, isStrict = true) {
  const pseudo = [];
  const others = [];
  const secrets = headers[sensitiveHeaders];
  const secret = secrets?.length > 0 ? setOf(ArrayMap(secrets, (name) => StringToLowerCase(`${name}`))) : undefined;
  const isList = ArrayIsArray(headers);
  const pairs = isList ? pairsOf(headers) : ObjectKeys(headers);
  const seen = new Set();
  for (let i = 0; i < pairs.length; i++) {
    const rawName = isList ? pairs[i][0] : pairs[i];
    const value = isList ? pairs[i][1] : headers[rawName];
    const name = StringToLowerCase(`${rawName}`);
    if (value === undefined || name === '') continue;
    const isPseudo = name[0] === ':';
    if (isPseudo) {
      if (!SetHas(DECLARES[kind], name)) throw http2Error('ERR_HTTP2_INVALID_PSEUDOHEADER', name);
    } else {
      if (!isToken(name)) throw new codes.ERR_INVALID_HTTP_TOKEN('Header name', rawName);
      if (SetHas(CONNECTION, name) || (name === 'te' && `${value}` !== 'trailers'))
        throw http2Error('ERR_HTTP2_INVALID_CONNECTION_HEADERS', rawName);
    }
    const isMany = ArrayIsArray(value);
    if (SetHas(SINGLE, name) && (isStrict || isPseudo)) {
      if (SetHas(seen, name) || (isMany && value.length > 1)) throw http2Error('ERR_HTTP2_HEADER_SINGLE_VALUE', name);
      SetAdd(seen, name);
    }
    for (let at = 0; at < (isMany ? value.length : 1); at++) {
      const text = latin(`${isMany ? value[at] : value}`);
      if (hasBadCharacter(text)) {
        // A field with a control character is omitted; a message without one of its pseudo-header fields cannot be sent.
        if (!isPseudo) continue;
        throw new codes.ERR_INVALID_CHAR('header content', name);
      }
      const isSecret =
        (secret !== undefined && SetHas(secret, name)) ||
        name === 'authorization' ||
        (name === 'cookie' && text.length < SHORT_COOKIE);
      ArrayPush(isPseudo ? pseudo : others, [name, text, isSecret]);
    }
  }
  for (let i = 0; i < others.length; i++) ArrayPush(pseudo, others[i]);
  return pseudo;
}
/** The text with each character truncated to one byte, as in Node. */
const latin = (text) =>
  RegExpTest(WIDE, text) ? require('node/buffer/buffer').Buffer.from(text, 'latin1').toString('latin1') : text;
const WIDE = /[^\0-\xff]/;

function pairsOf(list) {
  if (ArrayIsArray(list[0])) return list;
  const pairs = [];
  for (let i = 0; i < list.length; i += 2) ArrayPush(pairs, [list[i], list[i + 1]]);
  return pairs;
}

/** The headers object for the program. */
function objectOf(fields) {
  const headers = { __proto__: null };
  const secret = [];
  for (let i = 0; i < fields.length; i++) {
    const { 0: name, 1: text, 2: isSecret } = fields[i];
    const value = name === ':status' ? Number(text) : text;
    if (isSecret) ArrayPush(secret, name);
    const before = headers[name];
    if (name === 'set-cookie') {
      if (before === undefined) headers[name] = [value];
      else ArrayPush(before, value);
    } else if (before === undefined) headers[name] = value;
    else if (SetHas(SINGLE, name))
      continue; // the first value counts
    else headers[name] = `${before}${name === 'cookie' ? '; ' : ', '}${value}`;
  }
  headers[sensitiveHeaders] = secret;
  return headers;
}

const NAME = /^:?[!#$%&'*+\-.^_`|~0-9a-z]+$/;
const BAD_VALUE = /[\0\r\n]/;
const isBlank = (code) => code === 32 || code === 9;
const hasBlankAround = (value) =>
  value.length > 0 && (isBlank(StringCharCodeAt(value, 0)) || isBlank(StringCharCodeAt(value, value.length - 1)));
const MOST_KNOWN = 1000;
const validNames = new Set(); // names already validated
function isName(name) {
  if (SetHas(validNames, name)) return true;
  if (!RegExpTest(NAME, name)) return false;
  if (validNames.size < MOST_KNOWN) SetAdd(validNames, name);
  return true;
}

/** Removes fields whose value begins or ends with whitespace, which are malformed (RFC 9113 §8.2.1). */
function withoutBlanks(fields) {
  const isGiven = ({ 0: name, 1: value }) => name[0] === ':' || !hasBlankAround(value);
  for (let i = 0; i < fields.length; i++) if (!isGiven(fields[i])) return ArrayFilter(fields, isGiven);
  return fields;
}

/** Whether received fields are well-formed (RFC 9113 §8.2, §8.3). */
function isGood(fields, kind, allowsProtocol) {
  const pseudo = { __proto__: null };
  let isPastPseudo = false;
  for (let i = 0; i < fields.length; i++) {
    const { 0: name, 1: value } = fields[i];
    if (!isName(name) || RegExpTest(BAD_VALUE, value)) return false;
    if (name[0] === ':') {
      if (hasBlankAround(value)) return false;
      if (isPastPseudo || !SetHas(DECLARES[kind], name) || pseudo[name] !== undefined) return false;
      pseudo[name] = value;
    } else {
      isPastPseudo = true;
      if (SetHas(CONNECTION, name) || (name === 'te' && StringToLowerCase(value) !== 'trailers')) return false;
      if (name === 'content-length' && !RegExpTest(/^\d+$/, value)) return false;
    }
  }
  if (kind === 'response') return RegExpTest(/^[1-9]\d\d$/, pseudo[':status'] ?? '') && pseudo[':status'] !== '101';
  if (kind === 'trailers') return true;
  const { ':method': method, ':scheme': scheme, ':path': path, ':authority': authority, ':protocol': protocol } = pseudo;
  if (method === undefined || !isToken(method)) return false;
  if (protocol !== undefined && (!allowsProtocol || method !== 'CONNECT')) return false;
  if (method === 'CONNECT' && protocol === undefined)
    return scheme === undefined && path === undefined && authority !== undefined;
  const hasPlace = authority !== undefined || ArraySome(fields, ({ 0: name }) => name === 'host');
  return Boolean(scheme) && Boolean(path) && hasPlace && (path[0] === '/' || (path === '*' && method === 'OPTIONS'));
}

module.exports = { sensitiveHeaders, fieldsOf, objectOf, isGood, withoutBlanks };
