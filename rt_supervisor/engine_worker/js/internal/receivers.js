// @ts-check
'use strict';
// Owns: the receiver checks of Web classes: a member called on an object that is not an instance throws ERR_INVALID_THIS, as in
// Node, or returns a rejected promise if the member is asynchronous.

const { ArrayIncludes, FunctionCall, ObjectAssign, ReflectApply, intact } = require('internal/primordials');
const {
  ObjectDefineProperty,
  ObjectGetOwnPropertyDescriptor,
  ObjectGetOwnPropertyNames,
  ObjectGetPrototypeOf,
} = require('internal/primordials');
const { PromiseReject } = require('internal/promises');
const { KIND } = require('internal/kinds');

const { isPrototypeOf } = Object.prototype;

/** The error of members that come from undici in Node. */
const illegalInvocation = () => ObjectAssign(new TypeError('Illegal invocation'), { code: 'ERR_INVALID_THIS' });

/** The error of members of Node's own classes. @param {string} name */
const invalidThis = (name) => () => new (require('internal/errors/errors').codes.ERR_INVALID_THIS)(name);

/**
 * Returns the instance that `value` stands for: itself, the target of a proxy, or the prototype of an object that inherits from
 * one. Node's classes keep their state under symbols, which all of these reach. Without an instance, returns `value`.
 * @param {any} value @param {(value: object) => boolean} isInstance
 */
function instanceBehind(value, isInstance) {
  for (let each = value; typeof each === 'object' && each !== null;) {
    if (isInstance(each)) return each;
    each = host.inspect.kindOf(each) === KIND.PROXY ? host.inspect.proxyDetails(each)[0] : ObjectGetPrototypeOf(each);
  }
  return value;
}

function guarded(member, prototype, refusal, isPromised, isInstance) {
  const { guard } = {
    guard(...args) {
      if (isInstance !== undefined && !isInstance(this)) {
        const instance = instanceBehind(this, isInstance);
        if (instance !== this) return ReflectApply(member, instance, args);
      } else if (FunctionCall(isPrototypeOf, prototype, this)) return ReflectApply(member, this, args);
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
 * With `isInstance`, objects that stand for an instance are receivers, too.
 * @param {Function} Class @param {() => Error} refusal @param {string[]} [promised] @param {(value: any) => boolean} [isInstance]
 */
function guardReceivers(Class, refusal, promised = [], isInstance = undefined) {
  const { prototype } = Class;
  for (const name of intact(ObjectGetOwnPropertyNames(prototype))) {
    const property = { __proto__: null, .../** @type {any} */ (ObjectGetOwnPropertyDescriptor(prototype, name)) };
    if (name === 'constructor' || !property.configurable) continue;
    for (const part of intact(['get', 'set', 'value'])) {
      if (typeof property[part] === 'function')
        property[part] = guarded(property[part], prototype, refusal, ArrayIncludes(promised, name), isInstance);
    }
    ObjectDefineProperty(prototype, name, property);
  }
}

module.exports = { guardReceivers, instanceBehind, illegalInvocation, invalidThis };
