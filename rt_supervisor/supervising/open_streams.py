"""The pipes that scripts write into: which are polled, and their blocks on the way to the display.

While the display holds the output - one huge line passes through - only that stream is polled; the others wait in their pipes.
"""

from __future__ import annotations

import select

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..output.display import Display
    from .task_run import TaskRun

HELD_PIPE_MS = 200  # how long a pipe may stay open after its script is gone (a process out of reach holds it)


class OpenStreams:
    """The open streams of one run, by descriptor."""

    def __init__(self, poll: select.poll, display: Display) -> None:
        self._poll = poll
        self._display = display
        self._by_descriptor: dict[int, tuple[TaskRun, int]] = {}
        self._heard: tuple[int, int] | None = None  # the only stream being read, while it holds the output

    def __contains__(self, descriptor: int) -> bool:
        return descriptor in self._by_descriptor

    def open(self, run: TaskRun) -> None:
        """Read from now on what the script of `run` writes."""
        for descriptor, stream in run.streams.open.items():
            self._by_descriptor[descriptor] = (run, stream)
            if self._heard is None:
                self._poll.register(descriptor, select.POLLIN)

    def read(self, descriptor: int) -> TaskRun | None:
        """Pass on a block; return whose stream it was that ended with it."""
        run, stream = self._by_descriptor[descriptor]
        block = run.streams.read(descriptor)
        if block:
            self._display.write(run.task.key, run.step, stream, block)
            return None
        self._close(run, descriptor, stream)
        return run

    def close(self, run: TaskRun) -> None:
        """Close what is open of a run."""
        for descriptor, stream in list(run.streams.open.items()):
            self._close(run, descriptor, stream)

    def give_up(self, run: TaskRun, now: float) -> bool:
        """Close the pipes of an ended script; False while it is kept from being read, and gets more time."""
        if self._heard is not None and self._heard[0] != run.task.key:
            run.deadline = now + HELD_PIPE_MS / 1000
            return False
        self.close(run)
        return True

    def listen(self) -> None:
        """Poll every open stream, or only the one that holds the output."""
        if self._display.holder == self._heard:
            return
        before, self._heard = self._heard, self._display.holder
        for descriptor, (run, stream) in self._by_descriptor.items():
            key = (run.task.key, stream)
            was_heard, is_heard = before in (None, key), self._heard in (None, key)
            if was_heard and not is_heard:
                self._poll.unregister(descriptor)
            elif is_heard and not was_heard:
                self._poll.register(descriptor, select.POLLIN)

    def _close(self, run: TaskRun, descriptor: int, stream: int) -> None:
        if self._heard is None or self._heard == (run.task.key, stream):
            self._poll.unregister(descriptor)
        del self._by_descriptor[descriptor]
        run.streams.close(descriptor)
        self._display.drained(run.task.key, run.step, stream)
