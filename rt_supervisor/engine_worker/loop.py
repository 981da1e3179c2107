"""The event loop's waiting half: what has been completed, what keeps the program alive, how long to sleep.

Timers, immediates and ticks live in `js/timers.js`. A turn enters JavaScript once, with all completions; between turns
this waits for the next timer, a completion, a readable descriptor or a signal. The program ends when nothing
referenced is pending.
"""

from __future__ import annotations

import _thread
import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    import select
    from collections.abc import Callable

    Ready = tuple[dict[int, Callable[[], None]], int]


# Of poll(2). The module that has them is a shared library, which programs that wait for nothing do not load.
READABLE = 0x1
WRITABLE = 0x4


class Loop:
    """One program's event loop. `enter(completions)` runs a turn and returns (whether JS is alive, ms to its next timer)."""

    def __init__(self, before_wait: Callable[[], None]) -> None:
        self._before_wait = before_wait
        self._completed: list[Callable[[], None]] = []
        self._poller: select.poll | None = None
        self._watched: dict[int, Callable[[], None]] = {}
        self._watched_writable: dict[int, Callable[[], None]] = {}
        self._watched_last: dict[int, Callable[[], None]] = {}
        self._wake: int | None = None
        self._waker: int | None = None
        self._thread = _thread.get_ident()
        self.references = 0

    @property
    def _poll(self) -> select.poll:
        if self._poller is None:
            import select

            self._poller = select.poll()
        return self._poller

    def complete(self, callback: Callable[[], None]) -> None:
        """Have `callback` called in the next turn; from any thread once `waker` was asked for."""
        self._completed.append(callback)
        if self._waker is not None and _thread.get_ident() != self._thread:  # the loop's own waits for nothing then
            try:
                os.write(self._waker, b"\0")
            except BlockingIOError:
                return  # full of what wakes it

    def waker(self) -> int:
        """Return a descriptor; a byte written to it ends the wait (signals write there, too)."""
        if self._waker is None:
            self._wake, self._waker = os.pipe()
            os.set_blocking(self._wake, False)
            os.set_blocking(self._waker, False)
            self._poll.register(self._wake, READABLE)
        return self._waker

    def wake(self) -> None:
        """Have the next wait end at once."""
        self._completed.append(_nothing)

    def watch(self, descriptor: int, callback: Callable[[], None]) -> None:
        """Call `callback` in each turn in which `descriptor` is readable or closed."""
        self._watched[descriptor] = callback
        self._register(descriptor)

    def unwatch(self, descriptor: int) -> None:
        if self._watched.pop(descriptor, None) is not None:
            self._register(descriptor)

    def watch_writable(self, descriptor: int, callback: Callable[[], None]) -> None:
        """Call `callback` in each turn in which `descriptor` takes bytes, or nobody reads them any more."""
        self._watched_writable[descriptor] = callback
        self._register(descriptor)

    def unwatch_writable(self, descriptor: int) -> None:
        if self._watched_writable.pop(descriptor, None) is not None:
            self._register(descriptor)

    def watch_last(self, descriptor: int, callback: Callable[[], None]) -> None:
        """As `watch`, after all others of the turn."""
        self._watched_last[descriptor] = callback
        self._register(descriptor)

    def unwatch_last(self, descriptor: int) -> None:
        if self._watched_last.pop(descriptor, None) is not None:
            self._register(descriptor)

    def look(self, descriptor: int) -> None:
        """Call who watches `descriptor`, if anybody does, as if it were readable."""
        watcher = self._watched.get(descriptor)
        if watcher is not None:
            watcher()

    def _register(self, descriptor: int) -> None:
        reads = READABLE if descriptor in self._watched or descriptor in self._watched_last else 0
        writes = WRITABLE if descriptor in self._watched_writable else 0
        if reads or writes:
            self._poll.register(descriptor, reads | writes)
        else:
            self._poll.unregister(descriptor)

    def turn(self, alive: bool, delay_ms: float) -> bool:
        """Wait as long as there is something to wait for and run callbacks; False when the program is over.

        `alive` says whether JavaScript has something referenced pending, `delay_ms` when its next timer is due (negative:
        there is none).
        """
        if not alive and not self._completed and self.references <= 0:
            return False
        self._before_wait()
        timeout = 0.0 if self._completed else (delay_ms if delay_ms >= 0 else None)
        ready, last = self._ready(timeout)
        callbacks, self._completed = self._completed, []
        for callback in callbacks:
            callback()
        for table, descriptor in ready + last:
            watcher = table.get(descriptor)  # what ran before may have closed it
            if watcher is not None:
                watcher()
        return True

    def _ready(self, timeout: float | None) -> tuple[list[Ready], list[Ready]]:
        """Wait; return what is ready, those of `watch_last` apart."""
        ready: list[Ready] = []
        last: list[Ready] = []
        for descriptor, events in self._poll.poll(timeout):
            if descriptor == self._wake:
                os.read(descriptor, 4096)
                continue
            if descriptor in self._watched_last:
                last.append((self._watched_last, descriptor))
            elif events & ~WRITABLE:
                ready.append((self._watched, descriptor))
            if events & ~READABLE:
                ready.append((self._watched_writable, descriptor))
        return ready, last


def _nothing() -> None:
    return
