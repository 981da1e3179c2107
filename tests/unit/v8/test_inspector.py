"""The debugger: breakpoints, pauses, evaluation, connecting and disconnecting sessions."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable
from typing import Any

import pytest

from rt_supervisor._native import Engine, Inspector, InspectorSession, JsError


class FrontEnd:
    """A front end that answers pauses from a script of messages."""

    def __init__(self, engine: Engine) -> None:
        self.received: list[dict[str, Any]] = []
        self.queue: deque[dict[str, Any]] = deque()
        self.on_paused: Callable[[dict[str, Any]], None] = lambda params: self.queue.append(
            {"method": "Debugger.resume"}
        )
        self.runs = 0
        self.inspector = Inspector(engine, self.pause, self.run, name="a name with é")
        self.session: InspectorSession = self.inspector.connect(self.receive)
        self.last = 0

    def run(self) -> None:
        self.runs += 1

    def pause(self) -> None:
        self.send(**self.queue.popleft())

    def receive(self, text: str) -> None:
        message = json.loads(text)
        self.received.append(message)
        if message.get("method") == "Debugger.paused":
            self.on_paused(message["params"])

    def send(self, method: str, params: dict[str, Any] | None = None) -> dict[str, Any]:
        self.last += 1
        number = self.last
        self.session.dispatch(json.dumps({"id": number, "method": method, "params": params or {}}))
        return next((m for m in self.received if m.get("id") == number), {})

    def events(self, method: str) -> list[dict[str, Any]]:
        return [message["params"] for message in self.received if message.get("method") == method]


@pytest.fixture
def front(engine: Engine) -> FrontEnd:
    return FrontEnd(engine)


def test_evaluate_and_contexts(front: FrontEnd) -> None:
    front.send("Runtime.enable")
    [created] = front.events("Runtime.executionContextCreated")
    assert created["context"]["name"] == "a name with é"
    answer = front.send("Runtime.evaluate", {"expression": "'ü' + 6 * 7"})
    assert answer["result"]["result"]["value"] == "ü42"
    failed = front.send("Runtime.evaluate", {"expression": "null.x"})
    assert "TypeError" in failed["result"]["exceptionDetails"]["exception"]["description"]
    front.send("Runtime.runIfWaitingForDebugger")
    assert front.runs == 1


def test_a_breakpoint_stops_and_steps(engine: Engine, front: FrontEnd) -> None:
    lines: list[int] = []
    values: list[Any] = []

    def on_paused(params: dict[str, Any]) -> None:
        frame = params["callFrames"][0]
        lines.append(frame["location"]["lineNumber"])
        values.append(frame["callFrameId"])
        front.queue.append({"method": "Debugger.stepOver" if len(lines) < 3 else "Debugger.resume"})

    front.on_paused = on_paused
    front.send("Debugger.enable")
    front.send("Debugger.setBreakpointByUrl", {"lineNumber": 2, "url": "file:///x%20y/app.js"})
    code = "function f(a) {\n  const b = a * 2;\n  const c = a + b;\n  globalThis.seen = c;\n  return c\n}\nf(5)"
    assert engine.run(code, "/x y/app.js") == 15
    assert lines == [2, 3, 4]
    [script] = [s for s in front.events("Debugger.scriptParsed") if s["url"].endswith("app.js")]
    assert script["url"] == "file:///x%20y/app.js"


def test_evaluate_in_the_paused_frame(engine: Engine, front: FrontEnd) -> None:
    seen: list[Any] = []

    def on_paused(params: dict[str, Any]) -> None:
        frame = params["callFrames"][0]["callFrameId"]
        answer = front.send(
            "Debugger.evaluateOnCallFrame", {"callFrameId": frame, "expression": "a + 1", "returnByValue": True}
        )
        seen.append(answer["result"]["result"]["value"])
        front.queue.append({"method": "Debugger.resume"})

    front.on_paused = on_paused
    front.send("Debugger.enable")
    assert engine.run("(function (a) { debugger; return a })(41)") == 41
    assert seen == [42]


def test_pause_soon_and_pause_by_interrupt(engine: Engine, front: FrontEnd) -> None:
    front.send("Debugger.enable")
    front.session.pause_soon("Break on start")
    engine.run("1\n2")
    assert [event["reason"] for event in front.events("Debugger.paused")] == ["Break on start"]
    engine.interrupt(lambda: front.send("Debugger.pause"))
    engine.run("let n = 0; while (n < 1e5) n++")
    assert len(front.events("Debugger.paused")) == 2
    assert len(front.events("Debugger.resumed")) == 2


def test_uncaught_exceptions_are_reported(engine: Engine, front: FrontEnd) -> None:
    front.send("Runtime.enable")
    with pytest.raises(JsError) as caught:
        engine.run("\nthrow new RangeError('lost')", "/a.js")
    front.inspector.exception_thrown(caught.value.value, str(caught.value))
    [event] = front.events("Runtime.exceptionThrown")
    assert event["exceptionDetails"]["url"] == "/a.js"
    assert "RangeError: lost" in event["exceptionDetails"]["exception"]["description"]


def test_console_messages_are_reported(engine: Engine, front: FrontEnd) -> None:
    front.send("Runtime.enable")
    engine.run("console.log('hello', { a: 1 })")
    [event] = front.events("Runtime.consoleAPICalled")
    assert [argument["type"] for argument in event["args"]] == ["string", "object"]


def test_exceptions_of_callbacks_come_out(engine: Engine) -> None:
    def interrupted() -> None:
        raise KeyboardInterrupt

    inspector = Inspector(engine, interrupted)
    session = inspector.connect(lambda text: None)
    session.dispatch('{"id": 1, "method": "Debugger.enable"}')
    with pytest.raises(KeyboardInterrupt):
        engine.run("debugger; for (;;);")
    assert engine.run("1") == 1

    def refuse(text: str) -> None:
        raise ValueError("closed pipe")

    other = inspector.connect(refuse)
    with pytest.raises(ValueError, match="closed pipe"):
        other.dispatch('{"id": 1, "method": "Runtime.evaluate", "params": {"expression": "1"}}')
    assert engine.run("2") == 2


def test_sessions_come_and_go(engine: Engine) -> None:
    inspector = Inspector(engine, lambda: None)
    with pytest.raises(ValueError, match="has an inspector"):
        Inspector(engine, lambda: None)
    sessions: list[InspectorSession] = []
    for _ in range(3):
        session = inspector.connect(lambda text: sessions[-1].close())
        sessions.append(session)
        session.dispatch('{"id": 1, "method": "Runtime.evaluate", "params": {"expression": "1"}}')
        with pytest.raises(RuntimeError, match="session is closed"):
            session.dispatch("{}")
        session.close()
    kept = inspector.connect(lambda text: None)
    kept.dispatch("this is no JSON \U0001f600")
    inspector.close()
    with pytest.raises(RuntimeError, match="inspector is closed"):
        kept.dispatch("{}")
    Inspector(engine, lambda: None).connect(lambda text: None)


def test_an_engine_closes_its_inspector() -> None:
    engine = Engine()
    front = FrontEnd(engine)
    front.send("Debugger.enable")
    front.send("HeapProfiler.enable")
    engine.close()
    with pytest.raises(RuntimeError, match="closed"):
        front.send("Runtime.enable")
