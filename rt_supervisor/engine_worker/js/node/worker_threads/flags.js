'use strict';
// Owns: the flags of a worker (`execArgv`, NODE_OPTIONS in its own environment): which ones are allowed, and the options and
// start values that they set. `flag_table` is generated from rt's table of flags.

const {
  ArrayConcat,
  ArrayIncludes,
  ArrayPush,
  RegExpExec,
  RegExpReplace,
  StringReplaceAll,
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
// Flags that apply to the whole process, and that the NODE_OPTIONS of a worker cannot contain. V8's own flags are ignored there.
const BEFORE_WORKERS = StringSplit(
  'debug-arraybuffer-allocations disable-proto disable-wasm-trap-handler enable-fips enable-fips-indicator-events force-fips ' +
    'icu-data-dir node-memory-debug node-snapshot openssl-config openssl-legacy-provider openssl-shared-config prof-process ' +
    'report-compact report-dir report-directory report-filename report-on-fatalerror secure-heap secure-heap-min ' +
    'snapshot-blob title tls-cipher-list trace-event-categories trace-event-file-pattern trace-events-enabled trace-sigint ' +
    'use-bundled-ca use-largepages use-openssl-ca v8-pool-size zero-fill-buffers',
  ' ',
);
const INPUT_TYPES = ['module', 'commonjs', 'module-typescript', 'commonjs-typescript'];
const SHORT = { __proto__: null, '-r': '--require', '-C': '--conditions', '-e': '--eval', '-p': '--print', '-c': '--check' };
const VALUES = { __proto__: null, list: () => [], text: () => '', boolean: () => false };

const isKnown = (name) =>
  OWN[name] !== undefined ||
  runtimeParts.process.process.allowedNodeEnvironmentFlags.has(`--${name}`) ||
  ArrayIncludes(['eval', 'print', 'check', 'test', 'watch', 'env-file', 'input-type', 'experimental-loader', 'no-addons'], name);

/**
 * Returns all options and start values that a worker's flags set: those of variables in its environment (`env`), then `own`, or
 * else those of the process (`inherited`). Throws for flags among `own` that a worker cannot have.
 */
function readFlags({ env, own, inherited }) {
  const settings = { options: {}, start: {} };
  for (const name in OWN) {
    const { 0: target, 1: key, 2: kind } = OWN[name];
    settings[target][key] = VALUES[kind]();
  }
  if (env.NODE_PRESERVE_SYMLINKS === '1') settings.options.preserve_symlinks = true;
  readWords(settings, StringSplit(env.NODE_OPTIONS ?? '', ' '));
  const invalid = readWords(settings, own ?? inherited);
  if (own !== undefined && invalid.length > 0) throw new codes.ERR_WORKER_INVALID_EXEC_ARGV(invalid);
  return settings;
}

/** Adds what `words` set to `settings`; returns those that a worker cannot have. */
function readWords(settings, words) {
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
    if (name === 'input-type' && value !== undefined && !ArrayIncludes(INPUT_TYPES, value))
      ArrayPush(invalid, '--input-type must be "module","commonjs", "module-typescript" or "commonjs-typescript"');
    if (OWN[name] !== undefined) set(settings, OWN[name], value);
  }
  return invalid;
}

function set(settings, { 0: target, 1: key, 2: kind }, value) {
  if (kind === 'boolean') settings[target][key] = true;
  else if (kind === 'text') settings[target][key] = value;
  else ArrayPush(settings[target][key], value);
}

/** Validates NODE_OPTIONS in a worker's own environment; the parent has applied its own. */
function checkOptions(text) {
  const invalid = [];
  const allowed = runtimeParts.process.process.allowedNodeEnvironmentFlags;
  for (const word of intact(StringSplit(text, ' '))) {
    if (word.length < 2 || word[0] !== '-') continue;
    const { 0: flag, length } = StringSplit(word, '=');
    const isLong = StringStartsWith(word, '--');
    const name = StringReplaceAll(RegExpReplace(/^--(?:no-)?/, flag, ''), '_', '-');
    if (allowed.has(word) && (isLong ? !ArrayIncludes(BEFORE_WORKERS, name) : length === 1)) continue;
    ArrayPush(invalid, `${isLong && length > 1 ? `${flag}=` : word} is not allowed in NODE_OPTIONS`);
  }
  if (invalid.length > 0) throw new codes.ERR_WORKER_INVALID_EXEC_ARGV(invalid, 'invalid NODE_OPTIONS env variable');
}

module.exports = { readFlags, checkOptions };
