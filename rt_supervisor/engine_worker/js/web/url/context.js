// @ts-check
'use strict';
// Owns: what `util.inspect(url, { showHidden: true })` shows of a URL's parsed form: the offsets of its components, as in Node.

const { ArrayIndexOf, StringIndexOf } = require('internal/primordials');
const { isSpecialScheme, serialize } = require('web/url/record');

const ABSENT = 0xffffffff;
const TYPES = ['http', '', 'https', 'ws', 'ftp', 'wss', 'file']; // by the numbers of Node's parser
const OTHER = 1;

class URLContext {
  /** @param {any} record */
  constructor(record) {
    const { scheme, host, username, password, port, query, fragment } = record;
    this.href = serialize(record);
    this.protocol_end = scheme.length + 1;
    const start = this.protocol_end + (host === null ? 0 : 2);
    this.username_end = start + username.length;
    this.host_start = this.username_end + (password === '' ? 0 : password.length + 1);
    const hasCredentials = username !== '' || password !== '';
    this.host_end = this.host_start + (hasCredentials ? 1 : 0) + (host ?? '').length;
    const withoutHash = serialize(record, false);
    const beforeSearch = serialize({ ...record, query: null }, false);
    const path = serialize({ ...record, host: null, port: null, path: '', query: null }, false).length;
    this.pathname_start = this.host_end + (port === null ? 0 : `${port}`.length + 1);
    if (host === null) this.pathname_start = path + (StringIndexOf(this.href, '/.//', path) === path ? 2 : 0);
    this.search_start = query === null ? ABSENT : beforeSearch.length;
    this.hash_start = fragment === null ? ABSENT : withoutHash.length;
    this.port = port ?? ABSENT;
    this.scheme_type = isSpecialScheme(scheme) ? ArrayIndexOf(TYPES, scheme) : OTHER;
  }
  get hasPort() {
    return this.port !== ABSENT;
  }
  get hasSearch() {
    return this.search_start !== ABSENT;
  }
  get hasHash() {
    return this.hash_start !== ABSENT;
  }
}

module.exports = { contextOf: (/** @type {any} */ record) => new URLContext(record) };
