"""Which task of a plan may start next: order, concurrency, failure. Pure: knows no process and no clock.

WAITING --everything in `after` succeeded and a place is free--> RUNNING --> SUCCEEDED | FAILED
WAITING --a task in `after` failed or was skipped, or the run stops--> SKIPPED
"""

from __future__ import annotations

from _heapq import heapify, heappop, heappush  # what heapq is made of, without half a millisecond of its examples

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .plan import RunPlan


class Schedule:
    """The state of one run. Tasks are named by their keys, which are their places in listing order."""

    def __init__(self, plan: RunPlan) -> None:
        self._concurrency = max(1, plan.concurrency)
        self._missing = [len(set(task.after)) for task in plan.tasks]
        self._dependents: list[list[int]] = [[] for _ in plan.tasks]
        for task in plan.tasks:
            for key in set(task.after):
                self._dependents[key].append(task.key)
        self._ready = [task.key for task in plan.tasks if not task.after]
        heapify(self._ready)
        self._running: set[int] = set()
        self._waiting = {task.key for task in plan.tasks}
        self._statuses: dict[int, int] = {}
        self._stopped = False

    @property
    def running(self) -> frozenset[int]:
        """The keys of the tasks that have started and not ended."""
        return frozenset(self._running)

    @property
    def is_finished(self) -> bool:
        """Whether nothing runs and nothing will."""
        return not self._running and (not self._ready or self._stopped)

    def take_ready(self) -> list[int]:
        """Return the tasks to start now, in listing order; they count as running from here on."""
        taken = []
        while self._ready and not self._stopped and len(self._running) < self._concurrency:
            key = heappop(self._ready)
            self._running.add(key)
            self._waiting.discard(key)
            taken.append(key)
        return taken

    def put_back(self, key: int) -> None:
        """Undo the start of `key`, which the system refused, and run no more at once than run now."""
        self._running.discard(key)
        self._waiting.add(key)
        heappush(self._ready, key)
        self._concurrency = max(1, len(self._running))

    def end(self, key: int, status: int) -> list[tuple[int, int]]:
        """Note that `key` ended with exit status `status`.

        Returns (skipped task, the failed task it depends on) for each task that will now never run, in listing order.
        """
        self._running.discard(key)
        self._statuses[key] = status
        if status != 0:
            return self._skip_dependents(key)
        for dependent in self._dependents[key]:
            self._missing[dependent] -= 1
            if self._missing[dependent] == 0 and dependent in self._waiting:
                heappush(self._ready, dependent)
        return []

    def stop(self) -> list[int]:
        """Start nothing more; return the tasks that are given up, in listing order."""
        self._stopped = True
        given_up = sorted(self._waiting)
        self._waiting.clear()
        self._ready.clear()
        return given_up

    def exit_status(self) -> int:
        """Return the exit status of the first task in listing order that failed, 0 without one."""
        return next((self._statuses[key] for key in sorted(self._statuses) if self._statuses[key] != 0), 0)

    def _skip_dependents(self, failed: int) -> list[tuple[int, int]]:
        skipped = []
        reached = [failed]
        while reached:
            cause = reached.pop()
            for dependent in self._dependents[cause]:
                if dependent in self._waiting:
                    self._waiting.discard(dependent)
                    skipped.append((dependent, cause))
                    reached.append(dependent)
        return sorted(skipped)
