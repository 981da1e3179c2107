"""Work that would hold up the loop, done by a few threads that live as long as there is any.

Work under way keeps the program alive until its callback was called, in a later turn.
"""

from __future__ import annotations

import _thread
from collections import deque

from ..program.problems import js_error

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
    """Work that waits for a thread, and the threads that do it; one ends when nothing is left to do."""

    def __init__(self, host: Host, *, most: int = MOST_THREADS) -> None:
        self._host = host
        self._waiting: deque[tuple[Callable[[], list[Any]], Any]] = deque()
        self._threads = 0
        self._most = most
        self._lock = _thread.allocate_lock()

    def ask(self, work: Callable[[], list[Any]], callback: Any) -> None:
        """Have a thread do `work`, and `callback(*result)` called in a later turn, or `callback(error)` where it raises."""
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
            try:
                result: list[Any] | Exception = work()
            except Exception as problem:
                result = problem
            self._host.loop.complete(self._told(callback, result))

    def _told(self, callback: Any, result: list[Any] | Exception) -> Callable[[], None]:
        def tell() -> None:
            entry = self._host.entry
            self._host.loop.references -= 1
            arguments = [js_error(entry, result)] if isinstance(result, Exception) else result
            entry.invoke("call", callback, *arguments)

        return tell
