"""Workers in the sessions of the main program's front ends."""

from __future__ import annotations

import json
from typing import Any

from front_end import FrontEnd, Message, url_of
from rig import Box

PROGRAM = """
    const { Worker, isMainThread } = require('node:worker_threads');
    if (isMainThread) {
      globalThis.worker = new Worker(__filename);
      worker.on('exit', (status) => console.log('exit', status));
    } else {
      const inner = 7;
      console.log('in worker', inner);
      debugger;
    }
"""


class WorkerSession:
    """A worker's session inside that of `front`."""

    def __init__(self, front: FrontEnd) -> None:
        self.front = front
        attached = front.await_event("NodeWorker.attachedToWorker")
        self.number = attached["sessionId"]
        self.info = attached["workerInfo"]
        self.waits = attached["waitingForDebugger"]
        self._last = 0

    def say(self, method: str, **params: Any) -> Message:
        self._last += 1
        message = json.dumps({"id": self._last, "method": method, "params": params})
        return self.front.do("NodeWorker.sendMessageToWorker", sessionId=self.number, message=message)

    def await_event(self, method: str) -> Message:
        def fits(params: Message) -> bool:
            said: Message = json.loads(params["message"])
            return bool(params["sessionId"] == self.number and said.get("method") == method)

        params = self.front.await_event("NodeWorker.receivedMessageFromWorker", fits)
        return json.loads(params["message"])["params"]  # type: ignore[no-any-return]


def begin(box: Box) -> tuple[Any, FrontEnd, WorkerSession]:
    box.write({"a.cjs": PROGRAM})
    program = box.start("--inspect-wait=0", "a.cjs")
    front = FrontEnd(url_of(program))
    front.do("NodeWorker.enable", waitForDebuggerOnStart=True)
    front.begin()
    worker = WorkerSession(front)
    assert worker.waits
    assert worker.info["title"] == "[worker 1] WorkerThread"
    assert worker.info["url"] == f"file://{box.folder.resolve()}/a.cjs"
    for method in ("Runtime.enable", "Debugger.enable", "Runtime.runIfWaitingForDebugger"):
        worker.say(method)
    assert worker.await_event("Debugger.paused")["reason"] == "Break on start"
    worker.say("Debugger.resume")
    assert worker.await_event("Runtime.consoleAPICalled")["args"][1]["value"] == 7
    worker.await_event("Debugger.paused")
    return program, front, worker


def test_a_worker_waits_pauses_and_goes_on(box: Box) -> None:
    program, front, worker = begin(box)
    assert front.do("NodeWorker.sendMessageToWorker", sessionId="99", message="{}")["message"] == "Session 99 not found"
    worker.say("Debugger.resume")
    assert front.await_event("NodeWorker.detachedFromWorker")["sessionId"] == worker.number
    front.await_event("Runtime.executionContextDestroyed")
    front.close()
    assert program.communicate(timeout=60)[0] == b"in worker 7\nexit 0\n"


def test_a_paused_worker_can_be_ended(box: Box) -> None:
    program, front, _ = begin(box)
    front.do("Runtime.evaluate", expression="void worker.terminate()")
    front.await_event("NodeWorker.detachedFromWorker")
    front.await_event("Runtime.executionContextDestroyed")
    front.close()
    assert program.communicate(timeout=60)[0] == b"in worker 7\nexit 1\n"


def test_a_worker_that_waits_for_a_debugger_can_be_ended(box: Box) -> None:
    waiting = "postMessage(1); require('node:inspector').open(0, undefined, true);"
    box.write(
        {
            "a.cjs": f"""
        const {{ Worker }} = require('node:worker_threads');
        const worker = new Worker("require('node:worker_threads').parentPort.{waiting}", {{ eval: true }});
        worker.on('message', () => worker.terminate());
        worker.on('exit', () => console.log('ended'));
    """
        }
    )
    assert box.run("a.cjs").stdout == b"ended\n"


def test_workers_resume_when_a_front_end_disconnects(box: Box) -> None:
    program, front, _ = begin(box)
    front.close()
    assert program.communicate(timeout=60)[0] == b"in worker 7\nexit 0\n"


def test_a_program_debugs_its_own_workers(box: Box) -> None:
    """`NodeWorker` in an `inspector.Session`: a worker waits for it at the start, pauses, and waits for it at its end."""
    code = """
        const { Session } = require('inspector');
        const { Worker, isMainThread } = require('worker_threads');
        if (!isMainThread) {
          debugger;
          return;
        }
        const session = new Session();
        session.connect();
        const seen = [];
        const noted = new Set(['Debugger.paused', 'NodeRuntime.waitingForDisconnect', 'Runtime.executionContextDestroyed']);
        let isEnding = false;
        session.on('NodeWorker.attachedToWorker', ({ params: { sessionId, waitingForDebugger } }) => {
          seen.push(`attached ${waitingForDebugger}`);
          let id = 0;
          const post = (method, params) =>
            session.post('NodeWorker.sendMessageToWorker', { sessionId, message: JSON.stringify({ id: ++id, method, params }) });
          session.on('NodeWorker.receivedMessageFromWorker', ({ params }) => {
            const { method, params: facts } = JSON.parse(params.message);
            if (!noted.has(method)) return;
            seen.push(method === 'Debugger.paused' ? `paused ${facts.callFrames[0].location.lineNumber}` : method);
            if (method === 'Debugger.paused') post('Debugger.resume');
            else if (method === 'NodeRuntime.waitingForDisconnect') session.post('NodeWorker.detach', { sessionId });
          });
          post('Debugger.enable');
          post('Runtime.enable');
          post('NodeRuntime.notifyWhenWaitingForDisconnect', { enabled: true });
          post('Runtime.runIfWaitingForDebugger');
        });
        session.on('NodeWorker.detachedFromWorker', () => seen.push('detached'));
        session.post('NodeWorker.enable', { waitForDebuggerOnStart: true });
        new Worker(__filename).on('exit', (status) => {
          session.disconnect();
          console.log(JSON.stringify([...seen, status]));
        });
    """
    box.write({"a.cjs": code})
    done = box.run("a.cjs")
    assert json.loads(done.stdout) == [
        "attached true",
        "paused 1",
        "paused 4",
        "NodeRuntime.waitingForDisconnect",
        "detached",
        0,
    ], done.stderr
