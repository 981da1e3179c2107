"""Processes that scripts leave behind: attributed to their script, asked to end, then killed; with real, generated
families.
"""

from __future__ import annotations

import os
import shlex
import signal
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rig import children_of, wait_until

from rt_supervisor import _native
from rt_supervisor.vocabulary import protocol
from rt_supervisor.workers.client import GuardianClient

LONG_S = 600.0


class Run:
    """A guardian and the ends of its scripts."""

    def __init__(self, *, share_terminal: bool = False, grace_s: float = LONG_S) -> None:
        self.client = GuardianClient(share_terminal=share_terminal, grace_s=grace_s)
        self.statuses: dict[int, int] = {}

    def __enter__(self) -> Run:
        return self

    def __exit__(self, *_: object) -> None:
        self.client.kill()
        self.client.close()

    def start(self, key: int, text: str, folder: Path) -> None:
        self.client.spawn(key, argv=["/bin/sh", "-c", text], environment=dict(os.environ), folder=str(folder))

    def status(self, key: int) -> int:
        """Return the wait status of a script once its end has been reported."""
        while key not in self.statuses:
            for report in self.client.receive():
                assert report[0] != protocol.REFUSED, report
                if report[0] == protocol.ENDED:
                    self.statuses[report[1]] = report[2]
            assert not self.client.lost
        return self.statuses[key]

    def has_only_its_watcher(self) -> bool:
        return len([pid for pid in children_of(self.client.pid) if not _native.is_gone(pid)]) <= 1


def lines(path: Path) -> list[str]:
    return path.read_text().split() if path.exists() else []


def test_processes_that_ignore_signals_are_killed_after_a_moment(tmp_path: Path) -> None:
    deaf = "trap '' TERM; : > deaf; exec sleep 1000"
    with Run() as run:
        run.start(1, f"({deaf}) & until [ -e deaf ]; do sleep 0.01; done; exit 4", tmp_path)
        assert run.status(1) == 4 << 8
        assert run.has_only_its_watcher()


def test_a_process_signalled_with_its_group_has_the_full_grace_period_and_gets_no_second_signal(tmp_path: Path) -> None:
    slow = "trap 'echo seen >> seen' TERM; : > ready; until [ -e over ]; do sleep 0.01; done; : > done"
    with Run() as run:
        run.start(1, f"({slow}) & until [ -e ready ]; do sleep 0.01; done; : > go; wait", tmp_path)
        wait_until(lambda: (tmp_path / "go").exists(), "both run")
        run.client.signal(signal.SIGTERM, 1)
        wait_until(lambda: lines(tmp_path / "seen"), "it was told")
        (tmp_path / "over").touch()
        assert run.status(1) == signal.SIGTERM
        assert lines(tmp_path / "seen") == ["seen"]
        assert (tmp_path / "done").exists()


def test_a_background_job_that_ignores_interrupts_gets_another_signal(tmp_path: Path) -> None:
    job = "trap 'echo TERM >> seen' TERM; : > ready; until [ -e seen ]; do sleep 0.01; done"
    with Run() as run:
        run.start(1, f"({job}) & until [ -e ready ]; do sleep 0.01; done; : > go; exec sleep 1000", tmp_path)
        wait_until(lambda: (tmp_path / "go").exists(), "both run")
        run.client.signal(signal.SIGINT, 1)
        assert run.status(1) == signal.SIGINT
        assert lines(tmp_path / "seen") == ["TERM"]


def test_in_a_shared_group_a_signal_reaches_all_that_stayed_in_it(tmp_path: Path) -> None:
    seen = "trap 'echo {0} >> seen' USR1; : > ready.{0}; until [ -e over ]; do sleep 0.01; done"
    start = f"setsid sh -c {shlex.quote(seen.format('other'))} & sh -c {shlex.quote(seen.format('child'))} & "
    with Run(share_terminal=True) as run:
        run.start(1, start + seen.format("script"), tmp_path)
        wait_until(lambda: len(list(tmp_path.glob("ready.*"))) == 3, "all run")
        run.client.signal(signal.SIGUSR1)
        wait_until(lambda: len(lines(tmp_path / "seen")) == 2, "two were told")
        (tmp_path / "over").touch()
        assert run.status(1) == 0
        assert sorted(lines(tmp_path / "seen")) == ["child", "script"]


def test_a_process_that_keeps_forking_does_not_escape(tmp_path: Path) -> None:
    """A chain in which each process starts its successor and exits: only stopping the processes first can catch it."""
    chain = 'echo x >> links; (setsid sh -c "$0" "$0" &); sleep 0.001'
    with Run() as run:
        run.start(1, f"sh -c {shlex.quote(chain)} {shlex.quote(chain)}; exec sleep 1000", tmp_path)
        wait_until(lambda: len(lines(tmp_path / "links")) > 3, "it goes on")
        run.client.kill(1)
        assert run.status(1) == signal.SIGKILL
        assert run.has_only_its_watcher()


class Member(NamedTuple):
    """A process of a family, and its descendants."""

    starts_session: bool
    is_deaf: bool  # ignores SIGTERM
    ends_early: bool  # which orphans its children
    below: list[Member]


MEMBERS: st.SearchStrategy[Member] = st.recursive(
    st.builds(Member, st.booleans(), st.booleans(), st.just(False), st.just([])),
    lambda below: st.builds(
        Member, st.booleans(), st.booleans(), st.booleans(), st.lists(below, min_size=1, max_size=2)
    ),
    max_leaves=4,
)
FAMILIES = st.lists(MEMBERS, max_size=3)


def text_of(member: Member) -> str:
    """Return the shell text that runs a member as a background job; a process that stays writes down its pid."""
    begin = "trap '' TERM; " if member.is_deaf else ""
    end = "exit 0" if member.ends_early else "echo $$ >> pids; exec sleep 1000"
    whole = begin + "".join(map(text_of, member.below)) + end
    return f"{'setsid ' if member.starts_session else ''}sh -c {shlex.quote(whole)} & "


def count(members: list[Member]) -> int:
    """Return how many stay."""
    return sum((not member.ends_early) + count(member.below) for member in members)


ENDS: dict[str, Callable[[Run, Path], object]] = {
    "by itself": lambda run, folder: (folder / "over").touch(),
    "seen": lambda run, folder: run.client.signal(signal.SIGTERM, 1),
    "interrupted": lambda run, folder: run.client.signal(signal.SIGINT, 1),
    "killed alone": lambda run, folder: run.client.signal(signal.SIGKILL, 1),
    "killed": lambda run, folder: run.client.kill(1),
}


@settings(max_examples=12, deadline=None)
@given(FAMILIES, FAMILIES, st.sampled_from(sorted(ENDS)))
def test_the_end_of_a_script_includes_its_own_family_only(first: list[Member], second: list[Member], way: str) -> None:
    """When a script's end is reported, nothing of its family is alive, and all of the other's is, whatever they do
    except drop their mark.
    """
    with tempfile.TemporaryDirectory() as name, Run(grace_s=0.05) as run:
        folders = {1: Path(name, "1"), 2: Path(name, "2")}
        pids: dict[int, list[int]] = {}
        for (key, folder), family in zip(folders.items(), (first, second), strict=True):
            folder.mkdir()
            run.start(key, "".join(map(text_of, family)) + ": > ready; until [ -e over ]; do sleep 0.01; done", folder)
        for (key, folder), family in zip(folders.items(), (first, second), strict=True):
            await_all(folder, count(family))
            pids[key] = list(map(int, lines(folder / "pids")))
        ENDS[way](run, folders[1])
        run.status(1)
        assert [pid for pid in pids[1] if not _native.is_gone(pid)] == []
        assert [pid for pid in pids[2] if _native.is_gone(pid)] == []
        run.client.kill(2)
        run.status(2)
        assert [pid for pid in pids[2] if not _native.is_gone(pid)] == []
        assert run.has_only_its_watcher()


def await_all(folder: Path, members: int) -> None:
    wait_until(lambda: (folder / "ready").exists() and len(lines(folder / "pids")) == members, "all of a family run")


@pytest.mark.parametrize("victim", ["guardian", "rt"])
def test_a_family_ends_with_its_guardian(tmp_path: Path, victim: str) -> None:
    """Here `rt` is a process of the test, which owns the guardian."""
    member = Member(True, True, True, [Member(True, True, False, []), Member(False, False, False, [])])
    text = text_of(member) + ": > ready; exec sleep 1000"
    rt = os.fork()
    if rt == 0:
        run = Run()
        run.start(1, text, tmp_path)
        (tmp_path / "guardian").write_text(f"{run.client.pid}\n")
        while not run.client.lost:
            run.client.receive()
        run.client.kill_everything()
        os._exit(0)
    await_all(tmp_path, 2)
    pids: list[Any] = list(map(int, lines(tmp_path / "pids")))
    os.kill(rt if victim == "rt" else int((tmp_path / "guardian").read_text()), signal.SIGKILL)
    os.waitpid(rt, 0)
    wait_until(lambda: all(map(_native.is_gone, pids)), "nobody is left")
