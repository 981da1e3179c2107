// Workers of node:worker_threads: messages, transfers, ends, errors, options, and misuse.
// The 'online' event and messages travel separately, so their order is not defined.
const { Worker, MessageChannel, receiveMessageOnPort, isMainThread, parentPort, workerData, threadId, setEnvironmentData, BroadcastChannel, markAsUntransferable } = require('node:worker_threads');
const J = (v) => { try { return JSON.stringify(v, (k, x) => x instanceof Error ? `${x.name}:${x.message}:${x.code}` : typeof x === 'function' ? 'fn' : x); } catch (e) { return String(e); } };
const run = (name, code, options = {}, drive) => new Promise((done) => {
  const log = []; let w;
  try { w = new Worker(code, { eval: true, ...options }); } catch (e) { console.log(name, 'threw', e.name, e.code, e.message); return done(); }
  w.on('online', () => log.unshift('online')); w.on('message', (m) => log.push('m ' + J(m))); w.on('error', (e) => log.push('error ' + J(e) + (e instanceof Error ? ' ' + e.constructor.name + ' ' + /at /.test(e.stack) : ''))); w.on('messageerror', (e) => log.push('messageerror ' + e));
  w.on('exit', (c) => { log.push('exit ' + c); console.log(name, log.join(' | ')); done(); }); drive?.(w, log);
});
const heard = []; // a worker's own port and its end are reported in either order
process.on('exit', () => console.log(heard.join()));
(async () => {
  await run('simple', 'require("worker_threads").parentPort.postMessage(1)');
  await run('data', 'const { workerData, parentPort, isMainThread, threadId, resourceLimits } = require("worker_threads"); parentPort.postMessage([workerData, isMainThread, threadId > 0, Object.keys(resourceLimits)])', { workerData: { a: [1, { b: new Map([[1, 2]]).size }], d: new Date(5) } });
  await run('throws', 'throw Object.assign(new TypeError("bad"), { code: "E_X", extra: { y: 1 } })');
  await run('throws later', 'setTimeout(() => { throw new RangeError("later") }, 1)');
  await run('rejects', 'Promise.reject(new Error("rejected"))');
  await run('throws value', 'throw { plain: 1 }'); await run('throws null', 'throw null'); await run('throws fn', 'throw () => 1');
  await run('exit code', 'process.exit(7)'); await run('exitCode', 'process.exitCode = 9'); await run('exit in timer', 'setTimeout(() => process.exit(3), 1); setInterval(() => {}, 1000)');
  await run('process exit event', 'process.on("exit", (c) => require("worker_threads").parentPort.postMessage("exiting " + c)); process.exit(4)');
  await run('unsupported', 'const out = []; for (const f of ["chdir", "abort", "setuid", "umask"]) try { process[f](f === "umask" ? 0 : "/"); out.push(f) } catch (e) { out.push(e.code + " " + e.message) } require("worker_threads").parentPort.postMessage(out)');
  await run('argv', 'require("worker_threads").parentPort.postMessage([process.argv.slice(2), process.execArgv, process.env.FOO, process.env.PATH === undefined])', { argv: ['a', 5], execArgv: ['--no-warnings'], env: { FOO: 'bar' } });
  process.env.WT_X = '1'; await run('env copy', 'process.env.WT_X = "changed"; require("worker_threads").parentPort.postMessage(process.env.WT_X)'); console.log(process.env.WT_X);
  await run('terminate loop', 'for (;;);', {}, (w) => w.on('online', async () => { const t = setTimeout(() => {}, 1e5); console.log('terminated', await w.terminate()); clearTimeout(t); }));
  await run('terminate idle', 'setInterval(() => {}, 1000)', {}, (w) => w.on('online', async () => console.log('terminated', await w.terminate(), await w.terminate())));
  await run('atomics wait', 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)', {}, (w) => w.on('online', () => setTimeout(() => w.terminate(), 50)));
  const sab = new SharedArrayBuffer(8); await run('shared', 'const a = new Int32Array(require("worker_threads").workerData); Atomics.add(a, 0, 5); Atomics.store(a, 1, 1); Atomics.notify(a, 1)', { workerData: sab }); console.log(new Int32Array(sab)[0]);
  await run('transfer', 'const p = require("worker_threads").parentPort; p.once("message", (m) => { p.postMessage(m, [m]) })', {}, (w, log) => { const b = new ArrayBuffer(16); w.postMessage(b, [b]); log.push('len ' + b.byteLength); w.on('message', (m) => log.push('got ' + m.byteLength)); });
  await run('port', 'const { workerData, parentPort } = require("worker_threads"); workerData.on("message", (m) => { workerData.postMessage("echo " + m); workerData.close() })', ...(() => { const { port1, port2 } = new MessageChannel(); port1.on('message', (m) => heard.push('port1 ' + m)); port1.on('close', () => heard.push('port1 closed')); port1.postMessage('hi'); return [{ workerData: port2, transferList: [port2] }]; })());
  await run('no transfer', '1', ...(() => { const { port2 } = new MessageChannel(); return [{ workerData: port2 }]; })());
  await run('uncloneable', 'try { require("worker_threads").parentPort.postMessage(() => {}) } catch (e) { require("worker_threads").parentPort.postMessage([e.name, e.code, e.message, e instanceof Error]) }');
  await run('environment data', 'const { getEnvironmentData, parentPort } = require("worker_threads"); parentPort.postMessage(getEnvironmentData("k"))', (setEnvironmentData('k', { v: 1 }), {}));
  await run('receive', 'const { receiveMessageOnPort, parentPort, workerData } = require("worker_threads"); Atomics.wait(new Int32Array(workerData), 0, 0, 2000); parentPort.postMessage(receiveMessageOnPort(parentPort)); parentPort.postMessage(receiveMessageOnPort(parentPort) === undefined)', { workerData: sab }, (w) => w.postMessage('sync'));
  await run('stdout', 'console.log("out"); process.stdout.write("more"); console.error("err")', { stdout: true, stderr: true }, (w, log) => { let o = ''; w.stdout.on('data', (d) => o += d); w.stdout.on('end', () => log.push('stdout ' + J(o))); w.stderr.on('data', (d) => log.push('stderr ' + J(String(d)))); });
  await run('stdin', 'let s = ""; process.stdin.on("data", (d) => s += d).on("end", () => require("worker_threads").parentPort.postMessage(s))', { stdin: true }, (w) => { w.stdin.write('abc'); w.stdin.end('def'); });
  await run('stdin unread', 'process.stdin; process.stdin.on("end", () => {})', { stdin: true }); await run('stdin unread by default', 'process.stdin');
  await run('nested', 'const { Worker, parentPort } = require("worker_threads"); const w = new Worker("require(\'worker_threads\').parentPort.postMessage(\'deep\')", { eval: true }); w.on("message", (m) => parentPort.postMessage(m)); w.on("exit", (c) => parentPort.postMessage(c))');
  await run('unref', 'const { parentPort } = require("worker_threads"); parentPort.on("message", () => {}); parentPort.unref()');
  await run('uncaught handled', 'process.on("uncaughtException", (e) => require("worker_threads").parentPort.postMessage("handled " + e.message)); throw new Error("x")');
  for (const bad of [[5, {}], ['x.js', {}], ['./x.js', { argv: 5 }], ['./x', { execArgv: 5 }], ['./x', { env: 5 }], ['./x', { name: 5 }], [new URL('http://x/'), {}], [undefined]]) try { new Worker(...bad); console.log('ok', bad[0]); } catch (e) { console.log(e.name, e.code, e.message.split('\n')[0]); }
  const { port1 } = new MessageChannel(); try { port1.postMessage(1, [port1]); } catch (e) { console.log(e.name, e.message); }
  const w = new Worker('', { eval: true }); console.log(w.threadId > 0, w.threadName, Object.keys(w.resourceLimits).length, w.stdin); w.on('exit', () => { console.log(w.threadId, w.threadName, J(w.resourceLimits)); });
})();
