'use strict';
// Owns: the `tap` reporter: TAP version 13, with the details of each test as YAML.

const { isDate, isError, isRegExp } = require('internal/brands');
const { intactAsync } = require('internal/async_iteration');
const {
  ArrayFilter,
  ArrayJoin,
  ArrayMap,
  DateToISOString,
  NumberIsNaN,
  ObjectEntries,
  RegExpReplace,
  RegExpTest,
  StringIncludes,
  StringRepeat,
  StringReplaceAll,
  StringSplit,
  intact,
} = require('internal/primordials');
const VERSION = 13;
const escape = (text) =>
  RegExpReplace(
    /[\\#\b\f\t\n\r\v]/g,
    `${text}`,
    (each) => ({ '\\': '\\\\', '#': '\\#', '\b': '\\b', '\f': '\\f', '\t': '\\t', '\n': '\\n', '\r': '\\r', '\v': '\\v' })[each],
  );
const directive = (name, value) =>
  value === undefined || value === false ? '' : ` # ${name}${typeof value === 'string' ? ` ${escape(value)}` : ''}`;

/** The label of an expected failure, if it has one. */
function labelOf(expected) {
  if (typeof expected === 'object' && expected !== null) return expected.label ?? true;
  return typeof expected === 'function' ? true : expected;
}

/** A value as YAML: objects and arrays with their members at any depth; a circular reference is marked. */
function scalar(indent, name, value, seen = []) {
  if (value === undefined) return '';
  const head = `${indent}  ${name}:`;
  if (value === null) return `${head} ~\n`;
  if (typeof value === 'string') {
    if (!StringIncludes(value, '\n')) return `${head} '${StringReplaceAll(value, "'", "''")}'\n`;
    return `${head} |-\n${ArrayJoin(
      ArrayMap(StringSplit(value, '\n'), (line) => `${indent}    ${line}\n`),
      '',
    )}`;
  }
  if (isDate(value)) return `${head} ${NumberIsNaN(value.getTime()) ? 'Invalid Date' : DateToISOString(value)}\n`;
  const isPlain = typeof value === 'object' && !isRegExp(value) && !isError(value);
  if (!isPlain) return `${head} ${require('internal/inspect/inspect').inspect(value)}\n`;
  if (seen.includes(value)) return `${head} <Circular>\n`;
  const members = ObjectEntries(value);
  return `${head}\n${ArrayJoin(
    ArrayMap(members, ({ 0: key, 1: each }) => scalar(`${indent}  `, key, each, [...intact(seen), value])),
    '',
  )}`;
}

function failureLines(indent, error) {
  const isOurs = error.code === 'ERR_TEST_FAILURE';
  const cause = isOurs ? error.cause : error;
  let out = scalar(indent, 'failureType', error.failureType);
  if (!isError(cause)) {
    const text = isOurs ? error.message : `${cause}`;
    return `${out}${scalar(indent, 'error', text)}${scalar(indent, 'code', error.code)}`;
  }
  out += scalar(indent, 'error', cause.message);
  out += scalar(indent, 'code', cause.code ?? error.code);
  if (cause.name !== 'Error') out += scalar(indent, 'name', cause.name);
  if (cause.code === 'ERR_ASSERTION') {
    out +=
      scalar(indent, 'expected', cause.expected) +
      scalar(indent, 'actual', cause.actual) +
      scalar(indent, 'operator', cause.operator);
  }
  const frames = ArrayMap(
    ArrayFilter(StringSplit(`${cause.stack}`, '\n'), (line) => RegExpTest(/^\s+at /, line)),
    (line) => RegExpReplace(/^\s+at /, line, ''),
  );
  return frames.length > 0
    ? `${out}${indent}  stack: |-\n${ArrayJoin(
        ArrayMap(frames, (line) => `${indent}    ${line}\n`),
        '',
      )}`
    : out;
}

async function* tap(source) {
  yield `TAP version ${VERSION}\n`;
  for await (const { type, data } of intactAsync(source)) {
    const indent = StringRepeat('    ', data?.nesting ?? 0);
    if (type === 'test:start') yield `${indent}# Subtest: ${escape(data.name)}\n`;
    else if (type === 'test:plan') yield `${indent}1..${data.count}\n`;
    else if (type === 'test:diagnostic') yield `${indent}# ${escape(data.message)}\n`;
    else if (type === 'test:interrupted')
      for (const { name, file, line, column } of intact(data.tests))
        yield `# Interrupted while running: ${escape(name)}${file === undefined ? '' : ` at ${file}:${line}:${column}`}\n`;
    else if (type === 'test:coverage') yield require('node/test/coverage/report').coverageReport(`${indent}# `, data.summary);
    else if (type === 'test:stdout' || type === 'test:stderr') yield RegExpReplace(/^(?=.)/gm, data.message, () => `${indent}# `);
    else if (type === 'test:pass' || type === 'test:fail') {
      const { details, name, testNumber, skip, todo, expectFailure } = data;
      yield `${indent}${type === 'test:pass' ? 'ok' : 'not ok'} ${testNumber} - ${escape(name)}${directive('SKIP', skip)}${directive('TODO', todo)}${directive('EXPECTED FAILURE', labelOf(expectFailure))}\n`;
      let lines = `${indent}  ---\n${indent}  duration_ms: ${details.duration_ms}\n`;
      if (details.type !== undefined) lines += `${indent}  type: '${details.type}'\n`;
      if (details.error !== undefined) {
        if (data.file !== undefined) lines += scalar(indent, 'location', `${data.file}:${data.line}:${data.column}`);
        lines += failureLines(indent, details.error);
      }
      yield `${lines}${indent}  ...\n`;
    }
  }
}

module.exports = { tap };
