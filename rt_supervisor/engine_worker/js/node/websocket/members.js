'use strict';
// Owns: the members of a WebSocket that the console lists.

// prettier-ignore
const MEMBERS = [
  'url', 'readyState', 'bufferedAmount', 'onopen', 'onmessage', 'onerror', 'onclose', 'protocol', 'extensions', 'binaryType',
  'send', 'close', 'ping', 'pong', 'terminate', 'CONNECTING', 'OPEN', 'CLOSING', 'CLOSED',
];

module.exports = { MEMBERS };
