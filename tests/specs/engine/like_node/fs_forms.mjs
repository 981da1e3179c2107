import fs from 'node:fs';
import fsp from 'node:fs/promises';

fs.mkdirSync('d/s', { recursive: true });
fs.writeFileSync('d/f', 'héllo');
fs.appendFileSync('d/f', Buffer.from([0xff, 10]));
console.log(fs.readFileSync('d/f'), JSON.stringify(fs.readFileSync('d/f', 'utf8')), fs.readFileSync('d/f', 'base64'));
console.log(fs.mkdirSync('q/w/e', { recursive: true }), fs.mkdirSync('q/w/e', { recursive: true }), fs.mkdirSync('q2'));
const stats = fs.statSync('d/f');
console.log(stats.size, stats.isFile(), stats.isDirectory(), stats.mtime instanceof Date, stats.mtime.getTime() === Math.round(stats.mtimeMs), Object.keys(stats).join());
const big = fs.statSync('d/f', { bigint: true });
console.log(big.size, big.mtimeNs / 1000000n === big.mtimeMs, Object.keys(big).join());
fs.symlinkSync('f', 'd/l');
fs.linkSync('d/f', 'd/h');
console.log(fs.readlinkSync('d/l'), fs.lstatSync('d/l').isSymbolicLink(), fs.statSync('d/h').nlink, fs.realpathSync('d/l').endsWith('/d/f'));
console.log(fs.readdirSync('d').sort(), fs.readdirSync('.', { recursive: true }).sort(), fs.readdirSync('d', 'buffer').length);
console.log(fs.readdirSync('d', { withFileTypes: true }).map((e) => [e.name, e.parentPath, e.isFile(), e.isSymbolicLink()].join()).sort());
fs.chmodSync('d/f', '600');
console.log((fs.statSync('d/f').mode & 0o777).toString(8));
fs.utimesSync('d/f', 1, new Date(2000));
console.log(fs.statSync('d/f').atimeMs, fs.statSync('d/f').mtimeMs);
fs.truncateSync('d/f', 3);
fs.renameSync('d/f', 'd/g');
fs.copyFileSync('d/g', 'd/c');
console.log(fs.readFileSync('d/c', 'latin1'), fs.existsSync('d/f'), fs.existsSync('d/c'));
const fd = fs.openSync('d/c', 'r+');
const buffer = Buffer.alloc(4, 46);
console.log(fs.writeSync(fd, 'XY', 1), fs.readSync(fd, buffer, 1, 2, 0), buffer.toString('latin1'), fs.fstatSync(fd).size, fs.readSync(fd, buffer), fs.readSync(fd, buffer, { position: 2 }));
console.log(fs.writevSync(fd, [Buffer.from('1'), Buffer.from('22')], 0), fs.readvSync(fd, [Buffer.alloc(1), Buffer.alloc(9)], 0));
fs.closeSync(fd);
fs.cpSync('d', 'copy', { recursive: true, filter: (from) => !from.endsWith('/h') });
console.log(fs.readdirSync('copy').sort());
fs.rmSync('copy', { recursive: true });
console.log(fs.existsSync('copy'), fs.statSync('gone', { throwIfNoEntry: false }), fs.rmSync('gone', { force: true }));

const order = [];
fs.readFile('d/c', 'latin1', (error, text) => {
  order.push(`read ${error} ${text}`);
  setTimeout(() => order.push('timer'), 0);
  setImmediate(() => order.push('immediate'));
  process.nextTick(() => order.push('tick'));
  Promise.resolve().then(() => order.push('microtask'));
});
await new Promise((resolve) => { setTimeout(resolve, 30); });
console.log(order);
fs.stat('gone', (error, found) => console.log(error.code, found));
fs.exists('d/c', (is) => console.log(is));
const handle = await fsp.open('h', 'w+');
await handle.writeFile('abcdef');
console.log(await handle.read({ buffer: Buffer.alloc(3), position: 1 }), (await handle.stat()).size, await handle.truncate(2));
await handle.close();
console.log(await fsp.readFile('h', 'utf8'), await fsp.access('h'), await fsp.mkdir('z/y', { recursive: true }));
await fsp.writeFile('it', (async function* chunks() { yield 'a'; yield 'b'; })());
console.log(await fsp.readFile('it', { encoding: 'utf8' }));
for (const work of [() => fsp.readFile('gone'), () => fsp.stat({}), () => fsp.readFile('h', { signal: AbortSignal.abort() })]) {
  await work().catch((error) => console.log(error.code, error.message));
}
for await (const entry of await fsp.opendir('d')) if (entry.name === 's') console.log(entry.isDirectory());
