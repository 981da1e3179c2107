// The functions of node:fs in their synchronous, callback and promise forms.
import fs from 'node:fs';
import fsp from 'node:fs/promises';
import util from 'node:util';

const log = (...values) => process.stdout.write(`${util.format(...values)}\n`);

fs.mkdirSync('d/s', { recursive: true });
fs.writeFileSync('d/f', 'héllo');
fs.appendFileSync('d/f', Buffer.from([0xff, 10]));
log(fs.readFileSync('d/f'), JSON.stringify(fs.readFileSync('d/f', 'utf8')), fs.readFileSync('d/f', 'base64'));
log(fs.mkdirSync('q/w/e', { recursive: true }), fs.mkdirSync('q/w/e', { recursive: true }), fs.mkdirSync('q2'));
const stats = fs.statSync('d/f');
log(stats.size, stats.isFile(), stats.isDirectory(), stats.mtime instanceof Date, stats.mtime.getTime() === Math.round(stats.mtimeMs), Object.keys(stats).join());
const big = fs.statSync('d/f', { bigint: true });
log(big.size, big.mtimeNs / 1000000n === big.mtimeMs, Object.keys(big).join());
fs.symlinkSync('f', 'd/l');
fs.linkSync('d/f', 'd/h');
log(fs.readlinkSync('d/l'), fs.lstatSync('d/l').isSymbolicLink(), fs.statSync('d/h').nlink, fs.realpathSync('d/l').endsWith('/d/f'));
log(fs.readdirSync('d').sort(), fs.readdirSync('.', { recursive: true }).sort(), fs.readdirSync('d', 'buffer').length);
log(fs.readdirSync('d', { withFileTypes: true }).map((e) => [e.name, e.parentPath, e.isFile(), e.isSymbolicLink()].join()).sort());
fs.chmodSync('d/f', '600');
log((fs.statSync('d/f').mode & 0o777).toString(8));
fs.utimesSync('d/f', 1, new Date(2000));
log(fs.statSync('d/f').atimeMs, fs.statSync('d/f').mtimeMs);
fs.truncateSync('d/f', 3);
fs.renameSync('d/f', 'd/g');
fs.copyFileSync('d/g', 'd/c');
log(fs.readFileSync('d/c', 'latin1'), fs.existsSync('d/f'), fs.existsSync('d/c'));
const fd = fs.openSync('d/c', 'r+');
const buffer = Buffer.alloc(4, 46);
log(fs.writeSync(fd, 'XY', 1), fs.readSync(fd, buffer, 1, 2, 0), buffer.toString('latin1'), fs.fstatSync(fd).size, fs.readSync(fd, buffer), fs.readSync(fd, buffer, { position: 2 }));
log(fs.writevSync(fd, [Buffer.from('1'), Buffer.from('22')], 0), fs.readvSync(fd, [Buffer.alloc(1), Buffer.alloc(9)], 0));
fs.closeSync(fd);
fs.cpSync('d', 'copy', { recursive: true, filter: (from) => !from.endsWith('/h') });
log(fs.readdirSync('copy').sort());
fs.rmSync('copy', { recursive: true });
log(fs.existsSync('copy'), fs.statSync('gone', { throwIfNoEntry: false }), fs.rmSync('gone', { force: true }));

const order = [];
const { promise: isOver, resolve: end } = Promise.withResolvers();
fs.readFile('d/c', 'latin1', (error, text) => {
  order.push(`read ${error} ${text}`);
  setTimeout(() => end(order.push('timer')), 0);
  setImmediate(() => order.push('immediate'));
  process.nextTick(() => order.push('tick'));
  Promise.resolve().then(() => order.push('microtask'));
});
await isOver;
log(order);
fs.stat('gone', (error, found) => log(error.code, found));
fs.exists('d/c', (is) => log(is));
const handle = await fsp.open('h', 'w+');
await handle.writeFile('abcdef');
log(await handle.read({ buffer: Buffer.alloc(3), position: 1 }), (await handle.stat()).size, await handle.truncate(2));
await handle.close();
log(await fsp.readFile('h', 'utf8'), await fsp.access('h'), await fsp.mkdir('z/y', { recursive: true }));
await fsp.writeFile('it', (async function* chunks() { yield 'a'; yield 'b'; })());
log(await fsp.readFile('it', { encoding: 'utf8' }));
for (const work of [() => fsp.readFile('gone'), () => fsp.stat({}), () => fsp.readFile('h', { signal: AbortSignal.abort() })]) {
  await work().catch((error) => log(error.code, error.message));
}
for await (const entry of await fsp.opendir('d')) if (entry.name === 's') log(entry.isDirectory());
