// @ts-check
'use strict';
// Owns: fetch.preconnect: a connection that is opened before there is a request.

const { RegExpTest } = require('internal/primordials');
const { URL } = require('web/url/class');
const { open } = require('node/fetch/opening');

/** Open a connection to the origin of a URL and keep it idle. */
function preconnect(input) {
  const url = new URL(`${input?.url ?? input}`);
  if (!RegExpTest(/^https?:$/, url.protocol)) throw new TypeError('preconnect URL must be HTTP or HTTPS');
  const proxy = require('node/http/proxy').proxyFor(url);
  open({ url, unix: undefined, proxy, tls: undefined }, (error, connection) => {
    if (!error) connection.keep();
  });
}

module.exports = { preconnect };
