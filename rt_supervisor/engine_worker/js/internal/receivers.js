// @ts-check
'use strict';
// Owns: what members of a class of the Web answer to an object that is no instance, as Node's do: a TypeError with
// ERR_INVALID_THIS, as a rejection where the member gives a promise.

const { ArrayIncludes, FunctionCall, ObjectAssign, ReflectApply, intact } = require('internal/primordials');
const { ObjectDefineProperty, ObjectGetOwnPropertyDescriptor, ObjectGetOwnPropertyNames } = require('internal/primordials');
const { PromiseReject } = require('internal/promises');

const { isPrototypeOf } = Object.prototype;

/** What members that are undici's in Node say. */
const illegalInvocation = () => ObjectAssign(new TypeError('Illegal invocation'), { code: 'ERR_INVALID_THIS' });

/** What members of Node's own classes say. @param {string} name */
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
 * Have the members of a class refuse what is no instance of it; those in `promised` give promises.
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
