'use strict';
// Owns: util.styleText: text between the control sequences of named styles or #rrggbb colours.

const { StringSplit } = require('internal/primordials');
const { validateBoolean, validateObject, validateOneOf, validateString } = require('internal/validators');

const BOLD = 1;
const DIM = 2;
const HEX_COLOR = /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i;

function codesOf(name) {
  const { inspect } = require('internal/inspect/inspect');
  if (typeof name === 'string' && HEX_COLOR.test(name)) {
    const digits = name.length === 4 ? name.slice(1).replace(/./g, '$&$&') : name.slice(1);
    const [red, green, blue] = [0, 2, 4].map((at) => parseInt(digits.slice(at, at + 2), 16));
    return [`38;2;${red};${green};${blue}`, 39];
  }
  const codes = inspect.colors[name];
  if (codes === undefined || codes === null) {
    const hidden = Object.getOwnPropertyNames(inspect.colors).filter(
      (one) => !Object.prototype.propertyIsEnumerable.call(inspect.colors, one),
    );
    validateOneOf(name, 'format', [...Object.keys(inspect.colors), ...hidden]);
  }
  return codes;
}

/** What is closed inside the text is opened again, but at its very end. Bold and dim share what closes them: it stays. */
function reopened(text, close, open, isKept) {
  const parts = StringSplit(text, close);
  let made = parts[0];
  for (let i = 1; i < parts.length; i++) {
    const isEnd = i === parts.length - 1 && parts[i] === '';
    made += isEnd ? close : isKept ? close + open : open;
    made += parts[i];
  }
  return made;
}

/** options: validateStream (true), stream (stdout): a stream without colours gets the bare text. */
function styleText(format, text, options = {}) {
  validateString(text, 'text');
  validateObject(options, 'options');
  const { validateStream = true, stream } = options;
  validateBoolean(validateStream, 'options.validateStream');
  const names = Array.isArray(format) ? format : [format];
  const all = names.filter((name) => name !== 'none').map(codesOf);
  if (validateStream && !hasColors(stream)) return text;
  let open = '';
  let close = '';
  for (const [start, end] of all) {
    open += `\x1b[${start}m`;
    close = `\x1b[${end}m${close}`;
    text = reopened(text, `\x1b[${end}m`, `\x1b[${start}m`, start === BOLD || start === DIM);
  }
  return `${open}${text}${close}`;
}

function hasColors(stream) {
  if (stream !== undefined) {
    if (typeof stream?.write !== 'function' && typeof stream?.getReader !== 'function') {
      throw new (require('internal/errors/errors').codes.ERR_INVALID_ARG_TYPE)(
        'stream',
        ['ReadableStream', 'WritableStream', 'Stream'],
        stream,
      );
    }
    return Boolean(stream.isTTY) && (stream.hasColors?.() ?? true);
  }
  return host.stdoutHasColors?.() ?? false;
}

module.exports = { styleText };
