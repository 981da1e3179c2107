"""Signals that a program listens to: caught when they come, told to JavaScript when its loop turns.

Without a listener a signal does what it does by default. Nothing here runs JavaScript inside a signal handler.
"""

from __future__ import annotations

import _signal

from ..signal_names import signal_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .worker import EngineWorker


class SignalDelivery:
    """The signals one program listens to."""

    def __init__(self, worker: EngineWorker) -> None:
        self._worker = worker
        self._arrived: list[int] = []

    def watch(self, number: int, wanted: bool) -> None:
        """Have signal `number` delivered instead of doing what it does by default, or no longer."""
        if not wanted:
            _signal.signal(number, _signal.SIG_DFL)
            return
        _signal.set_wakeup_fd(self._worker.loop.waker(), warn_on_full_buffer=False)
        _signal.signal(number, lambda received, _frame: self._arrived.append(received))

    def deliver(self) -> None:
        """Tell JavaScript of what has arrived."""
        while self._arrived:
            number = self._arrived.pop(0)
            self._worker.entry.invoke("signal", signal_name(number), number)
