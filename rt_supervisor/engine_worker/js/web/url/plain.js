// @ts-check
'use strict';
// Owns: the shortcut for most URLs of the web: those that stand in the text as parsing would leave them, which one pattern
// tells and takes apart. For all others the states of web/url/parser decide.

const { RegExpExec, StringIncludes, StringSlice, StringSplit, StringStartsWith } = require('internal/primordials');
const { isPlainDomain } = require('web/url/host');
const { SPECIAL_PORTS, newRecord } = require('web/url/record');

// Scheme, user name, password, host, port, path, query and fragment: with no character that would be encoded, left out or read as another.
const PLAIN =
  /^(https?):\/\/(?:([\w!$%&'()*+,.~-]*)(?::([\w!$%&'()*+,.~-]*))?@)?([a-z\d.-]+)(?::([1-9]\d{0,4}))?((?:\/[\w!$%&'()*+,.:;=@[\]|~-]*)*)(?:\?([\w!$%&()*+,./:;=?@[\\\]^`{|}~-]*))?(?:#([\w!#$%&'()*+,./:;=?@[\\\]^{|}~-]*))?$/;

/** The record of a plain URL; null for others, valid or not. */
function parsePlain(input) {
  if (!StringStartsWith(input, 'http')) return null;
  const match = RegExpExec(PLAIN, input);
  if (match === null || !isPlainDomain(match[4])) return null;
  const { 1: scheme, 5: digits, 6: path } = match;
  // Segments that are dots, or may be once they are decoded, move others.
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
