// @ts-check
'use strict';
// Owns: how many colours a terminal shows, from the environment (tty.WriteStream.getColorDepth).

const { ArraySome, RegExpTest, StringToLowerCase } = require('internal/primordials');
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
const PATTERN = /ansi|color|linux|direct|^con[0-9]*x[0-9]|^rxvt|^screen|^xterm|^vt100|^vt220/i;

function forced(value) {
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

function colorDepth(env) {
  if (env.FORCE_COLOR !== undefined) return forced(env.FORCE_COLOR);
  if ((env.NO_COLOR !== undefined && env.NO_COLOR !== '') || env.NODE_DISABLE_COLORS !== undefined || env.TERM === 'dumb')
    return DEPTHS.MONO;
  if (env.TMUX) return DEPTHS.ALL;
  if (env.CI) {
    if (ArraySome(['CIRCLECI', 'GITEA_ACTIONS', 'GITHUB_ACTIONS'], (name) => name in env)) return DEPTHS.ALL;
    return ArraySome(['APPVEYOR', 'BUILDKITE', 'DRONE', 'GITLAB_CI', 'TRAVIS'], (name) => name in env)
      ? DEPTHS.MANY
      : DEPTHS.MONO;
  }
  if (RegExpTest(/^(iTerm\.app|HyperTerm|MacTerm)$/, env.TERM_PROGRAM ?? '')) return DEPTHS.ALL;
  if (env.COLORTERM === 'truecolor' || env.COLORTERM === '24bit') return DEPTHS.ALL;
  const { TERM = '' } = env;
  if (RegExpTest(/^xterm-256/, TERM)) return DEPTHS.MANY;
  const known = TERMINALS[StringToLowerCase(TERM)];
  if (known !== undefined) return known;
  return RegExpTest(PATTERN, TERM) || env.COLORTERM ? DEPTHS.BASIC : DEPTHS.MONO;
}

module.exports = { colorDepth };
