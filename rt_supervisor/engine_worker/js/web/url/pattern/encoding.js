// @ts-check
'use strict';
// Owns: URL encoding of the fixed text of a pattern and of the components it is matched with. Each function throws a TypeError
// for text that is invalid in a URL.

const { AnySlice } = require('internal/any_kind');
const { RegExpSplit } = require('internal/patterns');
const {
  RegExpExec,
  RegExpReplace,
  RegExpTest,
  StringSlice,
  StringStartsWith,
  StringToLowerCase,
} = require('internal/primordials');
const { URL } = require('web/url/class');
const { C0, percentEncode } = require('web/url/percent');

const SPECIAL = ['http', 'https', 'ws', 'wss', 'ftp', 'file'];
const PORTS = { __proto__: null, http: '80', https: '443', ws: '80', wss: '443', ftp: '21' };
const dummy = () => new URL('https://dummy.invalid/');
const refuse = () => new TypeError('Invalid pattern');

// Text that encoding does not change, as most patterns have.
const PLAIN = /^[A-Za-z0-9_.~-]*$/;
const PLAIN_PROTOCOL = /^[a-z]*$/;
const PLAIN_HOST = /^(?!.*xn--)[a-z.-]*$/;
const PLAIN_PATH = /^(?:[A-Za-z0-9_~/-]|(?<=[A-Za-z0-9_])\.)*$/; // without segments such as `..`

function protocol(value) {
  if (RegExpTest(PLAIN_PROTOCOL, value)) return value;
  if (!RegExpTest(/^[A-Za-z][A-Za-z0-9+.-]*$/, value)) throw refuse();
  return StringSlice(new URL(`${value}://dummy.invalid/`).protocol, 0, -1);
}

/** Returns a function that encodes text with the setter `name`; `mark` is the prefix of that component. */
function through(name, mark = '') {
  return (value) => {
    if (RegExpTest(PLAIN, value)) return value;
    const url = /** @type {any} */ (dummy());
    url[name] = mark + value;
    return AnySlice(url[name], mark.length);
  };
}

function hostname(value) {
  if (RegExpTest(PLAIN_HOST, value)) return value;
  const { 0: cleaned } = RegExpSplit(/[/?#\\]/, RegExpReplace(/[\t\n\r]/g, value, ''));
  if (cleaned === '' || RegExpTest(/[@]|^[^[]*:/, cleaned)) throw refuse();
  return new URL(`https://${cleaned}/`).hostname;
}

function ipv6Hostname(value) {
  if (!RegExpTest(/^[0-9A-Fa-f[\]:]*$/, value)) throw refuse();
  return StringToLowerCase(value);
}

function port(value, scheme) {
  if (value === '') return '';
  const digits = RegExpExec(/^[0-9]+/, RegExpReplace(/[\t\n\r]/g, value, ''))?.[0];
  if (digits === undefined || Number(digits) > 0xffff) throw refuse();
  const text = `${Number(digits)}`;
  return scheme !== undefined && PORTS[scheme] === text ? '' : text;
}

function pathname(value) {
  if (RegExpTest(PLAIN_PATH, value)) return value;
  const url = new URL('x://dummy/'); // not a special scheme, so a backslash is unchanged
  const isRooted = StringStartsWith(value, '/');
  url.pathname = isRooted ? value : `/-${value}`;
  return isRooted ? url.pathname : StringSlice(url.pathname, 2);
}

/** Encodes a URL path without slashes: only controls and non-ASCII characters. */
const opaquePathname = (value) => percentEncode(RegExpReplace(/[\t\n\r]/g, value, ''), C0);

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
