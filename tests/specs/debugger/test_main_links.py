"""`inspector.Session.connectToMainThread`: a worker evaluates in the main thread and observes it, as in Node."""

from __future__ import annotations

from rig import Box

PROGRAM = r"""
const { Worker, isMainThread, parentPort, threadId } = require('node:worker_threads');
const { Session } = require('node:inspector/promises');
if (isMainThread) {
  globalThis.where = 'main';
  globalThis.pending = new Promise((resolve) => (globalThis.settle = resolve));
  const worker = new Worker(__filename, { name: 'own' });
  worker.on('message', (message) => {
    console.log(JSON.stringify(message));
    if (message === 'ready') console.log('logged by the main thread');
    if (message === 'end') worker.terminate().then((status) => console.log('terminated', status));
  });
  pending.then((value) => console.log('settled with', value));
} else {
  (async () => {
    setInterval(() => {}, 1000); // a session does not keep the worker alive
    globalThis.where = 'worker';
    const session = new Session();
    session.connectToMainThread();
    const evaluate = (expression) => session.post('Runtime.evaluate', { expression, returnByValue: true });
    parentPort.postMessage((await evaluate('where')).result);
    parentPort.postMessage((await evaluate('require("node:worker_threads").isMainThread')).result?.value);
    parentPort.postMessage(await session.post('Runtime.nothing').catch(({ code, message }) => [code, message]));
    const attached = new Promise((resolve) => session.once('NodeWorker.attachedToWorker', resolve));
    await session.post('NodeWorker.enable', { waitForDebuggerOnStart: false });
    const { workerInfo } = (await attached).params;
    parentPort.postMessage([workerInfo.title, workerInfo.workerId === String(threadId)]);
    await session.post('Runtime.enable');
    const logged = new Promise((resolve) =>
      session.on('Runtime.consoleAPICalled', ({ params: { args } }) => args[0].value.startsWith('logged') && resolve(args)),
    );
    parentPort.postMessage('ready');
    parentPort.postMessage(await logged);
    await evaluate('settle("a value of the worker")');
    try { session.connectToMainThread(); } catch ({ code }) { parentPort.postMessage(code); }
    session.disconnect();
    session.connect();
    parentPort.postMessage((await evaluate('where')).result.value);
    session.disconnect();
    session.connectToMainThread();
    const other = session.post('Runtime.evaluate', { expression: 'where' });
    await other;
    parentPort.postMessage('end');
  })();
}
try { new Session().connectToMainThread(); } catch ({ code }) { if (isMainThread) console.log(code); }
"""
SHOWN = [
    '"ERR_INSPECTOR_ALREADY_CONNECTED"',
    '"end"',
    '"ready"',
    '"worker"',
    "ERR_INSPECTOR_NOT_WORKER",
    '["ERR_INSPECTOR_COMMAND","Inspector error -32601: \'Runtime.nothing\' wasn\'t found"]',
    '["[worker 1] own",true]',
    '[{"type":"string","value":"logged by the main thread"}]',
    "logged by the main thread",
    "settled with a value of the worker",
    "terminated 1",
    "undefined",
    '{"type":"string","value":"main"}',
]  # what Node 26 prints


def test_a_session_of_a_worker_with_the_main_thread(box: Box) -> None:
    box.write({"a.cjs": PROGRAM})
    done = box.run("a.cjs")
    # The threads report in any order.
    assert (sorted(done.stdout.decode().splitlines()), done.stderr, done.returncode) == (sorted(SHOWN), b"", 0)


def test_a_worker_ends_with_an_open_session(box: Box) -> None:
    code = """
    const { Worker, isMainThread, parentPort } = require('node:worker_threads');
    if (isMainThread) for (let i = 0; i < 5; i++) new Worker(__filename).on('exit', (status) => console.log('exit', status));
    else {
      const session = new (require('node:inspector').Session)();
      session.connectToMainThread();
      for (let i = 0; i < 50; i++) session.post('Runtime.evaluate', { expression: '1' }, () => {});
    }
    """
    box.write({"b.cjs": code})
    done = box.run("b.cjs")
    assert (done.stdout.decode().split(), done.stderr, done.returncode) == (["exit", "0"] * 5, b"", 0)
