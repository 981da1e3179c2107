// getColorDepth in generated environments.
import { WriteStream } from 'node:tty';
let seed = 7; const rnd = (n) => { seed = (seed + 0x6d2b79f5) | 0; let t = Math.imul(seed ^ (seed >>> 15), 1 | seed); t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t; return ((t ^ (t >>> 14)) >>> 0) % n; };
const pool = {
  FORCE_COLOR: ['', '0', '1', '2', '3', 'true', 'false', 'x', '4'], NO_COLOR: ['', '0', '1'], NODE_DISABLE_COLORS: ['', '0', '1'],
  TERM: ['', 'dumb', 'xterm', 'xterm-256', 'xterm-256color', 'XTERM-256color', 'rxvt-16color', 'rxvt-unicode-24bit', 'terminator', 'linux', 'screen', 'screen-256color', 'tmux-256color', 'vt100', 'VT220', 'con80x25', 'con-80', 'ansi', 'cygwin', 'mosh', 'xterm-kitty', 'st', 'st-256color', 'konsole', 'gnome', 'foo', 'fail', 'color', 'direct', 'my-direct', 'putty', 'konsole-direct', 'alacritty', 'xterm-ghostty', 'xterm-truecolor', 'xterm+24bit', 'ecma+truecolor','24bit', 'eterm', 'jfbterm', 'Eterm', 'mlterm', 'mlterm-256color'],
  TMUX: ['', '1'], CI: ['', '1', 'true'], CI_NAME: ['', 'codeship', 'sourcehut', 'x'],
  TRAVIS: ['', '1'], CIRCLECI: ['', '1'], APPVEYOR: ['1'], GITLAB_CI: ['1'], GITHUB_ACTIONS: ['true', ''], GITEA_ACTIONS: ['1'], BUILDKITE: ['1'], DRONE: ['1', ''], WOODPECKER: ['1'], TF_BUILD: ['1', ''], AGENT_NAME: ['a', ''],
  TEAMCITY_VERSION: ['', '9.1.0', '9.0.5', '10.1', '8.0', '2020.1', '9.10.0 ', '09.1', 'x', '9.00', '9.05.1', '19.1', '9.1'], 
  TERM_PROGRAM: ['', 'Apple_Terminal', 'iTerm.app', 'HyperTerm', 'MacTerm', 'x', 'Hyper', 'vscode', 'WezTerm', 'ghostty'],
  TERM_PROGRAM_VERSION: ['', '1', '2', '2.9', '3.1', '10', 'a', '3'], COLORTERM: ['', 'truecolor', '24bit', 'yes', 'TRUECOLOR', '1'],
  WT_SESSION: ['1'], ConEmuTask: ['1'], KONSOLE_VERSION: ['1'], VTE_VERSION: ['1', '6000'], DOMTERM: ['1'], JETBRAINS: ['1'],
};
const names = Object.keys(pool);
const N = 2000; const out = [];
for (let i = 0; i < N; i++) {
  const env = {};
  const k = 1 + rnd(5);
  for (let j = 0; j < k; j++) { const n = names[rnd(names.length)]; env[n] = pool[n][rnd(pool[n].length)]; }
  if (rnd(3)) delete env.FORCE_COLOR; if (rnd(3)) delete env.NO_COLOR; if (rnd(3)) delete env.NODE_DISABLE_COLORS;
  out.push(JSON.stringify(env) + ' ' + WriteStream.prototype.getColorDepth.call({}, env) + ' ' + WriteStream.prototype.hasColors.call(WriteStream.prototype, env) + WriteStream.prototype.hasColors.call(WriteStream.prototype, 256, env));
}
console.log(out.join('\n'));
