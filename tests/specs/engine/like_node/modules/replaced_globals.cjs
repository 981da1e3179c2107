// A program replaces or deletes globals, as polyfills and browser stand-ins do: built-in modules keep using the
// originals.
const own = process;
const { pathToFileURL } = require('node:url');
const here = pathToFileURL(__filename);
const NAMES = 'process URL URLSearchParams Buffer Blob File Response Request Headers AbortController AbortSignal TextDecoderStream TextEncoder TextDecoder MessagePort MessageChannel EventTarget Event performance navigator crypto queueMicrotask setTimeout setImmediate clearTimeout structuredClone'; // prettier-ignore
const { log } = console;
const { Blob: RealBlob, MessageChannel: RealChannel } = globalThis;
void globalThis.Response; // Node loads this lazily and would read the replaced globals
for (const name of NAMES.split(' ')) Object.defineProperty(globalThis, name, { value: undefined, configurable: true, writable: true });
globalThis.console = undefined;

async function report(name, act) {
  try {
    log(name, JSON.stringify(await act()));
  } catch (error) {
    log(name, 'failed', error?.code, error?.message);
  }
}
const once = (emitter, name) => new Promise((resolve) => emitter.once(name, (...values) => resolve(values)));

async function main() {
  const child = require('node:child_process');
  await report('console', () => typeof require('node:console').log);
  await report('process', () => require('node:process').pid === own.pid);
  await report('execFileSync', () => child.execFileSync('echo', ['a'], { cwd: new (require('node:url').URL)('.', here) }).toString());
  await report('execFile', () => require('node:util').promisify(child.execFile)('echo', ['b'], { timeout: 60000 }));
  await report('spawn', () => once(child.spawn('true'), 'close'));
  await report('fork', async () => {
    const forked = child.fork(__filename, ['child']);
    return [await once(forked, 'message'), await once(forked, 'close')];
  });
  await report('os', () => [require('node:os').tmpdir(), require('node:os').homedir(), require('node:os').platform()].map((text) => typeof text));
  await report('tls', () => typeof require('node:tls').createSecureContext());
  await report('tls server', () => typeof require('node:tls').createServer({}));
  await report('worker', () => once(new (require('node:worker_threads').Worker)("require('worker_threads').parentPort.postMessage(5)", { eval: true }), 'message'));
  await report('worker output', async () => {
    const worker = new (require('node:worker_threads').Worker)("process.stdout.write('out')", { eval: true, stdout: true });
    return String((await once(worker.stdout, 'data'))[0]);
  });
  await report('block list', () => { const list = new (require('node:net').BlockList)(); list.addAddress('1.2.3.4'); return [list.check('1.2.3.4'), require('node:net').SocketAddress.parse('1.2.3.4:5').port]; }); // prettier-ignore
  await report('mkdtemp', () => require('node:fs').mkdtempSync('made-').length);
  await report('sqlite', () => new (require('node:sqlite').DatabaseSync)(':memory:').prepare('select 1 as one').get().one);
  await report('text of a blob', () => new RealBlob(['abc']).text());
  await report('consumers', async () => (await require('node:stream/consumers').blob(require('node:stream').Readable.from([require('node:buffer').Buffer.from('x')]))).size);
  await report('duplex of a blob', async () => (await require('node:stream').Duplex.from(new RealBlob(['abc'])).toArray()).length);
  await report('channel', async () => {
    const { port1, port2 } = new RealChannel();
    port2.postMessage('hello');
    const { data } = await new Promise((resolve) => { port1.onmessage = resolve; }); // prettier-ignore
    port1.close();
    return data;
  });
  await report('script', () => require('node:vm').runInNewContext('1 + 1'));
  await report('cached script', () => new (require('node:vm').Script)('1').createCachedData().length > 0);
  await report('createRequire', () => typeof require('node:module').createRequire(here)('fs'));
  await report('mark', () => require('node:perf_hooks').performance.mark('a').name);
  await report('readline', () => require('node:readline').createInterface({ input: new (require('node:stream').PassThrough)() }).close());
  await report('abort', () => require('node:timers/promises').setTimeout(1, 'over'));
  await report('transferable', () => typeof require('node:util').transferableAbortController());
  await report('watchFile', () => require('node:fs').watchFile(__filename, () => {}) && require('node:fs').unwatchFile(__filename));
  await report('glob', () => require('node:fs').globSync('globals_rep*.cjs', { cwd: new (require('node:url').URL)('.', here) }));
  await report('worker of a URL', () => once(new (require('node:worker_threads').Worker)(here, { argv: ['worker'] }), 'message'));
  await report('ping', async () => {
    const http2 = require('node:http2');
    const server = http2.createServer().listen(0);
    await once(server, 'listening');
    const session = http2.connect(`http://localhost:${server.address().port}`);
    await once(session, 'connect');
    const [failure] = await new Promise((resolve) => { session.ping((...values) => resolve(values)); }); // prettier-ignore
    session.close();
    server.close();
    return failure;
  });
  await report('domain', () => require('node:domain').create().run(() => 'inside'));
  await report('repl', () => require('node:repl').start({ input: new (require('node:stream').PassThrough)(), output: new (require('node:stream').PassThrough)() }).close()); // prettier-ignore
  await report('object url', () => require('node:buffer').resolveObjectURL('blob:nodedata:none'));
}
if (own.argv[2] === 'child') own.send('from the child');
else if (own.argv[2] === 'worker') require('node:worker_threads').parentPort.postMessage('from the worker');
else main();
