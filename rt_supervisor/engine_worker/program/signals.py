"""Signals that a program listens to: caught when they come, told to JavaScript when its loop turns.

Without a listener a signal does what it does by default. Nothing here runs JavaScript inside a signal handler. A program
that does not come to its loop is not told; a second SIGINT then ends it (`_native.SignalWatch`).
"""

from __future__ import annotations

import _signal

from ... import _native
from ...vocabulary.signal_names import signal_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .worker import EngineWorker


class SignalDelivery:
    """The signals one program listens to."""

    def __init__(self, worker: EngineWorker) -> None:
        self._worker = worker
        self._arrived: list[int] = []
        self._watch = _native.SignalWatch(worker.engine, worker.loop.waker())
        _signal.set_wakeup_fd(self._watch.fileno(), warn_on_full_buffer=False)

    def watch(self, number: int, wanted: bool) -> None:
        """Have signal `number` delivered instead of doing what it does by default, or no longer."""
        if not wanted:
            _signal.signal(number, _signal.SIG_DFL)
            return
        _signal.signal(number, lambda received, _frame: self._arrived.append(received))

    def deliver(self) -> None:
        """Tell JavaScript of what has arrived."""
        if self._arrived:
            while self._arrived:
                number = self._arrived.pop(0)
                self._worker.entry.invoke("signal", signal_name(number), number)
            self._watch.delivered()
