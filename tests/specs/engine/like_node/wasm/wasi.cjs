// node:wasi without a guest: its calls, one by one, on a memory of the program; their results and effects.
'use strict';
const fs = require('node:fs');
const util = require('node:util');
process.removeAllListeners('warning');
const { WASI } = require('node:wasi');

const print = (...values) => console.log(util.inspect(values, { breakLength: Infinity }));

const thrown = (work) => {
  try {
    return work();
  } catch (error) {
    return `${error.name} ${error.code}: ${error.message}`;
  }
};
print(thrown(() => WASI()).split(':')[0]);
for (const options of [undefined, 1, {}, { version: 'x' }, { version: 'preview1', args: 1 }, { version: 'preview1', env: 1 }])
  print(thrown(() => Object.keys(new WASI(options))));
for (const rest of [{ preopens: 1 }, { stdin: -1 }, { stdout: 'x' }, { returnOnExit: 1 }, { preopens: { '/a': 'missing' } }, { stdin: 1234 }])
  print(thrown(() => Object.keys(new WASI({ version: 'preview1', ...rest }))));

fs.mkdirSync('box/sub', { recursive: true });
fs.writeFileSync('box/file.txt', 'some text');
fs.writeFileSync('outside.txt', 'secret');
fs.symlinkSync('../outside.txt', 'box/out');
fs.symlinkSync('file.txt', 'box/in');
fs.symlinkSync('/box/file.txt', 'box/absolute');
fs.symlinkSync('loop2', 'box/loop1');
fs.symlinkSync('loop1', 'box/loop2');
const errors = fs.openSync('errors.txt', 'w+');
const wasi = new WASI({
  version: 'preview1',
  args: ['a', 'bc', 5],
  env: { A: '1', B: 'ü', C: undefined },
  preopens: { '/box': 'box', '/other': 'box/sub' },
  stderr: errors,
});
print(Object.keys(wasi.getImportObject()), Object.keys(wasi.wasiImport).map((name) => `${name}/${wasi.wasiImport[name].length}`).join(' '));
const call = wasi.wasiImport;
print(call.fd_close(), thrown(() => call.fd_close(1)), thrown(() => call.sched_yield()));
const memory = new WebAssembly.Memory({ initial: 1 });
for (const instance of [undefined, {}, { exports: {} }, { exports: { memory: {} } }]) print(thrown(() => wasi.finalizeBindings(instance)));
wasi.finalizeBindings({ exports: { memory } });
print(thrown(() => wasi.finalizeBindings({ exports: { memory } })), thrown(() => wasi.start({ exports: {} })));

const bytes = Buffer.from(memory.buffer);
const view = new DataView(memory.buffer);
const word = (at) => view.getUint32(at, true);
/** Stores a string at `at`; returns the arguments [address, size]. */
const text = (value, at = 1000) => [at, bytes.write(value, at)];
const parts = (at, ...list) => {
  list.forEach(([from, size], index) => {
    view.setUint32(at + index * 8, from, true);
    view.setUint32(at + index * 8 + 4, size, true);
  });
  return [at, list.length];
};
const ALL = 0x1fffffffn;
const FILE = 0x8e001ffn;
const open = (file, { flags = 0, rights = FILE, inherits = 0n, descriptor = 3, follows = 1, more = 0 } = {}) => {
  const result = call.path_open(descriptor, follows, ...text(file), flags, rights, inherits, more, 16);
  return result === 0 ? word(16) : `error ${result}`;
};

print('args', call.args_sizes_get(0, 4), word(0), word(4), call.args_get(16, 64), word(20) - 64, bytes.toString('utf8', 64, 73).split('\0'));
print('environment', call.environ_sizes_get(0, 4), word(0), word(4), call.environ_get(16, 64), bytes.toString('utf8', 64, 73).split('\0'));
print('outside', call.args_sizes_get(65534, 0), call.random_get(65000, 1000), call.fd_fdstat_get(1, 65530), call.fd_write(2, 65530, 1, 0));
print('clocks', [0, 1, 2, 3, 4].map((id) => [call.clock_time_get(id, 0n, 8), call.clock_res_get(id, 8) === 0]), call.clock_time_get(0, 0, 8));
print('chance', call.random_get(200, 64), new Set(bytes.subarray(200, 264)).size > 8);
print('prestat', [0, 3, 4, 5].map((fd) => [call.fd_prestat_get(fd, 0), word(4)]), call.fd_prestat_dir_name(3, 64, 4), bytes.toString('utf8', 64, 68), call.fd_prestat_dir_name(3, 64, 2));
const stat = (fd) => [call.fd_fdstat_get(fd, 0), bytes[0], view.getBigUint64(8, true), view.getBigUint64(16, true)];
print('rights', stat(3), stat(9), stat(2)[1]);

print('paths', ['/box/file.txt', 'file.txt', './sub/../file.txt', 'in', 'absolute', 'sub/', '', '.', 'missing'].map((each) => open(each, { rights: 2n })));
print('refused', ['../outside.txt', '/etc/passwd', 'out', 'sub/../../outside.txt', 'loop1', '/box/../outside.txt', 'file.txt/x', '/boxed/a'].map((each) => open(each)));
print('kinds', open('file.txt', { flags: 2 }), open('new', { flags: 1 | 4 }) > 0, open('new', { flags: 1 | 4 }), open('sub', { rights: ALL }));

const fd = open('written.txt', { flags: 1 });
bytes.write('hello wasi', 2000);
const written = (...list) => [call.fd_write(fd, ...parts(100, ...list), 8), word(8)];
const at = () => [call.fd_tell(fd, 8), view.getBigUint64(8, true)];
print('write', written([2000, 5], [2005, 5]), at(), call.fd_seek(fd, 2n, 0, 8), view.getBigUint64(8, true), written([2000, 3]), at());
print('seek', call.fd_seek(fd, -1n, 2, 8), at(), call.fd_seek(fd, -100n, 1, 8), call.fd_seek(fd, 0n, 3, 8), call.fd_seek(3, 0n, 0, 8), call.fd_seek(fd, 0n, 0, 8));
print('read', call.fd_read(fd, ...parts(100, [3000, 4], [3100, 50]), 8), word(8), bytes.toString('utf8', 3000, 3004), bytes.toString('utf8', 3100, 3106), at());
print('pread', call.fd_pread(fd, ...parts(100, [3000, 4]), 3n, 8), word(8), bytes.toString('utf8', 3000, 3004), at(), call.fd_pwrite(fd, ...parts(100, [2000, 1]), 9n, 8));
print(fs.readFileSync('box/written.txt', 'utf8'), call.fd_filestat_set_size(fd, 4n), fs.statSync('box/written.txt').size, call.fd_allocate(fd, 0n, 20n), fs.statSync('box/written.txt').size);
print('times', call.fd_filestat_set_times(fd, 5_000_000_000n, 7_000_000_000n, 5), fs.statSync('box/written.txt').mtimeMs, call.fd_filestat_set_times(fd, 0n, 0n, 3));
print('stats', call.fd_filestat_get(fd, 400), bytes[416], view.getBigUint64(424, true), view.getBigUint64(432, true), view.getBigUint64(448, true));
print('sync', call.fd_sync(fd), call.fd_datasync(fd), call.fd_advise(fd, 0n, 0n, 0), call.fd_advise(fd, 0n, 0n, 9));
print('fewer rights', call.fd_fdstat_set_rights(fd, 2n, 0n), stat(fd), call.fd_write(fd, ...parts(100, [2000, 1]), 8), call.fd_fdstat_set_rights(fd, 66n, 0n));
print('numbers', call.fd_renumber(fd, 40), call.fd_renumber(fd, 4), call.fd_read(4, ...parts(100, [3000, 4]), 8), call.fd_close(4), call.fd_close(4), call.fd_close(99));

const named = (name, ...rest) => [name, ...rest];
print(named('folders', call.path_create_directory(3, ...text('made')), call.path_create_directory(3, ...text('made')), call.path_create_directory(3, ...text('../bad'))));
print(named('rename', call.path_rename(3, ...text('new'), 3, ...text('made/new', 1200)), fs.existsSync('box/made/new'), call.path_remove_directory(3, ...text('made'))));
print(named('link', call.path_link(3, 0, ...text('file.txt'), 3, ...text('linked', 1200)), fs.readFileSync('box/linked', 'utf8'), call.path_link(3, 0, ...text('file.txt'), 3, ...text('../x', 1200))));
print(named('symlink', call.path_symlink(...text('file.txt'), 3, ...text('soft', 1200)), fs.readlinkSync('box/soft'), call.path_readlink(3, ...text('soft'), 2000, 50, 8), word(8), bytes.toString('utf8', 2000, 2008)));
print(named('readlink', call.path_readlink(3, ...text('file.txt'), 2000, 50, 8)));
print(named('unlink', call.path_unlink_file(3, ...text('soft')), call.path_unlink_file(3, ...text('soft')), call.path_unlink_file(3, ...text('sub')), call.path_unlink_file(3, ...text('made/new')), call.path_remove_directory(3, ...text('made'))));
print(named('stats of paths', call.path_filestat_get(3, 1, ...text('in'), 400), bytes[416], call.path_filestat_get(3, 0, ...text('in'), 400), bytes[416], call.path_filestat_get(3, 1, ...text('out'), 400)));
print(named('times of paths', call.path_filestat_set_times(3, 1, ...text('file.txt'), 0n, 9_000_000_000n, 4), fs.statSync('box/file.txt').mtimeMs));

const entries = [];
print('readdir', call.fd_readdir(3, 4000, 4000, 0n, 8));
for (let from = 4000; from < 4000 + word(8); from += 24 + word(from + 16)) entries.push(`${bytes.toString('utf8', from + 24, from + 24 + word(from + 16))} ${bytes[from + 20]}`);
print(entries.sort().join(', '), call.fd_readdir(3, 4000, 30, 0n, 8), word(8), call.fd_readdir(2, 4000, 30, 0n, 8));

/** Makes the guest wait for that. */
const poll = (...list) => {
  bytes.fill(0, 5000, 6000);
  list.forEach(([kind, id, timeout = 0n, flags = 0], index) => {
    const from = 5000 + index * 48;
    view.setBigUint64(from, BigInt(index + 1), true);
    bytes[from + 8] = kind;
    view.setUint32(from + 16, id, true);
    view.setBigUint64(from + 24, timeout, true);
    view.setUint16(from + 40, flags, true);
  });
  const result = call.poll_oneoff(5000, 5500, list.length, 8);
  const reported = [];
  for (let index = 0; result === 0 && index < word(8); index++)
    reported.push([view.getBigUint64(5500 + index * 32, true), view.getUint16(5500 + index * 32 + 8, true), bytes[5500 + index * 32 + 10]]);
  return [result, reported];
};
print('poll', poll(), poll([0, 1, 1000n]), poll([0, 1, 10n], [0, 1, 60_000_000_000n]), poll([2, 1]));
print('sockets', call.sock_accept(3, 0, 8), call.sock_accept(77, 0, 8), call.sock_recv(77, 100, 1, 0, 8, 8), call.sock_shutdown(77, 0), call.proc_raise(99));
print('stderr', call.fd_write(2, ...parts(100, [2000, 8]), 8), fs.readFileSync('errors.txt', 'utf8'));
print(thrown(() => call.proc_exit(3)).toString());

// A guest of seven instructions: it exports a memory and `_start`, which calls proc_exit(7).
const code = new Uint8Array([
  0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 1, 8, 2, 0x60, 1, 0x7f, 0, 0x60, 0, 0, 2, 36, 1, 22, ...Buffer.from('wasi_snapshot_preview1'), 9,
  ...Buffer.from('proc_exit'), 0, 0, 3, 2, 1, 1, 5, 3, 1, 0, 1, 7, 19, 2, 6, ...Buffer.from('memory'), 2, 0, 6, ...Buffer.from('_start'), 0, 1,
  10, 8, 1, 6, 0, 0x41, 7, 0x10, 0, 0x0b,
]);
const instance = (given) => new WebAssembly.Instance(new WebAssembly.Module(code), given.getImportObject());
const first = new WASI({ version: 'preview1' });
print(first.start(instance(first)), thrown(() => first.start(instance(first))));
print(thrown(() => { const other = new WASI({ version: 'preview1' }); return other.initialize(instance(other)); }));
const last = new WASI({ version: 'preview1', returnOnExit: false });
process.on('exit', () => console.log('listeners of exit are not called'));
last.start(instance(last));
