// @ts-check
'use strict';
// Owns: the forms of console output, and which kind of object takes which.

const { ObjectDefineProperty } = require('internal/primordials');
const { KIND } = require('internal/kinds');

/** The form of a value; it decides how arrays open and which values can be part of a circular reference. */
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
 * The name of a method that classes of the runtime have if their console form differs from their util.inspect form:
 * value[consoleForm](printer), usually `printer.record('Name', { … })`.
 */
const consoleForm = Symbol('rt.console.form');

/**
 * A prototype of the runtime has a list { own, names } under this name if the console shows its instances' members in a
 * specific order, accessors with their values. `own` precede the object's own properties; a subclass repeats them in its list.
 */
const consoleShape = Symbol('rt.console.shape');

/** Gives the instances of the class with this prototype such a list. */
function shapeForConsole(prototype, names, own = []) {
  ObjectDefineProperty(prototype, consoleShape, { __proto__: null, value: { own, names } });
}

module.exports = { FORM, KIND_FORMS, consoleForm, consoleShape, shapeForConsole };
