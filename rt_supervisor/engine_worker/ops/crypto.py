"""What `js/internal/crypto/binding.js` asks of the host: the functions of the native crypto module, and threads for them.

The module (OpenSSL) is loaded at a program's first use of cryptography. JavaScript calls its functions directly.
"""

from __future__ import annotations

import _thread
from collections import deque

from ..program.problems import js_error
from .threads import apart

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from ..host import Host

MOST_THREADS = 4


class CryptoMissing(Exception):
    """The native crypto module is not there."""


def operations(worker: Host) -> dict[str, Any]:
    jobs = _Jobs(worker)

    def binding() -> Any:
        """Return an object with the native module's functions."""
        module = native_module()
        functions = {name: each for name, each in vars(module).items() if callable(each) and not isinstance(each, type)}
        return worker.engine.new_object({name: worker.engine.function(each, name) for name, each in functions.items()})

    def later(name: str, arguments: list[Any], callback: Any) -> None:
        """Call a native function on a thread; `callback(error)` or `callback(undefined, result)` in a later turn."""
        jobs.do(lambda: getattr(native_module(), name)(*arguments), callback)

    return {"binding": binding, "later": (later, "scv")}


def native_module() -> Any:
    try:
        from ... import _crypto
    except ImportError as problem:
        raise CryptoMissing(f"rt's native crypto module cannot be loaded: {problem}") from problem
    return _crypto


class _Jobs:
    """Work that waits for a thread, and the threads that do it; a thread ends when nothing is left to do."""

    def __init__(self, worker: Host) -> None:
        self._worker = worker
        self._waiting: deque[tuple[Callable[[], Any], Any]] = deque()
        self._threads = 0
        self._lock = _thread.allocate_lock()

    def do(self, work: Callable[[], Any], callback: Any) -> None:
        self._worker.loop.waker()  # so that a thread can end the wait
        self._worker.loop.references += 1
        with self._lock:
            self._waiting.append((work, callback))
            if self._threads == MOST_THREADS:
                return
            self._threads += 1
        apart(self._run)

    def _run(self) -> None:
        while True:
            with self._lock:
                if not self._waiting:
                    self._threads -= 1
                    return
                work, callback = self._waiting.popleft()
            self._worker.loop.complete(self._told(callback, *_outcome(work)))

    def _told(self, callback: Any, problem: Exception | None, result: Any) -> Callable[[], None]:
        def tell() -> None:
            worker = self._worker
            worker.loop.references -= 1
            if problem is None:
                worker.entry.invoke("call", callback, None, result)
            else:
                worker.entry.invoke("call", callback, js_error(worker.entry, problem))

        return tell


def _outcome(work: Callable[[], Any]) -> tuple[Exception | None, Any]:
    try:
        return None, work()
    except Exception as problem:
        return problem, None
