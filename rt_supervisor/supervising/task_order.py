"""The order of the tasks of a run: which wait for which, and which of the ready ones starts first.

```text
waiting ──its last dependency is released──> ready ──take──> decided ──release──> its dependents wait for less
   ^                                                            │
   └──reopen (it, and everything that depends on it)────────────┘
```

Of the ready tasks, the one with the longest chain of dependents comes first. Knows no process and no cache.
"""

from __future__ import annotations

import heapq

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from ..plan.model import RunPlan

_SHORTEST_S = 0.001  # of a task whose duration is not known: longer chains still come first


class TaskOrder:
    """The order of the tasks of one plan. `seconds` returns how long a task took in earlier runs, 0 if that is not known."""

    def __init__(self, plan: RunPlan, seconds: Callable[[int], float]) -> None:
        self._after = [tuple(dict.fromkeys(task.after)) for task in plan.tasks]
        self._dependents: list[list[int]] = [[] for _ in plan.tasks]
        for key, after in enumerate(self._after):
            for other in after:
                self._dependents[other].append(key)
        self._released: set[int] = set()
        self._waiting: dict[int, int] = {}  # how many dependencies each task waits for
        self._weights = self._chains(seconds)
        self._ready: list[tuple[float, int]] = []
        for key in range(len(self._after)):
            self.add(key)

    @property
    def waiting(self) -> list[int]:
        """The tasks that nothing was decided about."""
        return sorted(self._waiting)

    def take(self, may_start: Callable[[int], bool | None]) -> int | None:
        """Return the first ready task that `may_start`, which counts as decided from now on; None without one.

        `may_start` returns None for a task that lets no later one pass.
        """
        passed = []
        found = None
        while self._ready:
            entry = heapq.heappop(self._ready)
            if self._waiting.get(entry[1]) != 0:
                continue  # decided since
            verdict = may_start(entry[1])
            if verdict:
                found = entry[1]
                del self._waiting[found]
                break
            passed.append(entry)
            if verdict is None:
                break
        for entry in passed:
            heapq.heappush(self._ready, entry)
        return found

    def add(self, key: int) -> None:
        """Let a task wait for those of its dependencies that are not released."""
        self._released.discard(key)
        count = self._waiting[key] = sum(other not in self._released for other in self._after[key])
        if not count:
            heapq.heappush(self._ready, (-self._weights[key], key))

    def release(self, key: int) -> None:
        """Dependents of `key` that wait for nothing else are ready."""
        if key in self._released:
            return
        self._released.add(key)
        for dependent in self._dependents[key]:
            if dependent in self._waiting:
                self._waiting[dependent] -= 1
                if not self._waiting[dependent]:
                    heapq.heappush(self._ready, (-self._weights[dependent], dependent))

    def withdraw(self, key: int) -> None:
        """Decide that a task does not start."""
        self._waiting.pop(key, None)

    def withdraw_dependents(self, failed: int) -> list[tuple[int, int]]:
        """Withdraw the waiting tasks that depend on `failed`; return each with the dependency that is the reason."""
        found = []
        todo = [failed]
        while todo:
            cause = todo.pop()
            for dependent in self._dependents[cause]:
                if dependent in self._waiting:
                    del self._waiting[dependent]
                    found.append((dependent, cause))
                    todo.append(dependent)
        return found

    def with_dependents(self, keys: Iterable[int]) -> list[int]:
        """Return `keys` and everything that depends on them, in listing order."""
        found = set(keys)
        todo = list(found)
        while todo:
            for dependent in self._dependents[todo.pop()]:
                if dependent not in found:
                    found.add(dependent)
                    todo.append(dependent)
        return sorted(found)

    def reopen(self, keys: Iterable[int], *, held: Iterable[int] = ()) -> None:
        """Let the tasks `keys` wait again. Their dependents that wait do so for one more, also for those of `held`, which `add` lets wait
        later.
        """
        keys = list(keys)
        for key in (*keys, *held):
            if key in self._released:
                self._released.discard(key)
                for dependent in self._dependents[key]:
                    if dependent in self._waiting:
                        self._waiting[dependent] += 1
        for key in keys:
            self.add(key)

    def _chains(self, seconds: Callable[[int], float]) -> list[float]:
        """Return for each task how long it and the longest chain of its dependents took in earlier runs."""
        waiting = [len(dependents) for dependents in self._dependents]
        todo = [key for key, count in enumerate(waiting) if not count]
        chains = [0.0] * len(waiting)
        for key in todo:
            longest = max((chains[other] for other in self._dependents[key]), default=0.0)
            chains[key] = longest + max(seconds(key), _SHORTEST_S)
            for other in self._after[key]:
                waiting[other] -= 1
                if not waiting[other]:
                    todo.append(other)
        return chains
