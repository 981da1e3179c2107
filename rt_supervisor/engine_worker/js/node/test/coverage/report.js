'use strict';
// Owns: the coverage table of `spec` and `tap`: a row per directory and file, as wide as the terminal allows.

const { isMap } = require('internal/brands');
const runtimeParts = require('internal/parts');
const {
  ArrayFilter,
  ArrayJoin,
  ArrayMap,
  ArrayPush,
  ArrayReduce,
  MapEntries,
  MapGet,
  MapHas,
  MapSet,
  MathMax,
  MathMin,
  NumberToFixed,
  StringPadEnd,
  StringPadStart,
  StringRepeat,
  StringSlice,
  StringSplit,
  intact,
} = require('internal/primordials');

const COLUMNS = ['line %', 'branch %', 'funcs %'];
const PERCENTS = ['coveredLinePercent', 'coveredBranchPercent', 'coveredFunctionPercent'];
const BETWEEN = ' | ';
const UNCOVERED = 'uncovered lines';
const MANY = 90;
const SOME = 50;

/** Uncovered lines, as `4-5 9`. */
function uncoveredLines({ lines }) {
  const ranges = [];
  const numbers = ArrayMap(
    ArrayFilter(lines, ({ count }) => count === 0),
    ({ line }) => line,
  );
  for (let index = 0; index < numbers.length; index++) {
    const begin = numbers[index];
    while (numbers[index + 1] === numbers[index] + 1) index++;
    ArrayPush(ranges, begin === numbers[index] ? `${begin}` : `${begin}-${numbers[index]}`);
  }
  return ArrayJoin(ranges, ' ');
}

/** `[{ depth, name, file }]`: directories precede their contents. */
function rowsOf({ files, workingDirectory }) {
  const { relative } = require('node/path/path');
  const top = new Map();
  for (let index = 0; index < files.length; index++) {
    let folder = top;
    const parts = StringSplit(relative(workingDirectory, files[index].path), '/');
    for (let depth = 0; depth < parts.length - 1; depth++) {
      if (!MapHas(folder, parts[depth])) MapSet(folder, parts[depth], new Map());
      folder = MapGet(folder, parts[depth]);
    }
    MapSet(folder, parts[parts.length - 1], files[index]);
  }
  const rows = [];
  const walk = (folder, depth) => {
    for (const entry of intact(MapEntries(folder))) {
      const isFile = !isMap(entry[1]);
      ArrayPush(rows, { depth, name: entry[0], file: isFile ? entry[1] : undefined });
      if (!isFile) walk(entry[1], depth + 1);
    }
  };
  walk(top, 0);
  return rows;
}

const cutAtStart = (text, width) => (text.length > width ? `…${StringSlice(text, text.length - width + 1)}` : text);
const cutAtEnd = (text, width) => (text.length > width ? `${StringSlice(text, 0, width - 1)}…` : text);
const widest = (texts, least) => ArrayReduce(texts, (most, text) => MathMax(most, text.length), least);

/**
 * The report as text, each line preceded by `mark`. `paint` returns the escape codes of a colour by name and enables
 * colours; `base` is the default colour.
 */
function coverageReport(mark, summary, { paint, base } = {}) {
  const rows = rowsOf(summary);
  const uncovered = ArrayMap(rows, ({ file }) => (file === undefined ? '' : uncoveredLines(file)));
  const columnsWidth = ArrayReduce(COLUMNS, (sum, column) => sum + column.length + BETWEEN.length, 0);
  const deepest = ArrayReduce(rows, (most, { depth }) => MathMax(most, depth), 0);
  const longest = ArrayReduce(rows, (most, { name }) => MathMax(most, name.length), 0);
  let nameWidth = MathMax(longest + deepest, 'all files'.length) + (paint === undefined ? 0 : 2);
  let uncoveredWidth = widest(uncovered, UNCOVERED.length);
  const tableWidth = () => nameWidth + 2 + columnsWidth + uncoveredWidth + 2;
  const available = (runtimeParts.process.process.stdout.columns || Infinity) - mark.length;
  let width = tableWidth();
  if (width > available) {
    nameWidth = MathMin(nameWidth, available / 2);
    uncoveredWidth = MathMax(1, available - (tableWidth() - uncoveredWidth));
    width = available;
  }
  const painted = (text, color) => (paint === undefined || color === undefined ? text : `${paint(color)}${text}${base}`);
  const colorOf = (percent) => (percent > MANY ? 'green' : percent > SOME ? 'yellow' : 'red');
  const row = (name, cells, last, colors) => {
    const columns = ArrayMap(COLUMNS, (column, index) =>
      painted(StringPadStart(cells[index], column.length), colors?.[index] ?? 'red'),
    );
    return `${mark}${name}${BETWEEN}${ArrayJoin(columns, BETWEEN)}${BETWEEN}${cutAtEnd(last, uncoveredWidth)}\n`;
  };
  const numbersRow = (name, numbers, last) => {
    const percents = ArrayMap(PERCENTS, (key) => numbers[key]);
    return row(
      name,
      ArrayMap(percents, (percent) => NumberToFixed(percent, 2)),
      last,
      ArrayMap(percents, colorOf),
    );
  };
  const rule = `${mark}${StringRepeat('-', width)}\n`;
  let out = `${mark}start of coverage report\n${rule}`;
  out += `${row(StringPadEnd('file', nameWidth), COLUMNS, UNCOVERED)}${rule}`;
  for (let index = 0; index < rows.length; index++) {
    const { depth, name, file } = rows[index];
    const indent = StringRepeat(' ', depth);
    const cell = StringPadEnd(cutAtStart(name, nameWidth - depth), nameWidth - depth);
    if (file === undefined) out += row(`${indent}${cell}`, ['', '', ''], '');
    else out += numbersRow(`${indent}${painted(cell, colorOf(file.coveredLinePercent))}`, file, uncovered[index]);
  }
  out += `${rule}${numbersRow(StringPadEnd('all files', nameWidth), summary.totals, '')}${rule}`;
  return `${out}${mark}end of coverage report\n`;
}

module.exports = { coverageReport };
