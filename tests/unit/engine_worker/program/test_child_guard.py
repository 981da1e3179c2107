"""The mark that all descendants of a child inherit, and killing the processes that carry it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest

from rt_supervisor import _native
from rt_supervisor.engine_worker.program import child_guard


@pytest.fixture
def mark() -> int:
    return int.from_bytes(os.urandom(7), "little") | 1 << 56


def start(script: str, mark: int, **more: str) -> tuple[int, int]:
    """Start a shell under `mark`. Return its pid and a descriptor that reads the output of it and its descendants."""
    read, write = os.pipe()
    environment = [f"{name}={value}".encode() for name, value in ({"PATH": os.environ["PATH"]} | more).items()]
    pid = _native.spawn_child(
        [b"/bin/bash"],
        [b"bash", b"-c", script.encode()],
        environment,
        b"",
        [-1, write],
        0,
        new_session=False,
        mark=mark,
        user=None,
        group=None,
    )
    os.close(write)
    return pid, read


def await_end_of_output(descriptor: int) -> None:
    """Wait until every process has closed the other end."""
    while os.read(descriptor, 65536):
        pass
    os.close(descriptor)


@pytest.mark.parametrize(
    "script",
    [
        "echo x; sleep 1000",
        "sleep 1000 & echo x; wait",
        "(setsid sh -c 'sleep 1000 & echo x; sleep 1000' &)",
        "nohup sleep 1000 2>&- & echo x; wait",
        "env -i /bin/sh -c 'trap \"\" TERM; echo x; while :; do /bin/sleep 1000; done'",
        "echo x; kill -STOP $$",
    ],
    ids=["itself", "child", "double-fork", "nohup", "deaf-without-environment", "stopped"],
)
def test_whatever_carries_the_mark_is_ended(mark: int, script: str) -> None:
    pid, read = start(script, mark)
    os.read(read, 1)
    _native.end_marked(mark)
    os.waitpid(pid, 0)
    await_end_of_output(read)
    assert _native.count_marked(mark) == 0


def test_a_chain_of_forks_does_not_escape(mark: int) -> None:
    script = 'trap "" TERM; echo x; (setsid bash -c "$0" "$0" &); sleep 0.001'
    pid, read = start('exec bash -c "$CHAIN" "$CHAIN"', mark, CHAIN=script)
    os.read(read, 1)
    _native.end_marked(mark)
    os.waitpid(pid, 0)
    await_end_of_output(read)


def test_processes_that_handle_sigterm_have_time_to_clean_up(mark: int) -> None:
    pid, read = start("trap 'echo bye; exit 3' TERM; echo x; while :; do sleep 0.01; done", mark)
    os.read(read, 2)
    _native.end_marked(mark)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 3
    assert os.read(read, 10) == b"bye\n"
    await_end_of_output(read)


def test_others_are_left_alone(mark: int) -> None:
    with subprocess.Popen(["sleep", "1000"]) as other:
        _native.end_marked(mark)
        assert _native.count_marked(mark) == 0
        assert other.poll() is None
        other.kill()


@pytest.mark.parametrize("program", ["launcher", "Python"])
def test_the_guardian_acts_when_its_process_ends(mark: int, program: str) -> None:
    words = child_guard.words()
    if program == "Python":
        words = sys.executable, [sys.executable, "-I", "-S", child_guard.__file__]
    elif words[0] == sys.executable:
        pytest.skip("rt is installed without its launcher")
    pid, read = start("echo x; trap '' TERM; while :; do sleep 1000; done", mark)
    os.read(read, 1)
    read_end, write_end = os.pipe()
    command = f"[*{words[1]!r}, str(os.getpid()), '{mark}'], executable={words[0]!r}"
    script = f"import os, subprocess; subprocess.Popen({command}); input()"
    keeper = subprocess.Popen([sys.executable, "-c", script], stdin=read_end)
    assert _native.count_marked(mark) > 0
    os.close(write_end)
    keeper.wait()
    os.close(read_end)
    await_end_of_output(read)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == -signal.SIGKILL


def test_a_guard_without_children_has_nothing_to_end() -> None:
    _native.end_children()


def test_a_guardian_that_was_killed_is_replaced() -> None:
    first, mark = _native.guard_children()
    assert _native.guard_children() == (first, mark)
    os.kill(first, signal.SIGKILL)
    os.waitid(os.P_PID, first, os.WEXITED | os.WNOWAIT)
    second, same = _native.guard_children()
    assert second != first and same == mark
    _native.end_children()
    with pytest.raises(ProcessLookupError):
        os.kill(second, 0)
