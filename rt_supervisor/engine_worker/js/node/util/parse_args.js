// @ts-check
'use strict';
// Owns: util.parseArgs: parses command-line arguments into options, positionals and tokens.

const { AnyIndexOf, AnySlice } = require('internal/any_kind');
const {
  ArrayFind,
  ArrayPush,
  ArrayShift,
  ArrayUnshift,
  ObjectEntries,
  ObjectHasOwn,
  RegExpTest,
  StringSlice,
  StringStartsWith,
  intact,
} = require('internal/primordials');
const { codes } = require('internal/errors/errors');
const {
  validateArray,
  validateBoolean,
  validateBooleanArray,
  validateObject,
  validateString,
  validateStringArray,
  validateUnion,
} = require('internal/validators');

const isShort = (arg) => arg.length === 2 && arg[0] === '-' && arg[1] !== '-';
const looksLikeOption = (value) => value != null && value.length > 1 && value[0] === '-';

function checkConfig({ args, options, strict, allowPositionals, tokens, allowNegative }) {
  validateArray(args, 'args');
  validateBoolean(strict, 'strict');
  validateBoolean(allowPositionals, 'allowPositionals');
  validateBoolean(tokens, 'tokens');
  validateBoolean(allowNegative, 'allowNegative');
  validateObject(options, 'options');
  for (const { 0: name, 1: config } of intact(ObjectEntries(options))) {
    validateObject(config, `options.${name}`);
    validateUnion(ObjectHasOwn(config, 'type') ? config.type : undefined, `options.${name}.type`, ['string', 'boolean']);
    if (ObjectHasOwn(config, 'short')) {
      validateString(config.short, `options.${name}.short`);
      if (config.short.length !== 1) {
        throw new codes.ERR_INVALID_ARG_VALUE(`options.${name}.short`, config.short, 'must be a single character');
      }
    }
    if (ObjectHasOwn(config, 'multiple')) validateBoolean(config.multiple, `options.${name}.multiple`);
    if (config.default !== undefined) {
      const label = `options.${name}.default`;
      if (config.type === 'string') (config.multiple ? validateStringArray : validateString)(config.default, label);
      else (config.multiple ? validateBooleanArray : validateBoolean)(config.default, label);
    }
  }
}

const findShort = (letter, options) =>
  ArrayFind(ObjectEntries(options), ({ 1: config }) => config.short === letter)?.[0] ?? letter;
const typeOf = (name, options) => (ObjectHasOwn(options, name) ? options[name].type : undefined);

/** Converts the arguments to tokens: option, positional or option-terminator. */
function tokenize(args, options) {
  const tokens = [];
  const rest = [...intact(args)];
  let index = -1;
  let grouped = 0; // arguments inserted by an expanded short group
  /** Adds a stand-alone option, whose value is the next argument if it takes one. */
  const take = (name, rawName, next) => {
    const takesNext = typeOf(name, options) === 'string' && next != null;
    const value = takesNext ? next : undefined;
    ArrayPush(tokens, { kind: 'option', name, rawName, index, value, inlineValue: takesNext ? false : undefined });
    if (!takesNext) return;
    ArrayShift(rest);
    index++;
  };
  while (rest.length > 0) {
    const arg = ArrayShift(rest);
    const next = rest[0];
    if (grouped > 0) grouped--;
    else index++;
    if (arg === '--') {
      ArrayPush(tokens, { kind: 'option-terminator', index });
      for (const value of intact(rest)) ArrayPush(tokens, { kind: 'positional', index: ++index, value });
      break;
    }
    if (isShort(arg)) {
      const name = findShort(arg[1], options);
      take(name, arg, next);
    } else if (RegExpTest(/^-[^-]./s, arg)) {
      const letters = shortGroup(arg, options);
      if (letters !== undefined) {
        ArrayUnshift(rest, ...intact(letters));
        grouped = letters.length;
      } else {
        // -fVALUE
        const name = findShort(arg[1], options);
        ArrayPush(tokens, { kind: 'option', name, rawName: `-${arg[1]}`, index, value: AnySlice(arg, 2), inlineValue: true });
      }
    } else if (RegExpTest(/^--./s, arg)) {
      const at = AnyIndexOf(arg, '=', 3);
      if (at !== -1) {
        ArrayPush(tokens, {
          kind: 'option',
          name: AnySlice(arg, 2, at),
          rawName: AnySlice(arg, 0, at),
          index,
          value: AnySlice(arg, at + 1),
          inlineValue: true,
        });
        continue;
      }
      const name = AnySlice(arg, 2);
      take(name, arg, next);
    } else {
      ArrayPush(tokens, { kind: 'positional', index, value: arg });
    }
  }
  return tokens;
}

/** Splits `-abc` into -a -b -c; the first that takes a string takes the rest. Undefined for -fVALUE. */
function shortGroup(arg, options) {
  if (typeOf(findShort(arg[1], options), options) === 'string') return undefined;
  const letters = [];
  for (let i = 1; i < arg.length; i++) {
    const isString = typeOf(findShort(arg[i], options), options) === 'string';
    if (!isString || i === arg.length - 1) {
      ArrayPush(letters, `-${arg[i]}`);
    } else {
      ArrayPush(letters, `-${AnySlice(arg, i)}`);
      break;
    }
  }
  return letters;
}

const optionLabel = (name, options) => {
  const short = options[name]?.short;
  return `${short ? `-${short}, ` : ''}--${name}`;
};

function checkUsage(token, options) {
  const { name, value, inlineValue } = token;
  const label = optionLabel(name, options);
  const type = typeOf(name, options);
  if (type === 'string' && typeof value !== 'string') {
    throw new codes.ERR_PARSE_ARGS_INVALID_OPTION_VALUE(`Option '${label} <value>' argument missing`);
  }
  if (type === 'boolean' && value != null) {
    throw new codes.ERR_PARSE_ARGS_INVALID_OPTION_VALUE(`Option '${label}' does not take an argument`);
  }
  if (type === 'string' && inlineValue === false && looksLikeOption(value)) {
    const isLong = StringStartsWith(token.rawName, '--');
    const example = isLong ? `'${token.rawName}=-XYZ'` : `'--${name}=-XYZ' or '${token.rawName}-XYZ'`;
    throw new codes.ERR_PARSE_ARGS_INVALID_OPTION_VALUE(
      `Option '${token.rawName}' argument is ambiguous.\nDid you forget to specify the option argument for '${token.rawName}'?\n` +
        `To specify an option argument starting with a dash use ${example}.`,
    );
  }
}

function store(name, value, options, values) {
  if (name === '__proto__') return;
  const isMultiple = ObjectHasOwn(options, name) && options[name].multiple;
  if (!isMultiple) values[name] = value;
  else if (values[name]) ArrayPush(values[name], value);
  else values[name] = [value];
}

function parseArgs(config = {}) {
  validateObject(config, 'config');
  const settings = {
    args: config.args ?? host.programArguments?.() ?? [],
    options: config.options ?? {},
    strict: config.strict ?? true,
    allowPositionals: config.allowPositionals ?? !(config.strict ?? true),
    tokens: config.tokens ?? false,
    allowNegative: config.allowNegative ?? false,
  };
  checkConfig(settings);
  const { options, strict } = settings;
  const values = { __proto__: null };
  const positionals = [];
  const tokens = tokenize(settings.args, options);
  for (const token of intact(tokens)) {
    if (token.kind === 'positional') {
      if (!settings.allowPositionals) throw new codes.ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL(token.value);
      ArrayPush(positionals, token.value);
    } else if (token.kind === 'option') {
      takeOption(token, settings, values, strict);
    }
  }
  for (const { 0: name, 1: one } of intact(ObjectEntries(options))) {
    if (one.default !== undefined && values[name] === undefined) keepDefault(values, name, one.default);
  }
  const result = { values, positionals };
  if (settings.tokens) result.tokens = tokens;
  return result;
}

const keepDefault = (values, name, value) => {
  if (name !== '__proto__') values[name] = value;
};

function takeOption(token, { options, allowNegative, allowPositionals }, values, strict) {
  let isNegated = false;
  if (allowNegative && StringStartsWith(token.rawName, '--no-') && token.value === undefined) {
    const name = StringSlice(token.name, 3);
    if (typeOf(name, options) === 'boolean' || !strict) {
      token.name = name;
      isNegated = true;
    }
  }
  if (strict) {
    if (!ObjectHasOwn(options, token.name)) throw new codes.ERR_PARSE_ARGS_UNKNOWN_OPTION(token.rawName, allowPositionals);
    checkUsage(token, options);
  }
  store(token.name, isNegated ? false : (token.value ?? true), options, values);
}

module.exports = { parseArgs };
