import * as tar from 'tar';
import { chmodSync, existsSync, mkdirSync, readFileSync, readlinkSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { format } from 'node:util';

const log = (...values) => process.stdout.write(`${format(...values)}
`);
const tried = async (name, work) => { try { log(name, await work()); } catch (error) { log(name, 'failed:', error.name, error.code ?? '', error.message); } };

mkdirSync('in/deep/er', { recursive: true }); writeFileSync('in/a.txt', 'a'.repeat(2000)); writeFileSync('in/deep/b.txt', 'b'); writeFileSync(`in/deep/er/${'long'.repeat(40)}.txt`, 'ü'); symlinkSync('a.txt', 'in/link'); writeFileSync('in/run.sh', ''); chmodSync('in/run.sh', 0o755);
const list = async (file, options) => { const all = []; await tar.t({ file, onReadEntry: ({ path, size, type, mode }) => all.push([path.replace(/(long)+/, 'LONG'), type === 'Directory' ? 0 : size, type, mode.toString(8)].join(' ')), ...options }); return all.sort(); };
for (const [name, options] of [['a.tar', {}], ['a.tgz', { gzip: true }], ['b.tar.br', { brotli: true }], ['z.tar.zst', { zstd: true }], ['p.tar', { portable: true, mtime: new Date(1e12), prefix: 'pre' }], ['f.tar', { filter: (path) => !path.endsWith('.sh'), follow: true }]]) await tried(name, async () => { await tar.c({ file: name, umask: 0o22, ...options }, ['in']); return list(name); });
await tried('sync', () => { tar.c({ sync: true, file: 's.tgz', gzip: { level: 9 }, cwd: 'in' }, ['a.txt', 'deep']); const all = []; tar.t({ sync: true, file: 's.tgz', onReadEntry: (entry) => all.push(entry.path.replace(/(long)+/, 'LONG')) }); return all.sort(); });
await tried('extract', async () => { mkdirSync('out'); await tar.x({ file: 'a.tgz', cwd: 'out', strip: 1, preserveOwner: false }); return [readFileSync('out/a.txt', 'utf8').length, readlinkSync('out/link'), (statSync('out/run.sh').mode & 0o777).toString(8), existsSync('out/deep/er')]; });
await tried('some', async () => { mkdirSync('some'); tar.x({ sync: true, file: 'a.tar', cwd: 'some' }, ['in/deep/b.txt']); return [existsSync('some/in/a.txt'), existsSync('some/in/deep/b.txt')]; });
await tried('streams', async () => { mkdirSync('piped'); await pipeline(tar.c({ gzip: true, cwd: 'in' }, ['a.txt']), tar.x({ cwd: 'piped' })); return readFileSync('piped/a.txt').length; });
await tried('update', async () => { writeFileSync('new.txt', 'new'); await tar.r({ file: 'a.tar' }, ['new.txt']); await tar.u({ file: 'a.tar' }, ['new.txt']); return (await list('a.tar')).filter((line) => line.startsWith('new')); });
await tried('entry', async () => { let text = ''; await tar.t({ file: 'a.tgz', onReadEntry: (entry) => { if (entry.path === 'in/deep/b.txt') entry.on('data', (chunk) => { text += chunk; }); } }); return text; });
await tried('missing', () => tar.t({ file: 'none.tar' })); await tried('no files', () => tar.c({ file: 'x.tar' }, [])); await tried('absent', () => tar.c({ file: 'x.tar' }, ['none'])); await tried('no folder', () => tar.x({ file: 'a.tar', cwd: 'nowhere' }));
await tried('garbage', async () => { writeFileSync('bad.tar', 'x'.repeat(1024)); await tar.t({ file: 'bad.tar', strict: true }); }); await tried('cut', async () => { writeFileSync('cut.tgz', readFileSync('a.tgz').subarray(0, 100)); await tar.t({ file: 'cut.tgz', strict: true }); });
rmSync('out', { recursive: true });
