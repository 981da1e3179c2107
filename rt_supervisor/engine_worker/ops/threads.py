"""Work that would hold up the loop, done by a few threads that live as long as there is any.

Who asks keeps the program alive until the answer was told, in a later turn.
"""

from __future__ import annotations

import _thread
import os
from collections import deque

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from ..host import Host

MOST_THREADS = 4


def apart(work: Callable[[], None]) -> None:
    """Have a thread do `work`; where the system gives none, it is done here and now."""
    try:
        _thread.start_new_thread(work, ())
    except RuntimeError:
        work()


class Threads:
    """Questions that wait for a thread, and the threads that answer them."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._waiting: deque[tuple[Callable[[], list[Any]], Any]] = deque()
        self._threads = 0
        self._most = max(2, min(MOST_THREADS, os.cpu_count() or 1))
        self._lock = _thread.allocate_lock()

    def ask(self, work: Callable[[], list[Any]], callback: Any) -> None:
        """Have a thread do `work`, and `callback(*result)` called in a later turn. `work` must not raise."""
        self._host.loop.waker()  # so that a thread can end the wait
        self._host.loop.references += 1
        with self._lock:
            self._waiting.append((work, callback))
            if self._threads == self._most:
                return
            self._threads += 1
        apart(self._work)

    def answer(self, result: list[Any], callback: Any) -> None:
        """Have `callback(*result)` called in a later turn: what `ask` does with work that is done already."""
        self._host.loop.references += 1
        self._host.loop.complete(self._told(callback, result))

    def _work(self) -> None:
        while True:
            with self._lock:
                if not self._waiting:
                    self._threads -= 1
                    return
                work, callback = self._waiting.popleft()
            self._host.loop.complete(self._told(callback, work()))

    def _told(self, callback: Any, result: list[Any]) -> Callable[[], None]:
        def tell() -> None:
            self._host.loop.references -= 1
            self._host.entry.invoke("call", callback, *result)

        return tell
