"""G30, Ctrl-C: immediate without listeners; a listener runs when the loop turns; a second one ends a program that
does not.
"""

from __future__ import annotations

import signal
import subprocess
import time

import pytest
from rig import PATIENCE_S, Box
from screens import Session

LISTENER = "process.on('SIGINT', () => console.log('reported'));"
STUCK = {
    "an endless loop": "ready(); for (;;);",
    "microtasks without end": "ready(); (function again() { Promise.resolve().then(again) })()",
    "ticks without end": "ready(); (function again() { process.nextTick(again) })()",
    "a catastrophic regular expression": "ready(); /(a+)+$/.test('a'.repeat(60) + 'b')",
    "a sort that never ends": "ready(); const a = [3, 2, 1]; a.sort(() => { for (;;); })",
    "a wait for memory": "ready(); Atomics.wait(new Int32Array(new SharedArrayBuffer(8)), 0, 0)",
    "a child that never ends": "ready(); require('child_process').execFileSync('sleep', ['1000'])",
    "a listener that never returns": "process.on('SIGINT', () => { for (;;); }); setInterval(() => {}, 1000); ready()",
}
READY = "const ready = () => { console.log('ready'); };"


def start_program(box: Box, source: str) -> subprocess.Popen[bytes]:
    box.write({"main.js": READY + source})
    process = box.start("main.js")
    assert process.stdout is not None
    assert process.stdout.readline() == b"ready\n"
    return process


@pytest.mark.parametrize("name", [name for name in STUCK if "listener" not in name])
def test_without_a_listener_the_first_one_ends_it(box: Box, name: str) -> None:
    process = start_program(box, STUCK[name])
    begin = time.monotonic()
    process.send_signal(signal.SIGINT)
    assert process.wait(PATIENCE_S) == -signal.SIGINT
    assert time.monotonic() - begin < PATIENCE_S / 2  # the requirement is 300 ms; a loaded machine may be late


@pytest.mark.parametrize("name", STUCK)
def test_with_a_listener_that_cannot_run_the_second_one_ends_it(box: Box, name: str) -> None:
    process = start_program(box, LISTENER + STUCK[name])
    process.send_signal(signal.SIGINT)
    with pytest.raises(subprocess.TimeoutExpired):
        process.wait(0.5)
    process.send_signal(signal.SIGINT)
    assert process.wait(PATIENCE_S) == -signal.SIGINT


def test_a_listener_runs_for_each_signal_while_the_loop_turns(box: Box) -> None:
    source = "let n = 0; process.on('SIGINT', () => { console.log(++n); if (n === 3) process.exit(4); });"
    process = start_program(box, source + "setInterval(() => {}, 1000); ready()")
    assert process.stdout is not None
    for expected in (b"1\n", b"2\n", b"3\n"):
        process.send_signal(signal.SIGINT)
        assert process.stdout.readline() == expected
    assert process.wait(PATIENCE_S) == 4


def test_a_listener_runs_after_a_finite_computation(box: Box) -> None:
    source = LISTENER + "setTimeout(() => { const end = Date.now() + 1000; ready(); while (Date.now() < end); }, 0)"
    process = start_program(box, source)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=PATIENCE_S)
    assert (out, process.returncode) == (b"reported\n", 0)


def test_earlier_output_is_not_lost(box: Box) -> None:
    source = "setTimeout(() => { for (let i = 0; i < 2000; i++) console.log(i); ready(); for (;;); }, 0)"
    box.write({"main.js": READY + LISTENER + source})
    process = box.start("main.js")
    assert process.stdout is not None
    lines = [process.stdout.readline() for _ in range(2001)]
    assert lines[-1] == b"ready\n"
    process.send_signal(signal.SIGINT)
    time.sleep(0.2)
    process.send_signal(signal.SIGINT)
    assert process.wait(PATIENCE_S) == -signal.SIGINT


def test_a_removed_listener_leaves_the_default(box: Box) -> None:
    source = (
        "const f = () => {}; process.on('SIGINT', f); process.off('SIGINT', f); setInterval(() => {}, 1000); ready()"
    )
    process = start_program(box, source)
    process.send_signal(signal.SIGINT)
    assert process.wait(PATIENCE_S) == -signal.SIGINT


@pytest.mark.parametrize("listens", [False, True])
def test_on_a_terminal(box: Box, listens: bool) -> None:
    box.write({"main.js": READY + (LISTENER if listens else "") + "ready(); for (;;);"})
    session = Session(box, "main.js")
    session.read_until("ready")
    session.type("\x03")
    if listens:
        time.sleep(0.3)
        session.type("\x03")
    assert session.finish() == -signal.SIGINT


def test_on_a_terminal_a_program_that_listens_may_end_as_it_likes(box: Box) -> None:
    box.write(
        {"main.js": "process.on('SIGINT', () => process.exit(9)); setInterval(() => {}, 1000); console.log('ready')"}
    )
    session = Session(box, "main.js")
    session.read_until("ready")
    session.type("\x03")
    assert session.finish() == 9
