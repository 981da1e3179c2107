// @ts-check
'use strict';
// Owns: fetch.preconnect: opens a connection before there is a request.

const { RegExpTest } = require('internal/primordials');
const { URL } = require('web/url/class');
const { openAhead } = require('node/fetch/opening');

/** Opens a connection to the origin of a URL and keeps it idle, or passes it to a request made meanwhile. */
function preconnect(input) {
  const url = new URL(`${input?.url ?? input}`);
  if (!RegExpTest(/^https?:$/, url.protocol)) throw new TypeError('preconnect URL must be HTTP or HTTPS');
  if (url.port === '0') throw new TypeError('preconnect URL must have a port that can be connected to');
  openAhead({ url, unix: undefined, proxy: require('node/http/proxy').proxyFor(url), tls: undefined });
}

module.exports = { preconnect };
