// Invalid arguments of process, and their errors.
const said = (work) => {
  try {
    return work();
  } catch (error) {
    return `${error.name} ${error.code} ${error.message}`;
  }
};
const { report, finalization } = process;
for (const [name, value] of [['compact', 5], ['filename', 5], ['directory', 5], ['signal', 'x'], ['signal', 5], ['reportOnSignal', 5], ['excludeNetwork', 5], ['reportOnFatalError', 'x'], ['reportOnUncaughtException', 1], ['excludeEnv', 3]]) {
  console.log(name, said(() => { report[name] = value; }));
}
console.log(said(() => report.getReport(5)), said(() => report.getReport(null)), said(() => report.writeReport(5)), said(() => report.writeReport('a', 5)));
console.log(said(() => process.setgroups()), said(() => process.setgroups([-1])), said(() => process.setgroups([{}])), said(() => process.initgroups()), said(() => process.initgroups('root')), said(() => process.initgroups(-1, 0)));
console.log(said(() => process.setuid({})), said(() => process.setuid('no-such-user')), said(() => process.setgid(-1)), said(() => process.setegid(1.5)), said(() => process.setgroups(['no-such-group'])));
console.log(said(() => process.execve()), said(() => process.execve('x', 5)), said(() => process.execve('x', [5])), said(() => process.execve('x', ['a\0'])), said(() => process.execve('x', [], 5)), said(() => process.execve('x', [], { a: 5 })));
console.log(said(() => finalization.register()), said(() => finalization.register(5, () => {})), said(() => finalization.unregister({})));
console.log(said(() => process.getBuiltinModule(5)), said(() => process.setSourceMapsEnabled(1)), said(() => process.threadCpuUsage(5)), said(() => process.threadCpuUsage({})), said(() => process.cpuUsage({ user: -1, system: 0 })));
console.log(said(() => process.binding('nope')), said(() => process._linkedBinding('nope')), said(() => process.addUncaughtExceptionCaptureCallback(5)), said(() => process.setUncaughtExceptionCaptureCallback(5)));
console.log(said(() => process.emitWarning()), said(() => process.emitWarning(5)), said(() => process.emitWarning('a', 5)), said(() => process.emitWarning('a', 'b', 5)), said(() => { 'use strict'; process.pid = 5; }));
console.log(said(() => process.ref()), said(() => process.ref(5)), said(() => process.unref({})), said(() => process._rawDebug('a%s', 'b')));
