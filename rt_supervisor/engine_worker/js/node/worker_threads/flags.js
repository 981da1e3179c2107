'use strict';
// Owns: the flags that a worker is given (`execArgv`, NODE_OPTIONS in its own environment): which of them a worker may have, and what
// rt heeds of them there.

const {
  ArrayIncludes,
  ArrayPush,
  RegExpExec,
  StringSlice,
  StringSplit,
  StringStartsWith,
  intact,
} = require('internal/primordials');
const { spelled } = require('internal/given_flags');
const handedDown = require('internal/parts');
const { codes } = require('internal/errors/errors');

// What is the process's own, or the engine's, once for all threads.
const OF_THE_PROCESS = StringSplit(
  'title zero-fill-buffers icu-data-dir v8-pool-size openssl-config openssl-legacy-provider openssl-shared-config force-fips ' +
    'enable-fips secure-heap secure-heap-min disable-proto node-snapshot trace-event-categories trace-event-file-pattern ' +
    'abort-on-uncaught-exception expose-gc max-old-space-size max-semi-space-size max-heap-size stack-size ' +
    'stack-trace-limit allow-natives-syntax interpreted-frames-native-stack jitless perf-basic-prof perf-prof gc-interval ' +
    'huge-max-old-generation-size',
  ' ',
);
const SHORT = { __proto__: null, '-r': '--require', '-C': '--conditions', '-e': '--eval', '-p': '--print', '-c': '--check' };
// Flag -> the field of ProgramOptions (engine_worker/program/options.py) that it sets, and whether it has values and may be repeated.
const HEEDED = {
  __proto__: null,
  require: ['preloads', 'list'],
  import: ['preloads', 'list'],
  preload: ['preloads', 'list'],
  conditions: ['conditions', 'list'],
  'disable-warning': ['disable_warning', 'list'],
  'unhandled-rejections': ['unhandled_rejections', 'text'],
  'no-warnings': ['no_warnings', 'yes'],
  'no-deprecation': ['no_deprecation', 'yes'],
  'throw-deprecation': ['throw_deprecation', 'yes'],
  'trace-warnings': ['trace_warnings', 'yes'],
  'trace-deprecation': ['trace_deprecation', 'yes'],
  'preserve-symlinks': ['preserve_symlinks', 'yes'],
};
const NEED_VALUES = [
  'require',
  'import',
  'preload',
  'conditions',
  'disable-warning',
  'unhandled-rejections',
  'redirect-warnings',
];

const isKnown = (name) =>
  HEEDED[name] !== undefined ||
  handedDown.process.process.allowedNodeEnvironmentFlags.has(`--${name}`) ||
  ArrayIncludes(['eval', 'print', 'check', 'test', 'watch', 'env-file', 'input-type', 'experimental-loader', 'no-addons'], name);

/** What a worker's own flags say; throws for those that no worker can have. */
function heeded(words) {
  const settings = {};
  const refused = [];
  for (let index = 0; index < words.length; index++) {
    const word = SHORT[words[index]] ?? spelled(`${words[index]}`);
    const found = RegExpExec(/^--([^=]+)(?:=(.*))?$/s, word);
    if (found === null) continue; // a value
    const { 1: name } = found;
    if (ArrayIncludes(OF_THE_PROCESS, name) || !isKnown(name)) {
      ArrayPush(refused, words[index]);
      continue;
    }
    let value = found[2];
    if (ArrayIncludes(NEED_VALUES, name) && value === undefined) {
      value = words[++index];
      if (value === undefined) ArrayPush(refused, `--${name} requires an argument`);
    }
    if (HEEDED[name] !== undefined && value !== null) set(settings, HEEDED[name], value);
  }
  if (refused.length > 0) throw new codes.ERR_WORKER_INVALID_EXEC_ARGV(refused);
  return settings;
}

function set(settings, { 0: field, 1: kind }, value) {
  if (kind === 'yes') settings[field] = true;
  else if (kind === 'text') settings[field] = value;
  else ArrayPush((settings[field] ??= []), value);
}

/** Check the NODE_OPTIONS that a worker has of its own; those of the parent were read by it. */
function checkOptions(text) {
  const refused = [];
  for (const word of intact(StringSplit(text, ' '))) {
    if (!StringStartsWith(word, '--')) continue;
    const name = StringSplit(StringSlice(spelled(word), 2), '=')[0];
    if (!ArrayIncludes(OF_THE_PROCESS, name) && isKnown(name)) continue;
    ArrayPush(refused, `--${name}${ArrayIncludes(OF_THE_PROCESS, name) ? '=' : ''} is not allowed in NODE_OPTIONS`);
  }
  if (refused.length > 0) throw new codes.ERR_WORKER_INVALID_EXEC_ARGV(refused, 'invalid NODE_OPTIONS env variable');
}

module.exports = { heeded, checkOptions };
