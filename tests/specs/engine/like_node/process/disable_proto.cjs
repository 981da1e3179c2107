// --disable-proto deletes the `__proto__` accessor or makes it throw: in the main context, in node:vm contexts, in
// workers, and from NODE_OPTIONS.
const { spawnSync } = require('node:child_process');

const inner = `
  const shown = (name, action) => {
    try {
      console.log(name, action());
    } catch (error) {
      console.log(name, error.name, error.code, error.message);
    }
  };
  const vm = require('node:vm');
  shown('has', () => Object.hasOwn(Object.prototype, '__proto__'));
  shown('get', () => typeof ({}).__proto__);
  shown('set', () => typeof (({}).__proto__ = null));
  shown('literal', () => Object.getPrototypeOf({ __proto__: null }));
  shown('context', () => typeof vm.runInNewContext('({}).__proto__'));
  shown('hidden', () => typeof vm.runInContext('({}).__proto__', vm.createContext({ Object: 1 })));
  shown('plain', () => typeof vm.runInContext('({}).__proto__', vm.createContext(vm.constants.DONT_CONTEXTIFY)));
  const { Worker, isMainThread } = require('node:worker_threads');
  if (isMainThread) new Worker('try { console.log(typeof ({}).__proto__) } catch (error) { console.log(error.code) }', { eval: true });
`;
for (const mode of ['delete', 'throw']) {
  const { stdout, stderr } = spawnSync(process.execPath, [`--disable-proto=${mode}`, '-e', inner], { encoding: 'utf8' });
  console.log(mode, stdout, stderr);
  const NODE_OPTIONS = `--disable-proto=${mode}`;
  const env = { ...process.env, NODE_OPTIONS };
  console.log(spawnSync(process.execPath, ['-e', inner], { encoding: 'utf8', env }).stdout === stdout);
}
const { status, stdout } = spawnSync(process.execPath, ['--disable-proto=x', '-e', inner], { encoding: 'utf8' });
console.log(status !== 0, stdout);
