"""Owns: the signals that reach rt while it supervises: what has arrived, and what happens to a write that blocks meanwhile.

A signal that arrives during a blocked write is acted on at once; a write that still blocks half a second after
`limit_writes` is abandoned, so that a reader that does not read cannot delay the end. A signal that arrives before a
write begins to block interrupts nothing: an alarm does, which is set while a write goes on.
"""

from __future__ import annotations

import os
import time

from ..output.writer import OutputAbandoned
from ..workers import signals

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import FrameType

    from ..output.writer import Writer

BLOCKED_WRITE_S = 0.5
_ENDING_SIGNALS = (signals.SIGINT, signals.SIGTERM, signals.SIGHUP)


class RunSignals:
    """What has arrived and is not acted on. `fileno` is readable when there is something to look at."""

    def __init__(self, writers: Sequence[Writer], *, act: Callable[[], None]) -> None:
        """`act` takes what has arrived, also in the midst of a write of one of `writers`."""
        self._writers = writers
        self._act = act
        self._arrived: list[int] = []
        self._resized = False
        self._limited_since: float | None = None
        self._wake = -1

    def listen(self) -> None:
        """Take signals from now on, but those that were ignored when rt started."""
        self._wake, waker = os.pipe()
        os.set_blocking(self._wake, False)
        os.set_blocking(waker, False)
        ignored = signals.ignored_signals()
        for number in _ENDING_SIGNALS:
            if not ignored & (1 << number):
                signals.handle(number, self._on_signal)
        signals.handle(signals.SIGWINCH, self._on_resize)
        signals.handle(signals.SIGALRM, self._on_alarm)
        signals.wake_descriptor(waker)
        for writer in self._writers:
            writer.on_writing = self._watch

    def fileno(self) -> int:
        return self._wake

    def clear(self) -> None:
        """Have `fileno` readable only for what arrives from now on."""
        os.read(self._wake, 4096)

    def take(self) -> int | None:
        """Return the next signal that asks rt to end."""
        return self._arrived.pop(0) if self._arrived else None

    def take_resize(self) -> bool:
        """Whether the terminal has another size than when this was asked last."""
        resized, self._resized = self._resized, False
        return resized

    def limit_writes(self) -> None:
        """Have writes that block for long abandoned from now on."""
        self._limited_since = time.monotonic()
        signals.alarm_every(BLOCKED_WRITE_S / 2)

    def close(self) -> None:
        """rt is about to end: nothing interrupts that."""
        for number in _ENDING_SIGNALS:
            signals.handle(number, _ignore)
        for writer in self._writers:
            writer.on_writing = None
        signals.alarm_every(0)

    def _watch(self, is_writing: bool) -> None:
        if self._limited_since is None:
            signals.alarm_every(BLOCKED_WRITE_S / 2 if is_writing else 0)

    def _on_signal(self, number: int, _frame: FrameType | None) -> None:
        self._arrived.append(number)
        if any(writer.is_writing for writer in self._writers):
            self._act()  # a reader that does not read must not delay the end

    def _on_resize(self, _number: int, _frame: FrameType | None) -> None:
        self._resized = True

    def _on_alarm(self, _number: int, _frame: FrameType | None) -> None:
        if self._limited_since is None:
            # A write was interrupted, so that a signal is acted on that came before it, or as it began.
            if self._arrived and any(writer.is_writing for writer in self._writers):
                self._act()
            return
        blocked_for = time.monotonic() - self._limited_since
        if blocked_for > BLOCKED_WRITE_S and any(writer.is_writing for writer in self._writers):
            raise OutputAbandoned


def _ignore(_number: int, _frame: FrameType | None) -> None:
    return
