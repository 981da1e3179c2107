"""G5 in edge cases: a signal that arrives while a script is being started, or at a nested rt, counts once too."""

from __future__ import annotations

import ctypes
import os
import select
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from rig import Box, children_of, executable, wait_until
from screens import Session

COUNTED = "; ".join(f"trap 'echo {name} >> count; touch reported' {name}" for name in ("INT", "TERM", "HUP"))
COUNT = f"{COUNTED}; : > ready; until [ -e reported ]; do sleep 0.01; done; until [ -e over ]; do sleep 0.01; done"

# rt's stderr is a full pipe, so that it blocks when it prints the name of the script: it has a guardian then, but has
# not ordered the script yet.
QUIET = 'exec "$0" "$@" 2> pipe'


def is_waiting(pid: int) -> bool:
    """Return whether a process waits in poll(2), where rt is once it has ordered the script."""
    return Path(f"/proc/{pid}/syscall").read_text().split()[0] == "7"


PTRACE_DETACH, PTRACE_SEIZE, PTRACE_INTERRUPT = 17, 0x4206, 0x4207
WALL = 0x40000000  # __WALL: waits for a traced process that is not a child


def trace(request: int, pid: int) -> None:
    call = ctypes.CDLL(None, use_errno=True).ptrace
    call.argtypes = (ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p)
    if call(request, pid, None, None) != 0:
        pytest.skip(f"the system refuses ptrace: {os.strerror(ctypes.get_errno())}")


def hold(pid: int) -> None:
    """Stop a process as a debugger does, so that rt, which continues a guardian that a signal has stopped, cannot continue it."""
    trace(PTRACE_SEIZE, pid)
    trace(PTRACE_INTERRUPT, pid)
    os.waitpid(pid, WALL)


@contextmanager
def stopped_run(box: Box, *flags: str) -> Iterator[tuple[Session, int, int]]:
    """A run whose guardian, and zygote if any, are held, so that what follows happens before the script is
    started. Yields the processes of rt and of the guardian.
    """
    box.scripts(a=": > started; exec sleep 1000")
    os.mkfifo(box.folder / "pipe")
    reader = os.open(box.folder / "pipe", os.O_RDWR | os.O_NONBLOCK)
    try:
        while True:
            os.write(reader, b"x" * 4096)
    except BlockingIOError:
        pass
    words = ("-c", QUIET, executable(), "run", *flags, "a")
    session = Session(box, *words, program="/bin/bash", RT_NO_START_CACHE="1")
    pid = session.process.pid
    wait_until(lambda: children_of(pid), "there is a guardian")
    (guardian,) = children_of(pid)
    wait_until(lambda: not flags or children_of(guardian), "there is a zygote, if there is to be one")
    for each in (guardian, *children_of(guardian)):
        hold(each)
    while select.select([reader], [], [], 0)[0]:
        os.read(reader, 1 << 16)
    wait_until(lambda: is_waiting(pid), "the start has been asked for")
    yield session, pid, guardian
    os.close(reader)


def go_on(guardian: int) -> None:
    for each in (guardian, *children_of(guardian)):
        trace(PTRACE_DETACH, each)


SHELLS = pytest.mark.parametrize("flags", [(), ("--shell=rt",)], ids=["process", "fork"])


@SHELLS
@pytest.mark.parametrize(("key", "number"), [("\x03", signal.SIGINT), ("\x1c", signal.SIGQUIT)])
def test_a_key_pressed_while_a_script_is_being_started_reaches_it(
    box: Box, key: str, number: int, flags: tuple[str, ...]
) -> None:
    with stopped_run(box, *flags) as (session, pid, guardian):
        session.type(key)
        wait_until(lambda: has_pending(pid, number), "rt has the signal")
        go_on(guardian)
        assert session.finish() == -number
    box.await_nothing_left()
    assert not (box.folder / "started").exists()


@SHELLS
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_signal_sent_while_a_script_is_being_started_reaches_it(
    box: Box, number: int, flags: tuple[str, ...]
) -> None:
    with stopped_run(box, *flags) as (session, pid, guardian):
        session.process.send_signal(number)
        wait_until(lambda: has_pending(pid, number), "rt has the signal")
        go_on(guardian)
        assert session.finish() == -number
    box.await_nothing_left()


def has_pending(pid: int, number: int) -> bool:
    status = Path(f"/proc/{pid}/status").read_text()
    return bool(int(status.partition("ShdPnd:")[2].split()[0], 16) & 1 << (number - 1))


@pytest.mark.parametrize("depth", [1, 2, 3])
@pytest.mark.parametrize("name", ["INT", "TERM", "HUP"])
def test_a_signal_reaches_the_script_of_a_nested_run_once(box: Box, name: str, depth: int) -> None:
    """On a terminal every rt and script share one process group."""
    write_nested_scripts(box, depth)
    session = Session(box, "run", "s0")
    box.await_file("ready")
    session.process.send_signal(getattr(signal, f"SIG{name}"))
    box.await_file("reported")
    (box.folder / "over").touch()
    assert session.finish() == 0
    assert (box.folder / "count").read_text().split() == [name]


@pytest.mark.parametrize("name", ["INT", "TERM", "HUP"])
def test_without_a_terminal_too(box: Box, name: str) -> None:
    write_nested_scripts(box, 2)
    process = box.start("run", "s0")
    box.await_file("ready")
    process.send_signal(getattr(signal, f"SIG{name}"))
    box.await_file("reported")
    (box.folder / "over").touch()
    assert process.wait(30) == 0
    assert (box.folder / "count").read_text().split() == [name]


def write_nested_scripts(box: Box, depth: int) -> None:
    """Create scripts s0 to s`depth`; each but the last runs the next with rt, and remains in between."""
    box.write({"count.sh": COUNT})
    box.scripts(
        **{f"s{number}": f"trap : INT TERM HUP; {executable()} run s{number + 1}; exit $?" for number in range(depth)},
        **{f"s{depth}": "bash count.sh"},
    )


WAITS = """
import os, time
open("ready", "w").close()
while not os.path.exists("go"):
    time.sleep(0.01)
"""


@pytest.mark.parametrize("words", [("-p", "1"), ("run", "a"), ("run", "--parallel", "a", "a")])
def test_an_interrupt_while_the_interpreter_starts(box: Box, words: tuple[str, ...]) -> None:
    """It ends rt, without a Python traceback."""
    box.scripts(a="touch ran")
    box.write({"site/sitecustomize.py": WAITS})
    process = box.start(*words, environment={"PYTHONPATH": f"{box.folder}/site"})
    box.await_file("ready")
    process.send_signal(signal.SIGINT)
    (box.folder / "go").touch()
    assert process.communicate() == (b"", b"")
    assert process.returncode == -signal.SIGINT
    assert not (box.folder / "ran").exists()
