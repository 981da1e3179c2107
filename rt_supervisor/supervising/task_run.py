"""A task that has started, as the supervisor keeps it."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..plan.model import Task
    from ..workers.streams import ScriptStreams


class TaskRun:
    """A task that has started: which step it is at, and what is known of the process of that step.

    STARTING --STARTED--> RUNNING --ENDED--> DRAINING --both streams closed--> next step, or over
    """

    def __init__(self, task: Task) -> None:
        self.task = task
        self.step = 0
        self.streams: ScriptStreams | None = None
        self.started_at = 0.0
        self.ended: tuple[int, float, int] | None = None  # wait status, CPU seconds, peak bytes
        self.drain_by = 0.0
        self.asked_to_end = False
        self.kill_at: float | None = None  # when it is killed that was asked to end in order to run again
