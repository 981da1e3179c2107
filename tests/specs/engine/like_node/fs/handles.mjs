// FileHandle, promise and callback forms: values, errors, pending operations on close.
import fs from 'node:fs';
import fsp from 'node:fs/promises';
import util from 'node:util';

const log = (...values) => process.stdout.write(`${util.format(...values)}\n`);
const fails = async (name, work) => {
  try {
    log(name, await work());
  } catch (error) {
    const hidden = (text) => `${text}`.replace(/x-\w{6}/, 'x-');
    log(name, error.name, error.code, hidden(error.message), error.syscall, hidden(error.path), Object.keys(error).join());
  }
};

await fsp.writeFile('a', 'one\ntwo\r\nthree');
const file = await fsp.open('a', 'r+');
log(typeof file.fd, file.constructor.name, file instanceof (await import('node:events')).EventEmitter);
log(await file.read(Buffer.alloc(5), 0, 5, 0));
log(await file.read({ buffer: Buffer.alloc(4), position: 4 }), (await file.read({ length: 2, position: 0 })).bytesRead);
log((await file.read(new Uint16Array(2), 0, 4, 0)).buffer, await file.read(Buffer.alloc(0)));
log((await file.readv([Buffer.alloc(2), Buffer.alloc(3)], 1)).bytesRead, (await file.writev([Buffer.from('X'), Buffer.from('YZ')], 0)).bytesWritten);
log(await file.write('tail', 13), (await file.write(Buffer.from('_-_'), 1, 1, 3)).bytesWritten);
log(await file.readFile('utf8'), (await file.stat()).size, (await file.stat({ bigint: true })).size);
await file.truncate(8);
await file.chmod(0o640);
await file.utimes(10, 20);
await file.sync();
await file.datasync();
const stats = await file.stat();
log(stats.size, (stats.mode & 0o777).toString(8), stats.mtimeMs, stats.birthtimeMs > 1e12);
await file.appendFile('!');
file.on('close', () => log('close is told'));
const closing = [file.close(), file.close()];
log(await Promise.all(closing), file.fd);
for (const [name, work] of Object.entries({
  stat: () => file.stat(), read: () => file.read(), write: () => file.write('x'), readFile: () => file.readFile(), truncate: () => file.truncate(),
  sync: () => file.sync(), chmod: () => file.chmod(1), utimes: () => file.utimes(1, 1), writev: () => file.writev([Buffer.from('a')]),
})) await fails(`closed ${name}`, work);

const lines = [];
for await (const line of (await fsp.open('a')).readLines()) lines.push(line);
log(lines);
{
  await using held = await fsp.open('a');
  log(held.fd > 0);
}
let web = '';
const source = await fsp.open('a');
for await (const chunk of source.readableWebStream()) web += Buffer.from(chunk).toString();
log(web, await source.close());

for (const [name, work] of Object.entries({
  access: () => fsp.access('none'), accessMode: () => fsp.access('a', 9), appendFile: () => fsp.appendFile('none/a', 'x'), chmod: () => fsp.chmod('none', 0o600),
  copyFile: () => fsp.copyFile('none', 'b'), copyExclusive: () => fsp.copyFile('a', 'a2').then(() => fsp.copyFile('a', 'a2', fs.constants.COPYFILE_EXCL)),
  copyFolder: () => fsp.copyFile('.', 'b'), cp: () => fsp.cp('none', 'b'), lchmod: () => fsp.lchmod('a', 1),
  link: () => fsp.link('none', 'b'), lstat: () => fsp.lstat('none'), mkdir: () => fsp.mkdir('a'), mkdirs: () => fsp.mkdir('a/b/c', { recursive: true }),
  mkdtemp: () => fsp.mkdtemp('none/x-'), open: () => fsp.open('none'), openFlags: () => fsp.open('a', 'zz'), opendir: () => fsp.opendir('none'),
  readFile: () => fsp.readFile('none'), readFolder: () => fsp.readFile('.'), readdir: () => fsp.readdir('none'), readdirFile: () => fsp.readdir('a'),
  readlink: () => fsp.readlink('a'), rename: () => fsp.rename('none', 'b'), rm: () => fsp.rm('none'), rmForce: () => fsp.rm('none', { force: true }),
  rmdir: () => fsp.rmdir('a'), stat: () => fsp.stat('none'), statfs: () => fsp.statfs('none'), symlink: () => fsp.symlink('x', 'a'), truncate: () => fsp.truncate('none'),
  unlink: () => fsp.unlink('none'), utimes: () => fsp.utimes('none', 1, 1), writeFile: () => fsp.writeFile('none/a', 'x'), writeData: () => fsp.writeFile('a', 3),
  aborted: () => fsp.writeFile('a', 'x', { signal: AbortSignal.abort(new Error('why')) }), statNull: () => fsp.stat('a\0b'), statNumber: () => fsp.stat(1),
})) await fails(name, work);

await fsp.mkdir('tree/inner', { recursive: true });
await fsp.writeFile('tree/inner/f', 'x');
await fsp.symlink('inner/f', 'tree/l');
await fsp.cp('tree', 'other', { recursive: true, filter: async (from) => !from.endsWith('nothing') });
log((await fsp.readdir('other', { recursive: true })).sort(), await fsp.readdir('tree'), (await fsp.readdir('tree', { withFileTypes: true })).map((each) => each.isSymbolicLink()));
log((await fsp.readdir('tree', 'buffer'))[0], (await fsp.readlink('tree/l', 'buffer')).toString(), (await fsp.realpath('tree/l', 'hex')).length % 2);
log(Object.keys(await fsp.statfs('.')).join(), fs.statfsSync('.').type === (await fsp.statfs('.')).type, typeof (await fsp.statfs('.', { bigint: true })).bsize);
log(fs.globSync('**/f').sort(), fs.globSync(['tree/*', '!x']).sort(), (await Array.fromAsync(fsp.glob('*/in*'))).sort());
const temporary = await fsp.mkdtempDisposable('gone-');
log(fs.existsSync(temporary.path), await temporary.remove(), fs.existsSync(temporary.path));
{
  using also = fs.mkdtempDisposableSync('gone-');
  log(fs.statSync(also.path).isDirectory(), (fs.statSync(also.path).mode & 0o777).toString(8));
}
log((await fsp.readdir('.')).filter((name) => name.startsWith('gone-')));
fs.writeFileSync('big', Buffer.alloc(300_000, 'ab'));
log((await fsp.readFile('big')).equals(fs.readFileSync('big')), (await fsp.readFile('big', 'latin1')).length, fs.readFileSync('/proc/self/stat').length > 10);

fs.read(fs.openSync('a'), { buffer: Buffer.alloc(3), position: 1 }, (error, count, buffer) => {
  log(error, count, buffer);
  fs.readv(fs.openSync('a'), [Buffer.alloc(1), Buffer.alloc(2)], (error, count, buffers) => {
    log(error, count, buffers);
    fs.write(99, 'x', (error, count) => {
      log(error.message, count);
      fs.open('none', (error, fd) => log(error.message, fd));
    });
  });
});
for (const work of [() => fs.readFile('a'), () => fs.stat('a', 'x'), () => fs.mkdir('x', 1, 2), () => fs.readdir('a', 5, () => {}), () => fs.write(1, {}, () => {}), () => fs.close(1.5), () => fs.glob('a', 1)]) {
  try {
    log(work());
  } catch (error) {
    log(error.code, error.message);
  }
}
for (const lend of [(handle) => handle.readableWebStream(), (handle) => fs.createReadStream(null, { fd: handle, autoClose: false }), () => {}]) {
  const handle = await fsp.open('big');
  const { port1, port2 } = new MessageChannel();
  lend(handle);
  try {
    log(port2.postMessage(handle, [handle]), handle.fd);
  } catch (error) {
    log(error.name, error.code);
    await handle.close();
  }
  port1.close();
}
