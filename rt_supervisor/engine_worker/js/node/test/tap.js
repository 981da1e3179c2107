'use strict';
// Owns: the `tap` reporter: TAP version 13, with what is known of each test as YAML.

const VERSION = 13;
const escape = (text) =>
  `${text}`.replace(
    /[\\#\b\f\t\n\r\v]/g,
    (each) => ({ '\\': '\\\\', '#': '\\#', '\b': '\\b', '\f': '\\f', '\t': '\\t', '\n': '\\n', '\r': '\\r', '\v': '\\v' })[each],
  );
const directive = (name, value) =>
  value === undefined || value === false ? '' : ` # ${name}${typeof value === 'string' ? ` ${escape(value)}` : ''}`;

/** What is said of a failure that was expected: its label, where there is one. */
function labelOf(expected) {
  if (typeof expected === 'object' && expected !== null) return expected.label ?? true;
  return typeof expected === 'function' ? true : expected;
}

/** One value as YAML: objects and arrays by their members, whatever depth; a circle is named. */
function scalar(indent, name, value, seen = []) {
  if (value === undefined) return '';
  const head = `${indent}  ${name}:`;
  if (value === null) return `${head} ~\n`;
  if (typeof value === 'string') {
    if (!value.includes('\n')) return `${head} '${value.replaceAll("'", "''")}'\n`;
    return `${head} |-\n${value
      .split('\n')
      .map((line) => `${indent}    ${line}\n`)
      .join('')}`;
  }
  if (value instanceof Date) return `${head} ${Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString()}\n`;
  const isPlain = typeof value === 'object' && !(value instanceof RegExp) && !(value instanceof Error);
  if (!isPlain) return `${head} ${require('internal/inspect/inspect').inspect(value)}\n`;
  if (seen.includes(value)) return `${head} <Circular>\n`;
  const members = Object.entries(value);
  return `${head}\n${members.map(([key, each]) => scalar(`${indent}  `, key, each, [...seen, value])).join('')}`;
}

function failureLines(indent, error) {
  const isOurs = error.code === 'ERR_TEST_FAILURE';
  const cause = isOurs ? error.cause : error;
  let out = scalar(indent, 'failureType', error.failureType);
  if (!(cause instanceof Error)) {
    const text = typeof cause === 'string' ? cause : isOurs ? error.message : `${cause}`;
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
  const frames = `${cause.stack}`
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .map((line) => line.replace(/^\s+at /, ''));
  return frames.length > 0 ? `${out}${indent}  stack: |-\n${frames.map((line) => `${indent}    ${line}\n`).join('')}` : out;
}

async function* tap(source) {
  yield `TAP version ${VERSION}\n`;
  for await (const { type, data } of source) {
    const indent = '    '.repeat(data?.nesting ?? 0);
    if (type === 'test:start') yield `${indent}# Subtest: ${escape(data.name)}\n`;
    else if (type === 'test:plan') yield `${indent}1..${data.count}\n`;
    else if (type === 'test:diagnostic') yield `${indent}# ${escape(data.message)}\n`;
    else if (type === 'test:coverage') yield require('node/test/coverage/report').coverageReport(`${indent}# `, data.summary);
    else if (type === 'test:stdout' || type === 'test:stderr') yield data.message.replace(/^(?=.)/gm, `${indent}# `);
    else if (type === 'test:pass' || type === 'test:fail') {
      const { details, name, testNumber, skip, todo, expectFailure } = data;
      yield `${indent}${type === 'test:pass' ? 'ok' : 'not ok'} ${testNumber} - ${escape(name)}${directive('SKIP', skip)}${directive('TODO', todo)}${directive('EXPECTED FAILURE', labelOf(expectFailure))}\n`;
      let lines = `${indent}  ---\n${indent}  duration_ms: ${details.duration_ms}\n${indent}  type: '${details.type}'\n`;
      if (details.error !== undefined) {
        if (data.file !== undefined) lines += scalar(indent, 'location', `${data.file}:${data.line}:${data.column}`);
        lines += failureLines(indent, details.error);
      }
      yield `${lines}${indent}  ...\n`;
    }
  }
}

module.exports = { tap };
