"""How each task of a run ended and how long it took, collected from events for the summary and the report."""

from __future__ import annotations

import time

from ...vocabulary.errors import unreachable
from ...vocabulary.events import (
    Exited,
    RunInterrupted,
    Signaled,
    StepEnded,
    StepSkipped,
    StepStarted,
    TaskEnded,
    TaskRetried,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal

    from ...plan.model import RunPlan, Step, Task
    from ...vocabulary.events import Event

DONE, FAILED, INTERRUPTED, SKIPPED, UNFINISHED = "done", "failed", "interrupted", "skipped", "unfinished"


class StepTimes:
    """One step: None or 0 for values that are not known (yet). Times are `time.monotonic()` seconds."""

    def __init__(self, step: Step) -> None:
        self.step = step
        self.pid: int | None = None
        self.started_at: float | None = None
        self.outcome: Exited | Signaled | None = None
        self.seconds = 0.0
        self.cpu_seconds = 0.0
        self.peak_bytes = 0
        self.tree_peak_bytes: int | None = None  # None without a sample
        self.skipped_because: str | None = None


class TaskTimes:
    """One task: the combined times of its steps. `status` is None until it has ended.

    waiting --its first step started--> running --TaskEnded--> ended
       |`--it could not be started--> ended
       `--TaskEnded--> skipped
    """

    def __init__(self, task: Task) -> None:
        self.task = task
        self.steps = [StepTimes(step) for step in task.steps]
        self.status: int | None = None
        self.ended_at: float | None = None
        self.attempts = 1
        self.has_timed_out = False
        self.was_stopped = False
        self._first_at: float | None = None  # the start of the first attempt of several
        self._state: Literal["waiting", "running", "ended", "skipped"] = "waiting"

    def begin(self) -> None:
        """Record that a step has started."""
        self._state = "running"

    def retry(self, attempt: int) -> None:
        """Record that the task runs again after a failure: what is known of its steps is that of the last attempt."""
        self.attempts = attempt
        first = self.started_at
        self.steps = [StepTimes(step) for step in self.task.steps]
        self._first_at = first if self._first_at is None else self._first_at

    def end(self, event: TaskEnded) -> None:
        self.status, self.ended_at = event.status, event.at
        self.has_timed_out, self.was_stopped, skipped = event.has_timed_out, event.was_stopped, event.skipped
        self._state = "skipped" if skipped else "ended"

    @property
    def state(self) -> str:
        """The current state: DONE, FAILED, INTERRUPTED, SKIPPED or UNFINISHED."""
        match self._state:
            case "waiting" | "skipped":
                return SKIPPED
            case "running":
                return UNFINISHED
            case "ended":
                pass
            case other:
                unreachable(other)
        from ..drawing.outcomes import is_interruption

        if self.was_stopped or any(step.outcome is not None and is_interruption(step.outcome) for step in self.steps):
            return INTERRUPTED
        return DONE if self.status == 0 else FAILED

    @property
    def failure(self) -> Exited | Signaled | None:
        """The outcome of the step because of which the task failed."""
        ended = (step.outcome for step in self.steps if step.outcome is not None)
        return next((outcome for outcome in ended if outcome != Exited(0)), None)

    @property
    def started_at(self) -> float | None:
        return self.steps[0].started_at if self._first_at is None else self._first_at

    @property
    def has_run(self) -> bool:
        return self.started_at is not None

    @property
    def seconds(self) -> float:
        """The time from the start of the first step to the end of the last one."""
        if self.started_at is None or self.ended_at is None:
            return 0.0
        return self.ended_at - self.started_at

    @property
    def cpu_seconds(self) -> float:
        return sum(step.cpu_seconds for step in self.steps)

    @property
    def peak_bytes(self) -> int:
        return max(step.peak_bytes for step in self.steps)

    @property
    def tree_peak_bytes(self) -> int | None:
        """The largest total memory of all processes of a step at the sampled moments; None without a sample."""
        return max((step.tree_peak_bytes for step in self.steps if step.tree_peak_bytes is not None), default=None)

    @property
    def skipped_because(self) -> str | None:
        return self.steps[0].skipped_because


class Timings:
    """Observes a whole run. `begun_at` is the time of its creation (monotonic), `begun_clock` the same as Unix time."""

    def __init__(self, plan: RunPlan) -> None:
        self.plan = plan
        self.tasks = [TaskTimes(task) for task in plan.tasks]
        self.begun_at = self.ended_at = time.monotonic()
        self.begun_clock = time.time()
        self.interrupted_by: int | None = None

    def event(self, event: Event) -> None:
        match event:
            case StepStarted(task=task, step=step, pid=pid, at=at):
                self.tasks[task].begin()
                times = self.tasks[task].steps[step]
                times.pid, times.started_at = pid, at
            case StepEnded(task=task, step=step, outcome=outcome, seconds=seconds):
                times = self.tasks[task].steps[step]
                times.outcome, times.seconds = outcome, seconds
                times.cpu_seconds, times.peak_bytes = event.cpu_seconds, event.peak_bytes
            case StepSkipped(task=task, step=step, because=because):
                self.tasks[task].steps[step].skipped_because = because
            case TaskEnded(task=task, at=at):
                self.tasks[task].end(event)
                self.ended_at = max(self.ended_at, at)
            case TaskRetried(task=task, attempt=attempt):
                self.tasks[task].retry(attempt)
            case RunInterrupted(signal=number):
                self.interrupted_by = number

    def close(self) -> None:
        self.ended_at = max(self.ended_at, time.monotonic())

    @property
    def wall_seconds(self) -> float:
        return self.ended_at - self.begun_at

    @property
    def parallelism(self) -> float:
        """The average number of tasks that ran at once while any ran; 0.0 if none did."""
        ran = [task for task in self.tasks if task.started_at is not None and task.ended_at is not None]
        if not ran:
            return 0.0
        span = max(task.ended_at or 0.0 for task in ran) - min(task.started_at or 0.0 for task in ran)
        return sum(task.seconds for task in ran) / span if span > 0 else 1.0

    def count(self, state: str) -> int:
        return sum(task.state == state for task in self.tasks)

    def longest_chain(self) -> list[TaskTimes]:
        """Return the slowest chain of dependent tasks, a lower bound of the duration at any concurrency."""
        ran = sorted(
            (task for task in self.tasks if task.started_at is not None), key=lambda task: task.started_at or 0.0
        )
        total: dict[int, float] = {}
        before: dict[int, int] = {}
        for task in ran:  # tasks are in order of their start, so dependencies come first
            reached = [key for key in task.task.after if key in total]
            total[task.task.key] = task.seconds
            if reached:
                slowest = max(reached, key=lambda key: total[key])
                total[task.task.key] += total[slowest]
                before[task.task.key] = slowest
        chain = []
        key = max(total, key=lambda key: total[key], default=None)
        while key is not None:
            chain.append(self.tasks[key])
            key = before.get(key)
        return chain[::-1]
