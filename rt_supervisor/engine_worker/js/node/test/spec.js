'use strict';
// Owns: the `spec` reporter: a tree with symbols, then the failures.

const { ArrayJoin, ArrayMap, ArrayPop, ArrayPush, StringRepeat, StringSplit, intact } = require('internal/primordials');
const runtimeParts = require('internal/parts');
const { Transform } = require('node/stream/transform');

const MARKS = {
  __proto__: null,
  pass: '\u2714 ',
  fail: '\u2716 ',
  skip: '\ufe63 ',
  info: '\u2139 ',
  warn: '\u26a0 ',
  parent: '\u25b6 ',
};
const LEVELS = { __proto__: null, info: 'blue', warn: 'yellow', error: 'red' };
const CODES = { __proto__: null, green: 32, red: 31, yellow: 33, blue: 34, gray: 90, white: 39 };

/** Whether the report is coloured: FORCE_COLOR decides, also if the program has set it. */
function hasColors() {
  const { env } = runtimeParts.process.process;
  if (env.FORCE_COLOR === undefined) return Boolean(host.stdoutHasColors?.());
  return require('internal/color_depth').colorDepth(env) > 2;
}

const color = (name) => (hasColors() ? `\u001b[${CODES[name]}m` : '');
const indent = (text, by) =>
  ArrayJoin(
    ArrayMap(StringSplit(text, '\n'), (line) => `${by}${line}`),
    '\n',
  );

function titleOf(data, prefix, mark, paint) {
  const { skip, todo, details, expectFailure } = data;
  const again = details.passed_on_attempt === undefined ? '' : ` (passed on attempt ${details.passed_on_attempt})`;
  const time = ` ${color('gray')}(${details.duration_ms}ms)${again}${color('white')}`;
  const noteFor = (value, usual) => (value === true ? ` # ${usual}` : ` # ${value}`);
  let note = '';
  if (skip) note = noteFor(skip, 'SKIP');
  else if (todo) note = noteFor(todo, 'TODO');
  else if (expectFailure) note = ' # EXPECTED FAILURE';
  return `${prefix}${color(paint)}${mark}${data.name}${time}${note}${color('white')}`;
}

function coverageText({ nesting, summary }) {
  const { coverageReport } = require('node/test/coverage/report');
  const mark = `${StringRepeat('  ', nesting)}${MARKS.info}`;
  const inColor = hasColors() ? { paint: color, base: color('blue') } : {};
  return `${color('blue')}${coverageReport(mark, summary, inColor)}${color('white')}`;
}

/** A failed test with its error. */
function failureText(data, prefix) {
  const { error } = data.details;
  const cause = error?.code === 'ERR_TEST_FAILURE' ? error.cause : error;
  const { inspect } = require('internal/inspect/inspect');
  const text = indent(inspect(cause, { colors: hasColors() }), `${prefix}  `);
  const title = data.todo ? titleOf(data, prefix, MARKS.warn, 'gray') : titleOf(data, prefix, MARKS.fail, 'red');
  return `${title}\n${text}\n`;
}

class SpecReporter extends Transform {
  #open = []; // parents that have started and not ended: { data, isShown }
  #failed = [];

  constructor() {
    super({ writableObjectMode: true });
  }

  #showParents(nesting) {
    let out = '';
    for (const parent of intact(this.#open)) {
      if (parent.isShown || parent.data.nesting >= nesting) continue;
      parent.isShown = true;
      out += `${StringRepeat('  ', parent.data.nesting)}${MARKS.parent}${parent.data.name}\n`;
    }
    return out;
  }

  #handleEnd(type, data) {
    ArrayPop(this.#open);
    const before = this.#showParents(data.nesting);
    const { error } = data.details;
    if (type === 'test:fail' && error?.failureType !== 'subtestsFailed') ArrayPush(this.#failed, data);
    const { 0: mark, 1: paint } = data.skip
      ? [MARKS.skip, 'gray']
      : type === 'test:pass'
        ? [MARKS.pass, 'green']
        : data.todo
          ? [MARKS.warn, 'gray']
          : [MARKS.fail, 'red'];
    return `${before}${titleOf(data, StringRepeat('  ', data.nesting), mark, paint)}\n`;
  }

  _transform({ type, data }, encoding, callback) {
    switch (type) {
      case 'test:start':
        ArrayPush(this.#open, { data, isShown: false });
        return callback();
      case 'test:pass':
      case 'test:fail':
        return callback(null, this.#handleEnd(type, data));
      case 'test:diagnostic':
        return callback(
          null,
          `${StringRepeat('  ', data.nesting)}${color(LEVELS[data.level] ?? 'blue')}${MARKS.info}${data.message}${color('white')}\n`,
        );
      case 'test:summary':
        return callback(null, data.file === undefined ? this.#failures() : '');
      case 'test:watch:restarted':
        return callback(null, `\nRestarted at ${new Date().toLocaleString()}\n`);
      case 'test:interrupted':
        return callback(null, interruptedText(data.tests));
      case 'test:coverage':
        return callback(null, coverageText(data));
      case 'test:stdout':
      case 'test:stderr':
        return callback(null, data.message);
      default:
        return callback();
    }
  }

  _flush(callback) {
    callback(null, this.#failures());
  }

  /** The tests that have failed since the last call. */
  #failures() {
    if (this.#failed.length === 0) return '';
    let out = `\n${color('red')}${MARKS.fail}failing tests:${color('white')}\n`;
    const { relative } = require('node/path/path');
    for (const data of intact(this.#failed)) {
      if (data.line !== undefined) out += `\ntest at ${relative(host.cwd(), data.file)}:${data.line}:${data.column}\n`;
      else out += '\n';
      out += failureText(data, '');
    }
    this.#failed = [];
    return out;
  }
}

/** The tests interrupted by Ctrl-C. */
function interruptedText(tests) {
  const { relative } = require('node/path/path');
  let out = `\n${color('yellow')}Interrupted while running:${color('white')}\n\n`;
  for (const { name, file, line, column } of intact(tests)) {
    const place = file === undefined ? '' : ` ${color('gray')}(${relative(host.cwd(), file)}:${line}:${column})${color('white')}`;
    out += `${color('yellow')}${MARKS.warn}${color('white')}${name}${place}\n`;
  }
  return out;
}

module.exports = { SpecReporter, failureText };
