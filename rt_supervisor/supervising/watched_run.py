"""What goes into a run and comes out of it besides its plan: how it is watched, and how it ended."""

from __future__ import annotations

from ..vocabulary.record import record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from ..plan.model import RunPlan
    from .rerun import Rerun


@record
class RunResult:
    """How a run ended: the exit status of the first failing task, and the signal that rt is to die of, if any.

    `next_plan` is the plan to run now, if a change asked for other tasks.
    """

    status: int
    signal: int | None
    next_plan: RunPlan | None = None


@record
class Watch:
    """How a run is watched. `make_rerun` is called once the first scripts run; `kill_signal` asks a stale script to end."""

    make_rerun: Callable[[], Rerun]
    kill_signal: int
    grace_s: float
