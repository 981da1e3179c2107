// @ts-check
'use strict';
// Owns: the address of a Redis server: URLs of every kind, with defaults from the environment.

const runtimeParts = require('internal/parts');
const {
  ArrayIncludes,
  ArrayJoin,
  NumberParseInt,
  RegExpReplace,
  RegExpTest,
  StringEndsWith,
  StringIncludes,
  StringSlice,
} = require('internal/primordials');

const PROTOCOLS = ['redis', 'valkey', 'rediss', 'valkeys', 'redis+tls', 'redis+unix', 'redis+tls+unix'];
const USUAL = 'redis://localhost:6379';

/** Parses a URL into { connect, isSecure, user, password, database, shown }; `shown` contains no secret. */
function addressOf(value) {
  const { env } = runtimeParts.process.process;
  const text = `${value ?? (env.REDIS_URL || env.VALKEY_URL || USUAL)}`;
  const { URL } = require('web/url/class');
  const url = new URL(RegExpTest(/^[a-z+]+:\/\//i, text) ? text : `redis://${text}`);
  const protocol = StringSlice(url.protocol, 0, -1);
  if (!ArrayIncludes(PROTOCOLS, protocol)) throw new Error(`Expected url protocol to be one of ${ArrayJoin(PROTOCOLS, ', ')}`);
  const isUnix = StringEndsWith(protocol, 'unix');
  const isSecure = protocol === 'rediss' || protocol === 'valkeys' || StringIncludes(protocol, 'tls');
  const path = isUnix ? decodeURIComponent(`${url.hostname}${url.pathname}`) : undefined;
  const host = RegExpReplace(/^\[|\]$/g, url.hostname, '') || 'localhost';
  const port = Number(url.port) || 6379;
  return {
    connect: isUnix ? { path } : { host, port },
    isSecure,
    user: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
    database: isUnix ? 0 : NumberParseInt(StringSlice(url.pathname, 1), 10) || 0,
    shown: isUnix ? path : `${url.hostname || 'localhost'}:${port}`,
  };
}

module.exports = { addressOf };
