"""The messages of `--watch` between the lines that the native core prints: what has changed, and that rt is waiting."""

from __future__ import annotations

import os

from ...vocabulary.events import RunWaits, TasksRestarted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...vocabulary.events import Event
    from ..writer import Writer


class PrefixedDisplay:
    """The display of a run whose output the core prints; see `Display` in `output.display`."""

    interval_ms: int | None = None

    def __init__(self, *, err: Writer) -> None:
        self._err = err

    def event(self, event: Event) -> None:
        match event:
            case TasksRestarted(changed=changed) if changed:
                from ...watching.descriptions import describe_files

                self._err.write(os.fsencode(f"rt: {describe_files(changed, os.getcwd())} changed\n"))
            case RunWaits() if self._err.is_terminal:
                self._err.write(b"rt: waiting for changes\n")

    def write(self, task: int, step: int, stream: int, block: bytes) -> None:
        """Not called: the core prints the output of scripts."""

    def drained(self, task: int, step: int, stream: int) -> None:
        """Not called: the core prints the output of scripts."""

    def tick(self, now: float) -> None:
        return

    def resized(self) -> None:
        return

    def close(self) -> None:
        return
