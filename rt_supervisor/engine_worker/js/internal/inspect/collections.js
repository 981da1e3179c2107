// @ts-check
'use strict';
// Owns: the entries of arrays, typed arrays, maps, sets, their iterators and weak forms, buffers, promises and module
// namespaces, each as an array of formatted strings. Longer collections are cut at context.maxArrayLength, with a note of how
// many entries remain.

const {
  ArraySort,
  MapEntries,
  MapIteratorNext,
  MapSize,
  MathMax,
  MathMin,
  NumberToString,
  ObjectAssign,
  ObjectHasOwn,
  ObjectKeys,
  RegExpExec,
  RegExpReplace,
  SetIteratorNext,
  SetSize,
  SetValues,
  StringLastIndexOf,
  StringSlice,
} = require('internal/primordials');
const text = require('internal/inspect/text');
const { PLAIN, ELEMENTS, ELEMENTS_AND_KEYS, join } = require('internal/inspect/layout');

const LARGEST_INDEX = 2 ** 32 - 2;
const INDEX = /^(0|[1-9][0-9]*)$/;

// A circular dependency: functions of both modules are looked up at the call.
const values = require('internal/inspect/value');
const properties = require('internal/inspect/property');
const formatValue = (context, value, level, insideTypedArray) => values.formatValue(context, value, level, insideTypedArray);
const property = (context, object, level, key, form, descriptor) =>
  properties.property(context, object, level, key, form, descriptor);

const moreItems = (count) => `... ${count} more item${count > 1 ? 's' : ''}`;
const shownCount = (context, length) => MathMin(MathMax(0, context.maxArrayLength), length);

function arrayElements(context, array, level) {
  const { length } = array;
  const count = shownCount(context, length);
  const output = [];
  for (let i = 0; i < count; i++) {
    if (!ObjectHasOwn(array, i)) return sparseElements(context, array, level, count, output, i);
    output[i] = property(context, array, level, i, ELEMENTS);
  }
  if (length > count) output[output.length] = moreItems(length - count);
  return output;
}

/** Formats from the first hole on: a run of holes counts as one entry. */
function sparseElements(context, array, level, count, output, index) {
  const keys = ObjectKeys(array);
  for (let i = index; i < keys.length && output.length < count; i++) {
    const key = keys[i];
    if (+key > LARGEST_INDEX) break;
    if (`${index}` !== key) {
      if (RegExpExec(INDEX, key) === null) break;
      const holes = +key - index;
      output[output.length] = context.stylize(`<${holes} empty item${holes > 1 ? 's' : ''}>`, 'undefined');
      index = +key;
      if (output.length === count) break;
    }
    output[output.length] = property(context, array, level, key, ELEMENTS);
    index++;
  }
  const rest = array.length - index;
  if (rest <= 0) return output;
  if (output.length !== count) {
    output[output.length] = context.stylize(`<${rest} empty item${rest > 1 ? 's' : ''}>`, 'undefined');
  } else {
    output[output.length] = moreItems(rest);
  }
  return output;
}

/** `array` gives access to the elements even if the `value` has lost its prototype. */
function typedArrayElements(context, value, array, length, level) {
  const count = shownCount(context, length);
  const output = [];
  const format = length > 0 && typeof array[0] === 'bigint' ? text.bigint : text.number;
  for (let i = 0; i < count; i++) output[i] = format(context.stylize, array[i], context.numericSeparator);
  if (length > count) output[count] = moreItems(length - count);
  if (context.showHidden) {
    context.indentationLvl += 2;
    for (
      let index = 0, list = ['BYTES_PER_ELEMENT', 'length', 'byteLength', 'byteOffset', 'buffer'];
      index < list.length;
      index++
    ) {
      const key = list[index];
      output[output.length] = `${context.stylize(`[${key}]`, 'string')}: ${formatValue(context, value[key], level, true)}`;
    }
    context.indentationLvl -= 2;
  }
  return output;
}

function setValues(context, set, level) {
  const values = [];
  const iterator = SetValues(set);
  for (let step = SetIteratorNext(iterator); !step.done; step = SetIteratorNext(iterator)) values[values.length] = step.value;
  return listEntries(context, values, level);
}

function listEntries(context, values, level) {
  const count = shownCount(context, values.length);
  const output = [];
  context.indentationLvl += 2;
  for (let i = 0; i < count; i++) output[i] = formatValue(context, values[i], level);
  context.indentationLvl -= 2;
  return output;
}

function withRest(output, length) {
  if (length > output.length) output[output.length] = moreItems(length - output.length);
  return output;
}

function mapEntries(context, map, level) {
  const length = MapSize(map);
  const count = shownCount(context, length);
  const output = [];
  context.indentationLvl += 2;
  const iterator = MapEntries(map);
  for (let i = 0; i < count; i++) {
    const { value, done } = MapIteratorNext(iterator);
    if (done) break;
    output[i] = `${formatValue(context, value[0], level)} => ${formatValue(context, value[1], level)}`;
  }
  context.indentationLvl -= 2;
  return withRest(output, length);
}

/** Returns the entries of a map or set iterator without advancing it. */
const iteratorEntries = (braces) => (context, iterator, level) => {
  const { 0: entries, 1: isKeyValue } = host.inspect.previewEntries(iterator);
  if (!isKeyValue) return withRest(listEntries(context, entries, level), entries.length);
  braces[0] = RegExpReplace(/ Iterator\] \{$/, braces[0], ' Entries] {');
  const length = entries.length / 2;
  const count = shownCount(context, length);
  const output = [];
  context.indentationLvl += 2;
  for (let i = 0; i < count; i++) {
    const pair = [formatValue(context, entries[2 * i], level), formatValue(context, entries[2 * i + 1], level)];
    output[i] = join(context, pair, '', ['[', ']'], ELEMENTS_AND_KEYS, level);
  }
  context.indentationLvl -= 2;
  return withRest(output, length);
};

const unknownItems = (context) => [context.stylize('<items unknown>', 'special')];

// The order of weak collections depends on the garbage collector; sorting makes the output deterministic.
function weakSetValues(context, set, level) {
  const { 0: entries } = host.inspect.previewEntries(set);
  const output = listEntries(context, entries, level);
  return withRest(context.sorted ? output : ArraySort(output), entries.length);
}

function weakMapEntries(context, map, level) {
  const { 0: entries } = host.inspect.previewEntries(map);
  const length = entries.length / 2;
  const count = shownCount(context, length);
  const output = [];
  context.indentationLvl += 2;
  for (let i = 0; i < count; i++) {
    output[i] = `${formatValue(context, entries[2 * i], level)} => ${formatValue(context, entries[2 * i + 1], level)}`;
  }
  context.indentationLvl -= 2;
  return withRest(context.sorted ? output : ArraySort(output), length);
}

const hidden = (context, name, value, level) => {
  context.indentationLvl += 2;
  const printed = formatValue(context, value, level);
  context.indentationLvl -= 2;
  return `${context.stylize(`[${name}]`, 'string')}: ${printed}`;
};

function bufferContents(context, buffer, level) {
  const length = hidden(context, 'byteLength', buffer.byteLength, level);
  let bytes;
  try {
    bytes = new Uint8Array(buffer);
  } catch {
    return [context.stylize('(detached)', 'special'), length];
  }
  const count = shownCount(context, bytes.length);
  let hex = '';
  for (let i = 0; i < count; i++) hex += `${i ? ' ' : ''}${bytes[i] < 16 ? '0' : ''}${NumberToString(bytes[i], 16)}`;
  const rest = bytes.length - count;
  if (rest > 0) hex += ` ... ${rest} more byte${rest > 1 ? 's' : ''}`;
  return [`${context.stylize('[Uint8Contents]', 'special')}: <${hex}>`, length];
}

const dataViewContents = (context, view, level) => [
  hidden(context, 'byteLength', view.byteLength, level),
  hidden(context, 'byteOffset', view.byteOffset, level),
  hidden(context, 'buffer', view.buffer, level),
];

function promiseState(context, promise, level) {
  const { 0: state, 1: result } = host.inspect.promiseState(promise);
  if (state === 0) return [context.stylize('<pending>', 'special')];
  context.indentationLvl += 2;
  const printed = formatValue(context, result, level);
  context.indentationLvl -= 2;
  return [state === 2 ? `${context.stylize('<rejected>', 'special')} ${printed}` : printed];
}

/** Formats the bindings of a module namespace. A binding in its temporal dead zone has no readable value. */
const moduleBindings = (keys) => (context, namespace, level) => {
  const output = [];
  for (let i = 0; i < keys.length; i++) {
    try {
      output[i] = property(context, namespace, level, keys[i], PLAIN);
    } catch (error) {
      if (!(error instanceof ReferenceError)) throw error;
      const line = property(context, { [keys[i]]: '' }, level, keys[i], PLAIN);
      output[i] = `${StringSlice(line, 0, StringLastIndexOf(line, ' ') + 1)}${context.stylize('<uninitialized>', 'special')}`;
    }
  }
  return output;
};

ObjectAssign(exports, {
  arrayElements,
  typedArrayElements,
  mapEntries,
  iteratorEntries,
  unknownItems,
  weakSetValues,
  weakMapEntries,
  bufferContents,
  dataViewContents,
  promiseState,
  moduleBindings,
  setValues: (context, set, level) => withRest(setValues(context, set, level), SetSize(set)),
});
