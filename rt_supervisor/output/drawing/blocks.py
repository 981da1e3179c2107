"""The data of the elided view: the position, state and last lines of each script. Independent of terminals.

`RunBlocks` turns events into states. Its methods take time that does not grow with the scripts that have ended:
workspaces have thousands of packages, and thirty frames are drawn per second.
"""

from __future__ import annotations

import time

from ...vocabulary.events import (
    Exited,
    RunInterrupted,
    RunWaits,
    Signaled,
    StepEnded,
    StepSkipped,
    StepStarted,
    TaskRetried,
    TasksRestarted,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from ...plan.model import RunPlan, Task
    from ...vocabulary.events import Event
    from .tail import OutputTail

LONG_WAIT_S = 5.0  # how long a script runs before rt says that others wait for it
WAITING, RUNNING, ENDED, SKIPPED = "waiting", "running", "ended", "skipped"


class ScriptBlock:
    """One step of a task.

    WAITING --StepStarted--> RUNNING --StepEnded--> ENDED
    WAITING --StepSkipped--> SKIPPED
    ENDED | SKIPPED --TasksRestarted | TaskRetried--> WAITING
    """

    __slots__ = (
        "attempt",
        "colour",
        "outcome",
        "place",
        "saved_seconds",
        "seconds",
        "started_s",
        "state",
        "step",
        "tail",
        "task",
    )

    def __init__(self, task: Task, step: int, *, place: int, colour: int) -> None:
        """`place` is the block's index in listing order, `colour` the number of its package."""
        self.task = task
        self.step = step
        self.place = place
        self.colour = colour
        self.state = WAITING
        self.outcome: Exited | Signaled | None = None
        self.seconds = 0.0
        self.saved_seconds: float | None = None  # if the result comes from the cache
        self.attempt = 1
        self.started_s = 0.0  # by the clock of the run
        self.tail: OutputTail | None = None

    @property
    def line_count(self) -> int:
        return self.tail.count if self.tail is not None else 0

    @property
    def is_over(self) -> bool:
        return self.state in (ENDED, SKIPPED)

    @property
    def is_failed(self) -> bool:
        return self.outcome is not None and self.outcome != Exited(0)


class LongWait:
    """A script that has been running for a while, and the first task that waits for it."""

    __slots__ = ("block", "waiter")

    def __init__(self, block: ScriptBlock, waiter: Task) -> None:
        self.block = block
        self.waiter = waiter


class RunBlocks:
    """The blocks of a run in listing order: those that wait, that run, and that have ended but are not yet
    `retire`d."""

    def __init__(
        self, plan: RunPlan, new_tail: Callable[[], OutputTail], *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._plan = plan
        self._new_tail = new_tail
        self._clock = clock
        self.long_wait: LongWait | None = None
        self._first: list[int] = []  # place of each task's first block
        self.all: list[ScriptBlock] = []
        packages: dict[str, int] = {}
        for task in plan.tasks:
            self._first.append(len(self.all))
            colour = packages.setdefault(task.package, len(packages))
            for step in range(len(task.steps)):
                self.all.append(ScriptBlock(task, step, place=len(self.all), colour=colour))
        self._running: dict[int, ScriptBlock] = {}
        self._over: dict[int, ScriptBlock] = {}
        self._retired = 0
        self.waiting_count = len(self.all)
        self.failed_count = 0
        self.skipped_count = 0
        self.is_interrupted = False
        self.waits_for_changes = False  # nothing runs until a file changes

    def at(self, task: int, step: int) -> ScriptBlock:
        return self.all[self._first[task] + step]

    @property
    def running(self) -> list[ScriptBlock]:
        """The running blocks, in listing order."""
        return [self._running[place] for place in sorted(self._running)]

    @property
    def over(self) -> list[ScriptBlock]:
        """The blocks that have ended and are not retired, in listing order."""
        return [self._over[place] for place in sorted(self._over)]

    @property
    def done_count(self) -> int:
        """How many blocks succeeded."""
        return len(self._over) + self._retired - self.failed_count - self.skipped_count

    def retire(self, block: ScriptBlock) -> None:
        """Record that the block has been printed permanently, and discard its output."""
        if block.tail is not None:
            block.tail.forget()
            block.tail = None
        if self._over.pop(block.place, None) is not None:
            self._retired += 1

    @property
    def unretired(self) -> list[ScriptBlock]:
        """All blocks that have not been printed permanently, in listing order."""
        if not self._retired:
            return self.all
        return [block for block in self.all if not block.is_over or block.place in self._over]

    def event(self, event: Event) -> None:
        """Update the states."""
        match event:
            case StepStarted(task=task, step=step):
                block = self.at(task, step)
                block.state, block.started_s = RUNNING, self._clock()
                self._running[block.place] = block
                self.waiting_count -= 1
            case StepEnded(task=task, step=step, outcome=outcome, seconds=seconds):
                block = self.at(task, step)
                block.state, block.outcome, block.seconds = ENDED, outcome, seconds
                block.saved_seconds = event.saved_seconds
                self._over[block.place] = self._running.pop(block.place, block)
                self.failed_count += block.is_failed
                self.is_interrupted |= outcome.requested
            case StepSkipped(task=task, step=step):
                block = self.at(task, step)
                block.state = SKIPPED
                self._over[block.place] = block
                self.waiting_count -= 1
                self.skipped_count += 1
            case TaskRetried(task=task, attempt=attempt):
                for step in range(len(self._plan.tasks[task].steps)):
                    block = self.at(task, step)
                    block.attempt = attempt
                    self._restart(block, keeps_output=True)
            case RunInterrupted():
                self.is_interrupted = True
            case RunWaits():
                self.waits_for_changes = True
            case TasksRestarted(tasks=tasks):
                self.is_interrupted = self.waits_for_changes = False
                for task in tasks:
                    for step in range(len(self._plan.tasks[task].steps)):
                        self._restart(self.at(task, step))

    def _restart(self, block: ScriptBlock, *, keeps_output: bool = False) -> None:
        if not block.is_over:
            return  # it is still running, or has not started
        if block.tail is not None and not keeps_output:
            block.tail.forget()
            block.tail = None
        if self._over.pop(block.place, None) is None:
            self._retired -= 1
        self.failed_count -= block.is_failed
        self.skipped_count -= block.state == SKIPPED
        self.waiting_count += 1
        block.state, block.outcome, block.seconds = WAITING, None, 0.0

    def feed(self, task: int, step: int, stream: int, data: bytes) -> None:
        """Record output of a script. Raises Failed."""
        block = self.at(task, step)
        if block.tail is None:
            block.tail = self._new_tail()
        block.tail.feed(stream, data)

    def finish(self, task: int, step: int, stream: int) -> None:
        """Record the end of a stream. Raises Failed."""
        tail = self.at(task, step).tail
        if tail is not None:
            tail.finish(stream)

    def note_long_wait(self) -> None:
        """Set `long_wait` for the first running script that another one has been waiting for for `LONG_WAIT_S`."""
        self.long_wait = None
        if self.waiting_count:
            awaited = self._awaited()
            now = self._clock()
            long = [(block, waiter) for block, waiter in awaited if now >= block.started_s + LONG_WAIT_S]
            if long:
                self.long_wait = LongWait(*long[0])

    def next_long_wait_s(self) -> float | None:
        """Return how many seconds are left until a wait is a long one; None if none is."""
        if not self.waiting_count or self.long_wait is not None:
            return None
        starts = [block.started_s for block, _ in self._awaited()]
        return max(0.0, min(starts) + LONG_WAIT_S - self._clock()) if starts else None

    def _awaited(self) -> list[tuple[ScriptBlock, Task]]:
        """Return the running blocks that tasks wait for, each with the first of those tasks, in listing order."""
        waiters: dict[int, Task] = {}
        for task in self._plan.tasks:
            if self.at(task.key, 0).state == WAITING:
                for key in task.after:
                    waiters.setdefault(key, task)
        return [(block, waiters[block.task.key]) for block in self.running if block.task.key in waiters]

    def waits_for(self, block: ScriptBlock) -> int:
        """Return how many scripts must end before a waiting block starts: 0 if it only waits for a free slot."""
        if block.step:
            return 1
        tasks = (self._plan.tasks[key] for key in block.task.after)
        return sum(not self.at(task.key, step).is_over for task in tasks for step in range(len(task.steps)))
