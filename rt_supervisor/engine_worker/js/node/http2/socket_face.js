'use strict';
// Owns: what a program sees of a session's socket: all of it but what would put bytes between the session's frames.

const { ObjectGetPrototypeOf } = require('internal/primordials');
const { http2Error } = require('node/http2/errors');

const FORBIDDEN = new Set(['end', 'pause', 'read', 'resume', 'write', 'setEncoding', 'setKeepAlive', 'setNoDelay']);
const OF_SESSION = new Set(['setTimeout', 'ref', 'unref']);

/** `socketOf` gives the session's socket while it has one. */
function socketFace(session, socketOf) {
  return new Proxy(socketOf() ?? {}, {
    get(socket, name) {
      if (name === 'destroy' || name === 'emit') return session[name].bind(session);
      if (FORBIDDEN.has(name)) throw http2Error('ERR_HTTP2_NO_SOCKET_MANIPULATION');
      if (socketOf() === undefined) throw http2Error('ERR_HTTP2_SOCKET_UNBOUND');
      const value = OF_SESSION.has(name) ? session[name] : socket[name];
      if (typeof value !== 'function') return value;
      return value.bind(OF_SESSION.has(name) ? session : socket);
    },
    set(socket, name, value) {
      if (FORBIDDEN.has(name)) throw http2Error('ERR_HTTP2_NO_SOCKET_MANIPULATION');
      if (socketOf() === undefined) throw http2Error('ERR_HTTP2_SOCKET_UNBOUND');
      socket[name] = value;
      return true;
    },
    getPrototypeOf(socket) {
      if (socketOf() === undefined) throw http2Error('ERR_HTTP2_SOCKET_UNBOUND');
      return ObjectGetPrototypeOf(socket);
    },
  });
}

module.exports = { socketFace };
