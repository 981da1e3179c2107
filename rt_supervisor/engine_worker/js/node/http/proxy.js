'use strict';
// Owns: the choice of a proxy for a request. fetch uses HTTP_PROXY, HTTPS_PROXY and ALL_PROXY by protocol, except for hosts
// in NO_PROXY; an Agent uses its `proxyEnv` option by Node's rules; setGlobalProxyFromEnv replaces the environment of both.
// Tunnels are in node/http/tunnel.

const runtimeParts = require('internal/parts');
const { RegExpSplit } = require('internal/patterns');
const startValues = require('internal/start_values');
const {
  ArrayFlat,
  ArrayIsArray,
  ArrayMap,
  FunctionCall,
  NumberParseInt,
  ObjectAssign,
  RegExpExec,
  RegExpReplace,
  RegExpTest,
  StringEndsWith,
  StringIncludes,
  StringSlice,
  StringSplit,
  StringToLowerCase,
  StringTrim,
  intact,
} = require('internal/primordials');
const { codes } = require('internal/errors/errors');
const { validateObject } = require('internal/validators');

const variable = (env, name) => env[StringToLowerCase(name)] || env[name] || undefined;
const bare = (hostname) => RegExpReplace(/^\[|\]$/g, hostname, '');

// --- fetch

const forFetch = { env: undefined }; // the environment given to setGlobalProxyFromEnv

/** The proxy URL for `url`; undefined for a direct connection. */
function proxyFor(url, env = forFetch.env ?? runtimeParts.process.process.env) {
  const name = url.protocol === 'https:' || url.protocol === 'wss:' ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  const proxy = variable(env, name) ?? variable(env, 'ALL_PROXY');
  if (proxy === undefined || isExempt(url, variable(env, 'NO_PROXY'))) return undefined;
  return StringIncludes(proxy, '://') ? proxy : `http://${proxy}`;
}

function isExempt({ hostname, port, protocol }, list) {
  if (list === undefined) return false;
  const host = StringToLowerCase(bare(hostname));
  const usualPort = protocol === 'https:' || protocol === 'wss:' ? '443' : '80';
  for (const entry of intact(RegExpSplit(/[\s,]+/, list))) {
    if (entry === '*' || (StringIncludes(entry, '/') && isInNetwork(host, entry))) return true;
    const [, name, wantedPort] = intact(RegExpExec(/^\[?([^\]]*?)\]?(?::(\d+))?$/, entry) ?? []);
    if (!name || (wantedPort !== undefined && wantedPort !== (port || usualPort))) continue;
    const suffix = RegExpReplace(/^\*?\./, StringToLowerCase(name), '');
    if (host === suffix || host.endsWith(`.${suffix}`)) return true;
  }
  return false;
}

/** Whether a host is an address in a network such as `10.0.0.0/8`. */
function isInNetwork(host, network) {
  const net = require('node/net/net');
  const [, address, bits] = intact(RegExpExec(/^\[?([^\]/]*)\]?\/(\d+)$/, network) ?? []);
  const family = net.isIP(host);
  if (family === 0 || family !== net.isIP(address ?? '') || Number(bits) > (family === 4 ? 32 : 128)) return false;
  const list = new net.BlockList();
  list.addSubnet(address, Number(bits), `ipv${family}`);
  return list.check(host, `ipv${family}`);
}

/** The headers for a proxy: the program's `own` ones, and unless they include it, the authorization from the proxy URL. */
function headersFor(address, own) {
  const { Headers } = require('web/fetch/headers');
  const headers = new Headers(own ?? undefined);
  const { username, password } = new (require('web/url/class').URL)(address);
  if ((username || password) && !headers.has('proxy-authorization'))
    headers.set('Proxy-Authorization', authorization(username, password));
  return [...intact(headers)];
}

// --- agents

class ProxyConfig {
  constructor(text, list) {
    let url;
    try {
      url = new (require('web/url/class').URL)(text);
    } catch {
      throw new codes.ERR_PROXY_INVALID_CONFIG(`Invalid proxy URL: ${text}`);
    }
    const { username, password, protocol, hostname, port } = url;
    this.protocol = protocol;
    this.href = text; // for errors: without the password
    if (username || password) {
      this.auth = authorization(username, password);
      url.username = url.password = '';
      this.href = url.href;
    }
    this.bypassList = list ? ArrayMap(StringSplit(StringToLowerCase(list), ','), (entry) => StringTrim(entry)) : [];
    this.proxyConnectionOptions = { host: bare(hostname), port: Number(port) || (protocol === 'https:' ? 443 : 80) };
  }

  /** Whether requests to this target use the proxy. */
  serves({ host = 'localhost', port, socketPath }) {
    if (socketPath) return false;
    const name = StringToLowerCase(host);
    const place = port ? `${name}:${port}` : name;
    for (let at = 0; at < this.bypassList.length; at++) {
      const entry = this.bypassList[at];
      if (entry === '*' || entry === name || entry === place) return false;
      if (entry[0] === '.' && (StringEndsWith(name, entry) || name === StringSlice(entry, 1))) return false;
      if (entry[0] === '*' && entry[1] === '.' && StringEndsWith(name, StringSlice(entry, 1))) return false;
      if (isWithin(name, entry)) return false;
    }
    return true;
  }

  /** Connects to the proxy itself. */
  connect() {
    const options = { ...this.proxyConnectionOptions };
    if (this.protocol === 'https:') return require('node/tls/tls').connect(options);
    return require('node/net/net').connect(options);
  }
}

const ADDRESS = /^\d{1,3}(?:\.\d{1,3}){3}$/;
const numberOf = (address) => {
  let number = 0;
  for (let at = 0, parts = StringSplit(address, '.'); at < parts.length; at++)
    number = number * 256 + NumberParseInt(parts[at], 10);
  return number;
};
/** Whether an IPv4 address is in a `first-last` range. */
function isWithin(name, entry) {
  const { 0: first, 1: last, length } = StringSplit(entry, '-');
  if (length !== 2 || !RegExpTest(ADDRESS, name) || !RegExpTest(ADDRESS, first) || !RegExpTest(ADDRESS, last)) return false;
  const number = numberOf(name);
  return number >= numberOf(first) && number <= numberOf(last);
}

function authorization(username, password) {
  const { Buffer } = require('node/buffer/buffer');
  const text = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return `Basic ${FunctionCall(Buffer.prototype.toString, Buffer.from(text), 'base64')}`;
}

/** The proxy that `env` configures for a protocol; null if there is none or it is not HTTP. Throws for an invalid URL. */
function configOf(env, protocol) {
  const text = variable(env, protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY');
  if (!text) return null;
  if (RegExpTest(/[\r\n]/, text)) throw new codes.ERR_PROXY_INVALID_CONFIG(`Invalid proxy URL: ${text}`);
  return RegExpTest(/^https?:\/\//, text) ? new ProxyConfig(text, variable(env, 'NO_PROXY')) : null;
}

/** The value of a header in a flat list or a list of pairs. */
function valueIn(list, name) {
  const flat = ArrayIsArray(list[0]) ? ArrayFlat(list) : list;
  for (let at = 0; at < flat.length; at += 2) if (StringToLowerCase(`${flat[at]}`) === name) return flat[at + 1];
  return undefined;
}

/** The environment that global agents use: the program's own, if enabled. */
function environmentOfAgents() {
  const { env } = runtimeParts.process.process;
  if (!(startValues.usesEnvProxy ?? env.NODE_USE_ENV_PROXY === '1')) return undefined;
  checkProxy(variable(env, 'HTTP_PROXY'));
  checkProxy(variable(env, 'HTTPS_PROXY'));
  return env;
}

/** Rejects an unusable proxy: requests meant for it must not bypass it. */
function checkProxy(text) {
  if (text === undefined) return;
  const { protocol } = new (require('web/url/class').URL)(text);
  if (protocol === 'http:' || protocol === 'https:') return;
  const error = new Error('Invalid URL protocol: the URL must start with `http:` or `https:`.');
  throw ObjectAssign(error, { name: 'InvalidArgumentError', code: 'UND_ERR_INVALID_ARG' });
}

/** Gives fetch and the global agents of node:http and node:https another environment; returns a function that restores it. */
function setGlobalProxy(env) {
  validateObject(env, 'proxyEnv');
  if (!variable(env, 'HTTP_PROXY') && !variable(env, 'HTTPS_PROXY')) return function restore() {};
  checkAddress(variable(env, 'HTTP_PROXY'));
  checkAddress(variable(env, 'HTTPS_PROXY'));
  const http = require('node/http/http');
  const https = require('node/https/https');
  const before = { env: forFetch.env, http: http.globalAgent, https: https.globalAgent };
  const options = { keepAlive: true, scheduling: 'lifo', timeout: 5000, proxyEnv: env };
  if (variable(env, 'HTTP_PROXY')) http.globalAgent = new http.Agent(options);
  if (variable(env, 'HTTPS_PROXY')) https.globalAgent = new https.Agent(options);
  forFetch.env = env;
  return function restore() {
    forFetch.env = before.env;
    http.globalAgent = before.http;
    https.globalAgent = before.https;
  };
}
function checkAddress(text) {
  if (text && !require('web/url/class').URL.canParse(text)) throw new codes.ERR_PROXY_INVALID_CONFIG(text);
}

module.exports = { authorization, bare, configOf, environmentOfAgents, headersFor, proxyFor, setGlobalProxy, valueIn };
