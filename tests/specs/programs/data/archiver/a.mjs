import * as archiver from 'archiver';
import { createWriteStream, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { Readable } from 'node:stream';
import { once } from 'node:events';
import { format } from 'node:util';

const log = (...values) => process.stdout.write(`${format(...values)}
`);
const tried = async (name, work) => { try { log(name, await work()); } catch (error) { log(name, 'failed:', error.name, error.code ?? '', error.message); } };

mkdirSync('in/sub', { recursive: true }); writeFileSync('in/a.txt', 'text '.repeat(100)); writeFileSync('in/sub/b.js', 'code'); writeFileSync('in/sub/c.txt', 'more');
log(Object.keys(archiver).sort());
for (const [name, make] of [['a.zip', () => new archiver.ZipArchive({ zlib: { level: 9 }, comment: 'ü' })], ['s.zip', () => new archiver.ZipArchive({ store: true })], ['a.tar', () => new archiver.TarArchive()], ['a.tgz', () => new archiver.TarArchive({ gzip: true })]]) {
  const archive = make(), out = createWriteStream(name), date = new Date(1e12);
  archive.on('warning', (error) => log('[warning]', error.code)); const entries = []; archive.on('entry', ({ name: entry, type }) => entries.push(`${entry} ${type}`));
  archive.pipe(out);
  archive.append('string', { name: 's.txt', date, mode: 0o600 }); archive.append(Buffer.from('buffer'), { name: 'b.bin', date, prefix: 'p' }); archive.append(Readable.from(['one', 'two']), { name: 'stream.txt', date });
  archive.file('in/a.txt', { name: 'file.txt', date }); archive.directory('in/sub', 'dir', { date }); archive.file('missing', { name: 'x' }); archive.glob('**/*.txt', { cwd: 'in', date });
  await archive.finalize(); await once(out, 'close');
  const script = name.endsWith('.zip') ? 'import zipfile,sys; z=zipfile.ZipFile(sys.argv[1]); print(z.comment, [(i.filename, i.file_size, i.compress_type) for i in sorted(z.infolist(), key=lambda i: i.filename)], z.testzip())' : 'import tarfile,sys; print([(i.name, i.size, oct(i.mode)) for i in sorted(tarfile.open(sys.argv[1]), key=lambda i: i.name)])';
  log(name, entries.sort(), archive.pointer() === readFileSync(name).length, execFileSync('python3', ['-c', script, name], { encoding: 'utf8' }).trim());
}
const bad = new archiver.ZipArchive(); bad.on('error', (error) => log(error.code, error.message)); bad.append('x'); bad.append('x', { name: '' }); bad.append(null, { name: 'n' }); bad.abort(); bad.append('late', { name: 'l' });
