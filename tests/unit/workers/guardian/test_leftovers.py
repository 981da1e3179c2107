"""What scripts leave behind: asked to end, then killed; on processes and a clock of the test's own."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from signal import SIGCONT, SIGINT, SIGTERM

import pytest

from rt_supervisor.workers.guardian.leftovers import LEFTOVER_GRACE_S, Leftovers, mark_of
from rt_supervisor.workers.guardian.scripts import Script, Scripts


class FakeProcesses:
    """`groups` are the living processes and their groups; all are children of the guardian unless `parents` says otherwise."""

    def __init__(self) -> None:
        self.groups: dict[int, int] = {}
        self.parents: dict[int, int] = {}
        self.environments: dict[int, list[bytes]] = {}
        self.ignoring: set[int] = set()
        self.sent: list[tuple[int, int]] = []
        self.killed: list[int] = []

    def children_of(self, pid: int) -> list[int]:
        return [each for each in self.groups if self.parents.get(each, os.getpid()) == pid]

    def descendants_of(self, roots: Iterable[int], *, within: Callable[[int], bool] | None = None) -> list[int]:
        found: list[int] = []
        for root in roots:
            children = [each for each in self.children_of(root) if within is None or within(each)]
            found += [*children, *self.descendants_of(children, within=within)]
        return found

    def group_of(self, pid: int) -> int:
        return self.groups.get(pid, -1)

    def environment_of(self, pid: int) -> list[bytes]:
        return self.environments.get(pid, [])

    def is_gone(self, pid: int) -> bool:
        return pid not in self.groups

    def ignores(self, pid: int, number: int) -> bool:
        return pid in self.ignoring

    def send(self, pid: int, number: int) -> bool:
        self.sent.append((pid, number))
        return True

    def send_to_group(self, group: int, number: int) -> bool:
        self.sent.append((-group, number))
        return group in self.groups.values()

    def kill_below(self, root: int, *, spare: Callable[[int], bool] | None = None, reap: Callable[[], None]) -> bool:
        for pid in self.children_of(root):
            if spare is None or not spare(pid):
                self.killed += [pid, *self.descendants_of([pid])]
                del self.groups[pid]
        return True


class FakeStarts:
    zygote_pid = 0
    held_pid = 0
    under_way = 0


class Rig:
    def __init__(self, *, shared_group: int | None = None) -> None:
        self.now = 100.0
        self.processes = FakeProcesses()
        self.scripts = Scripts()
        self.starts = FakeStarts()
        self.leftovers = Leftovers(
            self.scripts,
            self.starts,
            shared_group=shared_group,
            grace_s=5.0,
            reap=lambda: None,
            processes=self.processes,
            clock=lambda: self.now,
        )

    def start(self, key: int, pid: int) -> Script:
        self.scripts.add(key, pid)
        self.processes.groups[pid] = pid
        (script,) = self.scripts.chosen(key)
        return script

    def end(self, script: Script) -> None:
        """Its process ends; whoever it left stays."""
        self.processes.groups.pop(script.pid, None)
        assert self.scripts.note_end(script.pid, (0, 0.0, 0))


@pytest.fixture
def rig() -> Rig:
    return Rig()


def test_a_script_that_leaves_nothing_is_over_at_once(rig: Rig) -> None:
    script = rig.start(1, 50)
    assert rig.leftovers.finish() == []
    rig.end(script)
    assert (rig.leftovers.finish(), len(rig.scripts), rig.processes.sent) == ([script], 0, [])


def test_what_is_left_is_asked_and_killed_after_a_moment(rig: Rig) -> None:
    script = rig.start(1, 50)
    rig.processes.groups[51] = 50
    rig.end(script)
    assert (rig.leftovers.finish(), script.state) == ([], "leaving")
    assert rig.processes.sent == [(51, SIGTERM), (51, SIGCONT)]
    rig.now += LEFTOVER_GRACE_S / 2
    assert (rig.leftovers.finish(), rig.processes.killed) == ([], [])
    rig.now += LEFTOVER_GRACE_S
    assert (rig.leftovers.finish(), rig.processes.killed) == ([script], [51])


def test_what_was_told_with_its_group_has_the_whole_grace_and_is_not_told_again(rig: Rig) -> None:
    script = rig.start(1, 50)
    rig.processes.groups |= {51: 50, 52: 50}
    rig.processes.ignoring.add(52)  # a background job, which Ctrl-C does not reach
    rig.leftovers.signal(script, SIGINT)
    rig.end(script)
    rig.leftovers.finish()
    assert rig.processes.sent == [(-50, SIGINT), (52, SIGTERM), (52, SIGCONT)]
    rig.now += 4.9
    assert rig.leftovers.finish() == []
    rig.now += 0.2
    assert (rig.leftovers.finish(), sorted(rig.processes.killed)) == ([script], [51, 52])


def test_of_several_scripts_each_is_answerable_for_its_own(rig: Rig) -> None:
    first, second = rig.start(1, 50), rig.start(2, 60)
    rig.processes.groups |= {51: 51, 61: 60}  # 51 began a session of its own
    rig.processes.environments[51] = [b"A=1", f"_RT_SCRIPT={mark_of(1)}".encode()]
    rig.end(second)
    rig.leftovers.kill(second)
    assert rig.processes.killed == [61]
    rig.end(first)
    assert rig.leftovers.finish() == [second]
    assert [pid for pid, _ in rig.processes.sent] == [51, 51]


def test_the_zygote_and_its_held_worker_are_nobody_s(rig: Rig) -> None:
    script = rig.start(1, 50)
    rig.starts.zygote_pid, rig.starts.held_pid, rig.leftovers.watcher = 70, 71, 72
    rig.processes.groups |= {70: 70, 71: 70, 72: 72}
    rig.end(script)
    assert rig.leftovers.finish() == [script]


def test_in_a_shared_group_a_signal_reaches_all_that_stayed_in_it() -> None:
    rig = Rig(shared_group=9)
    script = rig.start(1, 50)
    rig.processes.groups |= {50: 9, 51: 9, 60: 60, 61: 9}
    rig.processes.parents |= {51: 50, 61: 60}
    rig.leftovers.signal(script, SIGTERM)
    assert rig.processes.sent == [(50, SIGTERM), (51, SIGTERM)]


def test_nobody_is_waited_for_without_a_reason(rig: Rig) -> None:
    assert rig.leftovers.timeout_ms() is None
    script = rig.start(1, 50)
    rig.processes.groups[51] = 50
    rig.end(script)
    rig.leftovers.finish()
    assert rig.leftovers.timeout_ms() == pytest.approx(LEFTOVER_GRACE_S * 1000)
