// Synchronous child processes.
const log = (...args) => process.stdout.write(`${require('node:util').format(...args)}\n`);
const { spawnSync, execSync, execFileSync } = require('node:child_process');
const show = (title, result) => {
  const { error, pid, ...rest } = result;
  log(title, Object.keys(result).join(), error && [error.name, error.message, error.code, error.errno, error.syscall, error.path, error.spawnargs], typeof pid, pid > 0, rest);
};
show('plain', spawnSync('sh', ['-c', 'echo out; echo err >&2']));
show('encoding', spawnSync('echo', ['é'], { encoding: 'utf8' }));
show('buffer', spawnSync('echo', ['é'], { encoding: 'buffer' }));
show('status', spawnSync('sh', ['-c', 'exit 200']));
show('signal', spawnSync('sh', ['-c', 'kill -9 $$']));
show('not there', spawnSync('no-such-program', ['a']));
show('no folder', spawnSync('true', { cwd: '/no/such' }));
show('not executable', spawnSync('/etc/hostname'));
show('timeout', spawnSync('sleep', ['100'], { timeout: 20 }));
show('timeout, signal', spawnSync('sleep', ['100'], { timeout: 20, killSignal: 'SIGKILL' }));
show('timeout with a grandchild on the pipe', spawnSync('sh', ['-c', 'sleep 3 & sleep 100'], { timeout: 20 }));
show('input', spawnSync('cat', { input: 'text', encoding: 'utf8' }));
show('input in an encoding', spawnSync('cat', { input: 'é', encoding: 'latin1' }));
show('input as bytes', spawnSync('cat', { input: new Uint16Array([0x4142]) }));
show('empty input', spawnSync('cat', { input: '' }));
show('no input', spawnSync('cat', { encoding: 'utf8' }));
show('ignored', spawnSync('sh', ['-c', 'echo a; cat'], { stdio: 'ignore' }));
show('partly', spawnSync('sh', ['-c', 'echo a; echo b >&2'], { stdio: ['pipe', 'ignore', 'pipe'], encoding: 'utf8' }));
show('fourth', spawnSync('sh', ['-c', 'echo a >&3'], { stdio: ['pipe', 'pipe', 'pipe', 'pipe'], encoding: 'utf8' }));
show('shell', spawnSync('echo $A; exit 2', { shell: true, env: { A: 'x' }, encoding: 'utf8' }));
show('argv0', spawnSync('sh', ['-c', 'echo $0'], { argv0: 'zero', encoding: 'utf8' }));
log(spawnSync('yes', { maxBuffer: 10 }).error.code, spawnSync('yes', { maxBuffer: 10 }).signal);
log(spawnSync('true', { input: Buffer.alloc(1 << 20) }).error.code);
log(spawnSync('head', ['-c', '3000000', '/dev/zero'], { maxBuffer: Infinity }).stdout.length, spawnSync('head', ['-c', '3000000', '/dev/zero']).error.code);
log(spawnSync('cat', { input: Buffer.alloc(3e6, 'x'), maxBuffer: Infinity }).stdout.length);
const attempt = (title, run) => {
  try {
    log(title, run());
  } catch (error) {
    log(title, error.name, error.message, Object.keys(error).join(), error.status, error.signal, error.code, String(error.stdout), String(error.stderr));
  }
};
attempt('execSync', () => execSync('echo a'));
attempt('execSync text', () => execSync('echo a', { encoding: 'utf8' }));
attempt('execSync fails', () => execSync('echo o; echo e >&2; exit 5', { stdio: 'pipe' }));
attempt('execSync shows stderr', () => execSync('echo shown >&2; exit 6'));
attempt('execSync signal', () => execSync('kill -9 $$'));
attempt('execSync ignored', () => execSync('echo a', { stdio: 'ignore' }));
attempt('execSync timeout', () => execSync('exec sleep 100', { timeout: 20 }));
attempt('execFileSync', () => execFileSync('echo', ['a b', 'c'], { encoding: 'utf8' }));
attempt('execFileSync options', () => execFileSync('pwd', { cwd: '/usr', encoding: 'utf8' }));
attempt('execFileSync fails', () => execFileSync('sh', ['-c', 'exit 3']));
attempt('execFileSync not there', () => execFileSync('no-such-program', ['x']));
log('before');
execSync('echo child; echo child error >&2', { stdio: 'inherit' });
log('after');
