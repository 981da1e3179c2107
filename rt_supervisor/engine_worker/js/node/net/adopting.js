// @ts-check
'use strict';
// Owns: construction of a class with private members on an existing object, as `net.Server.call(this)` in the constructor of
// a legacy subclass requires: the object passed to `adopt` becomes the instance of the next constructor call.

const { FunctionCall, ObjectSetPrototypeOf, ReflectConstruct } = require('internal/primordials');
const EventEmitter = require('node/events/events');

let adopted;

function Adopting() {
  if (adopted === undefined) return ReflectConstruct(EventEmitter, [], new.target);
  const object = adopted;
  adopted = undefined;
  FunctionCall(EventEmitter, object);
  return object;
}
Adopting.prototype = EventEmitter.prototype;
ObjectSetPrototypeOf(Adopting, EventEmitter);

module.exports = {
  Adopting,
  adopt(object) {
    adopted = object;
  },
};
