const addon = require('./cleanup.node');
const show = require('./show.cjs');
const { Worker, isMainThread } = require('node:worker_threads');

globalThis.kept = {};
if (isMainThread) {
  process.on('exit', () => require('node:fs').writeSync(1, 'exit\n'));
  new Worker(__filename).on('exit', () => {
    require('node:fs').writeSync(1, 'worker is over\n');
    addon.prepare(globalThis.kept);
  });
} else {
  addon.prepare(globalThis.kept);
}
