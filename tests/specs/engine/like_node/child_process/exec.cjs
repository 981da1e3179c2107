// exec and execFile: output that is buffered and passed to the callback.
const log = (...args) => process.stdout.write(`${require('node:util').format(...args)}\n`);
const { exec, execFile } = require('node:child_process');
const { promisify } = require('node:util');
const report = (title) => (...args) => new Promise((resolve) => {
  args.push((error, stdout, stderr) => {
    log(title, [error && [error.name, error.message, error.code, error.killed, error.signal, error.cmd, Object.keys(error).join()], stdout, stderr]);
    resolve();
  });
  const child = (title.startsWith('file') ? execFile : exec)(...args);
  if (title.includes('abort')) queueMicrotask(() => controller.abort());
  if (title.includes('killed')) child.kill('SIGKILL');
});
let controller = new AbortController();
(async () => {
  await report('plain')('echo out; echo err >&2');
  await report('status')('echo out; echo err >&2; exit 4');
  await report('signal')('kill -15 $$');
  await report('empty')('true', {});
  await report('encoding')('printf "\\303\\251"', { encoding: 'latin1' });
  await report('buffer')('printf "\\303\\251"', { encoding: 'buffer' });
  await report('unknown encoding')('echo x', { encoding: 'nope' });
  await report('split character')(`printf '\\303'; sleep 0.05; printf '\\251'`);
  await report('shell')('echo $0', { shell: '/bin/bash' });
  await report('env')('echo $A$HOME', { env: { A: 'a' } });
  await report('cwd')('pwd', { cwd: '/usr' });
  await report('timeout')('exec sleep 100', { timeout: 20 });
  await report('timeout, signal')('exec sleep 100', { timeout: 20, killSignal: 'SIGKILL' });
  await report('too much')('yes', { maxBuffer: 10 });
  await report('too much on stderr')('yes >&2', { maxBuffer: 10 });
  await report('exactly enough')('printf 0123456789', { maxBuffer: 10 });
  await report('one too many')('printf 0123456789x', { maxBuffer: 10 });
  await report('bytes not characters')(`printf '\\303\\251\\303\\251'`, { maxBuffer: 3 });
  await report('abort')('exec sleep 100', { signal: controller.signal });
  await report('killed')('exec sleep 100');
  await report('file')('printf', ['%s|', 'a b', '$HOME', '"q"']);
  await report('file without args')('pwd');
  await report('file with options')('pwd', { cwd: '/usr' });
  await report('file status')('sh', ['-c', 'exit 9']);
  await report('file not there')('no-such-program', ['x']);
  await report('file, shell')('echo $A', { shell: true, env: { A: 'x' } });
  log(await promisify(exec)('echo promised'), await promisify(execFile)('echo', ['file']));
  await promisify(exec)('echo out; echo err >&2; exit 3').catch((error) => log(error.code, error.stdout, error.stderr, error.message));
  const promise = promisify(execFile)('cat');
  promise.child.stdin.end('through');
  log(await promise);
  exec('exit 5').on('exit', (code) => log('no callback', code));
})();
