// @ts-check
'use strict';
// Owns: one property under util.inspect: its quoted name, its value or accessor, and getters that are called on request.

exports.property = property;

const {
  FunctionCall,
  ObjectGetOwnPropertyDescriptor,
  RegExpExec,
  StringRepeat,
  SymbolToString,
} = require('internal/primordials');
const { quote, escapeBare, primitive } = require('internal/inspect/text');
const { PLAIN, ELEMENTS } = require('internal/inspect/layout');
const { stringWidth } = require('internal/string_width');
const values = require('internal/inspect/value'); // a circular dependency: formatValue is looked up at the call

const formatValue = (context, value, level) => values.formatValue(context, value, level);

const IDENTIFIER = /^[a-zA-Z_][a-zA-Z_0-9]*$/;

/** Formats `key: value` (only the value for an element). For inherited keys, getters are called on `receiver`. */
function property(context, object, level, key, form, descriptor, receiver = object) {
  descriptor ??= ObjectGetOwnPropertyDescriptor(object, key) ?? { value: object[key], configurable: true, enumerable: true };
  let gap = ' ';
  let text;
  if (descriptor.value !== undefined) {
    const indentation = context.compact !== true || form !== PLAIN ? 2 : 3;
    context.indentationLvl += indentation;
    text = formatValue(context, descriptor.value, level);
    if (indentation === 3 && context.breakLength < stringWidth(text, !context.colors)) {
      gap = `\n${StringRepeat(' ', context.indentationLvl)}`;
    }
    context.indentationLvl -= indentation;
  } else if (descriptor.get !== undefined) {
    text = formatGetter(context, descriptor, receiver, level);
  } else if (descriptor.set !== undefined) {
    text = context.stylize('[Setter]', 'special');
  } else {
    text = context.stylize('undefined', 'undefined');
  }
  return form === ELEMENTS ? text : `${propertyName(context, key, descriptor)}:${gap}${text}`;
}

function propertyName(context, key, descriptor) {
  let name;
  if (typeof key === 'symbol') name = context.stylize(escapeBare(SymbolToString(key)), 'symbol');
  else if (key === '__proto__') name = "['__proto__']";
  else if (RegExpExec(IDENTIFIER, key) !== null) name = context.stylize(key, 'name');
  else name = context.stylize(quote(key), 'string');
  return descriptor.enumerable === false ? `[${name}]` : name;
}

function formatGetter(context, { get, set }, receiver, level) {
  const label = set !== undefined ? 'Getter/Setter' : 'Getter';
  const special = (text) => context.stylize(text, 'special');
  const { getters } = context;
  const isCalled =
    getters && (getters === true || (getters === 'get' && set === undefined) || (getters === 'set' && set !== undefined));
  if (!isCalled) return special(`[${label}]`);
  context.indentationLvl += 2;
  try {
    const value = FunctionCall(get, receiver);
    if (value === null) return `${special(`[${label}:`)} ${context.stylize('null', 'null')}${special(']')}`;
    if (typeof value === 'object' || typeof value === 'function') {
      return `${special(`[${label}]`)} ${formatValue(context, value, level)}`;
    }
    return `${special(`[${label}:`)} ${primitive(context, value)}${special(']')}`;
  } catch (error) {
    return `${special(`[${label}:`)} <Inspection threw (${formatValue(context, error, level)})>${special(']')}`;
  } finally {
    context.indentationLvl -= 2;
  }
}
