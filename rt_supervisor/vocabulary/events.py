"""Events of the tasks of a run: the vocabulary between `supervisor` and `output`.

Events are frozen and cheap. Output bytes do not travel as events: the supervisor hands whole blocks to the display
(`output.display.Display.write`), because they are the hot path. Times are `time.monotonic()` seconds.
"""

from __future__ import annotations

from .record import record

STDOUT = 1
STDERR = 2


@record
class Exited:
    """The process ended by itself; `code` is 0 to 255. A failure is `requested` if the user had stopped the task."""

    code: int
    requested: bool = False


@record
class Signaled:
    """The process was terminated by signal number `signal`; `requested` means that rt asked it to end."""

    signal: int
    requested: bool = False


@record
class StepStarted:
    """Process `pid` runs step `step` (an index into the task's steps)."""

    task: int
    step: int
    pid: int
    at: float


@record
class StepEnded:
    """A step's process and its leftovers have ended.

    `cpu_seconds` is user plus system time and `peak_bytes` the largest resident size of one process, both of the
    step's process and its reaped children (getrusage). `saved_seconds` is how long the step took when it ran, if its result
    comes from the cache and there is no process; otherwise None.
    """

    task: int
    step: int
    outcome: Exited | Signaled
    at: float
    seconds: float
    cpu_seconds: float
    peak_bytes: int
    saved_seconds: float | None = None


ANOTHER_FAILED = "another script failed"
"""The reason of a skipped script without failed dependencies: the run ends at the first failure."""


@record
class StepSkipped:
    """A step that will not run: a hook or script before it failed, or a dependency did."""

    task: int
    step: int
    because: str


@record
class TaskEnded:
    """No step of the task is left; `status` is its exit status as in a shell (128+n for a signal). A task `has_timed_out` if rt ended
    its last attempt because its time was over. One that `was_stopped` by the user has not failed, whatever its status.
    """

    task: int
    status: int
    skipped: bool
    at: float
    has_timed_out: bool = False
    was_stopped: bool = False


@record
class RunInterrupted:
    """`signal` asked rt to end; the scripts are ending."""

    signal: int


@record
class TasksRestarted:
    """The files `changed` (paths) changed, or the user restarts tasks, so `tasks` (keys) will run again; those that are still running
    are being ended.

    Each of them reports its end with another event.
    """

    tasks: tuple[int, ...]
    changed: tuple[str, ...]


@record
class TaskRetried:
    """The task failed, does not end, and starts again: `attempt` counts from 1, so that it is at least 2 here."""

    task: int
    attempt: int
    at: float


@record
class TaskAssigned:
    """`agent` of a cluster runs the task from now on: before it starts, or instead of an agent that was lost."""

    task: int
    agent: str
    at: float


@record
class ReadinessChanged:
    """rt waits until the service `task` is ready, or it `is_ready`."""

    task: int
    is_ready: bool
    at: float


@record
class RunWaits:
    """Nothing runs until a file changes."""


Event = (
    StepStarted
    | StepEnded
    | StepSkipped
    | TaskEnded
    | RunInterrupted
    | TasksRestarted
    | TaskRetried
    | TaskAssigned
    | ReadinessChanged
    | RunWaits
)
