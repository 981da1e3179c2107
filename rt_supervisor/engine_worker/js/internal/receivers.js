// @ts-check
'use strict';
// Owns: the receiver checks of Web classes: a member called on an object that is not an instance throws ERR_INVALID_THIS, as in
// Node, or returns a rejected promise if the member is asynchronous.

const { ArrayIncludes, FunctionCall, ObjectAssign, ReflectApply, intact } = require('internal/primordials');
const { ObjectDefineProperty, ObjectGetOwnPropertyDescriptor, ObjectGetOwnPropertyNames } = require('internal/primordials');
const { PromiseReject } = require('internal/promises');

const { isPrototypeOf } = Object.prototype;

/** The error of members that come from undici in Node. */
const illegalInvocation = () => ObjectAssign(new TypeError('Illegal invocation'), { code: 'ERR_INVALID_THIS' });

/** The error of members of Node's own classes. @param {string} name */
const invalidThis = (name) => () => new (require('internal/errors/errors').codes.ERR_INVALID_THIS)(name);

function guarded(member, prototype, refusal, isPromised) {
  const { guard } = {
    guard(...args) {
      if (FunctionCall(isPrototypeOf, prototype, this)) return ReflectApply(member, this, args);
      if (isPromised) return PromiseReject(refusal());
      throw refusal();
    },
  };
  ObjectDefineProperty(guard, 'name', { __proto__: null, value: member.name, configurable: true });
  ObjectDefineProperty(guard, 'length', { __proto__: null, value: member.length, configurable: true });
  return guard;
}

/**
 * Makes the members of a class reject receivers that are not instances; those in `promised` return promises.
 * @param {Function} Class @param {() => Error} refusal @param {string[]} [promised]
 */
function guardReceivers(Class, refusal, promised = []) {
  const { prototype } = Class;
  for (const name of intact(ObjectGetOwnPropertyNames(prototype))) {
    const property = { __proto__: null, .../** @type {any} */ (ObjectGetOwnPropertyDescriptor(prototype, name)) };
    if (name === 'constructor' || !property.configurable) continue;
    for (const part of intact(['get', 'set', 'value'])) {
      if (typeof property[part] === 'function')
        property[part] = guarded(property[part], prototype, refusal, ArrayIncludes(promised, name));
    }
    ObjectDefineProperty(prototype, name, property);
  }
}

module.exports = { guardReceivers, illegalInvocation, invalidThis };
