"""What is known of a running run: the state of each task, from the events of the run, as clients receive it in a snapshot.

```text
waiting ──its first step starts──> running ──┬──> succeeded | failed
   │                                         └──the user or a signal ended it──> stopped
   ├──stopped before it started──> stopped
   └──a dependency failed or was stopped──> skipped
any ──restart──> waiting
```
"""

from __future__ import annotations

import time

from ..output.drawing.outcomes import is_interruption
from ..vocabulary.events import (
    ReadinessChanged,
    StepEnded,
    StepStarted,
    TaskEnded,
    TaskRetried,
    TasksRestarted,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Literal

    from ..plan.model import RunPlan, Task
    from ..vocabulary.events import Event

    State = Literal["waiting", "running", "succeeded", "failed", "stopped", "skipped"]


class TaskState:
    """The state of one task. Times are `time.monotonic()` seconds; None stands for what is not known or has not happened."""

    def __init__(self, task: Task) -> None:
        self.task = task
        self.restarts = 0
        self._begin_again()

    def _begin_again(self) -> None:
        self.state: State = "waiting"
        self.step = 0
        self.pid: int | None = None
        self.started_at: float | None = None
        self.ended_at: float | None = None
        self.status: int | None = None
        self.attempt = 1
        self.is_ready: bool | None = None  # None unless the task is a service with a check
        self.saved_seconds: float | None = None
        self._is_interrupted = False

    def start(self, step: int, pid: int, at: float) -> None:
        self.state, self.step, self.pid = "running", step, pid or None
        if self.started_at is None:
            self.started_at = at

    def end_step(self, event: StepEnded) -> None:
        self.pid = None
        self._is_interrupted = is_interruption(event.outcome)
        if event.saved_seconds is not None:
            self.saved_seconds = (self.saved_seconds or 0.0) + event.saved_seconds

    def end(self, event: TaskEnded) -> None:
        self.pid, self.ended_at, self.status = None, event.at, event.status
        if event.was_stopped or (self._is_interrupted and not event.has_timed_out):
            self.state = "stopped"
        elif event.skipped:
            self.state, self.status = "skipped", None
        else:
            self.state = "succeeded" if event.status == 0 and not event.has_timed_out else "failed"

    def restart(self) -> None:
        """Record that the task runs again. The events of a restart may report this twice: before and after the end of the process."""
        if self.state != "waiting":
            self.restarts += 1
            self._begin_again()

    def described(self, origin: float) -> dict[str, Any]:
        """Return the state as an object; times are in seconds after `origin`."""
        seconds = None
        if self.started_at is not None:
            seconds = (time.monotonic() if self.ended_at is None else self.ended_at) - self.started_at
        return {
            "task": self.task.key,
            "label": self.task.label,
            "package": self.task.package,
            "script": self.task.script,
            "folder": self.task.folder,
            "after": self.task.after,
            "state": self.state,
            "step": self.step,
            "pid": self.pid,
            "startedAt": _rounded(self.started_at, origin),
            "endedAt": _rounded(self.ended_at, origin),
            "seconds": _rounded(seconds, 0.0),
            "status": self.status,
            "restarts": self.restarts,
            "attempt": self.attempt,
            "ready": self.is_ready,
            "cached": self.saved_seconds is not None,
            "savedSeconds": _rounded(self.saved_seconds, 0.0),
        }


class RunState:
    """The states of all tasks of a plan. `origin` is the time at which the run began (monotonic)."""

    def __init__(self, plan: RunPlan) -> None:
        self.plan = plan
        self.origin = time.monotonic()
        self.tasks = [TaskState(task) for task in plan.tasks]

    def event(self, event: Event) -> None:
        match event:
            case StepStarted(task=task, step=step, pid=pid, at=at):
                self.tasks[task].start(step, pid, at)
            case StepEnded(task=task):
                self.tasks[task].end_step(event)
            case TaskEnded(task=task):
                self.tasks[task].end(event)
            case TaskRetried(task=task, attempt=attempt):
                self.tasks[task].attempt = attempt
            case ReadinessChanged(task=task, is_ready=is_ready):
                self.tasks[task].is_ready = is_ready
            case TasksRestarted(tasks=tasks):
                for task in tasks:
                    if self.tasks[task].pid is None:  # otherwise another event follows when its process has ended
                        self.tasks[task].restart()

    def keys_in(self, *states: State) -> list[int]:
        """Return the tasks that are in one of `states`, in listing order."""
        return [each.task.key for each in self.tasks if each.state in states]


def _rounded(moment: float | None, origin: float) -> float | None:
    return None if moment is None else round(moment - origin, 6)
