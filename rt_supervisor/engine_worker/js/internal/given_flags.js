// @ts-check
'use strict';
// Owns: how flags are spelled that a program or a worker was given: Node takes an underscore in a flag's name for a dash.

const {
  ArrayConcat,
  ArrayMap,
  StringIndexOf,
  StringReplaceAll,
  StringSlice,
  StringSplit,
  StringStartsWith,
} = require('internal/primordials');

/**
 * A word of a command line, where it is a flag in its usual spelling: `--cpu_prof_dir=my_folder` is `--cpu-prof-dir=my_folder`.
 * @param {string} word
 */
function spelled(word) {
  if (!StringStartsWith(word, '--')) return word;
  const equals = StringIndexOf(word, '=');
  const end = equals < 0 ? word.length : equals;
  return StringReplaceAll(StringSlice(word, 0, end), '_', '-') + StringSlice(word, end);
}

/**
 * The flags of a process with their values: those of NODE_OPTIONS, then those of the command line.
 * @param {{ execArgv: string[], env: Record<string, string | undefined> }} process
 */
function givenFlags({ execArgv, env }) {
  return ArrayMap(ArrayConcat(StringSplit(`${env.NODE_OPTIONS ?? ''}`, ' '), execArgv), spelled);
}

module.exports = { givenFlags, spelled };
