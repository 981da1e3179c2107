'use strict';
// Owns: RT.inspect(value, options): console output as a string, with strings quoted.

const { ArrayIsArray, ArrayMap, MathMin, NumberIsInteger, SymbolFor } = require('internal/primordials');
const { Printer, UNLIMITED_DEPTH } = require('internal/inspect/rt');

const DEFAULT_DEPTH = 8;

/** Options: colors, depth (null and Infinity: no limit), sorted (keys in order), compact (one line). */
function inspect(value, options) {
  const settings = { depth: DEFAULT_DEPTH, colors: false, sorted: false, singleLine: false };
  if (options !== null && typeof options === 'object') {
    if (options.depth !== undefined) settings.depth = depthOption(options.depth);
    if (options.colors !== undefined) settings.colors = Boolean(options.colors);
    if (options.sorted !== undefined) settings.sorted = Boolean(options.sorted);
    if (options.compact !== undefined) settings.singleLine = Boolean(options.compact);
  }
  const printer = new Printer(settings);
  printer.quotesStrings = true;
  printer.print(value);
  return printer.out;
}

function depthOption(depth) {
  if (depth === null || depth === Infinity || typeof depth !== 'number') return UNLIMITED_DEPTH;
  if (!NumberIsInteger(depth)) throw new TypeError(`expected depth to be an integer, got ${depth}`);
  if (depth < 0) throw new RangeError(`expected depth to be greater than or equal to 0, got ${depth}`);
  return MathMin(depth, UNLIMITED_DEPTH);
}

/** Returns the table that console.table prints; `properties` limits and orders its columns. Options: colors. */
inspect.table = function table(data, properties, options) {
  const { formatTable, isObject } = require('web/console/table');
  if (!isObject(data)) return '';
  const isList = ArrayIsArray(properties);
  const colors = Boolean((isList ? options : (properties ?? options))?.colors);
  return formatTable(data, isList ? ArrayMap(properties, String) : undefined, colors);
};

inspect.custom = SymbolFor('nodejs.util.inspect.custom');

module.exports = { inspect };
