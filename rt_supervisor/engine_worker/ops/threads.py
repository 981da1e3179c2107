"""Blocking work on a few threads, which end when no work is left.

Pending work keeps the program alive until its callback has been called, in a later turn.
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


def run_on_thread(work: Callable[[], None]) -> None:
    """Do `work` on a thread; if no thread can be started, do it on this one."""
    try:
        _thread.start_new_thread(work, ())
    except RuntimeError:
        work()


class Threads:
    """Queued work and the threads that do it; a thread ends when the queue is empty."""

    def __init__(self, host: Host, *, most: int = MOST_THREADS) -> None:
        self._host = host
        self._waiting: deque[tuple[Callable[[], list[Any]], Any]] = deque()
        self._threads = 0
        self._most = most
        self._lock = _thread.allocate_lock()

    def ask(self, work: Callable[[], list[Any]], callback: Any) -> None:
        """Do `work` on a thread; call `callback(*result)` in a later turn, or `callback(error)` if it raises."""
        self._host.loop.waker()  # so that a thread can end the wait
        self._host.loop.references += 1
        with self._lock:
            self._waiting.append((work, callback))
            if self._threads == self._most:
                return
            self._threads += 1
        run_on_thread(self._work)

    def answer(self, result: list[Any], callback: Any) -> None:
        """Call `callback(*result)` in a later turn, as `ask` does, for work that is done already."""
        self._host.loop.references += 1
        self._host.loop.complete(self._report(callback, result))

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
            self._host.loop.complete(self._report(callback, result))

    def _report(self, callback: Any, result: list[Any] | Exception) -> Callable[[], None]:
        def report() -> None:
            entry = self._host.entry
            self._host.loop.references -= 1
            arguments = [js_error(entry, result)] if isinstance(result, Exception) else result
            entry.invoke("call", callback, *arguments)

        return report
