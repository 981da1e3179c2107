// @ts-check
'use strict';
// Owns: the opening handshake of a WebSocket client: the request, and validation of the response.

const { setOf } = require('internal/collections');
const {
  ArrayEvery,
  ArrayIncludes,
  ArrayJoin,
  ArrayMap,
  MapHas,
  MapValues,
  ObjectKeys,
  RegExpReplace,
  RegExpTest,
  StringToLowerCase,
  StringTrim,
  intact,
} = require('internal/primordials');
const startValues = require('internal/start_values');
const { domError } = require('node/websocket/address');
const builtins = require('node/module/builtins');

const MAGIC = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const UPGRADES = /(?:^|,)\s*upgrade\s*(?:,|$)/i;

/** The subprotocol names in the constructor's argument. */
function protocolsIn(protocols) {
  const names =
    protocols === undefined || protocols === null
      ? []
      : typeof protocols === 'string'
        ? [protocols]
        : ArrayMap([...intact(protocols)], String);
  if (
    setOf(ArrayMap(names, (name) => StringToLowerCase(name))).size !== names.length ||
    !ArrayEvery(names, (name) => RegExpTest(TOKEN, name))
  ) {
    throw domError('Invalid Sec-WebSocket-Protocol value', 'SyntaxError');
  }
  return names;
}

/** `ask` starts the request for a WebSocket to `url`; the response is validated with `key`. */
function requestFor(url, protocols, { headers, tls, proxy, perMessageDeflate = true }) {
  const isSecure = url.protocol === 'wss:';
  const key = builtins.load('crypto').randomBytes(16).toString('base64');
  const { Headers, listOf } = require('web/fetch/headers');
  const fields = listOf(new Headers(headers ?? {})); // lower-case name -> { name, value }
  const { http, https } = { http: require('node/http/http'), https: isSecure ? builtins.load('https') : undefined };
  const hasSqueezing = perMessageDeflate && require('node/websocket/deflate').isZlibThere();
  /** @type {any} */
  const requestOptions = {
    host: RegExpReplace(/^\[|\]$/g, url.hostname, ''),
    port: url.port || (isSecure ? 443 : 80),
    path: `${url.pathname}${url.search}`,
    agent: false,
    ...(typeof tls === 'object' ? tls : {}),
    headers: {
      Host: url.host,
      Connection: 'Upgrade',
      Upgrade: 'websocket',
      'Sec-WebSocket-Version': '13',
      'Sec-WebSocket-Key': key,
      ...(protocols.length > 0 ? { 'Sec-WebSocket-Protocol': ArrayJoin(protocols, ', ') } : {}),
      ...(hasSqueezing
        ? { 'Sec-WebSocket-Extensions': 'permessage-deflate; client_no_context_takeover; server_no_context_takeover' }
        : {}),
      'User-Agent': startValues.userAgent,
      ...(url.username
        ? {
            Authorization: `Basic ${require('internal/base64').btoa(`${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`)}`,
          }
        : {}),
    },
  };
  for (const name of intact(ObjectKeys(requestOptions.headers)))
    if (MapHas(fields, StringToLowerCase(name))) delete requestOptions.headers[name];
  for (const { name, value } of intact(MapValues(fields))) requestOptions.headers[name] = value;
  if (proxy) {
    const { connecting } = require('node/websocket/proxy');
    const place = {
      host: requestOptions.host,
      endpoint: `${url.hostname}:${requestOptions.port}`,
      tls: typeof tls === 'object' ? tls : {},
    };
    requestOptions.agent = undefined;
    requestOptions.createConnection = connecting(proxy, place, isSecure);
  }
  return { ask: () => (isSecure ? https : http).request(requestOptions), key };
}

/** Returns the problem with a 101 response, or undefined if it is valid. */
function problemIn(headers, key, protocols) {
  const accept = builtins
    .load('crypto')
    .createHash('sha1')
    .update(key + MAGIC)
    .digest('base64');
  const protocol = headers['sec-websocket-protocol'];
  const extensions = headers['sec-websocket-extensions'];
  if (StringToLowerCase(headers.upgrade ?? '') !== 'websocket') return 'Invalid Upgrade header';
  if (!RegExpTest(UPGRADES, headers.connection ?? '')) return 'Invalid Connection header';
  if (headers['sec-websocket-accept'] !== accept) return 'Invalid Sec-WebSocket-Accept header';
  if (protocol !== undefined && !ArrayIncludes(protocols, protocol)) return 'Server sent a subprotocol that was not asked for';
  if (
    extensions !== undefined &&
    !RegExpTest(
      /^permessage-deflate(?:\s*;\s*(?:client_no_context_takeover|server_no_context_takeover|client_max_window_bits(?:=\d+)?|server_max_window_bits=\d+))*$/,
      StringTrim(extensions),
    )
  )
    return 'Server sent an extension that was not asked for';
  return undefined;
}

module.exports = { problemIn, protocolsIn, requestFor };
