'use strict';
// Owns: what a program that listens to requests sees as the socket of one: the stream's own events and ends, the rest of the
// session's socket, and nothing that would put bytes between frames.

const { ObjectGetPrototypeOf, ReflectHas } = require('internal/primordials');
const { http2Error } = require('node/http2/errors');

const OF_STREAM = new Set(['on', 'once', 'end', 'emit', 'destroy', 'writable', 'readable', 'destroyed']);
const FORBIDDEN = new Set(['write', 'read', 'pause', 'resume']);

const belowOf = (stream) => (stream.session === undefined ? stream : stream.session.socket);

const handler = {
  __proto__: null,
  has(stream, name) {
    return ReflectHas(stream.session === undefined ? stream : stream.session.socket, name) || ReflectHas(stream, name);
  },
  get(stream, name) {
    if (FORBIDDEN.has(name)) throw http2Error('ERR_HTTP2_NO_SOCKET_MANIPULATION');
    const owner = OF_STREAM.has(name) ? stream : name === 'setTimeout' ? (stream.session ?? stream) : belowOf(stream);
    const value = owner[name];
    return typeof value === 'function' ? value.bind(owner) : value;
  },
  getPrototypeOf(stream) {
    return ObjectGetPrototypeOf(stream.session === undefined ? stream : stream.session.socket);
  },
  set(stream, name, value) {
    if (FORBIDDEN.has(name)) throw http2Error('ERR_HTTP2_NO_SOCKET_MANIPULATION');
    if (OF_STREAM.has(name)) {
      // Some are getters of the class: a program that sets them sees what it has set.
      Object.defineProperty(stream, name, { __proto__: null, value, writable: true, configurable: true, enumerable: false });
    } else if (name === 'setTimeout') (stream.session ?? stream)[name] = value;
    else belowOf(stream)[name] = value;
    return true;
  },
};

const sockets = new WeakMap();
function compatSocket(stream) {
  let socket = sockets.get(stream);
  if (socket === undefined) sockets.set(stream, (socket = new Proxy(stream, handler)));
  return socket;
}

module.exports = { compatSocket };
