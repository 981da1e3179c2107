"""What a multi-script run as a whole is at, and what a change, a failure, a signal and time do to that.

Pure: the caller has the clock, and does what is decided here.
"""

from __future__ import annotations

from ..vocabulary.errors import unreachable
from ..workers.client import PATIENCE_S
from ..workers.signals import SIGINT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal, TypeAlias

    State: TypeAlias = Literal["running", "leaving", "failing", "interrupted", "killing"]


class RunLife:
    """The life of one run. `signal` is the one that asked rt to end, None while there was none.

    running --another plan is to be run--> leaving
       |  `--a script failed--> failing --grace over--> killing
       |                           |                      ^
       `--signal (leaving too)-----+--> interrupted --grace over, or asked again

    Nothing new is started in any state but `running`.
    """

    def __init__(self, *, grace_s: float) -> None:
        """`grace_s` is how long scripts that were asked to end may take before they are killed."""
        self._grace_s = grace_s
        self.state: State = "running"
        self.signal: int | None = None
        self.deadline: float | None = None  # of the state, on the caller's clock

    def leave(self) -> None:
        """Another plan is to be run once this one's scripts have ended."""
        self.state = "leaving"

    def fail(self, now: float) -> None:
        """A script failed, and the others were asked to end."""
        self.state, self.deadline = "failing", now + self._grace_s

    def interrupt(self, number: int, now: float) -> Literal["end", "kill", "forward"]:
        """Return what signal `number` asks for: that all ends, that all is killed, or that scripts are only told of it."""
        if self.signal is None:
            self.signal = number
            if self.state != "killing":
                self.state, self.deadline = "interrupted", now + self._grace_s
            return "end"
        if number in (SIGINT, self.signal):
            self.kill(now)
            return "kill"
        return "forward"

    def kill(self, now: float) -> None:
        """The scripts are being killed; `deadline` is now when the guardian should long have done so."""
        self.state, self.deadline = "killing", now + PATIENCE_S

    def overdue(self, now: float) -> Literal["nothing", "kill", "give up"]:
        """Return what is to be done now because time has passed."""
        if self.deadline is None or now < self.deadline:
            return "nothing"
        match self.state:
            case "failing" | "interrupted":
                self.kill(now)
                return "kill"
            case "killing":
                return "give up"
            case "running" | "leaving":
                pass
            case other:
                unreachable(other)
        return "nothing"
