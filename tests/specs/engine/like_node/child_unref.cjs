// Children that do not keep the program alive.
const { fork, spawn } = require('child_process');
if (process.argv[2]) { setInterval(() => {}, 1000); return; }
const c = fork(__filename, ['x'], { detached: true, stdio: 'ignore' }); c.unref(); c.channel.unref(); console.log('ok'); process.on('exit', () => process.kill(c.pid, 'SIGKILL'));
const d = spawn('sleep', ['100']); d.unref(); d.stdin.unref(); d.stdout.unref(); d.stderr.unref();
process.on('exit', () => d.kill());
