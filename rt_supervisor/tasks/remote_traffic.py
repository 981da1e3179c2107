"""Downloads and uploads beside a run: a few threads, and a call that wakes the run when one is done.

```text
fetch ──a thread asks the server──> done, `take` returns it ──the run decides again──> hit | miss
store ──a thread sends the result──> sent | noted as a problem
```

The threads end with the process: a run that is interrupted waits for none of them.
"""

from __future__ import annotations

import queue
import threading

from .remote_cache import CacheEvent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from .globs import Globs
    from .remote_cache import RemoteCache
    from .store import Entry

_MOST_THREADS = 10  # as Turborepo's cache workers


class RemoteTraffic:
    """The requests of one run to `remote`. `reads` and `writes` say what the run uses the remote cache for."""

    def __init__(self, remote: RemoteCache, *, reads: bool, writes: bool) -> None:
        self._remote = remote
        self._reads = reads
        self._writes = writes
        self._work: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._threads = 0
        self._open = 0  # requests that have not ended
        self._done: list[tuple[int, str]] = []
        self._found: set[str] = set()
        self._events: list[CacheEvent] = []
        self.wake: Callable[[], None] = lambda: None
        """What is called in a thread after each request."""

    @property
    def problems(self) -> Sequence[str]:
        return self._remote.problems

    @property
    def is_busy(self) -> bool:
        """Whether a request has not ended."""
        with self._lock:
            return self._open > 0

    @property
    def reads(self) -> bool:
        """Whether results can be fetched."""
        return self._reads and self._remote.is_reachable

    def fetch(self, task: int, key: str, title: str, outputs: Globs) -> None:
        """Begin to fetch the result of a task into the store."""

        def work() -> None:
            is_found = self._remote.fetch(key, title, outputs)
            with self._lock:
                self._done.append((task, key))
                if is_found:
                    self._found.add(key)
                else:
                    self._events.append(CacheEvent(key, is_remote=True, is_hit=False))

        self._begin(work)

    def has_fetched(self, key: str) -> bool:
        """Return whether the store has a result because the server had it."""
        with self._lock:
            return key in self._found

    def take(self) -> list[tuple[int, str]]:
        """Return the tasks whose fetch has ended since the last call, with the keys."""
        with self._lock:
            done, self._done = self._done, []
        return done

    def has(self, key: str) -> bool:
        """Return whether the server has a result; waits for the answer."""
        return self.reads and self._remote.has(key)

    def upload(self, key: str, title: str, entry: Entry) -> None:
        """Begin to send a result, if the run stores results in the remote cache."""
        if self._writes and self._remote.is_reachable:
            self._begin(lambda: self._remote.upload(key, title, entry))

    def record_hit(self, key: str, seconds: float) -> bool:
        """Record that a result was used. Return whether it came from the remote cache."""
        with self._lock:
            is_remote = key in self._found
            self._events.append(CacheEvent(key, is_remote=is_remote, is_hit=True, seconds=seconds))
        return is_remote

    def report(self) -> None:
        """Begin to send what was looked up."""
        with self._lock:
            events, self._events = self._events, []
        if events:
            self._begin(lambda: self._remote.record(events))

    def _begin(self, work: Callable[[], None]) -> None:
        with self._lock:
            self._open += 1
            starts = self._threads < min(_MOST_THREADS, self._open)
            self._threads += starts
        self._work.put(work)
        if starts:
            threading.Thread(target=self._run, daemon=True).start()

    def _run(self) -> None:
        while True:
            work = self._work.get()
            try:
                work()
            finally:
                with self._lock:
                    self._open -= 1
                self.wake()
