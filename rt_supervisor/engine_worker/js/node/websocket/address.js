// @ts-check
'use strict';
// Owns: validation of WebSocket URLs.

const { URL } = require('web/url/class');

const domError = (message, name) => new (require('internal/dom_exception').DOMException)(message, name);

function checkUrl(text) {
  let url;
  try {
    url = new URL(`${text}`);
  } catch {
    throw domError(`Invalid URL: ${text}`, 'SyntaxError');
  }
  if (url.protocol === 'http:') url.protocol = 'ws:';
  else if (url.protocol === 'https:') url.protocol = 'wss:';
  if (url.protocol !== 'ws:' && url.protocol !== 'wss:')
    throw domError(`Expected a ws: or wss: protocol, got ${url.protocol}`, 'SyntaxError');
  if (url.hash !== '') throw domError('Got fragment', 'SyntaxError');
  return url;
}

module.exports = { checkUrl, domError };
