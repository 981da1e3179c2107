// The events of child processes and their order.
const log = (...args) => process.stdout.write(`${require('node:util').format(...args)}\n`);
const { spawn, ChildProcess } = require('node:child_process');
const { EventEmitter } = require('node:events');
const { Readable, Writable } = require('node:stream');

function watched(title, child, extra = () => {}) {
  return new Promise((resolve) => {
    const seen = [];
    for (const name of ['spawn', 'exit', 'error', 'close']) {
      child.on(name, (...args) => {
        seen.push([name, ...args.map((arg) => (arg instanceof Error ? `${arg.name} ${arg.code} ${arg.message}` : arg))]);
        if (name === 'close') setImmediate(() => { log(title, seen); resolve(child); });
      });
    }
    extra(child, seen);
  });
}

(async () => {
  let c = await watched('plain', spawn('true'));
  log(c instanceof ChildProcess, c instanceof EventEmitter, c.exitCode, c.signalCode, c.killed, c.spawnfile, c.spawnargs, c.kill(), c.connected);
  log(c.stdin instanceof Writable, c.stdout instanceof Readable, c.stdio.length, c.stdio[1] === c.stdout, c.channel, c.send);
  await watched('status', spawn('sh', ['-c', 'exit 7'], { stdio: 'ignore' }));
  await watched('signal', spawn('sh', ['-c', 'kill -9 $$']));
  c = await watched('not there', spawn('no-such-program', ['a', 'b']));
  log(c.pid, c.exitCode, c.stdin.destroyed, c.stdout.readableEnded, c.kill());
  await watched('not there, ignored', spawn('no-such-program', { stdio: 'ignore' }));
  await watched('no folder', spawn('true', [], { cwd: '/no/such/folder' }));
  await watched('not executable', spawn('/etc/hostname'));
  await watched('a folder', spawn('/etc'));
  await watched('killed', spawn('sleep', ['100']), (child) => log(child.kill(), child.killed, child.kill(0), child.kill('SIGTERM')));
  await watched('killed by name', spawn('sleep', ['100']), (child) => log(child.kill('SIGINT')));
  await watched('killed by number', spawn('sleep', ['100']), (child) => log(child.kill(9)));
  await watched('timeout', spawn('sleep', ['100'], { timeout: 20 }));
  await watched('timeout with its signal', spawn('sleep', ['100'], { timeout: 20, killSignal: 'SIGKILL' }));
  const controller = new AbortController();
  await watched('abort', spawn('sleep', ['100'], { signal: controller.signal }), () => controller.abort());
  await watched('aborted before', spawn('sleep', ['100'], { signal: AbortSignal.abort(new Error('why')) }), (child) =>
    child.on('error', (error) => log(error.cause)));
  await watched('streams', spawn('cat'), (child, seen) => {
    for (const name of ['finish', 'error']) child.stdin.on(name, () => seen.push(`stdin ${name}`));
    child.stdin.end('text');
    child.stdout.setEncoding('utf8').on('data', (text) => seen.push(`data ${text}`));
  });
  c = spawn('true');
  await new Promise((resolve) => c.on('exit', () => c.stdin.write('x', (error) => { log('nobody writes to it any more', error.code); resolve(); })));
  await watched('broken pipe', spawn('sh', ['-c', 'exec <&-; echo ready; exec sleep 100']), (child, seen) => {
    child.stdin.on('error', (error) => {
      seen.push(`stdin ${error.code} ${error.syscall} ${error.errno} ${error.message}`);
      child.kill();
    });
    child.stdout.once('data', () => child.stdin.write('x'));
  });
  await watched('argv0', spawn('sh', ['-c', 'echo $0'], { argv0: 'zero' }), (child) => child.stdout.on('data', (data) => log(String(data))));
  await watched('shell', spawn('echo $A; exit 3', { shell: true, env: { A: 'x y' } }), (child) => child.stdout.on('data', (data) => log(String(data))));
  await watched('other shell', spawn('echo $0', { shell: '/bin/bash' }), (child) => child.stdout.on('data', (data) => log(String(data))));
  await watched('folder as URL', spawn('pwd', { cwd: new URL('file:///usr') }), (child) => child.stdout.on('data', (data) => log(String(data))));
  await watched('environment', spawn('/usr/bin/env', { env: { A: 1, B: undefined, C: null, __proto__: { D: 'inherited' } } }), (child) =>
    child.stdout.on('data', (data) => log(String(data).split('\n').sort().join())));
  await watched('detached', spawn('sh', ['-c', 'ps -o pid=,pgid=,sid= $$'], { detached: true }), (child) =>
    child.stdout.on('data', (data) => log(String(data).trim().split(/ +/).map((id) => Number(id) === child.pid))));
  {
    using disposed = spawn('sleep', ['100']);
    var gone = watched('disposed', disposed);
  }
  await gone;
  await watched('no shebang', spawn('./script', ['a'], { cwd: __dirname }), (child) => child.stdout?.on('data', (data) => log(String(data))));
})();
require('node:fs').writeFileSync(`${__dirname}/script`, 'echo $0 $1', { mode: 0o755 });
