'use strict';
// Owns: WebSocket connections through a proxy: always a tunnel, as in the peer runtime.

const { StringSlice, intact } = require('internal/primordials');
const { URL } = require('web/url/class');
const { domError } = require('node/websocket/address');
const builtins = require('node/module/builtins');

/** The option `proxy`: an address, or an address and headers for the proxy. Throws for other values. */
function readProxy(proxy) {
  if (proxy === undefined || proxy === null || proxy === '') return undefined;
  const isPlain = typeof proxy === 'object' && !(proxy instanceof URL);
  const address = `${isPlain ? proxy.url : proxy}`;
  if (!URL.canParse(address)) throw domError(`Invalid proxy URL: ${address}`, 'SyntaxError');
  const { protocol } = new URL(address);
  if (protocol !== 'http:' && protocol !== 'https:')
    throw domError(`Unsupported proxy protocol "${StringSlice(protocol, 0, -1)}" (expected "http" or "https")`, 'SyntaxError');
  return { address, headers: isPlain ? proxy.headers : undefined };
}

/** The `createConnection` function for node:http. */
function connecting({ address, headers }, requestOptions, isSecure) {
  const { headersFor, bare } = require('node/http/proxy');
  const { openTunnel } = require('node/http/tunnel');
  const via = new URL(address);
  return (_, done) => {
    const isProxySecure = via.protocol === 'https:';
    const place = { ...requestOptions.tls, host: bare(via.hostname), port: Number(via.port) || (isProxySecure ? 443 : 80) };
    const below = isProxySecure ? builtins.load('tls').connect(place) : builtins.load('net').connect(place);
    let lines = 'Proxy-Connection: keep-alive\r\n';
    for (const { 0: name, 1: value } of intact(headersFor(address, headers))) lines += `${name}: ${value}\r\n`;
    below.once('error', done);
    below.once(isProxySecure ? 'secureConnect' : 'connect', () => {
      below.off('error', done);
      openTunnel(below, { endpoint: requestOptions.endpoint, lines, via: via.host }, (error) => {
        if (error) done(error);
        else if (!isSecure) done(null, below);
        else {
          const servername = builtins.load('net').isIP(requestOptions.host) ? '' : requestOptions.host;
          done(
            null,
            builtins.load('tls').connect({ servername, ...requestOptions.tls, host: requestOptions.host, socket: below }),
          );
        }
      });
    });
  };
}

module.exports = { connecting, readProxy };
