// @ts-check
'use strict';
// Owns: objects under util.inspect: tags, the depth limit, circular reference marks and sorting. internal/inspect/shapes
// chooses the form of each kind of object.

exports.formatObject = formatObject;

const {
  ArraySlice,
  ArraySort,
  MapGet,
  ObjectHasOwn,
  ObjectIsEnumerable,
  ReflectHas,
  StringSlice,
} = require('internal/primordials');
const { PLAIN, join } = require('internal/inspect/layout');
const { constructorName, prefix } = require('internal/inspect/names');
const { property } = require('internal/inspect/property');
const shapes = /** @type {any} */ (require('internal/inspect/shapes')); // a circular dependency

const LARGEST_OUTPUT = 2 ** 27;

function formatObject(context, value, level, insideTypedArray) {
  let inherited;
  if (context.showHidden && (level <= context.depth || context.depth === null)) inherited = [];
  const constructor = constructorName(value, context, level, inherited);
  if (inherited !== undefined && inherited.length === 0) inherited = undefined;

  let tag = '';
  try {
    tag = value[Symbol.toStringTag];
  } catch {
    // The getter throws: no tag.
  }
  // A tag that is listed among the keys is not shown twice.
  if (
    typeof tag !== 'string' ||
    (tag !== '' && (context.showHidden ? ObjectHasOwn : ObjectIsEnumerable)(value, Symbol.toStringTag))
  )
    tag = '';

  const shape = new shapes.Shape(context, value, constructor, tag, level);
  shape.inherited = inherited;
  const kind = host.inspect.kindOf(value);
  if (!(isIterable(value, constructor) && shapes.shapeIterable(shape, kind))) shapes.shapeOther(shape, kind, insideTypedArray);
  if (shape.done !== undefined) return shape.done;

  if (level > context.depth && context.depth !== null) {
    const name = StringSlice(prefix(constructor, tag, shapes.className(value, constructor, tag)), 0, -1);
    return context.stylize(constructor === null ? name : `[${name}]`, 'special');
  }
  return printShape(shape, level + 1);
}

const isIterable = (value, constructor) => constructor === null || ReflectHas(value, Symbol.iterator);

function printShape(shape, level) {
  const { context, value, keys, braces } = shape;
  context.seen[context.seen.length] = value;
  context.currentDepth = level;
  const depthOfIndentation = context.indentationLvl;
  let output;
  try {
    output = shape.entries(context, value, level);
    for (let i = 0; i < keys.length; i++) output[output.length] = property(context, value, level, keys[i], shape.form);
    if (shape.inherited !== undefined)
      for (let i = 0; i < shape.inherited.length; i++) output[output.length] = shape.inherited[i];
  } catch (error) {
    if (!isStackOverflow(error)) throw error;
    context.seen.length--;
    context.indentationLvl = depthOfIndentation;
    const name = StringSlice(prefix(shape.constructor_, shape.tag, 'Object'), 0, -1);
    return context.stylize(`[${name}: Inspection interrupted prematurely. Maximum call stack size exceeded.]`, 'special');
  }
  if (context.circular !== undefined) {
    const index = MapGet(context.circular, value);
    if (index !== undefined) {
      const mark = context.stylize(`<ref *${index}>`, 'special');
      if (context.compact !== true) shape.base = shape.base === '' ? mark : `${mark} ${shape.base}`;
      else braces[0] = `${mark} ${braces[0]}`;
    }
  }
  context.seen.length--;
  if (context.sorted) sortOutput(context, output, shape);

  const text = join(context, output, shape.base, braces, shape.form, level, value);
  const budget = (context.budget[context.indentationLvl] || 0) + text.length;
  context.budget[context.indentationLvl] = budget;
  // Beyond this size, remaining nested values are cut, so that an over-long string does not end the process.
  if (budget > LARGEST_OUTPUT) context.depth = -1;
  return text;
}

const isStackOverflow = (error) => {
  try {
    return error instanceof RangeError && error.message === 'Maximum call stack size exceeded';
  } catch {
    return false;
  }
};

function sortOutput(context, output, shape) {
  const comparator = context.sorted === true ? undefined : context.sorted;
  if (shape.form === PLAIN) {
    ArraySort(output, comparator);
  } else if (shape.keys.length > 1) {
    const start = output.length - shape.keys.length;
    const sorted = ArraySort(ArraySlice(output, start), comparator);
    for (let i = 0; i < sorted.length; i++) output[start + i] = sorted[i];
  }
}
