// @ts-check
'use strict';
// Owns: the `socket` of a compatibility request: the stream's events and end, the other properties of the session's socket,
// and nothing that could write between frames.

const { setOf } = require('internal/collections');
const {
  FunctionBind,
  ObjectDefineProperty,
  ObjectGetPrototypeOf,
  ReflectHas,
  SetHas,
  WeakMapGet,
  WeakMapSet,
} = require('internal/primordials');
const { http2Error } = require('node/http2/errors');

const OF_STREAM = setOf(['on', 'once', 'end', 'emit', 'destroy', 'writable', 'readable', 'destroyed']);
const FORBIDDEN = setOf(['write', 'read', 'pause', 'resume']);

const belowOf = (stream) => (stream.session === undefined ? stream : stream.session.socket);

const handler = {
  __proto__: null,
  has(stream, name) {
    return ReflectHas(stream.session === undefined ? stream : stream.session.socket, name) || ReflectHas(stream, name);
  },
  get(stream, name) {
    if (SetHas(FORBIDDEN, name)) throw http2Error('ERR_HTTP2_NO_SOCKET_MANIPULATION');
    const owner = SetHas(OF_STREAM, name) ? stream : name === 'setTimeout' ? (stream.session ?? stream) : belowOf(stream);
    const value = owner[name];
    return typeof value === 'function' ? FunctionBind(value, owner) : value;
  },
  getPrototypeOf(stream) {
    return ObjectGetPrototypeOf(stream.session === undefined ? stream : stream.session.socket);
  },
  set(stream, name, value) {
    if (SetHas(FORBIDDEN, name)) throw http2Error('ERR_HTTP2_NO_SOCKET_MANIPULATION');
    if (SetHas(OF_STREAM, name)) {
      // Some are getters of the class: a program that sets them sees the value it set.
      ObjectDefineProperty(stream, name, { __proto__: null, value, writable: true, configurable: true, enumerable: false });
    } else if (name === 'setTimeout') (stream.session ?? stream)[name] = value;
    else belowOf(stream)[name] = value;
    return true;
  },
};

const sockets = new WeakMap();
function compatSocket(stream) {
  let socket = WeakMapGet(sockets, stream);
  if (socket === undefined) WeakMapSet(sockets, stream, (socket = new Proxy(stream, handler)));
  return socket;
}

module.exports = { compatSocket };
