"""The supervisor with a core and a display that the test plays; what the core itself does is tested in Rust."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from rt_supervisor._native import RunStopped
from rt_supervisor.plan.model import MODE_FILTER, RunPlan
from rt_supervisor.supervising.rerun import Stale
from rt_supervisor.supervising.supervisor import Supervisor
from rt_supervisor.supervising.task_runner import TaskRunner
from rt_supervisor.supervising.watched_run import RunResult, Watch
from rt_supervisor.vocabulary.errors import Failed
from rt_supervisor.vocabulary.events import (
    STDOUT,
    Event,
    Exited,
    RunInterrupted,
    RunWaits,
    Signaled,
    StepEnded,
    StepSkipped,
    StepStarted,
    TaskEnded,
    TasksRestarted,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rt_supervisor._native import RunEvent

PLAN = RunPlan(MODE_FILTER, (), 1, False)


class FakeCore:
    """Returns the events of one turn after the other; a turn that is an exception is raised. After the last one the run is over."""

    def __init__(self, *turns: list[RunEvent] | Exception) -> None:
        self._turns = list(turns)
        self.is_open = True
        self.running: list[int] = [0]
        self.exit_status = 0
        self.signal: int | None = None
        self.calls: list[tuple[object, ...]] = []
        self.waits: list[tuple[float | None, int]] = []

    @property
    def is_finished(self) -> bool:
        return not self._turns

    def begin(self) -> None:
        self.calls.append(("begin",))

    def turn(self, timeout_s: float | None, descriptor: int) -> list[RunEvent]:
        self.waits.append((timeout_s, descriptor))
        turn = self._turns.pop(0) if self._turns else []
        if isinstance(turn, Exception):
            self._turns.clear()
            raise turn
        return turn

    def restart(self, tasks: list[int], plan: bytes | None, signal: int, grace_s: float) -> list[int]:
        self.calls.append(("restart", tasks, plan, signal, grace_s))
        self._turns.append([])
        return tasks

    def stop(self, signal: int, grace_s: float) -> None:
        self.calls.append(("stop", signal, grace_s))
        self.is_open = False

    def end(self, task: int, signal: int, grace_s: float, *, is_stop: bool = False) -> bool:
        self.calls.append(("end", task, signal, grace_s, is_stop))
        return True

    def skip(self, task: int, dependency: int | None) -> bool:
        self.calls.append(("skip", task, dependency))
        return True

    def write_input(self, task: int, input: bytes) -> int:
        return 0

    def resize(self, task: int, rows: int, columns: int) -> None:
        return

    def print_failures(self) -> None:
        self.calls.append(("print failures",))

    def close(self) -> None:
        self.calls.append(("close",))


class FakeDisplay:
    interval_ms: int | None = None

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.others: list[tuple[object, ...]] = []
        self.raises: Exception | None = None

    def event(self, event: Event) -> None:
        self.events.append(event)

    def write(self, task: int, step: int, stream: int, block: bytes) -> None:
        if self.raises is not None:
            raise self.raises
        self.others.append(("write", task, step, stream, block))

    def drained(self, task: int, step: int, stream: int) -> None:
        self.others.append(("drained", task, step, stream))

    def tick(self, now: float) -> None: ...

    def resized(self) -> None:
        self.others.append(("resized",))

    def close(self) -> None:
        self.others.append(("close",))


class FakeRerun:
    """Has one batch of stale tasks after the other; an action, for a batch that ends the test."""

    timeout_s: float | None = 0.25

    def __init__(self, *batches: Stale | Callable[[], None] | None) -> None:
        self._batches = list(batches)
        self.is_closed = False

    def fileno(self) -> int | None:
        return 77

    def take(self, running: object) -> Stale | None:
        batch = self._batches.pop(0)
        if callable(batch):
            batch()
            return None
        return batch

    def close(self) -> None:
        self.is_closed = True


def run(core: FakeCore, display: FakeDisplay | None = None, rerun: FakeRerun | None = None) -> RunResult:
    watch = Watch(lambda: rerun, 15, 2.0) if rerun is not None else None  # type: ignore[arg-type, return-value]
    encode: Callable[[RunPlan], bytes] = lambda plan: b"encoded"  # noqa: E731
    return Supervisor(core, display or FakeDisplay(), encode=encode, watch=watch, clock=lambda: 1.0).run()


def test_every_event_reaches_the_display_in_order() -> None:
    core, display = (
        FakeCore(
            [("started", 0, 1, 99, 2.0), ("output", 0, 1, STDOUT, b"x"), ("drained", 0, 1, STDOUT), ("resized",)],
            [("ended", 0, 1, 3, 0, False, 4.0, 2.0, 0.5, 7), ("ended", 1, 0, 0, 15, True, 5.0, 0.0, 0.0, 0)],
            [("skipped", 2, 0, "t0"), ("task-ended", 2, 0, True, 6.0), ("restarted", 1), ("interrupted", 2)],
        ),
        FakeDisplay(),
    )
    core.exit_status, core.signal = 3, 2
    assert run(core, display) == RunResult(3, 2)
    assert display.others == [("write", 0, 1, STDOUT, b"x"), ("drained", 0, 1, STDOUT), ("resized",), ("close",)]
    assert display.events == [
        StepStarted(0, 1, 99, 2.0),
        StepEnded(0, 1, Exited(3), 4.0, 2.0, 0.5, 7),
        StepEnded(1, 0, Signaled(15, requested=True), 5.0, 0.0, 0.0, 0),
        StepSkipped(2, 0, "t0"),
        TaskEnded(2, 0, True, 6.0),
        TasksRestarted((1,), ()),
        RunInterrupted(2),
    ]
    assert core.calls == [("begin",), ("close",), ("print failures",)]
    assert core.waits == [(None, -1)] * 3


def test_it_waits_no_longer_than_the_display_wants() -> None:
    core, display = FakeCore([]), FakeDisplay()
    display.interval_ms = 30
    run(core, display)
    assert core.waits == [(0.03, -1)]


@pytest.mark.parametrize(
    ("reason", "message"),
    [
        (("refused", 2, "No such file", "/x"), "cannot start /x: No such file"),
        (("descriptor-limit",), "limit on open files"),
        (("lost",), "was killed"),
        (("unanswered",), "did not answer"),
        (("output", 28), r"cannot write output: No space left on device \(ENOSPC\)"),
    ],
)
def test_a_run_that_cannot_go_on_is_closed_and_reported(reason: tuple[object, ...], message: str) -> None:
    core, display = FakeCore(RunStopped(*reason), []), FakeDisplay()
    with pytest.raises(Failed, match=message):
        run(core, display)
    assert core.calls[1:] == [("close",), ("print failures",)]
    assert display.others == [("close",)]


@pytest.mark.parametrize("reason", [("closed", False), ("abandoned",)])
def test_an_output_without_a_reader_ends_the_run_without_a_message(reason: tuple[object, ...]) -> None:
    core, display = FakeCore([("output", 0, 0, STDOUT, b"x")]), FakeDisplay()
    display.raises = RunStopped(*reason)
    core.signal = 13
    assert run(core, display) == RunResult(0, 13)
    assert core.calls[1:] == [("close",), ("print failures",)]


def test_stale_tasks_are_restarted_and_waiting_is_reported_once() -> None:
    core, display = FakeCore([]), FakeDisplay()

    def interrupt() -> None:
        core.is_open = False

    changed = RunPlan(MODE_FILTER, (), 2, False)
    rerun = FakeRerun(
        None, None, None, Stale(("/a",), frozenset({1, 0})), None, Stale(("/b",), frozenset({1}), changed), interrupt
    )
    run(core, display, rerun)
    assert core.calls[1:3] == [("restart", [0, 1], None, 15, 2.0), ("restart", [1], b"encoded", 15, 2.0)]
    assert display.events == [
        RunWaits(),
        TasksRestarted((0, 1), ("/a",)),
        RunWaits(),
        TasksRestarted((1,), ("/b",)),
        RunWaits(),
    ]
    assert core.waits[0] == (0.25, 77)
    assert rerun.is_closed


def test_another_plan_ends_this_run() -> None:
    core = FakeCore([], [])
    rerun = FakeRerun(None, Stale(("/a",), frozenset(), PLAN, is_other=True))
    assert run(core, rerun=rerun) == RunResult(0, None, PLAN)
    assert ("stop", 15, 2.0) in core.calls


def test_requests_that_a_run_refuses() -> None:
    core = FakeCore()
    supervisor = Supervisor(core, FakeDisplay(), encode=lambda plan: b"")
    assert supervisor.watching is None
    with pytest.raises(Failed, match="this run does not watch its files: start it with --watch"):
        supervisor.pause_watching(True)
    tasks = TaskRunner.__new__(TaskRunner)  # the request is refused before it looks at the run
    for request in (tasks.restart_tasks, tasks.stop_tasks):
        with pytest.raises(Failed, match="the tasks of this run cannot be started or stopped one by one"):
            request([0])
    core.is_open = False
    with pytest.raises(Failed, match="the run is ending: its tasks do not start again"):
        supervisor.restart_tasks([0])
    assert core.calls == []
