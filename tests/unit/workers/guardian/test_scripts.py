"""The guardian's scripts and their states, with real children that end when they are told to."""

from __future__ import annotations

import os
import select
from collections.abc import Iterator

import pytest

from rt_supervisor.workers.guardian.scripts import Scripts


class Child:
    """A process that ends with status 3 when its pipe is closed."""

    def __init__(self) -> None:
        read, self._write = os.pipe()
        self.pid = os.fork()
        if self.pid == 0:
            os.close(self._write)
            os.read(read, 1)
            os._exit(3)
        os.close(read)

    def end(self) -> None:
        """Let it end, and wait until it has; it is not reaped."""
        pidfd = os.pidfd_open(self.pid)
        if self._write >= 0:
            os.close(self._write)
            self._write = -1
        poll = select.poll()
        poll.register(pidfd, select.POLLIN)
        poll.poll()
        os.close(pidfd)


@pytest.fixture
def child() -> Iterator[Child]:
    made = Child()
    yield made
    try:
        made.end()
        os.waitpid(made.pid, 0)
    except (ChildProcessError, ProcessLookupError):
        return


def test_a_script_runs_until_its_process_ends(child: Child) -> None:
    scripts = Scripts()
    scripts.add(7, child.pid)
    scripts.reap(is_starting=False)
    (script,) = scripts.chosen(7)
    assert (script.state, scripts.is_running(child.pid), list(scripts.ended)) == ("running", True, [])
    child.end()
    scripts.reap(is_starting=False)
    assert (script.state, scripts.is_running(child.pid), list(scripts.ended)) == ("ended", False, [script])
    assert os.waitstatus_to_exitcode(script.end[0]) == 3
    scripts.forget(script)
    assert (scripts.chosen(None), len(scripts)) == ([], 0)


def test_a_child_that_ended_before_it_was_known_is_a_script_that_has_ended(child: Child) -> None:
    scripts = Scripts()
    child.end()
    scripts.reap(is_starting=True)
    assert list(scripts.ended_early) == [child.pid]
    scripts.add(1, child.pid)
    assert [script.state for script in scripts.ended] == ["ended"]
    assert scripts.ended_early == {}


def test_an_orphan_that_ends_while_nothing_starts_is_nobody_s(child: Child) -> None:
    scripts = Scripts()
    child.end()
    scripts.reap(is_starting=False)
    assert scripts.ended_early == {}


def test_a_key_that_is_unknown_chooses_nothing() -> None:
    assert Scripts().chosen(4) == []
