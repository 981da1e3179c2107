// Invalid arguments of node:child_process, and their errors.
const log = (...args) => process.stdout.write(`${require('node:util').format(...args)}\n`);
const cp = require('node:child_process');
const { spawn, spawnSync, exec, execFile, execSync, execFileSync, fork } = cp;
log(Object.keys(cp).filter((name) => !name.startsWith('_')).sort().join());
const say = (title, run) => {
  try {
    const result = run();
    result?.on?.('error', (error) => log(title, 'later', error.code));
    log(title, 'fine');
  } catch (error) {
    log(title, error.name, error.code, error.message);
  }
};
for (const call of [spawn, spawnSync]) {
  for (const file of [undefined, null, 3, '', 'a\0b', {}]) say('file', () => call(file));
  for (const args of [3, 'x', true, null, ['a\0']]) say('args', () => call('true', args));
  for (const options of [3, 'x', null, true]) say('options', () => call('true', [], options));
  for (const cwd of [3, 'a\0', {}, new URL('http://x/')]) say('cwd', () => call('true', { cwd }));
  for (const detached of [3, 'x', null, {}]) say('detached', () => call('true', { detached }));
  for (const uid of ['x', 1.5, {}, true]) say('uid', () => call('true', { uid }));
  for (const gid of ['x', 1.5]) say('gid', () => call('true', { gid }));
  for (const shell of [3, {}, null, 'a\0']) say('shell', () => call('true', { shell }));
  for (const argv0 of [3, {}, null, 'a\0']) say('argv0', () => call('true', { argv0 }));
  for (const windowsHide of [3, null, true]) say('windowsHide', () => call('true', { windowsHide }));
  for (const env of [{ 'a\0': 1 }, { a: 'b\0' }]) say('env', () => call('true', { env }));
  for (const timeout of [-1, 'x', 1.5, NaN, null, 3]) say('timeout', () => call('true', { timeout }));
  for (const killSignal of ['SIGNOPE', 3.5, {}, 400, 'sigkill', null]) say('killSignal', () => call('true', { killSignal }));
  for (const stdio of ['nope', 3, {}, ['pipe', 'nope'], [{}], [-1], ['ipc', 'ipc'], ['inherit', null, undefined, undefined]]) say('stdio', () => call('true', { stdio }));
  for (const maxBuffer of [-1, 'x', {}, NaN, Infinity]) if (call === spawnSync) say('maxBuffer', () => call('true', { maxBuffer }));
}
say('signal', () => spawn('true', { signal: 3 }));
say('signal', () => spawn('true', { signal: {} }));
say('serialization', () => spawn('true', { stdio: ['pipe', 'pipe', 'pipe', 'ipc'], serialization: 'xml' }));
say('sync ipc', () => spawnSync('true', { stdio: ['ipc'] }));
say('input', () => spawnSync('true', { input: 3 }));
say('kill', () => spawn('sleep', ['0']).kill('SIGNOPE'));
say('kill', () => spawn('sleep', ['0']).kill(400));
for (const command of [undefined, 3, null]) for (const call of [exec, execSync]) say('command', () => call(command));
for (const callback of [3, 'x', {}]) say('callback', () => execFile('true', [], {}, callback));
for (const args of [3, 'x']) say('execFile', () => execFile('true', args));
say('execFile', () => execFile('true', [], 3));
for (const timeout of [-1, 'x']) for (const call of [exec, execFile]) say('timeout', () => call('true', { timeout }));
for (const maxBuffer of [-1, 'x']) for (const call of [exec, execFile, execSync]) say('maxBuffer', () => call('true', { maxBuffer }));
for (const path of [undefined, 3, 'a\0b', new URL('http://x/')]) say('fork', () => fork(path));
for (const args of [3, 'x']) say('fork args', () => fork('x', args));
say('fork options', () => fork('x', [], 3));
say('fork stdio', () => fork('x', { stdio: ['pipe', 'pipe', 'pipe'] }));
say('fork stdio', () => fork('x', { stdio: 'nope' }));
