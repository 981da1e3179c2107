// @ts-check
'use strict';
// Owns: properties whose value is made when somebody first reads it. A descriptor shows them as data, as Node's are: a program
// may replace, wrap and restore them like any other.

const READ_WRITE = 0;
const DONT_ENUM = 2;

/** What makes the value of each property, by the number that V8 knows it under. */
const loads = { __proto__: null };
let count = 0;

/** @param {object} object @param {PropertyKey} name @param {() => unknown} load is asked again where it has thrown */
function defineLazily(object, name, load, enumerable = true) {
  loads[count] = load;
  host.native.defineLazyValue(object, name, count++, enumerable ? READ_WRITE : DONT_ENUM);
}

function make(/** @type {number} */ number) {
  const value = loads[number]();
  delete loads[number];
  return value;
}

/** What V8 is told while the snapshot is built is forgotten with it. */
const start = () => host.native.setLazyMaker(make);
start();

module.exports = { defineLazily, start };
