// Permissions of copies, change events in a newly created directory, a handle closed during a write, and slices of
// blobs.
import fs from 'node:fs';
import { once } from 'node:events';

fs.mkdirSync('from/inner', { recursive: true });
for (const [file, mode] of [['from/read-only', 0o440], ['from/inner/runs', 0o555]]) {
  fs.writeFileSync(file, 'x');
  fs.chmodSync(file, mode);
}
const mode = (file) => (fs.statSync(file).mode & 0o777).toString(8);
for (const preserveTimestamps of [true, false]) {
  const options = { recursive: true, preserveTimestamps };
  await fs.promises.cp('from', `promised-${preserveTimestamps}`, options);
  fs.cpSync('from', `now-${preserveTimestamps}`, options);
  await new Promise((done) => fs.cp('from', `called-${preserveTimestamps}`, options, done));
  for (const form of ['promised', 'now', 'called']) {
    console.log(form, ...['read-only', 'inner/runs'].map((file) => mode(`${form}-${preserveTimestamps}/${file}`)));
  }
}

fs.mkdirSync('watched');
const watcher = fs.watch('watched', { recursive: true });
const reported = {};
const wanted = new Map();
watcher.on('change', (kind, name) => {
  reported[`${kind} ${name}`] = (reported[`${kind} ${name}`] ?? 0) + 1;
  wanted.get(`${kind} ${name}`)?.();
});
const untilTold = (what) => new Promise((done) => wanted.set(what, done));
let next = untilTold('rename a/b/c');
fs.mkdirSync('watched/a/b/c', { recursive: true });
await next;
next = untilTold('change a/b/c/file');
fs.writeFileSync('watched/a/b/c/file', 'text');
await next;
next = untilTold('rename end');
fs.mkdirSync('watched/end');
await next;
console.log(JSON.stringify(reported));
watcher.close();

const handle = await fs.promises.open('chunks', 'w');
let release;
const gate = new Promise((done) => (release = done));
async function* chunks() {
  yield 'a'.repeat(10);
  await gate;
  yield 'b'.repeat(1_000_000);
}
const writing = handle.writeFile(chunks());
await new Promise(setImmediate);
const closing = handle.close();
release();
await Promise.all([writing, closing]);
console.log(fs.statSync('chunks').size);

for (const type of ['', 'text/plain']) {
  const url = URL.createObjectURL(new Blob(['0123456789'], { type }));
  for (const range of [undefined, 'bytes=5-2', 'bytes=5-4', 'bytes=0-3', 'bytes=-3', 'bytes=20-', 'bytes=3-', 'bytes= 1 - 2', 'bytes=', 'BYTES=1-2', 'bytes=0-100']) {
    try {
      const response = await fetch(url, { headers: range === undefined ? {} : { range } });
      console.log(range, response.status, JSON.stringify([...response.headers]), await response.text());
    } catch (error) {
      console.log(range, error.name, error.cause?.message);
    }
  }
}
