// @ts-check
'use strict';
// Owns: the `socket` of a session: a proxy without anything that could write between the session's frames.

const { setOf } = require('internal/collections');
const { FunctionBind, ObjectGetPrototypeOf, SetHas } = require('internal/primordials');
const { http2Error } = require('node/http2/errors');

const FORBIDDEN = setOf(['end', 'pause', 'read', 'resume', 'write', 'setEncoding', 'setKeepAlive', 'setNoDelay']);
const OF_SESSION = setOf(['setTimeout', 'ref', 'unref']);

/** `socketOf` returns the session's socket while it has one. */
function socketFace(session, socketOf) {
  return new Proxy(socketOf() ?? {}, {
    get(socket, name) {
      if (name === 'destroy' || name === 'emit') return FunctionBind(session[name], session);
      if (SetHas(FORBIDDEN, name)) throw http2Error('ERR_HTTP2_NO_SOCKET_MANIPULATION');
      if (socketOf() === undefined) throw http2Error('ERR_HTTP2_SOCKET_UNBOUND');
      const value = SetHas(OF_SESSION, name) ? session[name] : socket[name];
      if (typeof value !== 'function') return value;
      return FunctionBind(value, SetHas(OF_SESSION, name) ? session : socket);
    },
    set(socket, name, value) {
      if (SetHas(FORBIDDEN, name)) throw http2Error('ERR_HTTP2_NO_SOCKET_MANIPULATION');
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
