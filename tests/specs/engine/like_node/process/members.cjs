// The members of process, their types, and which are writable.
const log = (...values) => console.log(JSON.stringify(values));
const EXTRA = new Set(['isBun', '_debugProcess', '_debugEnd', '_startProfilerIdleNotifier', '_stopProfilerIdleNotifier', '_events', '_eventsCount', '_maxListeners']);
const kinds = (value) => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value);
for (const name of Object.getOwnPropertyNames(process).sort()) {
  if (EXTRA.has(name)) continue;
  const { enumerable, writable, set } = Object.getOwnPropertyDescriptor(process, name);
  const isPlain = ['pid', 'version', 'versions', 'arch', 'platform', 'release', 'argv0', 'features', 'config'].includes(name);
  log(name, kinds(process[name]), enumerable, isPlain ? [writable, set] : '');
}
for (const name of ['report', 'finalization']) log(name, Object.keys(process[name]));
log(Object.keys(process.report.getReport()), process.report.getReport() !== process.report.getReport());
const { header, javascriptStack, userLimits, environmentVariables, resourceUsage, javascriptHeap } = process.report.getReport(Object.assign(new TypeError('boo'), { code: 'E', n: 5 }));
log(header.event, header.trigger, header.filename, header.processId === process.pid, header.cwd === process.cwd(), header.wordSize, header.arch === process.arch, header.osName, header.cpus.length > 0);
log(javascriptStack.message, javascriptStack.errorProperties, javascriptStack.stack[0].split('/').at(-1).replace(')', ''));
log(Object.keys(userLimits), environmentVariables.PATH === process.env.PATH, Object.keys(resourceUsage), Object.keys(javascriptHeap).includes('usedMemory'));
log(process.constrainedMemory() > 0, process.availableMemory() > 1e6, Array.isArray(process.getActiveResourcesInfo()), Object.keys(process.threadCpuUsage()));
log(process.getBuiltinModule('fs') === require('fs'), process.getBuiltinModule('nope'), process._exiting, process.mainModule === module, process._kill(process.pid, 0), process._kill(999999999, 0));
process.title = 5;
log(process.title, typeof process.title);
