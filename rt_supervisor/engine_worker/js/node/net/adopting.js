// @ts-check
'use strict';
// Owns: how a class with private members is called on an object of somebody else, as `net.Server.call(this)` in the constructor
// of an older subclass does: the object that `adopt` got becomes the instance that the next constructor makes.

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
