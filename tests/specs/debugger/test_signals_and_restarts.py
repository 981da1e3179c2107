"""Programs that start the debugger on a signal (SIGUSR1), and programs that are restarted."""

from __future__ import annotations

import signal

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
            "a.cjs": "process.on('SIGUSR1', () => { console.log('told'); process.exit(4); }); console.log(1); setInterval(() => {}, 1e6);"
        }
    )
    program = box.start("a.cjs")
    assert program.stdout is not None and program.stdout.readline() == b"1\n"
    program.send_signal(signal.SIGUSR1)
    out, err = program.communicate(timeout=60)
    assert (program.returncode, out, err) == (4, b"told\n", b"")


def test_without_it_the_signal_ends_the_program(box: Box) -> None:
    box.write({"a.cjs": "console.log(1); setInterval(() => {}, 1e6);"})
    program = box.start("--disable-sigusr1", "a.cjs")
    assert program.stdout is not None and program.stdout.readline() == b"1\n"
    program.send_signal(signal.SIGUSR1)
    program.communicate(timeout=60)
    assert program.returncode == -signal.SIGUSR1


def test_a_watched_program_listens_again(box: Box) -> None:
    box.write({"a.cjs": "console.log('first'); setInterval(() => {}, 1e6);"})
    program = box.start("--watch", "--inspect=0/fixed", "a.cjs")
    assert program.stdout is not None
    for word in ("first", "second"):
        url = url_of(program)
        assert url.endswith("/fixed")
        assert program.stdout.readline().decode().strip() == word
        front = FrontEnd(url)
        assert front.do("Runtime.evaluate", expression="1 + 1")["result"]["value"] == 2
        box.write({"a.cjs": "console.log('second'); setInterval(() => {}, 1e6);"})
