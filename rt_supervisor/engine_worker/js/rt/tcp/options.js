// @ts-check
'use strict';
// Owns: the options of RT.listen and RT.connect, validated as in Bun: address, handlers, and TLS.

const { codes } = require('internal/errors/errors');
const { Handlers, wrong } = require('rt/tcp/handlers');

function outOfRange(text) {
  const error = new codes.ERR_OUT_OF_RANGE('x', 'y', 0);
  error.message = text;
  return error;
}

function portOf(port) {
  if (port === undefined || port === null) throw wrong('Missing "port"');
  const number = Number(port);
  if (!Number.isInteger(number)) throw outOfRange(`SocketOptions.port must be an integer (received ${number})`);
  if (number < 0 || number > 65535) {
    throw outOfRange(`SocketOptions.port must be in the range [0, 65535] (received ${number})`);
  }
  return number;
}

/** Returns { handlers, place: { path } or { host, port } or { fd }, hostname, tls, data, allowHalfOpen, … }. */
function checkOptions(options, words) {
  if (typeof options !== 'object' || options === null) throw wrong(words);
  const { socket, unix, hostname, port, fd, tls, data } = options;
  const { allowHalfOpen = false, exclusive = false, reusePort = false, ipv6Only = false } = options;
  const handlers = new Handlers(socket);
  const secure = tls === undefined || tls === null || tls === false ? undefined : tls === true ? {} : tls;
  if (secure !== undefined && typeof secure !== 'object') throw wrong('TLSOptions must be an object');
  const others = { handlers, data, tls: secure, allowHalfOpen, exclusive, reusePort, ipv6Only };
  if (typeof fd === 'number') return { ...others, place: { fd } };
  if (unix !== undefined && unix !== null) {
    if (typeof unix !== 'string') throw wrong('SocketOptions.unix must be a string');
    return { ...others, unix, place: { path: unix } };
  }
  if (hostname === undefined || hostname === null) throw wrong('Expected either "hostname" or "unix"');
  const name = `${hostname}`.startsWith('[') && `${hostname}`.endsWith(']') ? `${hostname}`.slice(1, -1) : `${hostname}`;
  return { ...others, hostname: name, place: { host: name, port: portOf(port) } };
}

/** Renames TLS options to Node's. */
function nodeOptions({ serverName, passphrase, ...others }) {
  const settings = { ...others };
  if (serverName !== undefined) settings.servername = serverName;
  if (passphrase !== undefined) settings.passphrase = passphrase;
  return settings;
}

module.exports = { checkOptions, nodeOptions };
