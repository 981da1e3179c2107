'use strict';
// Owns: RT.dns: `lookup` with the system's resolver, prefetching with its statistics, and the queries of node:dns/promises.

const { ArrayMap, MapDelete, MapGet, MapSet, ObjectAssign, PromiseThen, StringSplit, intact } = require('internal/primordials');
const { codes } = require('internal/errors/errors');

const FAMILIES = { __proto__: null, 0: 0, 4: 4, 6: 6, IPv4: 4, IPv6: 6, any: 0 };
const BACKENDS = { __proto__: null, 'c-ares': true, c_ares: true, system: true, libc: true, getaddrinfo: true };
const SOCKETS = { __proto__: null, tcp: true, udp: true, 0: true, 1: true, 2: true };
const KEPT_MS = 30_000; // how long a prefetched name counts as cached
const FLAGS = { ADDRCONFIG: 32, ALL: 16, V4MAPPED: 8 };

const expiries = new Map(); // name and port -> expiry
const stats = { cacheHitsCompleted: 0, cacheHitsInflight: 0, cacheMisses: 0, errors: 0, totalCount: 0 };

function checkName(name, who) {
  if (typeof name !== 'string') {
    const error = new codes.ERR_INVALID_ARG_TYPE('hostname', 'string', name);
    error.message = 'hostname must be a string';
    throw error;
  }
  if (name !== '') return;
  const error = new codes.ERR_INVALID_ARG_TYPE('hostname', 'string', name);
  error.message = `Expected hostname to be a non-empty string for '${who}'.`;
  throw error;
}

const invalidOptions = (what) => new Error(`Invalid options passed to lookup(): Invalid${what}`);

/** Returns [{ address, family, ttl }, …]. */
async function find(name, { family = 0, flags = 0 }) {
  try {
    const addresses = await require('node/dns/dns').promises.lookup(name, { all: true, family, hints: flags });
    return ArrayMap(addresses, ({ address, family: kind }) => ({ address, family: kind, ttl: 0 }));
  } catch (error) {
    const { code } = error;
    error.name = 'DNSException';
    error.code = `DNS_${code}`;
    error.message = `getaddrinfo ${code}`;
    delete error.hostname;
    throw error;
  }
}

function lookup(hostname, options) {
  checkName(hostname, 'lookup');
  const { family = 0, backend, socketType, flags = 0 } = options ?? {};
  if (!(family in FAMILIES)) throw invalidOptions('Family');
  if (backend !== undefined && !(backend in BACKENDS)) throw invalidOptions('Backend');
  if (socketType !== undefined && !(socketType in SOCKETS)) throw invalidOptions('SocketType');
  if (typeof flags !== 'number') throw invalidOptions('Flags');
  return find(hostname, { family: FAMILIES[family], flags });
}

/** Looks up a name ahead of its use, so that the system's cache has the result. */
function prefetch(hostname, port) {
  checkName(hostname, 'prefetch');
  if (port !== undefined && typeof port !== 'number') throw new codes.ERR_INVALID_ARG_TYPE('port', 'number', port);
  stats.totalCount++;
  const key = `${hostname}:${port ?? 0}`;
  const until = MapGet(expiries, key);
  if (until !== undefined && until > host.now()) {
    if (until === Infinity) stats.cacheHitsInflight++;
    else stats.cacheHitsCompleted++;
    return;
  }
  stats.cacheMisses++;
  MapSet(expiries, key, Infinity);
  PromiseThen(
    find(hostname, {}),
    () => MapSet(expiries, key, host.now() + KEPT_MS),
    () => {
      MapDelete(expiries, key);
      stats.errors++;
    },
  );
}

function getCacheStats() {
  const { cacheHitsCompleted, cacheHitsInflight, cacheMisses, errors, totalCount } = stats;
  return { cacheHitsCompleted, cacheHitsInflight, cacheMisses, size: expiries.size, errors, totalCount };
}

const dns = { lookup };
const QUESTIONS =
  'resolve resolveSrv resolveTxt resolveSoa resolveNaptr resolveMx resolveCaa resolveNs resolvePtr resolveCname resolveAny getServers setServers reverse lookupService';
for (const name of intact(StringSplit(QUESTIONS, ' '))) {
  // Node's module is loaded with the first query.
  dns[name] = { [name]: (...args) => require('node/dns/dns').promises[name](...intact(args)) }[name];
}
ObjectAssign(dns, { prefetch, getCacheStats }, FLAGS);

module.exports = { dns };
