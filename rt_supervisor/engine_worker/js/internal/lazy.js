// @ts-check
'use strict';
// Owns: properties whose values are created on first access. Their descriptors are data descriptors, as Node's are: a program
// may replace, wrap and restore them like any other.

const READ_WRITE = 0;
const DONT_ENUM = 2;

/** The function that creates each property's value, by the property's number in V8. */
const loads = { __proto__: null };
let count = 0;

/** @param {object} object @param {PropertyKey} name @param {() => unknown} load is called again if it has thrown */
function defineLazily(object, name, load, enumerable = true) {
  loads[count] = load;
  host.native.defineLazyValue(object, name, count++, enumerable ? READ_WRITE : DONT_ENUM);
}

function make(/** @type {number} */ number) {
  const value = loads[number]();
  delete loads[number];
  return value;
}

/** V8 does not keep this setting in the snapshot. */
const start = () => host.native.setLazyMaker(make);
start();

module.exports = { defineLazily, start };
