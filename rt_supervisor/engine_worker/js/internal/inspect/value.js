// @ts-check
'use strict';
// Owns: one value in a util.inspect run: primitives, proxies, custom inspection, circular references. internal/inspect/objects
// formats other objects. `context` holds the options and the state of the run (seen, circular, indentation).

exports.formatValue = formatValue;
exports.userOptions = userOptions;

const {
  ArrayIncludes,
  FunctionCall,
  MapGet,
  MapSet,
  MapSize,
  ObjectGetOwnPropertyDescriptor,
  ObjectKeys,
  ObjectSetPrototypeOf,
  StringRepeat,
  StringReplaceAll,
  StringSlice,
  StringStartsWith,
  SymbolFor,
  intact,
} = require('internal/primordials');
const { KIND } = require('internal/kinds');
const runtimeParts = require('internal/parts');
const { primitive } = require('internal/inspect/text');
const { ELEMENTS_AND_KEYS, join } = require('internal/inspect/layout');
const { formatObject } = require('internal/inspect/objects');

const MODULE = '[Module: null prototype]';
const custom = SymbolFor('nodejs.util.inspect.custom');
const entry = require('internal/inspect/inspect'); // a circular dependency: its inspect function is looked up at the call

function formatValue(context, value, level, insideTypedArray) {
  if (typeof value !== 'object' && typeof value !== 'function') return primitive(context, value);
  if (value === null) return context.stylize('null', 'null');

  const shown = value;
  let isProxied = false;
  let wrappers = 0;
  if (host.inspect.kindOf(value) === KIND.PROXY) {
    const deferred = runtimeParts.deferredNamespace?.(value);
    if (deferred !== undefined) {
      const text = formatValue(context, deferred, level, insideTypedArray);
      return StringStartsWith(text, MODULE) ? `${MODULE} [Deferred Module]${StringSlice(text, MODULE.length)}` : text;
    }
    if (context.showProxy) return formatProxy(context, host.inspect.proxyDetails(value), level);
    isProxied = true;
    do {
      value = host.inspect.proxyDetails(value)[0];
      wrappers++;
    } while (value !== null && host.inspect.kindOf(value) === KIND.PROXY);
    if (value === null) return wrapInProxy(context, context.stylize('<Revoked Proxy>', 'special'), wrappers - 1);
  }

  if (context.customInspect) {
    const inspectOwn = value[custom];
    if (
      typeof inspectOwn === 'function' &&
      inspectOwn !== entry.inspect &&
      ObjectGetOwnPropertyDescriptor(value, 'constructor')?.value?.prototype !== value
    ) {
      const depth = context.depth === null ? null : context.depth - level;
      const isForeign = isProxied || !(shown instanceof Object);
      const result = FunctionCall(inspectOwn, shown, depth, userOptions(context, isForeign), entry.inspect);
      if (result !== shown) {
        if (typeof result !== 'string') return formatValue(context, result, level);
        return StringReplaceAll(result, '\n', `\n${StringRepeat(' ', context.indentationLvl)}`);
      }
    }
  }

  if (ArrayIncludes(context.seen, value)) {
    if (context.circular === undefined) context.circular = new Map();
    let index = MapGet(context.circular, value);
    if (index === undefined) {
      index = MapSize(context.circular) + 1;
      MapSet(context.circular, value, index);
    }
    return context.stylize(`[Circular *${index}]`, 'special');
  }
  const text = formatObject(context, value, level, insideTypedArray);
  return wrappers === 0 ? text : wrapInProxy(context, text, wrappers);
}

function wrapInProxy(context, text, wrappers) {
  for (; wrappers > 0; wrappers--) text = `${context.stylize('Proxy(', 'special')}${text}${context.stylize(')', 'special')}`;
  return text;
}

function formatProxy(context, details, level) {
  if (details[0] === null) return context.stylize('<Revoked Proxy>', 'special');
  if (level > context.depth && context.depth !== null) return context.stylize('Proxy [Array]', 'special');
  context.indentationLvl += 2;
  const output = [formatValue(context, details[0], level + 1), formatValue(context, details[1], level + 1)];
  context.indentationLvl -= 2;
  return join(context, output, '', ['Proxy [', ']'], ELEMENTS_AND_KEYS, level + 1);
}

/** Returns the options object for a custom inspection function: the caller's options over the defaults, and stylize. */
function userOptions(context, isForeign) {
  const options = { stylize: context.stylize, ...pickOptions(context), ...context.userOptions };
  if (!isForeign) return options;
  // A value of another realm must not reach this one through the options' prototype or functions.
  ObjectSetPrototypeOf(options, null);
  for (const key of intact(ObjectKeys(options))) {
    if ((typeof options[key] === 'object' || typeof options[key] === 'function') && options[key] !== null) delete options[key];
  }
  const { stylize } = context;
  options.stylize = ObjectSetPrototypeOf((text, style) => `${stylize(`${text}`, style)}`, null);
  return options;
}

const OPTION_NAMES = [
  'showHidden',
  'depth',
  'colors',
  'customInspect',
  'showProxy',
  'maxArrayLength',
  'maxStringLength',
  'breakLength',
  'compact',
  'sorted',
  'getters',
  'numericSeparator',
];

function pickOptions(context) {
  const options = {};
  for (let i = 0; i < OPTION_NAMES.length; i++) options[OPTION_NAMES[i]] = context[OPTION_NAMES[i]];
  return options;
}
