// Isolation of node:vm contexts: globals that outlive the sandbox's properties, disallowed WebAssembly, promises of
// import() and of evaluations, import() without a referrer; and modules with unlinked requests.
const vm = require('node:vm');

const shown = (name, action) => {
  try {
    console.log(name, JSON.stringify(action()));
  } catch (error) {
    console.log(name, error.name, error.code, error.message);
  }
};

function globals() {
  const world = vm.createContext({ has: 1 });
  const texts = [
    'var a = "a"; [delete a, typeof a, delete globalThis.a]',
    'b = 1; [delete b, typeof b]',
    'function f() {} [delete f, typeof f]',
    'var has; [delete has, typeof has]',
    'var c = () => {}; c = 5; [typeof c, globalThis.c]',
  ];
  for (const text of texts) shown(text, () => [vm.runInContext(text, world), Object.keys(world)]);
  vm.runInContext('var d = 1', world);
  shown('d', () => [delete world.d, vm.runInContext('typeof d', world)]);
  const calls = [];
  const guarded = vm.createContext(Object.defineProperty({}, 'g', { set: (value) => calls.push(value), get: () => 7 }));
  shown('accessor', () => [vm.runInContext('g = 1; globalThis.g = 2; g', guarded), calls]);
}

function webAssembly() {
  const bytes = new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]);
  for (const wasm of [true, false, undefined]) {
    const world = vm.createContext({ bytes }, { codeGeneration: { wasm } });
    shown(`wasm ${wasm}`, () => String(vm.runInContext('new WebAssembly.Module(bytes)', world)));
    shown(`validate ${wasm}`, () => vm.runInContext('WebAssembly.validate(bytes)', world));
  }
  const options = { contextCodeGeneration: { wasm: false } };
  shown('new', () => vm.runInNewContext('new WebAssembly.Module(bytes)', { bytes }, options));
  shown('here', () => String(new WebAssembly.Module(bytes)));
}

function stacks() {
  Error.stackTraceLimit = 1;
  const options = [{}, { lineOffset: 3 }, { columnOffset: 3 }, { filename: 'named' }];
  for (const each of options) shown('stack', () => {
    try {
      return vm.compileFunction('throw new Error("inside")', [], each)();
    } catch (error) {
      return error.stack;
    }
  });
  Error.stackTraceLimit = 10;
}

async function modules() {
  const world = vm.createContext();
  const one = new vm.SourceTextModule('export const one = 1', { context: world, identifier: 'one' });
  await one.link(() => {});
  await one.evaluate();
  const script = new vm.Script('[import("x"), Promise]', { importModuleDynamically: () => one });
  const [promise, inside] = script.runInContext(world);
  console.log(Object.getPrototypeOf(promise) === inside.prototype, promise instanceof Promise, (await promise).one);
  const broken = new vm.Script('import("x")', { importModuleDynamically: () => Promise.reject(new Error('no')) });
  await broken.runInContext(world).catch((error) => console.log(error.message));

  const asked = [];
  const answering = vm.createContext({}, { importModuleDynamically: (name, from) => (asked.push(name, from === answering), one) });
  const indirect = (context) => vm.runInContext('Promise.resolve("import(\'y\')").then(eval)', context);
  console.log((await indirect(answering)) === one.namespace, String(asked));
  await indirect(vm.createContext()).catch((error) => console.log(error.code));

  const own = vm.createContext({}, { microtaskMode: 'afterEvaluate' });
  const quick = new vm.SourceTextModule('globalThis.seen = 1; await null; globalThis.seen = 2', { context: own });
  await quick.link(() => {});
  await quick.evaluate();
  console.log('evaluated', own.seen);

  const make = (text, identifier) => new vm.SourceTextModule(text, { identifier });
  const above = make('import { b } from "below"', 'above');
  shown('unlinked', () => above.instantiate());
  shown('status', () => above.status);
  const below = make('export { b } from "lower"', 'below');
  above.linkRequests([below]);
  shown('unlinked below', () => above.instantiate());
  const lower = make('export const b = 1', 'lower');
  below.linkRequests([lower]);
  above.instantiate();
  shown('linked', () => [above.status, below.status, lower.status]);
}

if (!process.execArgv.includes('--no-warnings')) {
  const flags = ['--experimental-vm-modules', '--no-warnings'];
  require('node:child_process').spawnSync(process.execPath, [...flags, __filename], { stdio: 'inherit' });
} else {
  globals();
  webAssembly();
  stacks();
  modules();
}
