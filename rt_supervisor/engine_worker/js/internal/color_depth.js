// @ts-check
'use strict';
// Owns: the number of colours that a terminal supports, derived from the environment (tty.WriteStream.getColorDepth).

const { ArrayFilter, ArrayJoin, RegExpTest, StringToLowerCase } = require('internal/primordials');
const DEPTHS = { MONO: 1, BASIC: 4, MANY: 8, ALL: 24 };
const TERMINALS = {
  __proto__: null,
  eterm: DEPTHS.BASIC,
  cons25: DEPTHS.BASIC,
  console: DEPTHS.BASIC,
  cygwin: DEPTHS.BASIC,
  dtterm: DEPTHS.BASIC,
  gnome: DEPTHS.BASIC,
  hurd: DEPTHS.BASIC,
  jfbterm: DEPTHS.BASIC,
  konsole: DEPTHS.BASIC,
  kterm: DEPTHS.BASIC,
  mlterm: DEPTHS.BASIC,
  putty: DEPTHS.BASIC,
  st: DEPTHS.BASIC,
  terminator: DEPTHS.ALL,
  'rxvt-unicode-24bit': DEPTHS.ALL,
  mosh: DEPTHS.ALL,
  'xterm-kitty': DEPTHS.ALL,
};
// CI services; the first variable that is set decides.
const SERVICES = [
  ['APPVEYOR', DEPTHS.MANY],
  ['BUILDKITE', DEPTHS.MANY],
  ['CIRCLECI', DEPTHS.ALL],
  ['DRONE', DEPTHS.MANY],
  ['GITEA_ACTIONS', DEPTHS.ALL],
  ['GITHUB_ACTIONS', DEPTHS.ALL],
  ['GITLAB_CI', DEPTHS.MANY],
  ['TRAVIS', DEPTHS.MANY],
];
const PATTERN = /ansi|color|linux|direct|^con[0-9]*x[0-9]|^rxvt|^screen|^xterm|^vt100|^vt220/i;

function readForceColor(value) {
  switch (value) {
    case '':
    case '1':
    case 'true':
      return DEPTHS.BASIC;
    case '2':
      return DEPTHS.MANY;
    case '3':
      return DEPTHS.ALL;
    default:
      return DEPTHS.MONO;
  }
}

const isSet = (value) => value !== undefined && value !== '';

function colorDepth(env) {
  if (env.FORCE_COLOR !== undefined) return readForceColor(env.FORCE_COLOR);
  if (isSet(env.NO_COLOR) || isSet(env.NODE_DISABLE_COLORS) || env.TERM === 'dumb') return DEPTHS.MONO;
  if (env.TMUX) return DEPTHS.ALL;
  if ('TF_BUILD' in env && 'AGENT_NAME' in env) return DEPTHS.BASIC;
  if ('CI' in env) return ofService(env);
  if ('TEAMCITY_VERSION' in env) {
    return RegExpTest(/^(?:9\.0*[1-9]\d*\.|\d{2,}\.)/, env.TEAMCITY_VERSION) ? DEPTHS.BASIC : DEPTHS.MONO;
  }
  switch (env.TERM_PROGRAM) {
    case 'iTerm.app':
      return !env.TERM_PROGRAM_VERSION || RegExpTest(/^[0-2]\./, env.TERM_PROGRAM_VERSION) ? DEPTHS.MANY : DEPTHS.ALL;
    case 'HyperTerm':
    case 'MacTerm':
      return DEPTHS.ALL;
    case 'Apple_Terminal':
      return DEPTHS.MANY;
  }
  if (env.COLORTERM === 'truecolor' || env.COLORTERM === '24bit') return DEPTHS.ALL;
  const { TERM = '' } = env;
  if (RegExpTest(/truecolor/, TERM)) return DEPTHS.ALL;
  if (RegExpTest(/^xterm-256/, TERM)) return DEPTHS.MANY;
  const depth = TERMINALS[StringToLowerCase(TERM)];
  if (depth !== undefined) return depth;
  return RegExpTest(PATTERN, TERM) || env.COLORTERM ? DEPTHS.BASIC : DEPTHS.MONO;
}

/** Returns the colour depth of a CI service's log. */
function ofService(env) {
  for (let index = 0; index < SERVICES.length; index++) if (SERVICES[index][0] in env) return SERVICES[index][1];
  return env.CI_NAME === 'codeship' ? DEPTHS.MANY : DEPTHS.MONO;
}

let hasWarned = false;

/** Warns once about variables that `FORCE_COLOR` overrides. */
function warnOfOverridden(env) {
  if (hasWarned || readForceColor(env.FORCE_COLOR ?? '0') === DEPTHS.MONO) return;
  const names = ArrayFilter(['NODE_DISABLE_COLORS', 'NO_COLOR'], (name) => isSet(env[name]));
  if (names.length === 0) return;
  hasWarned = true;
  host.emitWarning(`The '${ArrayJoin(names, "' and '")}' env is ignored due to the 'FORCE_COLOR' env being set.`, 'Warning');
}

module.exports = { colorDepth, warnOfOverridden };
