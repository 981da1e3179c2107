"""The supervisor with a fake guardian and display: no processes, and time advances when the test says so."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable

import pytest

from rt_supervisor.plan.model import MODE_FILTER, RunPlan, Step, Task
from rt_supervisor.supervising.supervisor import Supervisor
from rt_supervisor.supervising.watched_run import RunResult
from rt_supervisor.vocabulary import protocol
from rt_supervisor.vocabulary.errors import Failed
from rt_supervisor.vocabulary.events import STDOUT, Event, RunInterrupted, Signaled, StepEnded, StepSkipped, TaskEnded
from rt_supervisor.workers.client import PATIENCE_S

EXITED_1 = 1 << 8


class FakeGuardian:
    """Records its orders; `moves` are external events, one before each time the supervisor would wait."""

    def __init__(self) -> None:
        self.lost = False
        self.started: list[int] = []
        self.asked: list[tuple[object, ...]] = []
        self.outputs: dict[int, int] = {}
        self.reports: list[protocol.Report] = []
        self._read, self._write = os.pipe()

    def fileno(self) -> int:
        return self._read

    def start(self, key: int, step: Step, *, folder: str, descriptors: tuple[int, int, int]) -> None:
        self.started.append(key)
        self.outputs[key] = os.dup(descriptors[1])
        self.report((protocol.STARTED, key, 1000 + key, 0))

    def prints(self, key: int, text: bytes) -> None:
        os.write(self.outputs[key], text)

    def ends(self, key: int, status: int = 0) -> None:
        os.close(self.outputs.pop(key))
        self.report((protocol.ENDED, key, status, 0.0, 0))

    def report(self, report: protocol.Report) -> None:
        self.reports.append(report)
        os.write(self._write, b"x")

    def receive(self) -> list[protocol.Report]:
        os.read(self._read, 4096)
        taken, self.reports = self.reports, []
        return taken

    def signal(self, number: int, key: int | None = None) -> None:
        self.asked.append(("signal", number, key))

    def kill(self, key: int | None = None) -> None:
        self.asked.append(("kill", key))

    def kill_everything(self) -> None:
        self.asked.append(("kill everything",))

    def close(self) -> None:
        self.asked.append(("close",))


class Script:
    """The events of a run: the display's `tick`, which runs once a turn, makes the next move."""

    interval_ms: int | None = 0
    holder: tuple[int, int] | None = None

    def __init__(self, moves: list[Callable[[], None]]) -> None:
        self._moves = moves
        self.events: list[Event] = []
        self.shown: list[tuple[int, int, bytes]] = []

    def event(self, event: Event) -> None:
        self.events.append(event)

    def write(self, task: int, step: int, stream: int, block: bytes) -> None:
        self.shown.append((task, stream, block))

    def drained(self, task: int, step: int, stream: int) -> None: ...

    def tick(self, now: float) -> None:
        if self._moves:
            self._moves.pop(0)()

    def resized(self) -> None: ...

    def close(self) -> None: ...


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now

    def passes(self, seconds: float) -> Callable[[], None]:
        def pass_by() -> None:
            self.now += seconds

        return pass_by


class Rig:
    def __init__(self) -> None:
        self.guardian = FakeGuardian()
        self.clock = Clock()

    def run(
        self,
        after: list[list[int]],
        *moves: Callable[[], None],
        steps: int = 1,
        concurrency: int = 9,
        exit_on_error: bool = True,
    ) -> RunResult:
        each = tuple(Step(f"step{number}", "x", ("/bin/true",), {}) for number in range(steps))
        tasks = tuple(Task(key, f"t{key}", "", "x", "/", each, tuple(needs)) for key, needs in enumerate(after))
        plan = RunPlan(MODE_FILTER, tasks, concurrency, exit_on_error)
        self.display = Script(list(moves))
        return Supervisor(plan, self.display, client=self.guardian, writers=(), grace_s=5.0, clock=self.clock).run()

    def ends(self, key: int, status: int = 0) -> Callable[[], None]:
        return lambda: self.guardian.ends(key, status)

    @property
    def ended(self) -> list[tuple[int, int, bool]]:
        return [(each.task, each.status, each.skipped) for each in self.display.events if isinstance(each, TaskEnded)]


def sends(number: int) -> Callable[[], None]:
    return lambda: os.kill(os.getpid(), number)


def test_a_task_starts_when_what_it_depends_on_has_ended_and_its_output_is_shown() -> None:
    rig = Rig()
    result = rig.run([[], [0]], lambda: rig.guardian.prints(0, b"hello\n"), rig.ends(0), rig.ends(1))
    assert rig.guardian.started == [0, 1]
    assert rig.display.shown == [(0, STDOUT, b"hello\n")]
    assert (rig.ended, result) == ([(0, 0, False), (1, 0, False)], RunResult(0, None))


def test_steps_of_a_task_follow_each_other_until_one_fails() -> None:
    rig = Rig()
    result = rig.run([[]], rig.ends(0), rig.ends(0, EXITED_1), steps=3)
    assert rig.guardian.started == [0, 0]
    assert [each for each in rig.display.events if isinstance(each, StepSkipped)] == [StepSkipped(0, 2, "step1")]
    assert result.status == 1


def test_a_failure_interrupts_the_others_and_kills_them_after_the_grace_period() -> None:
    rig = Rig()

    def was_not_killed_yet() -> None:
        assert ("kill", None) not in rig.guardian.asked
        rig.clock.now += 0.2

    result = rig.run(
        [[], [], [1]],
        rig.ends(0, EXITED_1),
        rig.clock.passes(4.9),
        was_not_killed_yet,
        lambda: None,
        rig.ends(1, signal.SIGKILL),
    )
    assert rig.guardian.asked == [("signal", signal.SIGINT, 1), ("kill", None), ("close",)]
    assert rig.ended == [(0, 1, False), (2, 0, True), (1, 137, False)]
    assert [each.outcome for each in rig.display.events if isinstance(each, StepEnded)][1:] == [
        Signaled(signal.SIGKILL, requested=True)
    ]
    assert result == RunResult(1, None)


def test_a_signal_is_forwarded_once_ends_the_run_and_ends_rt() -> None:
    rig = Rig()
    result = rig.run([[], [0]], sends(signal.SIGTERM), rig.ends(0, signal.SIGTERM))
    assert rig.guardian.asked == [("signal", signal.SIGTERM, None), ("close",)]
    assert rig.guardian.started == [0]
    assert RunInterrupted(signal.SIGTERM) in rig.display.events
    assert result.signal == signal.SIGTERM


def test_a_second_ctrl_c_kills_and_another_signal_is_only_forwarded() -> None:
    rig = Rig()
    rig.run([[]], sends(signal.SIGHUP), sends(signal.SIGTERM), sends(signal.SIGINT), rig.ends(0, signal.SIGKILL))
    assert rig.guardian.asked == [
        ("signal", signal.SIGHUP, None),
        ("signal", signal.SIGTERM, None),
        ("kill", None),
        ("close",),
    ]


def test_a_guardian_that_does_not_answer_is_given_up() -> None:
    rig = Rig()
    with pytest.raises(Failed, match="did not answer"):
        rig.run([[]], sends(signal.SIGINT), rig.clock.passes(5), rig.clock.passes(PATIENCE_S))
    assert rig.guardian.asked[-2:] == [("kill everything",), ("close",)]


def test_a_pipe_held_open_is_given_up_shortly_after_the_script_has_ended() -> None:
    rig = Rig()

    def ends_but_leaves_the_pipe() -> None:
        rig.guardian.report((protocol.ENDED, 0, 0, 0.0, 0))

    result = rig.run([[]], ends_but_leaves_the_pipe, lambda: None, rig.clock.passes(0.3))
    assert (rig.ended, result.status) == ([(0, 0, False)], 0)


def test_a_start_refused_by_a_limit_is_retried_when_another_task_has_ended() -> None:
    import errno

    rig = Rig()
    start = rig.guardian.start

    def refuses_the_second(key: int, step: Step, *, folder: str, descriptors: tuple[int, int, int]) -> None:
        if key == 1 and rig.guardian.started == [0]:
            rig.guardian.report((protocol.REFUSED, 1, errno.EAGAIN, "no more", ""))
            rig.guardian.started.append(-1)
            return
        start(key, step, folder=folder, descriptors=descriptors)

    rig.guardian.start = refuses_the_second  # type: ignore[method-assign]
    result = rig.run([[], []], rig.ends(0), rig.ends(1))
    assert (rig.guardian.started, result.status) == ([0, -1, 1], 0)
