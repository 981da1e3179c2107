// exec and execFile: output that is buffered and passed to the callback.
const log = (...args) => process.stdout.write(`${require('node:util').format(...args)}\n`);
const { exec, execFile } = require('node:child_process');
const { promisify } = require('node:util');
const tell = (title) => (...args) => new Promise((resolve) => {
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
  await tell('plain')('echo out; echo err >&2');
  await tell('status')('echo out; echo err >&2; exit 4');
  await tell('signal')('kill -15 $$');
  await tell('empty')('true', {});
  await tell('encoding')('printf "\\303\\251"', { encoding: 'latin1' });
  await tell('buffer')('printf "\\303\\251"', { encoding: 'buffer' });
  await tell('unknown encoding')('echo x', { encoding: 'nope' });
  await tell('split character')(`printf '\\303'; sleep 0.05; printf '\\251'`);
  await tell('shell')('echo $0', { shell: '/bin/bash' });
  await tell('env')('echo $A$HOME', { env: { A: 'a' } });
  await tell('cwd')('pwd', { cwd: '/usr' });
  await tell('timeout')('exec sleep 100', { timeout: 20 });
  await tell('timeout, signal')('exec sleep 100', { timeout: 20, killSignal: 'SIGKILL' });
  await tell('too much')('yes', { maxBuffer: 10 });
  await tell('too much on stderr')('yes >&2', { maxBuffer: 10 });
  await tell('exactly enough')('printf 0123456789', { maxBuffer: 10 });
  await tell('one too many')('printf 0123456789x', { maxBuffer: 10 });
  await tell('bytes not characters')(`printf '\\303\\251\\303\\251'`, { maxBuffer: 3 });
  await tell('abort')('exec sleep 100', { signal: controller.signal });
  await tell('killed')('exec sleep 100');
  await tell('file')('printf', ['%s|', 'a b', '$HOME', '"q"']);
  await tell('file without args')('pwd');
  await tell('file with options')('pwd', { cwd: '/usr' });
  await tell('file status')('sh', ['-c', 'exit 9']);
  await tell('file not there')('no-such-program', ['x']);
  await tell('file, shell')('echo $A', { shell: true, env: { A: 'x' } });
  log(await promisify(exec)('echo promised'), await promisify(execFile)('echo', ['file']));
  await promisify(exec)('echo out; echo err >&2; exit 3').catch((error) => log(error.code, error.stdout, error.stderr, error.message));
  const promise = promisify(execFile)('cat');
  promise.child.stdin.end('through');
  log(await promise);
  exec('exit 5').on('exit', (code) => log('no callback', code));
})();
