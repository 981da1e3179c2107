'use strict';
// Owns: which proxy a place is asked through: HTTP_PROXY, HTTPS_PROXY and ALL_PROXY by the protocol, less what NO_PROXY names.

const { StringToLowerCase } = require('internal/primordials');
const { codes } = require('internal/errors/errors');

const variable = (env, name) => env[StringToLowerCase(name)] || env[name] || undefined;

/** The proxy's address for `url`, undefined where there is none to use. */
function proxyFor(url, env = process.env) {
  const name = url.protocol === 'https:' || url.protocol === 'wss:' ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  const proxy = variable(env, name) ?? variable(env, 'ALL_PROXY');
  if (proxy === undefined || isExempt(url, variable(env, 'NO_PROXY'))) return undefined;
  return proxy.includes('://') ? proxy : `http://${proxy}`;
}

function isExempt({ hostname, port, protocol }, list) {
  if (list === undefined) return false;
  const host = hostname.replace(/^\[|\]$/g, '').toLowerCase();
  const usualPort = protocol === 'https:' || protocol === 'wss:' ? '443' : '80';
  for (const entry of list.split(/[\s,]+/)) {
    if (entry === '*') return true;
    const [, name, wantedPort] = /^\[?([^\]]*?)\]?(?::(\d+))?$/.exec(entry) ?? [];
    if (!name || (wantedPort !== undefined && wantedPort !== (port || usualPort))) continue;
    const wanted = name.toLowerCase().replace(/^\*?\./, '');
    if (host === wanted || host.endsWith(`.${wanted}`)) return true;
  }
  return false;
}

function setGlobalProxy() {
  throw new codes.ERR_METHOD_NOT_IMPLEMENTED('http.setGlobalProxyFromEnv()');
}

module.exports = { proxyFor, setGlobalProxy };
