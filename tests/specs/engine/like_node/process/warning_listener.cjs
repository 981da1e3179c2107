// A listener of process prints warnings: removing or hiding it, or emitting events directly, changes what is printed.
const { spawnSync } = require('child_process');
const PROGRAM = `
  const reported = () => [process.listenerCount('warning'), process.listeners('warning').map((each) => each.name + each.length).join()];
  console.log(...reported());
  process.on('warning', (warning) => console.log('heard', warning.name, String(warning.message).slice(0, 30), warning.code));
  process.emitWarning('one', 'Kind', 'C1');
  process.emit('warning', new Error('direct'));
  process.emit('warning', 'text');
  process.emit('warning', { name: 'DeprecationWarning', message: 'x', code: 'X' });
  const { emit } = process;
  setImmediate(() => {
    process.emit = function (name, ...rest) { return name === 'warning' ? false : Reflect.apply(emit, this, [name, ...rest]); };
    process.emitWarning('hidden');
    setImmediate(() => {
      process.emit = emit;
      process.removeAllListeners('warning');
      process.emitWarning('removed');
      console.log(...reported());
    });
  });`;
const WORKER = `new (require('worker_threads').Worker)(${JSON.stringify(PROGRAM)}, { eval: true })`;
const calm = (bytes) => String(bytes).replaceAll(/\((?:node|rt):\d+\)/g, '(PID)').replaceAll(/`(?:node\d*|rt) --/g, '`NAME --');
const cases = [[[]], [['--no-warnings']], [['--disable-warning=C1']], [['--disable-warning=Kind']], [['--no-deprecation']], [[], { NODE_NO_WARNINGS: '1' }]];
for (const [flags, more] of cases) {
  for (const text of [PROGRAM, WORKER]) {
    const { stdout, stderr } = spawnSync(process.execPath, [...flags, '-e', text], { env: { ...process.env, ...more } });
    console.log(JSON.stringify([flags, more]), calm(stdout), calm(stderr));
  }
}
const rejected = `process.on('warning', (warning) => console.log(warning.name, warning.message.slice(0, 12))); Promise.reject('why')`;
console.log(calm(spawnSync(process.execPath, ['--unhandled-rejections=warn', '-e', rejected]).stdout));
