"""A task that has started, as the supervisor keeps it."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal, TypeAlias

    from ..plan.model import Task
    from ..workers.streams import ScriptStreams

    State: TypeAlias = Literal["starting", "running", "ended"]


class TaskRun:
    """A task that has started: which step it is at, and what is known of the process of that step.

    starting --STARTED--> running --ENDED--> ended --its streams are closed--> starting (the next step), or over
    """

    def __init__(self, task: Task) -> None:
        self.task = task
        self.step = 0
        self.state: State = "starting"
        self.streams: ScriptStreams  # from the moment the step was ordered
        self.started_at = 0.0
        self.end: tuple[int, float, int]  # when ended: wait status, CPU seconds, peak bytes
        self.asked_to_end = False
        self.deadline: float | None = (
            None  # of a process that leaves: when it is killed; when ended: when its streams are
        )

    def order(self, streams: ScriptStreams) -> None:
        """The process of the step was ordered, and writes into `streams`."""
        self.state, self.streams, self.deadline = "starting", streams, None

    def started(self, now: float) -> None:
        self.state, self.started_at = "running", now

    def ended(self, status: int, cpu_seconds: float, peak_bytes: int, *, drain_by: float) -> None:
        """The process ended; what it wrote is read until its streams are closed, or until `drain_by`."""
        self.state, self.end, self.deadline = "ended", (status, cpu_seconds, peak_bytes), drain_by

    def leave(self, *, by: float) -> None:
        """The process was asked to end, so that the task can run again; it is killed if it is there at `by`."""
        self.asked_to_end = True
        if self.state != "ended":
            self.deadline = by

    @property
    def is_over(self) -> bool:
        """Whether the step has ended and all of its output was read."""
        return self.state == "ended" and not self.streams.open
