// @ts-check
'use strict';
// Owns: util.format: %s %d %i %f %j %o %O %c %% in the first argument, with the rest appended. console.log has its own
// formatting, in internal/inspect/rt.js.

const {
  JSONStringify,
  NumberParseFloat,
  NumberParseInt,
  ObjectGetOwnPropertyDescriptor,
  ObjectGetPrototypeOf,
  ObjectHasOwn,
  StringCharCodeAt,
  StringSlice,
  StringSplit,
} = require('internal/primordials');
const { KIND } = require('internal/kinds');
const { inspect, stylizeNothing } = require('internal/inspect/inspect');
const { number, bigint } = require('internal/inspect/text');
const { isBuiltInName } = require('internal/inspect/names');

const format = (...args) => formatArguments(undefined, args);

function formatWithOptions(options, ...args) {
  require('internal/validators').validateObject(options, 'inspectOptions', { allowArray: true, allowFunction: true });
  return formatArguments(options, args);
}

function formatArguments(options, args) {
  const first = args[0];
  let used = 0;
  let text = '';
  let glue = '';
  if (typeof first === 'string') {
    if (args.length === 1) return first;
    let done = 0; // how much of `first` has been copied to `text`
    for (let i = 0; i < first.length - 1; i++) {
      if (StringCharCodeAt(first, i) !== 37) continue;
      const letter = first[++i];
      if (letter === '%') {
        text += StringSlice(first, done, i);
        done = i + 1;
        continue;
      }
      if (used + 1 === args.length) continue;
      const formatOne = directives[letter];
      if (formatOne === undefined) continue;
      text += StringSlice(first, done, i - 1) + formatOne(args[++used], options);
      done = i + 1;
    }
    if (done !== 0) {
      used++;
      glue = ' ';
      if (done < first.length) text += StringSlice(first, done);
    }
  }
  for (; used < args.length; used++) {
    const value = args[used];
    text += glue + (typeof value === 'string' ? value : inspect(value, options));
    glue = ' ';
  }
  return text;
}

const separates = (options) => options?.numericSeparator ?? /** @type {any} */ (inspect).defaultOptions.numericSeparator;
const plainNumber = (value, options) => number(stylizeNothing, value, separates(options));
const plainBigint = (value, options) => bigint(stylizeNothing, value, separates(options));

const directives = {
  __proto__: null,
  s(value, options) {
    if (typeof value === 'number') return plainNumber(value, options);
    if (typeof value === 'bigint') return plainBigint(value, options);
    if (typeof value !== 'object' || value === null || !hasBuiltInToString(value)) return String(value);
    return inspect(value, { ...options, depth: 0, colors: false, compact: 3 });
  },
  d(value, options) {
    if (typeof value === 'bigint') return plainBigint(value, options);
    return plainNumber(typeof value === 'symbol' ? NaN : Number(value), options);
  },
  i(value, options) {
    if (typeof value === 'bigint') return plainBigint(value, options);
    return plainNumber(typeof value === 'symbol' ? NaN : NumberParseInt(value), options);
  },
  f: (value, options) => plainNumber(typeof value === 'symbol' ? NaN : NumberParseFloat(value), options),
  j: (value) => stringify(value),
  O: (value, options) => inspect(value, options),
  o: (value, options) => inspect(value, { ...options, showHidden: true, showProxy: true, depth: 4 }),
  c: () => '',
};

function hasBuiltInToString(value) {
  while (host.inspect.kindOf(value) === KIND.PROXY) {
    value = host.inspect.proxyDetails(value)[0];
    if (value === null) return true;
  }
  if (typeof value[Symbol.toPrimitive] === 'function' && host.inspect.kindOf(value) !== KIND.DATE) return false;
  if (typeof value.toString !== 'function') return true;
  if (ObjectHasOwn(value, 'toString')) return false;
  let owner = value;
  do owner = ObjectGetPrototypeOf(owner);
  while (!ObjectHasOwn(owner, 'toString'));
  const descriptor = ObjectGetOwnPropertyDescriptor(owner, 'constructor');
  return descriptor !== undefined && typeof descriptor.value === 'function' && isBuiltInName(descriptor.value.name);
}

let circularMessage;

function stringify(value) {
  try {
    return String(JSONStringify(value));
  } catch (error) {
    if (circularMessage === undefined) {
      const circle = {};
      circle.circle = circle;
      try {
        JSONStringify(circle);
      } catch (thrown) {
        circularMessage = StringSplit(thrown.message, '\n', 1)[0];
      }
    }
    if (error?.name === 'TypeError' && StringSplit(`${error.message}`, '\n', 1)[0] === circularMessage) return '[Circular]';
    throw error;
  }
}

module.exports = { format, formatWithOptions, formatArguments };
