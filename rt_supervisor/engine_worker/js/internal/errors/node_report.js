// @ts-check
'use strict';
// Owns: how Node prints an uncaught value, for programs that see Node only: the source line with a caret, the value as
// util.inspect prints it, and the version. internal/errors/report prints uncaught values in Bun's form.
//
// Differences: the caret points into the program, not into the runtime. A value that is not an error has a source line only if the
// main module throws it while it runs: only an error knows where it was created.

const native = host.native;
const { givenFlags } = require('internal/given_flags');
const {
  ArrayIncludes,
  MathMax,
  ObjectDefineProperty,
  RegExpExec,
  RegExpReplace,
  StringRepeat,
  StringSlice,
  StringStartsWith,
} = require('internal/primordials');
const runtimeParts = require('internal/parts');
const { shownFile } = require('internal/stack');
const { detailOf, firstPlace, framesOf, isError } = require('internal/errors/report');

const THROW = /\bthrow\s[^;]*$/; // the statement that creates the error
const TOKEN = /^(?:[\w$\u0080-\uffff]+|.)/;

/** Returns the source line of a location with a line of carets below it, or '' if the source is unavailable. */
function sourceText(file, line, column, source, carets) {
  const before = RegExpReplace(/[^\t]/g, StringSlice(source, 0, MathMax(0, column - 1)), ' ');
  return `${shownFile(file)}:${line}\n${source}\n${before}${StringRepeat('^', carets)}\n`;
}

/** Returns the name under which the engine knows the file of a frame. */
const knownName = (file) => (StringStartsWith(file, '[') ? `${host.cwd()}/${file}` : file);

/** Returns the source line that created `error`, or '' without frames in the program. */
function preview(error) {
  const place = firstPlace(framesOf(error));
  if (place === undefined) return '';
  const { 0: file, 1: line, 2: column } = place;
  const source = native.core_sourceLines(knownName(file), line, line)?.[0];
  if (source === undefined) return '';
  const thrown = RegExpExec(THROW, StringSlice(source, 0, MathMax(0, column - 1)));
  return sourceText(file, line, thrown === null ? column : thrown.index + 1, source, 1);
}

/** Returns the place of a throw as [file, line, column], or undefined if it is not in the program. @returns {any} */
function placeInProgram(place) {
  if (place === undefined || StringStartsWith(place.file, 'rt:') || StringStartsWith(place.file, 'node:')) return undefined;
  const { 0: line, 1: column, 2: source } = native.core_mapPosition(place.file, place.line, place.column);
  return [source ?? place.file, line, column];
}

/** Returns the source line of a throw, or '' if it is unavailable. */
function throwPreview({ 0: file, 1: line, 2: column }) {
  const source = native.core_sourceLines(file, line, line)?.[0];
  return source === undefined ? '' : sourceText(file, line, column, source, 1);
}

/** Returns the text of --trace-uncaught: the place of the throw. */
const traceText = (place) => (place === undefined ? '' : `Thrown at:\n    at ${shownFile(place[0])}:${place[1]}:${place[2]}\n\n`);

/** Returns the source line of a syntax error, with its first wrong token marked. */
function syntaxPreview({ file, line, column, source, length }) {
  const token = RegExpExec(TOKEN, StringSlice(source, MathMax(0, column - 1)))?.[0] ?? ' ';
  return sourceText(file, line, column, source, length ?? token.length);
}

const inspected = (value, colors) => require('internal/inspect/inspect').inspect(value, { colors, customInspect: false });

/** Returns the text of an error whose frames all belong to the runtime; util.inspect puts such errors into brackets. */
function withoutBrackets(error, colors) {
  const text = inspected(error, colors);
  const head = `[${error.stack}]`;
  return StringStartsWith(text, head) ? `${error.stack}${StringSlice(text, head.length)}` : text;
}

/** Returns the report of an uncaught value. It ends with a line break. */
function thrownText(value, { colors = false, place = undefined } = {}) {
  const isTraced = ArrayIncludes(givenFlags(runtimeParts.process.process), '--trace-uncaught');
  const thrown = placeInProgram(place);
  const trace = isTraced ? traceText(thrown) : '';
  const shown = thrown === undefined ? '' : throwPreview(thrown);
  if (isError(value) && native.kindOf(value) !== 'proxy') {
    const detail = detailOf(value);
    const before = detail?.place === undefined ? shown || preview(value) : syntaxPreview(detail.place);
    const text = detail === undefined ? inspected(value, colors) : withoutBrackets(value, colors);
    const gap = before === '' || detail?.place?.isLink ? '' : '\n';
    return `${before}${gap}${text}\n${trace}`;
  }
  const isObject = value !== null && (typeof value === 'object' || typeof value === 'function');
  const head = shown === '' ? 'Uncaught:\n' : `\n${shown}`;
  if (isObject) return `${head}${inspected(value, colors)}\n${trace}`;
  const text = typeof value === 'symbol' ? '' : `${value}`;
  const hint = isTraced ? trace : '(Use `node --trace-uncaught ...` to show where the exception was thrown)\n';
  return `${head}${text}\n${hint}`;
}

/** Puts a code into the text of an error, as Node's own errors have it. `ERR_…` codes only. */
function nameCode(error, code) {
  if (!StringStartsWith(code, 'ERR_')) return;
  const { name } = error;
  error.stack = `${name} [${code}]${StringSlice(error.stack, name.length)}`;
  ObjectDefineProperty(error, 'toString', {
    __proto__: null,
    value() {
      return `${this.name} [${code}]: ${this.message}`;
    },
    writable: true,
    configurable: true,
  });
}

/** Returns the line that ends the output of a program that an uncaught error ended. */
const versionText = () => `\nNode.js ${runtimeParts.process.process.version}\n`;

module.exports = { thrownText, versionText, nameCode };
