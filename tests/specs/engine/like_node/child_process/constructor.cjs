// The ChildProcess constructor, and the names and lengths of the module's functions.
const { ChildProcess, spawn, fork, exec } = require('child_process');
const log = (...args) => process.stdout.write(`${require('node:util').format(...args)}\n`);
for (const o of [undefined, null, 'foo', 0, 1, NaN, true, false]) try { new ChildProcess().spawn(o) } catch (e) { log(e.code, e.message) }
for (const file of [undefined, 0, null, {}]) try { new ChildProcess().spawn({ file }) } catch (e) { log(e.code, e.message) }
for (const envPairs of [null, 0, 'x', {}]) try { new ChildProcess().spawn({ envPairs, stdio: ['ignore', 'ignore', 'ignore', 'ipc'] }) } catch (e) { log(e.code, e.message) }
for (const args of [0, 'x', {}]) try { new ChildProcess().spawn({ file: 'foo', args }) } catch (e) { log(e.code, e.message) }
const c = new ChildProcess(); c.spawn({ file: 'sleep', args: ['sleep', '10'], cwd: process.cwd(), stdio: 'pipe' });
log(c.pid > 0, c.spawnfile, c.spawnargs); try { c.kill('foo') } catch (e) { log(e.code, e.message) } log(c.kill(), c.killed, c instanceof require('events'), ChildProcess.name, typeof ChildProcess);
log(Object.getOwnPropertyNames(ChildProcess.prototype).sort().join());
log(spawn.length, fork.length, exec.length, require('child_process').execFile.length, require('child_process').spawnSync.length, require('child_process').execSync.length, require('child_process').execFileSync.length);
log(spawn.name, fork.name, exec.name);
