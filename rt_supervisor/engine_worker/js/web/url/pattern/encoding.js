'use strict';
// Owns: what URLs make of the fixed texts of a pattern and of the parts that it is matched with: each function throws a TypeError for
// what no URL can have.

const { URL } = require('web/url/class');
const { C0, percentEncode } = require('web/url/percent');

const SPECIAL = ['http', 'https', 'ws', 'wss', 'ftp', 'file'];
const PORTS = { __proto__: null, http: '80', https: '443', ws: '80', wss: '443', ftp: '21' };
const dummy = () => new URL('https://dummy.invalid/');
const refuse = () => new TypeError('Invalid pattern');

function protocol(value) {
  if (value === '') return '';
  if (!/^[A-Za-z][A-Za-z0-9+.-]*$/.test(value)) throw refuse();
  return new URL(`${value}://dummy.invalid/`).protocol.slice(0, -1);
}

/** What the setter `name` makes of a text; `mark` is what that component begins with. */
function through(name, mark = '') {
  return (value) => {
    if (value === '') return '';
    const url = dummy();
    url[name] = mark + value;
    return url[name].slice(mark.length);
  };
}

function hostname(value) {
  if (value === '') return '';
  const [cleaned] = value.replace(/[\t\n\r]/g, '').split(/[/?#\\]/, 1);
  if (cleaned === '' || /[@]|^[^[]*:/.test(cleaned)) throw refuse();
  return new URL(`https://${cleaned}/`).hostname;
}

function ipv6Hostname(value) {
  if (!/^[0-9A-Fa-f[\]:]*$/.test(value)) throw refuse();
  return value.toLowerCase();
}

function port(value, scheme) {
  if (value === '') return '';
  const digits = /^[0-9]+/.exec(value.replace(/[\t\n\r]/g, ''))?.[0];
  if (digits === undefined || Number(digits) > 0xffff) throw refuse();
  const text = `${Number(digits)}`;
  return scheme !== undefined && PORTS[scheme] === text ? '' : text;
}

function pathname(value) {
  if (value === '') return '';
  const url = new URL('x://dummy/'); // no special scheme: a backslash stays one
  const isRooted = value.startsWith('/');
  url.pathname = isRooted ? value : `/-${value}`;
  return isRooted ? url.pathname : url.pathname.slice(2);
}

/** A path of a URL without slashes: only controls and what is not ASCII are encoded. */
const opaquePathname = (value) => percentEncode(value.replace(/[\t\n\r]/g, ''), C0);

module.exports = {
  protocol,
  hostname,
  ipv6Hostname,
  port,
  pathname,
  opaquePathname,
  username: through('username'),
  password: through('password'),
  search: through('search', '?'),
  hash: through('hash', '#'),
  SPECIAL,
  PORTS,
};
