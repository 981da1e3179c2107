// @ts-check
'use strict';
// Owns: where util.inspect breaks lines: many short array entries in columns, a few levels on one line, the rest on separate
// lines. Works on formatted entries; of the values it knows only whether they are numbers.

const {
  StringRepeat,
  StringIncludes,
  StringPadStart,
  StringPadEnd,
  MathMax,
  MathMin,
  MathFloor,
  MathRound,
  MathSqrt,
  ArrayJoin,
} = require('internal/primordials');
const { stringWidth, stripControls } = require('internal/string_width');

const PLAIN = 0; // `key: value` entries
const ELEMENTS = 1; // bare entries
const ELEMENTS_AND_KEYS = 2; // bare entries, then keys

const SEPARATOR_WIDTH = 2;
const CHARACTER_HEIGHT_BIAS = 2.5;
const MOST_COLUMNS = 15;

/** Joins the entries of a long array into the lines of a table if the result looks balanced; otherwise returns them unchanged. */
function groupElements(context, output, value) {
  // The last entry is the "... more items" note and stays on its own line.
  const count = output.length - (context.maxArrayLength < output.length ? 1 : 0);
  const widths = [];
  let total = 0;
  let widest = 0;
  for (let i = 0; i < count; i++) {
    const width = stringWidth(output[i], !context.colors);
    widths[i] = width;
    total += width + SEPARATOR_WIDTH;
    if (width > widest) widest = width;
  }
  const cell = widest + SEPARATOR_WIDTH;
  if (cell * 3 + context.indentationLvl >= context.breakLength || !(total / cell > 5 || widest <= 6)) return output;

  const bias = MathSqrt(cell - total / output.length);
  const biasedWidth = MathMax(cell - 3 - bias, 1);
  const columns = MathMin(
    MathRound(MathSqrt(CHARACTER_HEIGHT_BIAS * biasedWidth * count) / biasedWidth),
    MathFloor((context.breakLength - context.indentationLvl) / cell),
    context.compact * 4,
    MOST_COLUMNS,
  );
  if (columns <= 1) return output;

  const columnWidths = [];
  for (let column = 0; column < columns; column++) {
    let width = 0;
    for (let i = column; i < count; i += columns) if (widths[i] > width) width = widths[i];
    columnWidths[column] = width + SEPARATOR_WIDTH;
  }
  const alignRight = value !== undefined && areAllNumeric(value, output.length);
  const rows = [];
  for (let start = 0; start < count; start += columns) {
    const last = MathMin(start + columns, count) - 1;
    let row = '';
    for (let i = start; i < last; i++) {
      const width = columnWidths[i - start] + output[i].length - widths[i];
      row += alignRight ? StringPadStart(`${output[i]}, `, width, ' ') : StringPadEnd(`${output[i]}, `, width, ' ');
    }
    row += alignRight
      ? StringPadStart(output[last], columnWidths[last - start] + output[last].length - widths[last] - SEPARATOR_WIDTH, ' ')
      : output[last];
    rows[rows.length] = row;
  }
  if (count < output.length) rows[rows.length] = output[count];
  return rows;
}

function areAllNumeric(value, length) {
  for (let i = 0; i < length; i++) if (typeof value[i] !== 'number' && typeof value[i] !== 'bigint') return false;
  return true;
}

function fitsOnOneLine(context, output, start, base) {
  let length = output.length + start;
  if (length + output.length > context.breakLength) return false;
  for (let i = 0; i < output.length; i++) {
    length += context.colors ? stripControls(output[i]).length : output[i].length;
    if (length > context.breakLength) return false;
  }
  return base === '' || !StringIncludes(base, '\n');
}

/** Without a line limit, only a break inside an entry can end the line. */
function hasBreakInEntries(context, output) {
  if (context.breakLength !== Infinity) return false;
  for (let i = 0; i < output.length; i++) if (StringIncludes(output[i], '\n')) return true;
  return false;
}

/**
 * Joins entries with a separator. V8 keeps a concatenation as a tree (a cons string), whereas Array's join would copy each
 * level.
 */
function concatenate(output, separator) {
  let text = '';
  for (let i = 0; i < output.length; i++) text += i === 0 ? output[i] : separator + output[i];
  return text;
}

/**
 * Joins formatted entries between braces. `level` is the depth of the value; context.currentDepth is that of the object
 * formatted last: the value, or one nested in it.
 */
function join(context, output, base, braces, form, level, value) {
  const head = base === '' ? '' : `${base} `;
  if (context.compact !== true) {
    if (typeof context.compact === 'number' && context.compact >= 1) {
      const count = output.length;
      if (form === ELEMENTS_AND_KEYS && count > 6) output = groupElements(context, output, value);
      if (context.currentDepth - level < context.compact && count === output.length) {
        const start = output.length + context.indentationLvl + braces[0].length + base.length + 10;
        if (fitsOnOneLine(context, output, start, base)) {
          const line = ArrayJoin(output, ', ');
          if (!StringIncludes(line, '\n')) return `${head}${braces[0]} ${line} ${braces[1]}`;
        }
      }
    }
    const indentation = `\n${StringRepeat(' ', context.indentationLvl)}`;
    return `${head}${braces[0]}${indentation}  ${concatenate(output, `,${indentation}  `)}${indentation}${braces[1]}`;
  }
  if (fitsOnOneLine(context, output, 0, base) && !hasBreakInEntries(context, output)) {
    return `${braces[0]}${base ? ` ${base}` : ''} ${ArrayJoin(output, ', ')} ${braces[1]}`;
  }
  const indentation = `\n${StringRepeat(' ', context.indentationLvl)}`;
  const opening = base === '' && braces[0].length === 1 ? ' ' : `${base ? ` ${base}` : ''}${indentation}  `;
  return `${braces[0]}${opening}${concatenate(output, `,${indentation}  `)} ${braces[1]}`;
}

module.exports = { PLAIN, ELEMENTS, ELEMENTS_AND_KEYS, join };
