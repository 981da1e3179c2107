// @ts-check
'use strict';
// Owns: arrays, maps, sets, their iterators and byte arrays in console output, printed through a Printer
// (internal/inspect/rt.js), whose line estimate decides where an array breaks. The rules, with their oddities, are Bun's.

const {
  ArrayIsArray,
  ArrayJoin,
  MapEntries,
  MapIteratorNext,
  MapSize,
  MathMin,
  ObjectKeys,
  SetIteratorNext,
  SetSize,
  SetValues,
  TypedArrayLength,
  TypedArrayTag,
} = require('internal/primordials');
const { KIND } = require('internal/kinds');
const { FORM } = require('internal/inspect/rt_forms');
const { collectExtras } = require('internal/inspect/rt_properties');

const MOST_ELEMENTS = 100;
const FEWEST_WRAPPED = 10;
const LONGEST_SCAN = 1024;

function tooDeep(printer, name, kind = name) {
  printer.token(kind === 'Object' ? 0 : name.length + 6, `${printer.color.circular}[${name} ...]${printer.color.reset}`);
}

function array(printer, value) {
  const { length } = value;
  if (length === 0) return printer.token(2, '[]');
  if (printer.depth > printer.maxDepth) return tooDeep(printer, 'Array');
  const before = printer.quotesStrings;
  printer.quotesStrings = true;
  printer.indent++;
  printer.depth++;
  printer.line += 2;
  const isBroken = elements(printer, value, length);
  printer.depth--;
  printer.indent--;
  printer.quotesStrings = before;
  if (!printer.isSingleLine && (printer.isSorted || isBroken || printer.isLineFull())) {
    printer.resetLine();
    printer.out += '\n';
    printer.writeIndent();
    printer.out += ']';
    printer.resetLine();
    printer.line += 1;
  } else {
    printer.token(2, ' ]');
  }
}

function elements(printer, array, length) {
  const hasFirst = 0 in array;
  const firstForm = hasFirst ? printer.formOf(array[0]) : FORM.UNDEFINED;
  let isBroken = length > FEWEST_WRAPPED || firstForm > FORM.LAST_PRIMITIVE || printer.isLineFull();
  if (!printer.isSingleLine && (printer.isSorted || isBroken)) {
    printer.resetLine();
    printer.out += '[\n';
    printer.writeIndent();
    printer.line += 1;
  } else {
    printer.token(2, '[ ');
  }
  let hole = hasFirst ? -1 : 0; // the start of the current run of holes
  if (hasFirst) element(printer, array[0], firstForm);
  let count = 1;
  for (let i = 1; i < length; i++) {
    if (!(i in array)) {
      if (hole < 0) hole = i;
      i = nextElement(array, i, length) - 1;
      continue;
    }
    if (count >= MOST_ELEMENTS) {
      printer.comma();
      printer.out += '\n';
      printer.line = 0;
      printer.writeIndent();
      printer.token(16, `${printer.color.dim}... ${length - i} more items${printer.color.reset}`);
      break;
    }
    count++;
    if (hole >= 0) {
      if (hole > 0) isBroken = separator(printer) || isBroken;
      holes(printer, i - hole);
      hole = -1;
    }
    isBroken = separator(printer) || isBroken;
    element(printer, array[i]);
  }
  if (hole >= 0) {
    if (hole > 0) isBroken = separator(printer) || isBroken;
    holes(printer, length - hole);
  }
  if (ArrayIsArray(array)) extraProperties(printer, array);
  return isBroken;
}

/** Returns the next index with an element, or `length`. Long runs of holes are skipped by key instead of by index. */
function nextElement(array, start, length) {
  const limit = MathMin(start + LONGEST_SCAN, length);
  for (let i = start; i < limit; i++) if (i in array) return i;
  if (limit === length) return length;
  const keys = ObjectKeys(array);
  for (let i = 0; i < keys.length; i++) {
    const index = +keys[i];
    if (index >= limit && index < length) return index;
  }
  return length;
}

function separator(printer) {
  printer.comma();
  return printer.breakOrSpace();
}

function holes(printer, count) {
  if (count === 1) return printer.token(10, `${printer.color.dim}empty item${printer.color.reset}`);
  printer.token(`${count}`.length + 14, `${printer.color.dim}${count} x empty items${printer.color.reset}`);
}

function element(printer, value, form = printer.formOf(value)) {
  printer.print(value, form);
  if (form === FORM.STRING || form === FORM.STRING_OBJECT) printer.out += printer.color.reset;
}

function extraProperties(printer, array) {
  // Evaluated even without properties: it ends a full line, so that a long last element does not break the bracket.
  const startsOnNewLine = !printer.isSingleLine && printer.isLineFull();
  const properties = collectExtras(array);
  for (let i = 0; i < properties.length; i++) {
    printer.comma();
    if (!printer.isSingleLine && (startsOnNewLine || printer.isLineFull())) {
      printer.out += '\n';
      printer.writeIndent();
      printer.resetLine();
    } else {
      printer.space();
    }
    printer.property(properties[i]);
  }
}

function map(printer, value) {
  const isWeak = host.inspect.kindOf(value) === KIND.WEAK_MAP;
  const size = isWeak ? 0 : MapSize(value);
  if (size === 0) return printer.token(0, isWeak ? 'WeakMap {}' : 'Map {}');
  if (printer.depth > printer.maxDepth) return tooDeep(printer, 'Map');
  entries(printer, `Map(${size}) {`, () => {
    const iterator = MapEntries(value);
    for (let step = MapIteratorNext(iterator), first = true; !step.done; step = MapIteratorNext(iterator), first = false) {
      startEntry(printer, first);
      printer.print(step.value[0]);
      printer.out += ': ';
      printer.print(step.value[1]);
      endEntry(printer);
    }
  });
}

function set(printer, value) {
  const isWeak = host.inspect.kindOf(value) === KIND.WEAK_SET;
  const size = isWeak ? 0 : SetSize(value);
  if (size === 0) return printer.token(0, isWeak ? 'WeakSet {}' : 'Set {}');
  if (printer.depth > printer.maxDepth) return tooDeep(printer, 'Set');
  entries(printer, `Set(${size}) {`, () => {
    const iterator = SetValues(value);
    for (let step = SetIteratorNext(iterator), first = true; !step.done; step = SetIteratorNext(iterator), first = false) {
      startEntry(printer, first);
      printer.print(step.value);
      endEntry(printer);
    }
  });
}

function entries(printer, head, printAll) {
  const before = printer.quotesStrings;
  printer.quotesStrings = true;
  printer.out += printer.isSingleLine ? `${head} ` : `${head}\n`;
  printer.indent++;
  printer.depth++;
  printAll();
  printer.depth--;
  printer.indent--;
  printer.quotesStrings = before;
  if (printer.isSingleLine) printer.out += ' ';
  else printer.writeIndent();
  printer.out += '}';
}

function startEntry(printer, isFirst) {
  if (!printer.isSingleLine) return printer.writeIndent();
  if (isFirst) return;
  printer.comma();
  printer.out += ' ';
}

function endEntry(printer) {
  if (printer.isSingleLine) return;
  printer.comma();
  printer.out += '\n';
}

function iterator(printer, value) {
  const isMap = host.inspect.kindOf(value) === KIND.MAP_ITERATOR;
  if (printer.depth > printer.maxDepth) return tooDeep(printer, isMap ? 'MapIterator' : 'SetIterator');
  const { 0: entries, 1: isKeyValue } = host.inspect.previewEntries(value);
  const before = printer.quotesStrings;
  printer.quotesStrings = true;
  printer.out += isMap ? 'MapIterator { ' : 'SetIterator { ';
  printer.indent++;
  printer.depth++;
  const step = isKeyValue ? 2 : 1;
  for (let i = 0; i < entries.length; i += step) {
    if (!printer.isSingleLine) {
      printer.out += '\n';
      printer.writeIndent();
    } else if (i > 0) {
      printer.comma();
      printer.out += ' ';
    }
    printer.print(isKeyValue ? [entries[i], entries[i + 1]] : entries[i]);
    if (!printer.isSingleLine) printer.comma();
  }
  printer.depth--;
  printer.indent--;
  printer.quotesStrings = before;
  if (!printer.isSingleLine) {
    if (entries.length > 0) printer.out += '\n';
    printer.writeIndent();
  } else if (entries.length > 0 && isMap) {
    printer.out += ' ';
  }
  printer.out += '}';
}

function bytes(printer, value) {
  const kind = host.inspect.kindOf(value);
  let name;
  let items = value;
  if (kind === KIND.TYPED_ARRAY) {
    name = TypedArrayTag(value);
  } else if (kind === KIND.DATA_VIEW) {
    name = 'DataView';
    items = new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  } else {
    name = kind === KIND.ARRAY_BUFFER ? 'ArrayBuffer' : 'SharedArrayBuffer';
    items = new Uint8Array(value);
  }
  const length = TypedArrayLength(items);
  if (length === 0) {
    printer.out += `${name}(0) []`;
    return;
  }
  const { yellow, reset } = printer.color;
  const suffix = typeof items[0] === 'bigint' ? 'n' : '';
  const parts = [];
  for (let i = 0; i < length; i++) parts[i] = `${yellow}${items[i]}${suffix}${reset}`;
  printer.line += 2 * (length - 1);
  printer.out += `${name}(${length}) [ ${ArrayJoin(parts, `${printer.color.comma} `)} ]`;
}

module.exports = { tooDeep, array, map, set, iterator, bytes };
