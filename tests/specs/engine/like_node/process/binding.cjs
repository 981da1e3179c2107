// process.binding: what older packages read from it.
const { inspect } = require('node:util');
const log = (...args) => process.stdout.write(`${args.map((each) => (typeof each === 'string' ? each : inspect(each))).join(' ')}\n`);
for (const name of ['nope', '', 'toString', '__proto__', 5, undefined, 'async_wrap', 'v8']) {
  try { log(process.binding(name)); } catch (error) { log(error.name, error.message, error.code); }
}
const binding = process.binding;
log(binding('constants').fs.O_RDONLY, binding('constants').os.signals.SIGINT, binding('constants').zlib.Z_NO_FLUSH, Object.keys(binding('constants').crypto).length > 10);
log('fs' in binding('natives'), 'path' in binding('natives'), Object.prototype.hasOwnProperty.call(binding('natives'), 'events'), 'express' in binding('natives'));
log(binding('uv').UV_ENOENT, binding('uv').UV_EOF, binding('uv').errname(-2), binding('uv').errname === binding('uv').errname);
log(binding('buffer').kMaxLength === require('buffer').kMaxLength, binding('buffer').byteLengthUtf8('añ'), binding('buffer').compare(Buffer.from('a'), Buffer.from('b')));
log(binding('util').isRegExp(/x/), binding('util').isDate(5), binding('util').isMap(new Map()), binding('util').isUint8Array(Buffer.alloc(1)));
log(binding('tty_wrap').isTTY(0), typeof binding('os').getHostname(), binding('config').hasIntl, binding('config').bits);
log(binding('fs') === binding('fs'), typeof binding('fs').internalModuleStat, binding('zlib').crc32('a', 0));

// Instrumentation of child processes replaces the function of `spawn_sync`.
const child = require('node:child_process'), sync = binding('spawn_sync'), { spawn } = sync;
sync.spawn = function (options) {
  log(options.file, options.args, options.stdio.map(({ type, fd, input }) => [type, fd, input?.length]), options.cwd, options.timeout, options.maxBuffer, options.envPairs.includes('A=1'));
  const result = spawn.call(this, options); log(Object.keys(result).sort(), result.status, result.signal, result.error, result.output);
  return result;
};
child.spawnSync('cat', ['-'], { input: 'abc', env: { ...process.env, A: '1' } });
child.execSync('echo hi; exit 0', { timeout: 9000, cwd: '/', stdio: ['ignore', 'pipe', 'inherit'] });
try { child.execFileSync('nothere', { env: { PATH: '/bin' } }); } catch (error) { log(error.code, error.errno, error.syscall, error.path, error.spawnargs); }
sync.spawn = (options) => { options.args = ['echo', 'other']; options.envPairs = ['PATH=/usr/bin:/bin']; return spawn(options); };
log(child.spawnSync('echo', ['one'], { encoding: 'utf8' }).stdout);
sync.spawn = spawn;
log(String(spawn({ file: 'echo', args: ['echo', 'z'], stdio: [{ type: 'ignore' }, { type: 'pipe', readable: false, writable: true }, { type: 'inherit', fd: 2 }] }).output[1]));

const own = {}; log(process.constructor.call(own) === own, new process.constructor() === process, process.constructor.name);
