// @ts-check
'use strict';
// Owns: the client handshake for `rt/ws/socket`, over a request of node:http or node:https, whose options it accepts.

const { setOf } = require('internal/collections');
const { ArrayIncludes, ArrayJoin, RegExpReplace, RegExpTest, StringToLowerCase, intact } = require('internal/primordials');
const builtins = require('node/module/builtins');

const MAGIC = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const SCHEMES = { '__proto__': null, 'ws:': 'http', 'http:': 'http', 'wss:': 'https', 'https:': 'https' };
const OWN = ['origin', 'protocolVersion', 'perMessageDeflate', 'handshakeTimeout', 'maxPayload', 'autoPong', 'headers'];

const acceptOf = (key) =>
  builtins
    .load('crypto')
    .createHash('sha1')
    .update(key + MAGIC)
    .digest('base64');

/** Returns { url, request }; calls `opened`, `unexpected` or `failed`. */
function connect(address, protocols, options, on) {
  const { URL } = require('web/url/class');
  let url;
  try {
    url = address instanceof URL ? address : new URL(`${address}`);
  } catch {
    throw new SyntaxError(`Invalid URL: ${address}`);
  }
  const scheme = SCHEMES[url.protocol];
  if (scheme === undefined)
    throw new SyntaxError('The URL\'s protocol must be one of "ws:", "wss:", "http:", "https:", or "ws+unix:"');
  if (url.hash) throw new SyntaxError('The URL contains a fragment identifier');
  for (const name of intact(protocols)) {
    if (typeof name !== 'string' || !RegExpTest(TOKEN, name))
      throw new SyntaxError('An invalid or duplicated subprotocol was specified');
  }
  if (setOf(protocols).size !== protocols.length) throw new SyntaxError('An invalid or duplicated subprotocol was specified');
  const rest = { ...options };
  for (const name of intact(OWN)) delete rest[name];
  const key = builtins.load('crypto').randomBytes(16).toString('base64');
  const isSqueezed = options.perMessageDeflate ?? true;
  const request = builtins
    .load(scheme)
    .request({
      host: RegExpReplace(/^\[|\]$/g, url.hostname, ''),
      port: url.port || (scheme === 'https' ? 443 : 80),
      path: `${url.pathname}${url.search}`,
      ...(url.username ? { auth: `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}` } : {}),
      agent: false,
      timeout: options.handshakeTimeout,
      ...rest,
      headers: {
        ...options.headers,
        'Sec-WebSocket-Version': `${options.protocolVersion ?? 13}`,
        'Sec-WebSocket-Key': key,
        'Connection': 'Upgrade',
        'Upgrade': 'websocket',
        ...(isSqueezed
          ? { 'Sec-WebSocket-Extensions': 'permessage-deflate; client_no_context_takeover; server_no_context_takeover' }
          : {}),
        ...(protocols.length > 0 ? { 'Sec-WebSocket-Protocol': ArrayJoin(protocols, ',') } : {}),
        ...(options.origin ? { Origin: options.origin } : {}),
      },
    });
  request.on('timeout', () => request.destroy(new Error('Opening handshake has timed out')));
  request.on('error', (error) => on.failed(error));
  request.on('response', (response) => on.unexpected(response));
  request.on('upgrade', (response, socket, head) => {
    const problem = problemOf(response.headers, key, protocols, isSqueezed);
    if (problem !== undefined) {
      socket.destroy();
      on.failed(new Error(problem));
      return;
    }
    const extensions = response.headers['sec-websocket-extensions'];
    on.opened(response, socket, head, {
      protocol: response.headers['sec-websocket-protocol'] ?? '',
      extensions: extensions === undefined ? '' : 'permessage-deflate',
      squeezing: extensions === undefined ? undefined : require('node/websocket/deflate').createCodec(),
      ...(options.maxPayload === undefined ? {} : { maxPayload: options.maxPayload }),
    });
  });
  request.end();
  return { url: RegExpReplace(/^http/, url.href, 'ws'), request };
}

/** Returns why the server's response is not a valid handshake, if so. */
function problemOf(headers, key, protocols, isSqueezed) {
  const protocol = headers['sec-websocket-protocol'];
  if ((headers.upgrade == null ? undefined : StringToLowerCase(headers.upgrade)) !== 'websocket') return 'Invalid Upgrade header';
  if (headers['sec-websocket-accept'] !== acceptOf(key)) return 'Invalid Sec-WebSocket-Accept header';
  if (protocol !== undefined && protocols.length === 0) return 'Server sent a subprotocol but none was requested';
  if (protocol !== undefined && !ArrayIncludes(protocols, protocol)) return 'Server sent an invalid subprotocol';
  if (protocol === undefined && protocols.length > 0) return 'Server sent no subprotocol';
  if (headers['sec-websocket-extensions'] !== undefined && !isSqueezed)
    return 'Server sent a Sec-WebSocket-Extensions header but no extension was requested';
  return undefined;
}

module.exports = { connect, acceptOf };
