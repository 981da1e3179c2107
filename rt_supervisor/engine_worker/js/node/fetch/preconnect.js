// @ts-check
'use strict';
// Owns: connections that are opened before anything is asked.

const { RegExpTest } = require('internal/primordials');
const { URL } = require('web/url/class');
const { open } = require('node/fetch/opening');

/** Connect before it is needed. */
function preconnect(input) {
  const url = new URL(`${input?.url ?? input}`);
  if (!RegExpTest(/^https?:$/, url.protocol)) throw new TypeError('preconnect URL must be HTTP or HTTPS');
  const proxy = require('node/http/proxy').proxyFor(url);
  open({ url, unix: undefined, proxy, tls: undefined }, (error, connection) => {
    if (!error) connection.keep();
  });
}

module.exports = { preconnect };
