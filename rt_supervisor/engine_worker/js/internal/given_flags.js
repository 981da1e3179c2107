// @ts-check
'use strict';
// Owns: the spelling of flags given to a program or worker: Node accepts underscores for dashes in flag names.

const {
  ArrayConcat,
  ArrayIncludes,
  ArrayMap,
  StringIndexOf,
  StringReplaceAll,
  StringSlice,
  StringSplit,
  StringStartsWith,
} = require('internal/primordials');

/**
 * Returns a command-line word; if it is a flag, in its canonical spelling: `--cpu_prof_dir=my_folder` becomes
 * `--cpu-prof-dir=my_folder`.
 * @param {string} word
 */
function normalizeFlag(word) {
  if (!StringStartsWith(word, '--')) return word;
  const equals = StringIndexOf(word, '=');
  const end = equals < 0 ? word.length : equals;
  return StringReplaceAll(StringSlice(word, 0, end), '_', '-') + StringSlice(word, end);
}

/**
 * Returns the flags of a process with their values: those of NODE_OPTIONS, then those of the command line.
 * @param {{ execArgv: string[], env: Record<string, string | undefined> }} process
 */
function givenFlags({ execArgv, env }) {
  return ArrayMap(ArrayConcat(StringSplit(`${env.NODE_OPTIONS ?? ''}`, ' '), execArgv), normalizeFlag);
}

/**
 * Whether the program wants warnings of future deprecations.
 * @param {{ execArgv: string[], env: Record<string, string | undefined> }} process
 */
const hasPendingDeprecations = (process) =>
  process.env.NODE_PENDING_DEPRECATION === '1' || ArrayIncludes(givenFlags(process), '--pending-deprecation');

module.exports = { givenFlags, hasPendingDeprecations, normalizeFlag };
