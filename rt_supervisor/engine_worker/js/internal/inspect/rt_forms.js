// @ts-check
'use strict';
// Owns: the forms console output knows, and which kind of object takes which.

const { ObjectDefineProperty } = require('internal/primordials');
const { KIND } = require('internal/kinds');

/** What a value prints as; decides how arrays open and which values can be part of a circular reference. */
const FORM = {
  __proto__: null,
  STRING: 1,
  UNDEFINED: 2,
  NUMBER: 3,
  NULL: 4,
  BOOLEAN: 5,
  SYMBOL: 6,
  BIGINT: 7,
  REGEXP: 8,
  STRING_OBJECT: 9,
  NUMBER_OBJECT: 10,
  BOOLEAN_OBJECT: 11,
  LAST_PRIMITIVE: 11,
  CUSTOM: 12,
  ARRAY: 13,
  OBJECT: 14,
  FUNCTION: 15,
  CLASS: 16,
  ERROR: 17,
  BYTES: 18,
  MAP: 19,
  SET: 20,
  ITERATOR: 21,
  PROMISE: 22,
  DATE: 23,
  PROXY: 24,
  GLOBAL: 25,
  ELEMENT: 26,
  OWN: 27,
  GENERATOR: 28,
};

const KIND_FORMS = {
  __proto__: null,
  [KIND.ARRAY]: FORM.ARRAY,
  [KIND.ARGUMENTS]: FORM.ARRAY,
  [KIND.DATE]: FORM.DATE,
  [KIND.REGEXP]: FORM.REGEXP,
  [KIND.ERROR]: FORM.ERROR,
  [KIND.PROMISE]: FORM.PROMISE,
  [KIND.PROXY]: FORM.PROXY,
  [KIND.MAP]: FORM.MAP,
  [KIND.WEAK_MAP]: FORM.MAP,
  [KIND.SET]: FORM.SET,
  [KIND.WEAK_SET]: FORM.SET,
  [KIND.GENERATOR]: FORM.GENERATOR,
  [KIND.MAP_ITERATOR]: FORM.ITERATOR,
  [KIND.SET_ITERATOR]: FORM.ITERATOR,
  [KIND.ARRAY_BUFFER]: FORM.BYTES,
  [KIND.SHARED_ARRAY_BUFFER]: FORM.BYTES,
  [KIND.TYPED_ARRAY]: FORM.BYTES,
  [KIND.DATA_VIEW]: FORM.BYTES,
  [KIND.NUMBER_OBJECT]: FORM.NUMBER_OBJECT,
  [KIND.STRING_OBJECT]: FORM.STRING_OBJECT,
  [KIND.BOOLEAN_OBJECT]: FORM.BOOLEAN_OBJECT,
};

/**
 * A class of the runtime whose console form is not its util.inspect form has a method of this name:
 * value[consoleForm](printer), most often `printer.record('Name', { … })`.
 */
const consoleForm = Symbol('rt.console.form');

/**
 * A prototype of the runtime has a list { own, names } under this name if the console shows its instances' members in an
 * order of its own, accessors with their values. `own` come before the object's own properties; the list of a subclass
 * repeats them.
 */
const consoleShape = Symbol('rt.console.shape');

/** Gives instances of the class with this prototype such a list. */
function shapeForConsole(prototype, names, own = []) {
  ObjectDefineProperty(prototype, consoleShape, { __proto__: null, value: { own, names } });
}

module.exports = { FORM, KIND_FORMS, consoleForm, consoleShape, shapeForConsole };
