// fs.Dir reads a directory in batches; fs.rm retries after transient errors.
const fs = require('fs');
const { spawnSync } = require('child_process');

const report = (label, run) => {
  try {
    console.log(label, String(run()));
  } catch (error) {
    console.log(label, error.name, error.code, error.message, error.path, error.syscall);
  }
};
const failed = (label) => (error) => console.log(label, error.code, error.message);

async function folders() {
  fs.mkdirSync('tree/a/b', { recursive: true });
  for (const name of ['tree/x', 'tree/a/y', 'tree/a/b/z']) fs.writeFileSync(name, '');
  report('missing', () => fs.opendirSync('missing'));
  report('a file', () => fs.opendirSync('tree/x'));
  for (const bufferSize of [0, -1, 1.5, 'a', 1, 64]) report(`bufferSize ${bufferSize}`, () => fs.opendirSync('tree', { bufferSize }).closeSync());
  report('encoding', () => fs.opendirSync('tree', { encoding: 'none' }));
  report('no handle', () => new fs.Dir());
  console.log(Object.getOwnPropertyNames(fs.Dir.prototype).sort().join(), fs.Dir.length);

  const tree = fs.opendirSync('tree', { recursive: true });
  const found = [];
  for (let entry; (entry = tree.readSync()) !== null;) found.push(`${entry.parentPath}|${entry.name}|${entry.isDirectory()}`);
  console.log(found.sort().join(' '), tree.path);
  tree.closeSync();
  const below = [];
  for await (const entry of await fs.promises.opendir('tree', { recursive: true })) below.push(entry.name);
  console.log(below.sort().join());

  const folder = await fs.promises.opendir('tree');
  const first = folder.read();
  report('a read is under way', () => folder.readSync());
  report('a read is under way', () => folder.closeSync());
  const [second, third, closed] = [folder.read(), folder.read(), folder.close()];
  console.log((await first).name !== (await second).name, await third, await closed);
  await folder.read().catch(failed('read'));

  await fs.promises.opendir('missing').catch(failed('missing'));
  try {
    for await (const entry of fs.opendirSync('tree')) folder[entry.name] ??= await fs.opendirSync('tree').close();
    const own = fs.opendirSync('tree');
    for await (const _ of own) own.closeSync();
  } catch (error) {
    failed('closed in between')(error);
  }

  const removed = fs.opendirSync('tree');
  fs.rmSync('tree', { recursive: true });
  console.log(removed.readSync());
  removed[Symbol.dispose]();
  removed[Symbol.dispose]();
  await removed[Symbol.asyncDispose]();

  fs.mkdirSync('late');
  const late = fs.opendirSync('late');
  fs.writeFileSync('late/file', '');
  console.log(late.readSync().name, late.readSync());
  late.closeSync();
  const bytes = fs.opendirSync(Buffer.from('late'), { encoding: 'buffer' });
  const entry = bytes.readSync();
  console.log(Buffer.isBuffer(bytes.path), Buffer.isBuffer(entry.name), Buffer.isBuffer(entry.parentPath));
  bytes.closeSync();
  await new Promise((resolve) => {
    fs.opendir('late', { encoding: 'hex' }, (error, dir) => {
      dir.read((problem, { name }) => dir.close((last) => resolve(console.log(error, problem, name, last))));
    });
  });
}

/** Runs with a low descriptor limit: while all descriptors are in use, no directory can be listed. */
async function removals() {
  fs.mkdirSync('full/a', { recursive: true });
  fs.mkdirSync('warm');
  await fs.promises.rm('warm', { recursive: true, maxRetries: 1 }); // loads the required modules now
  const used = [];
  try {
    for (;;) used.push(fs.openSync('/dev/null'));
  } catch (error) {
    console.log(error.code);
  }
  try {
    fs.rmSync('full', { recursive: true });
  } catch (error) {
    console.log('at once', error.path); // Node's synchronous form has no code here
  }
  const begun = process.hrtime.bigint();
  await fs.promises.rm('full', { recursive: true, maxRetries: 3, retryDelay: 20 }).catch((error) => console.log(error.code));
  console.log('waited', process.hrtime.bigint() - begun >= 119_000_000n);
  setTimeout(() => used.forEach((fd) => fs.closeSync(fd)), 30);
  await new Promise((resolve) => {
    fs.rm('full', { recursive: true, maxRetries: 1000, retryDelay: 10 }, (error) => resolve(console.log(error, fs.existsSync('full'))));
  });
}

if (process.argv[2] === 'few') removals();
else {
  folders().then(() => {
    const command = `ulimit -n 60; exec "${process.execPath}" "${__filename}" few`;
    const { stdout, stderr, status } = spawnSync('/bin/sh', ['-c', command], { encoding: 'utf8' });
    console.log(stdout, stderr, status);
  });
}
