// @ts-check
'use strict';
// Owns: running statements: binding positional and named values, and calling the native module.

const {
  ArrayBufferIsView,
  ArrayConcat,
  ArrayFill,
  ArrayPush,
  MapGet,
  MapHas,
  MapSet,
  ObjectGetPrototypeOf,
  ObjectKeys,
  ObjectPrototype,
  ReflectApply,
  StringSlice,
  StringStartsWith,
} = require('internal/primordials');
const { invalidState } = require('node/sqlite/errors');

let doubles;

/**
 * The changes of the last native run: [rows changed by its last modifying statement, last inserted row ID, rows including
 * triggers].
 */
function outcomes() {
  if (doubles === undefined) {
    doubles = new Float64Array(3);
    host.native.sqlite_outcome(doubles);
  }
  return doubles;
}

/** `run(number, isPlaced, ...values)`. */
function call(run, number, isPlaced, values) {
  switch (values.length) {
    case 0:
      return run(number, isPlaced);
    case 1:
      return run(number, isPlaced, values[0]);
    case 2:
      return run(number, isPlaced, values[0], values[1]);
    case 3:
      return run(number, isPlaced, values[0], values[1], values[2]);
    case 4:
      return run(number, isPlaced, values[0], values[1], values[2], values[3]);
    default:
      return ReflectApply(run, undefined, ArrayConcat([number, isPlaced], values));
  }
}

/** Whether the first value is an object of named parameters: any that is not a buffer. */
function isNamed(values) {
  const first = values[0];
  if (typeof first === 'function') return true;
  if (typeof first !== 'object' || first === null || ArrayBufferIsView(first)) return false;
  const prototype = ObjectGetPrototypeOf(first);
  if (prototype === ObjectPrototype || prototype === null) return true;
  const kind = host.native.kindOf(first);
  return kind !== 'array-buffer' && kind !== 'shared-array-buffer';
}

/** The parameters of a statement: positions by full and by bare name, and the nameless ones. */
function parameters(number) {
  const names = host.native.sqlite_parameters(number);
  const places = new Map();
  const bare = new Map();
  const nameless = [];
  let conflict;
  for (let index = 0; index < names.length; index++) {
    const name = names[index];
    if (name === null || StringStartsWith(name, '?')) ArrayPush(nameless, index);
    if (name === null) continue;
    MapSet(places, name, index);
    const short = StringSlice(name, 1);
    const other = MapGet(bare, short);
    if (other === undefined) MapSet(bare, short, name);
    else if (other !== name) {
      conflict ??= `Cannot create bare named parameter '${short}' because of ` + `conflicting names '${other}' and '${name}'.`;
    }
  }
  return { __proto__: null, count: names.length, places, bare, nameless, conflict };
}

/** The values in parameter order, from an object of named values and the positional ones after it. */
function orderValues(names, values, allowsBare, allowsUnknown) {
  const result = ArrayFill(new Array(names.count), null);
  if (allowsBare && names.conflict !== undefined) throw invalidState(names.conflict);
  const first = values[0];
  const keys = ObjectKeys(first);
  for (let index = 0; index < keys.length; index++) {
    const key = keys[index];
    let place = MapGet(names.places, key);
    if (place === undefined && allowsBare && MapHas(names.bare, key)) place = MapGet(names.places, MapGet(names.bare, key));
    if (place !== undefined) result[place] = first[key];
    else if (!allowsUnknown) throw invalidState(`Unknown named parameter '${key}'`);
  }
  for (let index = 1; index < values.length; index++) {
    const place = names.nameless[index - 1] ?? names.count + index; // one too many: SQLite reports it
    while (result.length < place) ArrayPush(result, null);
    result[place] = values[index];
  }
  return result;
}

module.exports = { outcomes, call, isNamed, parameters, orderValues };
