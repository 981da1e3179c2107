// Unreferenced child processes do not keep the program alive.
const { fork, spawn } = require('node:child_process');
if (process.argv[2]) {
  setInterval(() => {}, 1000);
  return;
}
const forked = fork(__filename, ['child'], { stdio: 'ignore' });
forked.unref();
forked.channel.unref();
const sleeper = spawn('sleep', ['100']);
sleeper.unref();
for (const stream of sleeper.stdio) stream.unref();
process.on('exit', () => console.log(forked.kill('SIGKILL'), sleeper.kill()));
