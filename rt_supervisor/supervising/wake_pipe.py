"""A pipe by which threads wake the loop of a run."""

from __future__ import annotations

import contextlib
import os


class WakePipe:
    """A pipe that `open` creates, and that is closed with the process."""

    def __init__(self) -> None:
        self._ends: tuple[int, int] | None = None

    @property
    def descriptor(self) -> int:
        """The descriptor that is readable after `wake`, -1 before `open`."""
        return -1 if self._ends is None else self._ends[0]

    def open(self) -> None:
        """Create the pipe. Has to be called before a thread may call `wake`."""
        if self._ends is None:
            self._ends = os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK)

    def wake(self) -> None:
        """Make the descriptor readable. May be called by any thread."""
        if self._ends is not None:
            with contextlib.suppress(OSError):  # full: the run wakes up anyway
                os.write(self._ends[1], b".")

    def drain(self) -> None:
        """Read what `wake` has written."""
        if self._ends is not None:
            with contextlib.suppress(BlockingIOError):
                os.read(self._ends[0], 4096)
