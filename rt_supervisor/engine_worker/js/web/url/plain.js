// @ts-check
'use strict';
// Owns: the fast path for most URLs: those already in serialized form, which one regular expression recognises and splits.
// web/url/parser handles all others.

const { RegExpExec, StringIncludes, StringSlice, StringSplit, StringStartsWith } = require('internal/primordials');
const { isPlainHost } = require('web/url/host');
const { SPECIAL_PORTS, newRecord } = require('web/url/record');

// Scheme, user name, password, host, port, path, query and fragment, without any character that parsing would encode, drop or
// interpret differently.
const PLAIN =
  /^(https?):\/\/(?:([\w!$%&'()*+,.~-]*)(?::([\w!$%&'()*+,.~-]*))?@)?([a-z\d.-]+)(?::([1-9]\d{0,4}))?((?:\/[\w!$%&'()*+,.:;=@[\]|~-]*)*)(?:\?([\w!$%&()*+,./:;=?@[\\\]^`{|}~-]*))?(?:#([\w!#$%&'()*+,./:;=?@[\\\]^{|}~-]*))?$/;

/** Returns the record of a plain URL, or null for other URLs, valid or not. */
function parsePlain(input) {
  if (!StringStartsWith(input, 'http')) return null;
  const match = RegExpExec(PLAIN, input);
  if (match === null || !isPlainHost(match[4])) return null;
  const { 1: scheme, 5: digits, 6: path } = match;
  // Dot segments, or segments that decode to dots, affect other segments.
  if (StringIncludes(path, '/.') || StringIncludes(path, '/%')) return null;
  /** @type {any} */
  const record = newRecord();
  record.scheme = scheme === 'http' ? 'http' : 'https';
  if (digits !== undefined) {
    const port = +digits;
    if (port > 65535) return null;
    if (port !== SPECIAL_PORTS[record.scheme]) record.port = port;
  }
  record.username = match[2] ?? '';
  record.password = match[3] ?? '';
  record.host = match[4];
  record.path = path === '' ? [''] : StringSplit(StringSlice(path, 1), '/');
  record.query = match[7] ?? null;
  record.fragment = match[8] ?? null;
  return record;
}

module.exports = { parsePlain };
