"""Programs that pause: breakpoints, steps, the state of a paused frame, and what resumes them."""

from __future__ import annotations

import socket
from collections.abc import Iterator

import pytest
from front_end import Debugged, FrontEnd
from rig import Box

ADDING = """\
function add(a, b) {
  const sum = a + b;
  return sum;
}
const first = add(1, 2);
console.log('first', first);
"""


@pytest.fixture
def adding(box: Box) -> Iterator[Debugged]:
    box.write({"a.cjs": ADDING})
    yield Debugged(box, "--inspect-brk=0", "a.cjs")


def test_break_steps_and_variables(box: Box, adding: Debugged) -> None:
    front = adding.front
    front.begin()
    event = front.await_event("Debugger.paused")
    assert event["reason"] == "Break on start"
    frame = event["callFrames"][0]
    assert frame["location"]["lineNumber"] == 4
    assert front.scripts[frame["location"]["scriptId"]] == f"file://{box.folder.resolve()}/a.cjs"
    lines = []
    for step in ("stepInto", "stepOver", "stepOut"):
        front.do(f"Debugger.{step}")
        event = front.await_event("Debugger.paused")
        lines.append(event["callFrames"][0]["location"]["lineNumber"] + 1)
        if step == "stepOver":
            identity = event["callFrames"][0]["callFrameId"]
            values = [
                front.do("Debugger.evaluateOnCallFrame", callFrameId=identity, expression=each)["result"]["value"]
                for each in ("sum", "a * 10 + b", "(() => sum + 1)()")
            ]
            assert values == [3, 12, 4]
            local = event["callFrames"][0]["scopeChain"][0]
            assert local["type"] == "local"
            found = front.do("Runtime.getProperties", objectId=local["object"]["objectId"])["result"]
            assert {each["name"]: each["value"]["value"] for each in found} == {"a": 1, "b": 2, "sum": 3}
    assert lines == [2, 3, 6]  # after the call returns, nothing remains on its line to pause at
    front.do("Debugger.resume")
    front.await_event("Runtime.executionContextDestroyed")
    status, out, err = adding.finish()
    assert (status, out) == (0, "first 3\n")
    assert err == "Debugger attached.\nWaiting for the debugger to disconnect...\n"


def test_a_breakpoint_by_url_and_the_disconnect_of_the_pausing_session(adding: Debugged) -> None:
    front = adding.front
    front.begin()
    front.await_event("Debugger.paused")
    found = front.do("Debugger.setBreakpointByUrl", lineNumber=1, urlRegex=r".*a\.cjs$")
    assert [place["lineNumber"] for place in found["locations"]] == [1]
    front.do("Debugger.resume")
    event = front.await_event("Debugger.paused")
    assert event["hitBreakpoints"] == [found["breakpointId"]]
    status, out, _ = adding.finish()  # no front end is left to resume it
    assert (status, out) == (0, "first 3\n")


def test_an_evaluation_that_pauses_ends_with_its_front_end(adding: Debugged) -> None:
    front = adding.front
    front.begin()
    front.await_event("Debugger.paused")
    identity = front.ask("Runtime.evaluate", expression="debugger; 1")
    front.do("Debugger.setPauseOnExceptions", state="none")
    assert identity not in front.answers or front.answers[identity]["result"]
    assert adding.finish()[:2] == (0, "first 3\n")


def test_an_endless_loop_can_be_paused(box: Box) -> None:
    box.write({"a.mjs": "globalThis.goes = true;\nconsole.log('goes');\nwhile (goes) {}\nconsole.log('over');\n"})
    program = Debugged(box, "--inspect=0", "a.mjs")
    assert program.process.stdout is not None
    assert program.process.stdout.readline() == b"goes\n"
    program.front.begin()
    program.front.do("Debugger.pause")
    assert program.place() == ("a.mjs", 3)
    program.front.do("Runtime.evaluate", expression="globalThis.goes = false")
    program.front.do("Debugger.resume")
    program.front.await_event("Runtime.executionContextDestroyed")
    assert program.finish()[:2] == (0, "over\n")


def test_a_debugger_statement_has_no_effect_without_a_front_end(box: Box) -> None:
    box.write({"a.cjs": "debugger; console.log('past it');"})
    assert box.run("a.cjs").stdout == b"past it\n"
    ran = box.run("--inspect=0", "a.cjs")
    assert (ran.returncode, ran.stdout) == (0, b"past it\n")


def test_a_debugger_statement_and_a_server_that_waits(box: Box) -> None:
    """The loop is idle when the front end connects; the request stays open while its handler is paused."""
    box.write(
        {
            "a.ts": """
                const server = RT.serve({ port: 0, fetch(request: Request): Response {
                  const answer: string = 'answer';
                  debugger;
                  server.stop();
                  return new Response(answer);
                } });
                console.log(server.port);
            """
        }
    )
    program = Debugged(box, "--inspect=0", "a.ts")
    assert program.process.stdout is not None
    port = int(program.process.stdout.readline())
    program.front.begin()
    with socket.create_connection(("127.0.0.1", port), timeout=60) as asker:
        asker.sendall(b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        event = program.front.await_event("Debugger.paused")
        identity = event["callFrames"][0]["callFrameId"]
        known = program.front.do(
            "Debugger.evaluateOnCallFrame", callFrameId=identity, expression="answer + request.url"
        )
        assert known["result"]["value"] == "answerhttp://x/"
        program.front.do("Debugger.resume")
        reported = b""
        while block := asker.recv(1 << 16):
            reported += block
    assert reported.endswith(b"answer")
    program.front.await_event("Runtime.executionContextDestroyed")
    assert program.finish()[0] == 0


@pytest.mark.parametrize("name, code", [("a.mjs", "\n\nconst x = 1;\n"), ("a.cts", "\n\nlet x: number = 1;\n")])
def test_the_first_statement_of_each_kind(box: Box, name: str, code: str) -> None:
    box.write({name: code, "pre.cjs": "globalThis.early = 1;"})
    program = Debugged(box, "--preload", "./pre.cjs", "--inspect-brk=0", name)
    program.front.begin()
    event = program.front.await_event("Debugger.paused")
    assert event["reason"] == "Break on start"
    assert program.place(event)[0] == name
    program.front.do("Debugger.resume")
    assert program.finish()[0] == 0


def test_code_of_the_command_line(box: Box) -> None:
    program = Debugged(box, "--inspect-brk=0", "-p", "6 * 7")
    program.front.begin()
    assert program.place()[0] == "[eval]"
    program.front.do("Debugger.resume")
    assert program.finish()[:2] == (0, "42\n")


def test_front_ends_come_and_go_while_it_pauses(adding: Debugged) -> None:
    other = FrontEnd(adding.url)
    other.do("Debugger.enable")
    adding.front.begin()
    for front in (adding.front, other):
        front.await_event("Debugger.paused")
    adding.front.close()  # the other one still inspects it
    assert other.do("Runtime.evaluate", expression="typeof add")["result"]["value"] == "undefined"
    adding.front = FrontEnd(adding.url)
    adding.front.do("Runtime.enable")
    adding.front.do("Debugger.enable")
    adding.front.await_event("Debugger.paused")
    other.do("Debugger.resume")
    adding.front.await_event("Debugger.resumed")
    adding.front.await_event("Runtime.executionContextDestroyed")
    other.close()
    assert adding.finish()[:2] == (0, "first 3\n")
