// @ts-check
'use strict';
// Owns: the options, defaults, styles and colours of util.inspect, in Node's form. The formatting starts in
// internal/inspect/value. console.log prints a different form, in internal/inspect/rt.js.

exports.inspect = inspect;
exports.stylizeNothing = stylizeNothing;

const {
  ObjectAssign,
  ObjectDefineProperty,
  ObjectHasOwn,
  ObjectKeys,
  ObjectSeal,
  SymbolFor,
  intact,
} = require('internal/primordials');
const { formatValue } = require('internal/inspect/value');
const { highlightRegExp } = require('internal/inspect/regexp');
const { colorCodes } = require('internal/ansi');

const custom = SymbolFor('nodejs.util.inspect.custom');
exports.custom = custom;

const defaults = ObjectSeal({
  showHidden: false,
  depth: 2,
  colors: false,
  customInspect: true,
  showProxy: false,
  maxArrayLength: 100,
  maxStringLength: 10000,
  breakLength: 80,
  compact: 3,
  sorted: false,
  getters: false,
  numericSeparator: false,
});
exports.defaultOptions = () => defaults;

/** Signatures: inspect(value, options), and the legacy inspect(value, showHidden, depth, colors). */
function inspect(value, options) {
  const context = {
    budget: {},
    indentationLvl: 0,
    seen: [],
    currentDepth: 0,
    circular: undefined,
    userOptions: undefined,
    stylize: stylizeNothing,
    ...defaults,
  };
  if (arguments.length > 1) {
    if (arguments.length > 2) {
      if (arguments[2] !== undefined) context.depth = arguments[2];
      if (arguments.length > 3 && arguments[3] !== undefined) context.colors = arguments[3];
    }
    if (typeof options === 'boolean') {
      context.showHidden = options;
    } else if (options) {
      const keys = ObjectKeys(options);
      for (let i = 0; i < keys.length; i++) {
        const key = keys[i];
        // stylize is not a public option, but is passed between nested inspections.
        if (ObjectHasOwn(defaults, key) || key === 'stylize') context[key] = options[key];
        else if (context.userOptions === undefined) context.userOptions = options;
      }
    }
  }
  if (context.colors) context.stylize = stylizeWithColor;
  if (context.maxArrayLength === null) context.maxArrayLength = Infinity;
  if (context.maxStringLength === null) context.maxStringLength = Infinity;
  return formatValue(context, value, 0);
}

inspect.custom = custom;

inspect.colors = ObjectAssign({ __proto__: null }, colorCodes);
const alias = (target, name) =>
  ObjectDefineProperty(inspect.colors, name, {
    __proto__: null,
    get() {
      return this[target];
    },
    set(value) {
      this[target] = value;
    },
    configurable: true,
    enumerable: false,
  });
for (const { 0: name, 1: target } of intact([
  ['grey', 'gray'],
  ['blackBright', 'gray'],
  ['bgGrey', 'bgGray'],
  ['bgBlackBright', 'bgGray'],
  ['faint', 'dim'],
  ['crossedout', 'strikethrough'],
  ['strikeThrough', 'strikethrough'],
  ['crossedOut', 'strikethrough'],
  ['conceal', 'hidden'],
  ['swapColors', 'inverse'],
  ['swapcolors', 'inverse'],
  ['doubleUnderline', 'doubleunderline'],
]))
  alias(target, name);

inspect.styles = ObjectAssign(
  { __proto__: null },
  {
    special: 'cyan',
    number: 'yellow',
    bigint: 'yellow',
    boolean: 'yellow',
    undefined: 'grey',
    null: 'bold',
    string: 'green',
    symbol: 'green',
    date: 'magenta',
    regexp: highlightRegExp,
    module: 'underline',
  },
);

ObjectDefineProperty(inspect, 'defaultOptions', {
  __proto__: null,
  enumerable: true,
  configurable: true,
  get() {
    return defaults;
  },
  set(options) {
    require('internal/validators').validateObject(options, 'options');
    ObjectAssign(defaults, options);
  },
});

function stylizeNothing(text) {
  return text;
}

function stylizeWithColor(text, styleType) {
  const style = inspect.styles[styleType];
  if (style === undefined) return text;
  if (typeof style === 'function') return style(text);
  const color = inspect.colors[style];
  return color === undefined ? text : `\u001b[${color[0]}m${text}\u001b[${color[1]}m`;
}
