"""What `workers.client.GuardianClient` is to supervising: the seam between a run and the processes of its scripts."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Protocol

    from ..plan.model import Step
    from ..vocabulary import protocol

    class Guarding(Protocol):
        """Starts scripts by key, signals them, and reports how they ended. `fileno` is readable when `receive` has something.

        Each `start` is answered by STARTED, and later ENDED, or by REFUSED. `lost` is True once the guardian is gone.
        """

        @property
        def lost(self) -> bool: ...
        def fileno(self) -> int: ...
        def start(self, key: int, step: Step, *, folder: str, descriptors: tuple[int, int, int]) -> None:
            """Start `step` with `descriptors` as its 0, 1 and 2, which the caller closes when this returns."""

        def signal(self, number: int, key: int | None = None) -> None: ...
        def kill(self, key: int | None = None) -> None: ...
        def receive(self) -> Sequence[protocol.Report]: ...
        def kill_everything(self) -> None: ...
        def close(self) -> None: ...
