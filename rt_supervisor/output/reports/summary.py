"""The summary at the end of a multi-script run: whether and when it is printed. `summary_table` draws it and is
imported at the end of the run.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from ...plan.model import RunPlan
    from ...vocabulary.events import Event
    from ..writer import Writer
    from .timings import Timings

FEWEST_TASKS = 3


def is_wanted(plan: RunPlan, *, is_terminal: bool, requested: bool | None) -> bool:
    """Return whether a run gets a summary; `requested` is True for --summary, False for --no-summary, None for neither."""
    return requested if requested is not None else is_terminal and len(plan.tasks) >= FEWEST_TASKS


class Summary:
    """An observer that prints the data of `timings` (an observer before it) at the end of the run."""

    def __init__(
        self, timings: Timings, *, out: Writer, colour: bool = True, size: Callable[[], tuple[int, int]] | None = None
    ) -> None:
        self._timings = timings
        self._out = out
        self._colour = colour
        self._size = size

    def event(self, event: Event) -> None:
        return

    def close(self) -> None:
        from ..drawing.terminal import terminal_size
        from .summary_table import summary_text

        columns, _ = self._size() if self._size is not None else terminal_size(self._out.descriptor)
        self._out.write(summary_text(self._timings, columns=columns, colour=self._colour).encode())
