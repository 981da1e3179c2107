// @ts-check
'use strict';
// Owns: console.table's rows, columns and boxes, in two forms: the global console's and the Console class's (Node's).

const { AnyGet } = require('internal/any_kind');
const { mapOf } = require('internal/collections');
const {
  ArrayJoin,
  ArrayMap,
  ArrayPush,
  MapGet,
  MapSet,
  MathMax,
  ObjectHasOwn,
  ObjectKeys,
  StringRepeat,
  intact,
} = require('internal/primordials');
const { stringWidth } = require('internal/string_width');
const { Printer } = require('internal/inspect/rt');
const { KIND } = require('internal/kinds');

const TABLE_DEPTH = 5;

/** The columns found while the rows are read: name -> width, in order of first appearance. */
class Columns {
  constructor(names) {
    this.widths = mapOf(intact(ArrayMap(names, (name) => [name, 1])));
    this.values = 0; // width of the "Values" column, 0 if no row needs it
    this.index = 1;
  }

  fit(name, width) {
    MapSet(this.widths, name, MathMax(MapGet(this.widths, name) ?? 1, width));
  }
}

const isObject = (value) => (typeof value === 'object' && value !== null) || typeof value === 'function';

function* rowsOf(data) {
  if (typeof data[Symbol.iterator] === 'function') {
    let index = 0;
    for (const row of intact(data)) yield [`${index++}`, row];
  } else {
    for (const key of intact(ObjectKeys(data))) yield [key, data[key]];
  }
}

function cellText(value, colors) {
  const printer = new Printer({ depth: TABLE_DEPTH, colors, singleLine: true });
  printer.quotesStrings = typeof value !== 'string';
  printer.print(value);
  return printer.out;
}

/** Formats the table of the global console, with a final newline. `properties` limits and orders the columns. */
function formatTable(data, properties, colors) {
  const isMap = host.inspect.kindOf(data) === KIND.MAP;
  const columns = new Columns(isMap ? ['Key', ...intact(properties ?? [])] : (properties ?? []));
  const rows = [];
  for (const { 0: key, 1: row } of intact(rowsOf(data))) {
    const cells = new Map();
    columns.index = MathMax(columns.index, stringWidth(key));
    let rest;
    if (isMap) {
      MapSet(cells, 'Key', cellText(row[0], colors));
      rest = cellText(row[1], colors);
    } else if (isObject(row)) {
      for (const name of intact(properties ?? ObjectKeys(row))) {
        if (ObjectHasOwn(row, name)) MapSet(cells, name, cellText(row[name], colors));
      }
    } else {
      rest = cellText(row, colors);
    }
    for (const { 0: name, 1: text } of intact(cells)) columns.fit(name, widestLine(text));
    if (rest !== undefined && (isMap || properties === undefined)) columns.values = MathMax(columns.values, widestLine(rest));
    ArrayPush(rows, { key, cells, rest });
  }
  return drawTable(columns, rows, colors);
}

const widestLine = (text) => stringWidth(text);

function drawTable(columns, rows, colors) {
  const heads = ArrayMap([...intact(columns.widths)], ({ 0: name, 1: width }) => ({
    name,
    width: MathMax(width, stringWidth(name)),
  }));
  if (columns.values > 0) ArrayPush(heads, { name: 'Values', width: MathMax(columns.values, 6), isRest: true });
  const rule = (left, middle, right) =>
    `${left}${ArrayJoin(
      ArrayMap([columns.index, ...intact(ArrayMap(heads, (head) => head.width))], (width) => StringRepeat('─', width + 2)),
      middle,
    )}${right}\n`;
  const bold = (text) => (colors ? `\x1b[0m\x1b[1m${text}\x1b[0m` : text);
  const pad = (text, width) => StringRepeat(' ', MathMax(0, width - stringWidth(text)));

  let out = rule('┌', '┬', '┐');
  out += `│ ${bold(' ')}${StringRepeat(' ', columns.index - 1)} `;
  for (const { name, width } of intact(heads)) out += `│ ${bold(name)}${pad(name, width)} `;
  out += `│\n${rule('├', '┼', '┤')}`;
  for (const { key, cells, rest } of intact(rows)) {
    out += `│ ${pad(key, columns.index)}${key} `;
    for (const { name, width, isRest } of intact(heads)) {
      const text = isRest ? rest : AnyGet(cells, name);
      out += text === undefined ? `│${StringRepeat(' ', width + 2)}` : `│ ${text}${pad(text, width)} `;
    }
    out += '│\n';
  }
  return out + rule('└', '┴', '┘');
}

/** Formats Node's table: a header and columns of printed cells, left-aligned. */
function drawColumns(head, columns) {
  const widths = ArrayMap(
    head,
    (name, i) => MathMax(stringWidth(name), ...intact(ArrayMap(columns[i], (cell) => stringWidth(cell ?? '')))) + 2,
  );
  const row = (cells) =>
    `│${ArrayJoin(
      ArrayMap(cells, (cell, i) => ` ${cell}${StringRepeat(' ', widths[i] - stringWidth(cell) - 1)}`),
      '│',
    )}│\n`;
  const rule = (left, middle, right) =>
    `${left}${ArrayJoin(
      ArrayMap(widths, (width) => StringRepeat('─', width)),
      middle,
    )}${right}`;
  let out = `${rule('┌', '┬', '┐')}\n${row(head)}${rule('├', '┼', '┤')}\n`;
  const length = MathMax(0, ...intact(ArrayMap(columns, (column) => column.length)));
  for (let i = 0; i < length; i++) out += row(ArrayMap(columns, (column) => column[i] ?? ''));
  return out + rule('└', '┴', '┘');
}

module.exports = { formatTable, drawColumns, rowsOf, isObject };
