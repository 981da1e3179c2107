// What --permission denies, what the --allow-* flags grant, and what children inherit.
const fs = require('fs');
const path = require('path');
const os = require('os');
const { spawnSync, fork, spawn, exec } = require('child_process');
const show = (title, error) =>
  console.log(
    title,
    error
      ? [error.name, error.message, error.code, error.permission, error.resource].join(' | ').replaceAll(process.execPath, 'EXEC')
      : 'ok',
  );
const attempt = (title, work) => {
  try {
    const value = work();
    console.log(title, 'ok', typeof value === 'boolean' ? value : '');
  } catch (error) {
    show(`${title} throws`, error);
  }
};
const inside = {
  files(folder) {
    const read = path.join(folder, 'read.txt');
    const other = path.join(folder, 'other.txt');
    const made = path.join(folder, 'out', 'made.txt');
    const both = [
      fs.existsSync,
      fs.accessSync,
      fs.statSync,
      fs.lstatSync,
      fs.readFileSync,
      fs.readlinkSync,
      fs.statfsSync,
      fs.openSync,
      fs.opendirSync,
      fs.readdirSync,
      fs.watchFile,
    ];
    attempt('realpath', () => fs.realpathSync.native(other));
    attempt('watch', () => fs.watch(other)); // and the program ends
    for (const call of both)
      for (const file of [read, other])
        attempt(`${call.name} ${path.basename(file)}`, () => {
          try {
            call(file, call === fs.watchFile ? () => {} : undefined);
          } catch (error) {
            if (error.code === 'ERR_ACCESS_DENIED') throw error;
          }
          fs.unwatchFile(file);
        });
    attempt('write inside', () => fs.writeFileSync(made, 'x'));
    attempt('append', () => fs.appendFileSync(made, 'y'));
    attempt('mkdir', () => fs.mkdirSync(path.join(folder, 'out', 'a', 'b'), { recursive: true }));
    attempt('write outside', () => fs.writeFileSync(other, 'x'));
    attempt('read what may be written only', () => fs.readFileSync(made));
    attempt('open to write', () => fs.closeSync(fs.openSync(made, 'w')));
    attempt('open for both', () => fs.openSync(made, 'r+'));
    attempt('open to append outside', () => fs.openSync(read, 'a'));
    attempt('rename', () => fs.renameSync(read, made));
    attempt('copy in', () => fs.copyFileSync(read, made));
    attempt('copy out', () => fs.copyFileSync(read, other));
    attempt('cp', () => fs.cpSync(read, other));
    attempt('rm forced', () => fs.rmSync(other, { force: true, recursive: true }));
    attempt('rmdir', () => fs.rmdirSync(folder));
    attempt('unlink', () => fs.unlinkSync(read));
    attempt('mkdtemp', () => fs.mkdtempSync(path.join(folder, 't')));
    attempt('truncate', () => fs.truncateSync(made));
    attempt('chmod', () => fs.chmod(other, 0o600, () => {}));
    attempt('utimes', () => fs.utimes(other, 1, 1, () => {}));
    attempt('mkdir with a callback', () => fs.mkdir(other, () => {}));
    attempt('fchmod', () => fs.fchmodSync(1, 0o600));
    attempt('symlink', () => fs.symlinkSync(read, path.join(folder, 'out', 'link')));
    attempt('chdir', () => process.chdir('/'));
    attempt('traversal', () => fs.readFileSync(path.join(folder, 'out', '..', 'other.txt')));
    attempt('bytes', () => fs.readFileSync(Buffer.from(other)));
    attempt('write a report', () => process.report.writeReport('/tmp/none'));
    attempt('a heap snapshot', () => require('v8').writeHeapSnapshot('/tmp/none'));
    attempt('require', () => require(path.join(folder, 'allowed.cjs')));
    attempt('require denied', () => require(path.join(folder, 'denied.cjs')));
    attempt('loadEnvFile', () => process.loadEnvFile(other));
    import(path.join(folder, 'denied.mjs')).catch((error) => {
      show('import denied', error);
      fs.readFile(other, (problem) => {
        show('readFile', problem);
        fs.promises.stat(other).catch((last) => show('promise', last));
      });
    });
  },
  kept() {
    localStorage.setItem('a', '1');
    console.log(localStorage.getItem('a'), process.permission.has('fs.write'));
  },
  rights() {
    for (const scope of ['fs', 'fs.read', 'fs.write', 'child', 'worker', 'wasi', 'inspector', 'net', 'addon', 'nothing'])
      attempt(scope, () => process.permission.has(scope));
    attempt('a path', () => process.permission.has('fs.read', __filename));
    attempt('bytes', () => process.permission.has('fs.read', Buffer.from('/no')));
    attempt('a number', () => process.permission.has(1));
    attempt('an object', () => process.permission.has('fs', {}));
    process.permission.drop('net');
    process.permission.drop('fs.read');
    console.log(
      'dropped',
      process.permission.has('net'),
      process.permission.has('fs.read'),
      process.permission.has('fs.read', '/'),
    );
    console.log(Object.keys(process.permission).join(), process.permission.has.length, process.permission.drop.length);
  },
  rest() {
    attempt('spawn', () => spawn('true'));
    attempt('spawnSync', () => spawnSync('true'));
    attempt('exec', () => exec('true'));
    attempt('fork', () => fork(__filename));
    attempt('worker', () => new (require('worker_threads').Worker)('', { eval: true }));
    attempt('inspector', () => new (require('inspector').Session)().connect());
    attempt('binding', () => process.binding('fs'));
    attempt('addon', () => process.dlopen({ exports: {} }, '/none.node'));
    attempt('listen', () => require('net').createServer().listen(0));
    attempt('listen at a path', () => require('net').createServer().listen('/tmp/none.sock'));
    const net = require('net');
    const dgram = require('dgram');
    const dns = require('dns');
    const steps = [
      (done) => net.connect(1, '127.0.0.1').on('error', done),
      (done) => net.connect('/tmp/none').on('error', done),
      (done) => dgram.createSocket('udp4').on('error', done).bind(0),
      (done) => dns.lookup('localhost', done),
      (done) => dns.resolve('a.b', done),
      (done) => dns.lookupService('127.0.0.1', 80, done),
      (done) => require('http').get('http://127.0.0.1:1').on('error', done),
      (done) => fetch('http://127.0.0.1:8877').catch((error) => done(error.cause)),
    ];
    const next = (at) => {
      if (at < steps.length)
        steps[at]((error) => {
          show(`network ${at}`, error);
          next(at + 1);
        });
    };
    next(0);
  },
  child() {
    const asked = '["fs.read", "fs.write", "child", "net"].map((scope) => process.permission.has(scope)).join()';
    for (const [flags, env] of [
      [[], {}],
      [['--permission', '--allow-fs-write=*'], {}],
      [[], { NODE_OPTIONS: '--permission --allow-net' }],
    ])
      console.log(spawnSync(process.execPath, [...flags, '-p', asked], { env: { ...process.env, ...env } }).stdout.toString());
  },
  audit(folder) {
    const heard = [];
    require('diagnostics_channel').subscribe('node:permission-model:fs', ({ permission, resource }) =>
      heard.push(`${permission} ${path.basename(resource)}`),
    );
    console.log(
      fs.readFileSync(path.join(folder, 'other.txt'), 'utf8'),
      process.permission.has('fs.write'),
      heard.filter((one) => /other|Write/.test(one)).join(),
    );
  },
};
const [, , what, given] = process.argv;
if (what !== undefined) inside[what](given);
else {
  console.log(process.permission);
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'permission'));
  for (const name of ['read.txt', 'other.txt', 'denied.mjs', 'denied.cjs', 'allowed.cjs'])
    fs.writeFileSync(path.join(folder, name), name.endsWith('txt') ? 'text' : '');
  fs.mkdirSync(path.join(folder, 'out'));
  const run = (title, flags, name) => {
    const { stdout, stderr, status } = spawnSync(process.execPath, ['--no-warnings', ...flags, __filename, name, folder], {
      env: { ...process.env, NODE_OPTIONS: '' },
    });
    console.log(
      `--- ${title}\n${stdout}${status === 0 ? '' : `${status} ${stderr}`}`
        .replaceAll(folder, 'FOLDER')
        .replaceAll(__dirname, 'HERE'),
    );
  };
  run(
    'files',
    [
      '--permission',
      `--allow-fs-read=${folder}/re*`,
      '--allow-fs-read',
      `${folder}/allowed.cjs`,
      `--allow-fs-write=${folder}/out`,
    ],
    'files',
  );
  run('rights', ['--permission', '--allow-net', '--allow-worker', '--allow-fs-read=*'], 'rights');
  run('rest', ['--permission'], 'rest');
  run('kept', ['--permission', `--allow-fs-read=${__filename}`, `--localstorage-file=${path.join(folder, 'kept.db')}`], 'kept');
  run('child', ['--permission', '--allow-child-process', '--allow-fs-read=*'], 'child');
  run('audit', ['--permission-audit'], 'audit');
  fs.rmSync(folder, { recursive: true });
}
