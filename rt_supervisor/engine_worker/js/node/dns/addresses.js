// @ts-check
'use strict';
// Owns: the addresses of a resolver: its servers, set or the system's, and the local addresses of its queries.

const { RegExpMatchAll } = require('internal/patterns');
const { ArrayFilter, ArrayMap, ObjectAssign, RegExpExec, intact } = require('internal/primordials');
const { codes } = require('internal/errors/errors');
const { validateString } = require('internal/validators');
const { isIP, isIPv4, isIPv6 } = require('node/net/address');

const PORT = 53;

function parseServer(text, index) {
  validateString(text, `servers[${index}]`);
  if (isIP(text)) return { address: text, port: PORT };
  const bracketed = RegExpExec(/^\[([^[\]]*)\](?::(\d+))?$/, text) ?? RegExpExec(/^([^:]+):(\d+)$/, text);
  if (bracketed !== null && isIP(bracketed[1])) {
    const port = bracketed[2] === undefined ? PORT : Number(bracketed[2]);
    if (port > 0 && port < 65536) return { address: bracketed[1], port };
  }
  throw new codes.ERR_INVALID_IP_ADDRESS(text);
}

/** The name servers of the system's configuration. */
function systemServers() {
  let text;
  try {
    text = require('node/fs/sync').readFileSync('/etc/resolv.conf', 'utf8');
  } catch {
    return [{ address: '127.0.0.1', port: PORT }];
  }
  const all = ArrayMap([...intact(RegExpMatchAll(/^\s*nameserver\s+(\S+)/gm, text))], (match) => ({
    address: match[1],
    port: PORT,
  }));
  const servers = ArrayFilter(all, ({ address }) => isIP(address));
  return servers.length > 0 ? servers : [{ address: '127.0.0.1', port: PORT }];
}

/** A server as shown to programs. */
const formatServer = ({ address, port }) =>
  port === PORT ? address : isIPv4(address) ? `${address}:${port}` : `[${address}]:${port}`;

/** Validates the arguments of setLocalAddress: at most one address of each family, in either order. */
function checkLocal(first, second) {
  validateString(first, 'ipv4');
  if (second !== undefined) validateString(second, 'ipv6');
  const fail = (text) => ObjectAssign(new TypeError(text), { code: 'ERR_INVALID_ARG_VALUE' });
  if (isIP(first) === 0 || (second !== undefined && isIP(second) === 0)) throw fail('Invalid IP address.');
  if (second === undefined) return;
  if (isIPv4(first) && isIPv4(second)) throw fail('Cannot specify two IPv4 addresses.');
  if (isIPv6(first) && isIPv6(second)) throw fail('Cannot specify two IPv6 addresses.');
}

module.exports = { parseServer, formatServer, checkLocal, systemServers };
