"""Which task of a plan may start next: order, concurrency, failure, what is to run again. Pure: knows no process, no clock.

WAITING --everything in `after` succeeded and a place is free--> RUNNING --> SUCCEEDED | FAILED
WAITING --a task in `after` failed or was skipped, or the run stops--> SKIPPED
RUNNING --`restart`--> LEAVING --ended--> WAITING
SUCCEEDED | FAILED | SKIPPED --`restart`--> WAITING
"""

from __future__ import annotations

from _heapq import heapify, heappop, heappush  # what heapq is made of, without half a millisecond of its examples

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Literal, TypeAlias

    from ..plan.model import RunPlan

    State: TypeAlias = Literal["waiting", "running", "leaving", "succeeded", "failed", "skipped"]

WAITING: State = "waiting"
RUNNING: State = "running"
LEAVING: State = "leaving"
SUCCEEDED: State = "succeeded"
FAILED: State = "failed"
SKIPPED: State = "skipped"


class Schedule:
    """The state of one run. Tasks are named by their keys, which are their places in listing order."""

    def __init__(self, plan: RunPlan) -> None:
        self._concurrency = max(1, plan.concurrency)
        self._needs = [set(task.after) for task in plan.tasks]
        self._dependents: list[list[int]] = [[] for _ in plan.tasks]
        for key, needs in enumerate(self._needs):
            for each in needs:
                self._dependents[each].append(key)
        self._missing = [len(needs) for needs in self._needs]
        self._state: list[State] = [WAITING] * len(plan.tasks)
        self._ready = [key for key, needs in enumerate(self._needs) if not needs]  # may hold some that wait again
        heapify(self._ready)
        self._running: set[int] = set()  # and leaving
        self._waiting = set(range(len(plan.tasks)))
        self._statuses: dict[int, int] = {}
        self._stopped = False

    @property
    def running(self) -> frozenset[int]:
        """The keys of the tasks that have started and not ended."""
        return frozenset(self._running)

    @property
    def is_finished(self) -> bool:
        """Whether nothing runs and nothing will."""
        return not self._running and (self._stopped or not self._next_ready())

    def take_ready(self) -> list[int]:
        """Return the tasks to start now, in listing order; they count as running from here on."""
        taken: list[int] = []
        while not self._stopped and len(self._running) < self._concurrency and self._next_ready():
            key = heappop(self._ready)
            self._running.add(key)
            self._waiting.discard(key)
            self._state[key] = RUNNING
            taken.append(key)
        return taken

    def _next_ready(self) -> bool:
        """Whether the head of `_ready` may start; what is there and may not any more is dropped."""
        while self._ready:
            key = self._ready[0]
            if self._state[key] == WAITING and self._missing[key] == 0:
                return True
            heappop(self._ready)
        return False

    def put_back(self, key: int) -> None:
        """Undo the start of `key`, which the system refused, and run no more at once than run now."""
        self._running.discard(key)
        self._wait(key)
        self._concurrency = max(1, len(self._running))

    def end(self, key: int, status: int) -> list[tuple[int, int]]:
        """Note that `key` ended with exit status `status`.

        Returns (skipped task, the failed task it depends on) for each task that will now never run, in listing order.
        One that was to run again waits again, whatever its status.
        """
        self._running.discard(key)
        if self._state[key] == LEAVING:
            self._wait(key)
            return []
        self._statuses[key] = status
        self._state[key] = FAILED if status else SUCCEEDED
        if status != 0:
            return self._skip_dependents(key)
        for dependent in self._dependents[key]:
            self._missing[dependent] -= 1
            self._offer(dependent)
        return []

    def restart(self, keys: Iterable[int]) -> tuple[list[int], list[int]]:
        """Have the tasks `keys` run again, each when what it depends on has succeeded.

        Returns (those that run and are to be ended first, those that wait from now on), in listing order.
        """
        leaving: list[int] = []
        again: list[int] = []
        for key in sorted(set(keys)):
            if self._state[key] in (RUNNING, LEAVING):
                if self._state[key] == RUNNING:
                    leaving.append(key)
                self._state[key] = LEAVING
                continue
            if self._state[key] == SUCCEEDED:
                for dependent in self._dependents[key]:
                    self._missing[dependent] += 1
            self._statuses.pop(key, None)
            again.append(key)
            self._wait(key)
        return leaving, again

    def is_leaving(self, key: int) -> bool:
        """Whether `key` is being ended in order to run again."""
        return self._state[key] == LEAVING

    def stop(self) -> list[int]:
        """Start nothing more; return the tasks that are given up, in listing order."""
        self._stopped = True
        given_up = sorted(self._waiting)
        for key in given_up:
            self._state[key] = SKIPPED
        self._waiting.clear()
        self._ready.clear()
        return given_up

    def exit_status(self) -> int:
        """Return the exit status of the first task in listing order that failed, 0 without one."""
        return next((self._statuses[key] for key in sorted(self._statuses) if self._statuses[key] != 0), 0)

    def _wait(self, key: int) -> None:
        self._state[key] = WAITING
        self._waiting.add(key)
        self._offer(key)

    def _offer(self, key: int) -> None:
        if self._state[key] == WAITING and self._missing[key] == 0 and not self._stopped:
            heappush(self._ready, key)

    def _skip_dependents(self, failed: int) -> list[tuple[int, int]]:
        skipped = []
        reached = [failed]
        while reached:
            cause = reached.pop()
            for dependent in self._dependents[cause]:
                if self._state[dependent] == WAITING:
                    self._state[dependent] = SKIPPED
                    self._waiting.discard(dependent)
                    skipped.append((dependent, cause))
                    reached.append(dependent)
        return sorted(skipped)
