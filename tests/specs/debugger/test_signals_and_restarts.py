"""Programs that start the debugger on a signal (SIGUSR1), and programs that are restarted."""

from __future__ import annotations

import os
import signal
import socket

import pytest
from front_end import FrontEnd, url_of
from rig import Box


@pytest.mark.parametrize("body", ["setInterval(() => {}, 1e6);", "for (;;);"])
def test_a_signal_starts_the_debugger(box: Box, body: str) -> None:
    """An idle program, or one in an endless loop."""
    box.write({"a.mjs": f"globalThis.known = 5;\nconsole.log('ready');\n{body}\n"})
    program = box.start("--inspect-port=0", "a.mjs")
    assert program.stdout is not None and program.stdout.readline() == b"ready\n"
    program.send_signal(signal.SIGUSR1)
    front = FrontEnd(url_of(program))
    front.do("Debugger.enable")
    assert front.do("Runtime.evaluate", expression="known + 1")["result"]["value"] == 6
    program.send_signal(signal.SIGUSR1)  # it already listens
    assert front.do("Runtime.evaluate", expression="known + 2")["result"]["value"] == 7


def test_sources_loaded_before_are_known(box: Box) -> None:
    box.write(
        {
            "a.cjs": "function step(n) {\n  return n + 1;\n}\nconsole.log('ready');\nlet n = 0;\nsetInterval(() => { n = step(n); }, 1);"
        }
    )
    program = box.start("--inspect-port=0", "a.cjs")
    assert program.stdout is not None and program.stdout.readline() == b"ready\n"
    program.send_signal(signal.SIGUSR1)
    front = FrontEnd(url_of(program))
    front.do("Debugger.enable")
    assert front.do("Debugger.setBreakpointByUrl", lineNumber=1, urlRegex=r"a\.cjs$")["locations"] != []
    event = front.await_event("Debugger.paused")
    assert event["callFrames"][0]["functionName"] == "step"


def test_a_program_that_has_stopped_listening_can_listen_again(box: Box) -> None:
    box.write({"a.cjs": "console.log('ready'); setInterval(() => {}, 1e6);"})
    program = box.start("--inspect=0", "a.cjs")
    front = FrontEnd(url_of(program))
    assert program.stdout is not None and program.stdout.readline() == b"ready\n"
    front.ask("Runtime.evaluate", expression="process._debugEnd()")
    with pytest.raises(ConnectionError):
        while True:
            front.hear()
    program.send_signal(signal.SIGUSR1)
    assert FrontEnd(url_of(program)).do("Runtime.evaluate", expression="3")["result"]["value"] == 3


def test_listeners_receive_the_signal(box: Box) -> None:
    box.write(
        {
            "a.cjs": "process.on('SIGUSR1', () => { console.log('reported'); process.exit(4); }); console.log(1); setInterval(() => {}, 1e6);"
        }
    )
    program = box.start("a.cjs")
    assert program.stdout is not None and program.stdout.readline() == b"1\n"
    program.send_signal(signal.SIGUSR1)
    out, err = program.communicate(timeout=60)
    assert (program.returncode, out, err) == (4, b"reported\n", b"")


def test_without_it_the_signal_ends_the_program(box: Box) -> None:
    box.write({"a.cjs": "console.log(1); setInterval(() => {}, 1e6);"})
    program = box.start("--disable-sigusr1", "a.cjs")
    assert program.stdout is not None and program.stdout.readline() == b"1\n"
    program.send_signal(signal.SIGUSR1)
    program.communicate(timeout=60)
    assert program.returncode == -signal.SIGUSR1


@pytest.mark.parametrize("given", ["flag", "variable", "script", "node"])
def test_a_watched_program_listens_again(box: Box, given: str) -> None:
    """At the same address, also if rt has selected the port."""

    def write(word: str) -> None:
        box.write({"a.cjs": f"console.log('{word}'); setInterval(() => {{}}, 1e6);"})

    write("first")
    box.write({"package.json": {"scripts": {"dev": "rt a.cjs"}}})
    flags, last, environment = ["--inspect=0/fixed"], ["a.cjs"], {}
    if given == "variable":
        flags, environment = [], {"RT_INSPECT": "ws://127.0.0.1:0/fixed"}
    elif given == "script":
        last = ["run", "dev"]
    elif given == "node":
        environment = {"NODE_OPTIONS": "--inspect=0/fixed"}
        flags = []
    program = box.start("--watch", *flags, *last, environment=environment)
    assert program.stdout is not None
    urls = []
    for word in ("first", "second"):
        urls.append(url_of(program))
        assert urls[-1].endswith("/fixed")
        while (line := program.stdout.readline().decode().strip()) != word:
            assert line.startswith("$") or not line, line
        front = FrontEnd(urls[-1])
        assert front.do("Runtime.evaluate", expression="1 + 1")["result"]["value"] == 2
        assert (
            front.do("Runtime.evaluate", expression="Object.keys(process.env).join()")["result"]["value"].count(
                "INSPECT"
            )
            == 0
        )
        write("second")
    assert urls[0] == urls[1]


def test_a_watched_program_whose_port_is_in_use(box: Box) -> None:
    """Another program has taken the port between two restarts: the next one listens at any other."""
    box.write({"a.cjs": "console.log('first'); process.exitCode = 0;"})
    program = box.start("--watch", "--inspect=0", "a.cjs")
    assert program.stdout is not None
    url = url_of(program)
    port = int(url.split(":")[2].partition("/")[0])
    assert program.stdout.readline() == b"first\n"
    other = socket.socket()
    other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    while True:  # until the program has ended
        try:
            other.bind(("127.0.0.1", port))
            other.listen()
            break
        except OSError:
            os.sched_yield()
    with other:
        box.write({"a.cjs": "console.log('second'); setInterval(() => {}, 1e6);"})
        assert FrontEnd(url_of(program)).do("Runtime.evaluate", expression="1 + 1")["result"]["value"] == 2
