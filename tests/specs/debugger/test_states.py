"""The states of a debugged program (specification, 3): each transition in both dialects, at positions of TypeScript."""

from __future__ import annotations

import socket
import subprocess
from typing import Any

import pytest
from front_end import FrontEnd, url_of
from rig import Box

SERVER = """\
interface Answer {
  text: string;
}

function inner(name: string): Answer {
  const text: string = "hello " + name;
  return { text };
}

const server = RT.serve({
  port: 0,
  fetch(request: Request): Response {
    const name = new URL(request.url).pathname.slice(1);
    const answer: Answer = inner(name);
    return new Response(answer.text);
  },
});
console.log(server.port);
"""


NAMES = {
    "jsc": {"ready": "Inspector.initialized", "over": "Debugger.stepNext"},
    "cdp": {"ready": "Runtime.runIfWaitingForDebugger", "over": "Debugger.stepOver"},
}


class Client:
    """A client that speaks one of the dialects; the commands have the same meaning in both."""

    def __init__(self, program: subprocess.Popen[bytes], dialect: str) -> None:
        self.names = NAMES[dialect]
        self.front = FrontEnd(url_of(program))
        self.front.do("Inspector.enable" if dialect == "jsc" else "Runtime.enable")
        self.front.do("Debugger.enable")
        if dialect == "jsc":
            self.front.do("Debugger.setPauseOnDebuggerStatements", enabled=True)

    def start(self) -> None:
        self.front.do(self.names["ready"])

    def break_at(self, line: int) -> None:
        """Set a breakpoint on a line of a.ts, from 1."""
        self.front.do("Debugger.setBreakpointByUrl", urlRegex=r".*a\.ts$", lineNumber=line - 1)

    def move(self, command: str) -> tuple[str, int]:
        self.front.do(command)
        return self.paused()

    def paused(self) -> tuple[str, int]:
        """Wait for a pause; return the function and the line, from 1."""
        self.event: dict[str, Any] = self.front.await_event("Debugger.paused")
        frame = self.event["callFrames"][0]
        return frame["functionName"], frame["location"]["lineNumber"] + 1


@pytest.fixture(params=["cdp", "jsc"])
def dialect(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def port_of(program: subprocess.Popen[bytes]) -> int:
    assert program.stdout is not None
    return int(program.stdout.readline())


def test_inspect_runs_at_once(box: Box, dialect: str) -> None:
    box.write({"a.ts": SERVER})
    program = box.start("--inspect=0", "a.ts")
    Client(program, dialect)
    assert port_of(program) > 0


def test_inspect_wait_runs_nothing_before_a_client_is_ready(box: Box, dialect: str) -> None:
    box.write({"a.ts": SERVER})
    program = box.start("--inspect-wait=0", "a.ts")
    client = Client(program, dialect)
    script = "globalThis.server === undefined && process.argv.length"
    assert client.front.do("Runtime.evaluate", expression=script)["result"]["value"] == 2
    assert not any(url.endswith("a.ts") for url in client.front.scripts.values())
    client.start()
    assert port_of(program) > 0


def test_inspect_brk_pauses_at_the_first_line(box: Box, dialect: str) -> None:
    box.write({"a.ts": SERVER})
    program = box.start("--inspect-brk=0", "a.ts")
    client = Client(program, dialect)
    client.start()
    name, line = client.paused()
    assert (name, line) == ("" if dialect == "cdp" else "module code", 10)  # the first statement that runs
    client.front.do("Debugger.resume")
    assert port_of(program) > 0


def test_a_request_stays_unfinished_while_its_handler_is_paused(box: Box, dialect: str) -> None:
    """running -> paused -> each step -> running."""
    box.write({"a.ts": SERVER})
    program = box.start("--inspect-wait=0", "a.ts")
    client = Client(program, dialect)
    client.break_at(14)
    client.start()
    with socket.create_connection(("127.0.0.1", port_of(program))) as visitor:
        visitor.sendall(b"GET /world HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        assert client.paused() == ("fetch", 14)
        visitor.setblocking(False)
        with pytest.raises(BlockingIOError):
            visitor.recv(1)
        frame = client.event["callFrames"][0]
        evaluated = client.front.do(
            "Debugger.evaluateOnCallFrame", callFrameId=frame["callFrameId"], expression="name + 1"
        )
        assert evaluated["result"]["value"] == "world1"
        assert client.move("Debugger.stepInto") == ("inner", 6)
        assert client.move(client.names["over"]) == ("inner", 7)
        assert client.move("Debugger.stepOut") == ("fetch", 15)
        client.front.do("Debugger.resume")
        visitor.setblocking(True)
        visitor.settimeout(60)
        answer = b""
        while block := visitor.recv(1 << 16):
            answer += block
    assert answer.startswith(b"HTTP/1.1 200") and answer.endswith(b"hello world")


def test_continue_runs_to_the_next_breakpoint_or_exception(box: Box, dialect: str) -> None:
    text = "type A = number;\nlet n: A = 0;\nn++;\nn++;\nfunction fail(): never {\n  throw new Error('no');\n}\ntry {\n  fail();\n} catch {}\n"
    box.write({"a.ts": text})
    client = Client(box.start("--inspect-brk=0", "a.ts"), dialect)
    client.break_at(4)
    client.front.do("Debugger.setPauseOnExceptions", state="all")
    client.start()
    assert client.paused()[1] == 2
    assert client.move("Debugger.resume")[1] == 4
    assert client.move("Debugger.resume") == ("fail", 6)
    assert client.event["reason"] == "exception"


def test_a_busy_program_can_be_paused(box: Box, dialect: str) -> None:
    text = "type A = number;\nfunction busy(): never {\n  let n: A = 0;\n  for (;;) {\n    n = (n + 1) % 7;\n  }\n}\nconsole.log('busy');\nbusy();\n"
    box.write({"a.ts": text})
    program = box.start("--inspect=0", "a.ts")
    client = Client(program, dialect)
    assert program.stdout is not None and program.stdout.readline() == b"busy\n"
    assert client.move("Debugger.pause")[0] == "busy"
    client.break_at(5)
    assert client.move("Debugger.resume") == ("busy", 5)


@pytest.mark.parametrize(
    "headers", [["Host: evil.example"], ["Host: localhost", "Origin: https://evil.example"], ["Host: localhost"]]
)
def test_hostile_clients_of_either_dialect(box: Box, dialect: str, headers: list[str]) -> None:
    """A page's request is refused before any message; so is one that does not know the path."""
    box.write({"a.ts": SERVER})
    program = box.start("--inspect=127.0.0.1:0/secret", "a.ts")
    client = Client(program, dialect)
    port = client.front.socket.getpeername()[1]
    path = "/secret" if len(headers) > 1 or "evil" in headers[0] else "/guess"
    lines = [
        f"GET {path} HTTP/1.1",
        *headers,
        "Upgrade: websocket",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        "",
        "",
    ]
    with socket.create_connection(("127.0.0.1", port)) as other:
        other.sendall("\r\n".join(lines).encode())
        assert other.recv(1 << 16).startswith(b"HTTP/1.0 400")
    for frame in (
        b"\xc1\x80aaaa",
        b"\x01\x00",
        b"\x8f\x80aaaa",
        b"\x81\xff" + b"\xff" * 12,
    ):  # flags, unmasked, reserved, too long
        hostile = FrontEnd(f"ws://127.0.0.1:{port}/secret")
        hostile.socket.sendall(frame)
        assert hostile.frame()[0] == 0x88
    assert client.front.do("Runtime.evaluate", expression="6 * 7")["result"]["value"] == 42
