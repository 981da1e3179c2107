'use strict';
// Owns: the initial headers of a request: those from its options, Host and Authorization, and those for a proxy.

const { ArrayIsArray, ObjectKeys, RegExpTest, StringIncludes, StringIndexOf, intact } = require('internal/primordials');
const { kOutHeaders } = require('node/http/outgoing_symbols');
const { codes } = require('internal/errors/errors');
const { Buffer } = require('node/buffer/buffer');

function setHeaders(request, options, { setHost, hostName, port, defaultPort, proxy }) {
  const isArray = ArrayIsArray(options.headers);
  if (!isArray) {
    if (options.headers) for (const key of intact(ObjectKeys(options.headers))) request.setHeader(key, options.headers[key]);
    if (hostName && !request.getHeader('host') && setHost) {
      let host = hostName;
      // An IPv6 address is put in brackets.
      const first = StringIndexOf(host, ':');
      if (first !== -1 && host.includes(':', first + 1) && host[0] !== '[') host = `[${host}]`;
      if (port && +port !== defaultPort) host += `:${port}`;
      request.setHeader('Host', host);
    }
  }
  if (options.auth && !request.getHeader('Authorization')) {
    request.setHeader('Authorization', `Basic ${Buffer.from(options.auth).toString('base64')}`);
  }
  let list = options.headers;
  if (proxy !== undefined) list = askProxy(request, proxy, isArray ? list : undefined, hostName, port);
  if (isArray || request.getHeader('expect')) {
    if (request._header) throw new codes.ERR_HTTP_HEADERS_SENT('render');
    const headers = isArray ? list : request[kOutHeaders];
    request._storeHeader(`${request.method} ${request.path} HTTP/1.1\r\n`, headers);
  }
}

/**
 * Gives a request to a proxy the full URL and the authorization; returns `list` with the latter if the headers are a list.
 */
function askProxy(request, proxy, list, hostName, port) {
  const host = StringIncludes(hostName, ':') && hostName[0] !== '[' ? `[${hostName}]` : hostName;
  const authority = Number(port) === 80 ? host : `${host}:${port}`;
  const hostHeader = list === undefined ? request.getHeader('host') : require('node/http/proxy').valueIn(list, 'host');
  if (hostHeader !== undefined && hostHeader !== authority)
    throw new codes.ERR_INVALID_ARG_VALUE(
      'Host in options.headers',
      hostHeader,
      `must match the request authority (${authority})`,
    );
  if (RegExpTest(/^\//, request.path)) request.path = `http://${authority}${request.path}`;
  if (list !== undefined) {
    if (proxy.auth === undefined) return list;
    return ArrayIsArray(list[0])
      ? [...intact(list), ['proxy-authorization', proxy.auth]]
      : [...intact(list), 'proxy-authorization', proxy.auth];
  }
  request.setHeader('proxy-connection', request.shouldKeepAlive ? 'keep-alive' : 'close');
  if (proxy.auth !== undefined) request.setHeader('proxy-authorization', proxy.auth);
  return undefined;
}

module.exports = { setHeaders };
