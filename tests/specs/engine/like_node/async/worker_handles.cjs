// A worker and its port as resources of async_hooks: whether they keep the program alive.
const { createHook } = require('node:async_hooks');
const { inspect } = require('node:util');
const { Worker } = require('node:worker_threads');

const print = (...values) => console.log(values.map((value) => (typeof value === 'string' ? value : inspect(value))).join(' '));

const resources = new Map();
createHook({
  init(id, type, trigger, resource) {
    if (type === 'WORKER' || type === 'MESSAGEPORT') resources.set(id, { type, resource });
  },
  destroy(id) {
    resources.delete(id);
  },
}).enable();
const active = () => [...resources.values()].filter(({ resource }) => resource.hasRef()).map(({ type }) => type);

const worker = new Worker('', { eval: true });
const [{ resource: handle }] = resources.values();
print(active());
worker.unref();
print(active(), handle.hasRef());
worker.ref();
print(active(), handle.hasRef());
worker.on('exit', (status) => {
  print(status, active(), handle.hasRef());
  setTimeout(() => print(active(), handle.hasRef()), 0);
});
