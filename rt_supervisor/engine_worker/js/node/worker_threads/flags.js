'use strict';
// Owns: the flags of a worker (`execArgv`, NODE_OPTIONS in its own environment): which ones are allowed, and the options and
// start values that they set. `flag_table` is generated from rt's table of flags.

const {
  ArrayConcat,
  ArrayIncludes,
  ArrayPush,
  RegExpExec,
  StringSlice,
  StringSplit,
  StringStartsWith,
  intact,
} = require('internal/primordials');
const { normalizeFlag } = require('internal/given_flags');
const runtimeParts = require('internal/parts');
const { codes } = require('internal/errors/errors');
const { OWN, REFUSED, NEED_VALUES } = require('node/worker_threads/flag_table');

// Flags known only to Node and V8 that apply to the whole process or the engine; rt's own are in the table.
const OF_THE_PROCESS = ArrayConcat(
  REFUSED,
  StringSplit(
    'icu-data-dir v8-pool-size openssl-config openssl-legacy-provider openssl-shared-config force-fips enable-fips secure-heap ' +
      'secure-heap-min node-snapshot trace-event-categories trace-event-file-pattern abort-on-uncaught-exception ' +
      'max-old-space-size max-semi-space-size max-heap-size stack-size allow-natives-syntax interpreted-frames-native-stack ' +
      'jitless perf-basic-prof perf-prof gc-interval huge-max-old-generation-size',
    ' ',
  ),
);
const SHORT = { __proto__: null, '-r': '--require', '-C': '--conditions', '-e': '--eval', '-p': '--print', '-c': '--check' };
const VALUES = { __proto__: null, list: () => [], text: () => '', boolean: () => false };

const isKnown = (name) =>
  OWN[name] !== undefined ||
  runtimeParts.process.process.allowedNodeEnvironmentFlags.has(`--${name}`) ||
  ArrayIncludes(['eval', 'print', 'check', 'test', 'watch', 'env-file', 'input-type', 'experimental-loader', 'no-addons'], name);

/** Returns all options and start values set by a worker's own flags; throws for flags that a worker cannot have. */
function readFlags(words) {
  const settings = { options: {}, start: {} };
  for (const name in OWN) {
    const { 0: target, 1: key, 2: kind } = OWN[name];
    settings[target][key] = VALUES[kind]();
  }
  const invalid = [];
  for (let index = 0; index < words.length; index++) {
    const word = SHORT[words[index]] ?? normalizeFlag(`${words[index]}`);
    const match = RegExpExec(/^--([^=]+)(?:=(.*))?$/s, word);
    if (match === null) continue; // a value
    const { 1: name } = match;
    if (ArrayIncludes(OF_THE_PROCESS, name) || !isKnown(name)) {
      ArrayPush(invalid, words[index]);
      continue;
    }
    let value = match[2];
    if (ArrayIncludes(NEED_VALUES, name) && value === undefined) {
      value = words[++index];
      if (value === undefined) ArrayPush(invalid, `--${name} requires an argument`);
    }
    if (OWN[name] !== undefined) set(settings, OWN[name], value);
  }
  if (invalid.length > 0) throw new codes.ERR_WORKER_INVALID_EXEC_ARGV(invalid);
  return settings;
}

function set(settings, { 0: target, 1: key, 2: kind }, value) {
  if (kind === 'boolean') settings[target][key] = true;
  else if (kind === 'text') settings[target][key] = value;
  else ArrayPush(settings[target][key], value);
}

/** Validates NODE_OPTIONS in a worker's own environment; the parent has applied its own. */
function checkOptions(text) {
  const invalid = [];
  for (const word of intact(StringSplit(text, ' '))) {
    if (!StringStartsWith(word, '--')) continue;
    const name = StringSplit(StringSlice(normalizeFlag(word), 2), '=')[0];
    if (!ArrayIncludes(OF_THE_PROCESS, name) && isKnown(name)) continue;
    ArrayPush(invalid, `--${name}${ArrayIncludes(OF_THE_PROCESS, name) ? '=' : ''} is not allowed in NODE_OPTIONS`);
  }
  if (invalid.length > 0) throw new codes.ERR_WORKER_INVALID_EXEC_ARGV(invalid, 'invalid NODE_OPTIONS env variable');
}

module.exports = { readFlags, checkOptions };
