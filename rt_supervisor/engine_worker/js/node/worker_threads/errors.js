// @ts-check
'use strict';
// Owns: errors sent from a worker to its parent: instances of standard classes keep their class, message, stack, cause and
// own properties; any other thrown value is cloned, or sent as its inspected text.

const {
  ArrayIncludes,
  ArrayIsArray,
  ArrayMap,
  ObjectAssign,
  ObjectCreate,
  ObjectDefineProperty,
  ObjectGetPrototypeOf,
  ObjectHasOwn,
  ObjectIsEnumerable,
  ObjectKeys,
  ObjectSetPrototypeOf,
  intact,
} = require('internal/primordials');
const STANDARD = {
  __proto__: null,
  Error,
  TypeError,
  RangeError,
  SyntaxError,
  ReferenceError,
  EvalError,
  URIError,
  AggregateError,
};

const isError = (value) => host.native.kindOf(value) === 'error' || value instanceof Error;

function tryClone(value) {
  try {
    host.native.structuredClone(value);
    return true;
  } catch {
    return false;
  }
}

const APART = ['stack', 'message', 'cause', 'errors'];

/** Encodes `error` for a message. */
function packError(error, depth = 0) {
  if (!isError(error)) return tryClone(error) ? { value: error } : { shown: require('internal/inspect/inspect').inspect(error) };
  const own = {};
  let stack;
  let message = '';
  try {
    message = `${error.message}`;
    stack = error.stack;
    for (const key of intact(ObjectKeys(error))) {
      if (!ArrayIncludes(APART, key) && tryClone(error[key])) own[key] = error[key];
    }
  } catch {
    // a getter threw: keeps the properties so far
  }
  const result = {
    error: className(error),
    name: nameOf(error),
    message,
    stack: stack === undefined ? undefined : `${stack}`,
    own,
  };
  if (depth < 8 && ObjectHasOwn(error, 'cause')) {
    result.cause = packError(error.cause, depth + 1);
    result.showsCause = ObjectIsEnumerable(error, 'cause');
  }
  if (ArrayIsArray(error.errors)) result.errors = ArrayMap(error.errors, (each) => packError(each, depth + 1));
  return result;
}

function nameOf(error) {
  try {
    return `${error.name}`;
  } catch {
    return 'Error';
  }
}

function className(error) {
  for (let prototype = ObjectGetPrototypeOf(error); prototype !== null; prototype = ObjectGetPrototypeOf(prototype)) {
    const name = ObjectHasOwn(prototype, 'constructor') ? prototype.constructor?.name : undefined;
    if (name in STANDARD && prototype === STANDARD[name].prototype) return name;
  }
  return 'Error';
}

/** Decodes an error from a message. */
function unpackError(wire) {
  if ('value' in wire) return wire.value;
  if ('shown' in wire) return wire.shown;
  const error = ObjectCreate(STANDARD[wire.error].prototype, {});
  const copy = new STANDARD[wire.error === 'AggregateError' ? 'Error' : wire.error](wire.message);
  if (wire.error === 'AggregateError') ObjectSetPrototypeOf(copy, ObjectGetPrototypeOf(error));
  const hidden = (key, value) =>
    ObjectDefineProperty(copy, key, { __proto__: null, value, writable: true, enumerable: false, configurable: true });
  hidden('stack', wire.stack);
  if (wire.name !== copy.name && !(wire.name in STANDARD)) hidden('name', wire.name);
  if (wire.cause !== undefined) {
    hidden('cause', unpackError(wire.cause));
    if (wire.showsCause) ObjectDefineProperty(copy, 'cause', { __proto__: null, enumerable: true });
  }
  if (wire.errors !== undefined) hidden('errors', ArrayMap(wire.errors, unpackError));
  return ObjectAssign(copy, wire.own);
}

module.exports = { packError, unpackError };
