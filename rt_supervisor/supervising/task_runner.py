"""Drives the run core for tasks: decides what starts next, takes results from the cache, and says what a failure means for the others.

```text
waiting ──its dependencies have ended──> ready ──in the cache──> done
                                           └──a slot is free──> running ──> done | failed
waiting ──a dependency failed, or nothing may start any more──> skipped
```

Of the ready tasks, the one with the longest chain of dependents starts first, as durations of earlier runs tell. Keys need the outputs of
dependencies, so the cache is asked only when a task is ready.
"""

from __future__ import annotations

import heapq
import signal

from ..output.drawing.outcomes import cached
from ..tasks.task_cache import Hit
from ..vocabulary.events import Exited, StepEnded
from .supervisor import Supervisor

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Protocol

    from .. import _native
    from ..output.display import Display
    from ..plan.model import RunPlan
    from ..tasks.task_cache import TaskCache
    from .supervisor import Core

    class DrivenCore(Core, Protocol):
        """The part of a driven `_native.RunCore` that schedules."""

        def start(self, task: int) -> bool: ...
        def skip(self, task: int, dependency: int | None) -> bool: ...
        def finish(self, task: int, output: Sequence[tuple[int, int, bytes]], text: bytes) -> bool: ...
        def end(self, task: int, signal: int, grace_s: float) -> bool: ...


CONTINUE_NEVER = "never"
CONTINUE_INDEPENDENT = "dependencies-successful"
CONTINUE_ALWAYS = "always"

_SHORTEST_S = 0.001  # of a task whose duration is not known: longer chains still come first


class TaskRunner(Supervisor):
    """One run of the tasks of a plan."""

    def __init__(
        self,
        core: DrivenCore,
        display: Display,
        plan: RunPlan,
        *,
        encode: Callable[[RunPlan], bytes],
        cache: TaskCache | None,
        continues: str,
        silent: frozenset[int],
        grace_s: float,
    ) -> None:
        """`continues` is one of CONTINUE_*; cached results of the tasks in `silent` are shown without their output."""
        super().__init__(core, display, encode=encode)
        self._driven = core
        self._plan = plan
        self._cache = cache
        self._continues = continues
        self._silent = silent
        self._grace_s = grace_s
        self._missing = {task.key: len(task.after) for task in plan.tasks}
        self._dependents: dict[int, list[int]] = {task.key: [] for task in plan.tasks}
        for task in plan.tasks:
            for other in task.after:
                self._dependents[other].append(task.key)
        self._weights = self._chains()
        self._ready = [(-self._weights[key], key) for key, count in self._missing.items() if not count]
        heapq.heapify(self._ready)
        self._running: set[int] = set()
        self._logs: dict[int, list[tuple[int, int, bytes]]] = {}
        self._seconds: dict[int, float] = {}
        self._saved: dict[int, float] = {}  # of the tasks whose results come from the cache
        self._limit = plan.concurrency
        self.hit_count = 0

    def _loop(self) -> None:
        self._core.begin()
        self._start_ready()
        while not self._core.is_finished:
            for event in self._core.turn(self._timeout_s(), -1):
                self._pass_on(event)
            self._start_ready()
            self._display.tick(self._clock())
        for event in self._core.turn(0, -1):  # of the tasks whose results were all there
            self._pass_on(event)

    def _start_ready(self) -> None:
        """Decide about ready tasks as long as slots are free."""
        while self._ready and self._core.is_open and len(self._running) < self._limit:
            _, key = heapq.heappop(self._ready)
            decision = None if self._cache is None else self._cache.decide(key)
            if isinstance(decision, Hit):
                self._finish(key, decision)
                continue
            if self._cache is not None:
                self._cache.begin(key)
            self._logs[key] = []
            if self._driven.start(key):
                self._running.add(key)

    def _finish(self, key: int, hit: Hit) -> None:
        self.hit_count += 1
        self._saved[key] = hit.seconds
        log = () if key in self._silent else hit.log
        self._driven.finish(key, log, cached(hit.seconds).encode())
        self._release(key)

    def _pass_on(self, event: _native.RunEvent) -> None:
        match event:
            case ("output", task, step, stream, block) if task not in self._saved:
                self._logs[task].append((step, stream, block))
            case ("ended", task, step, _, _, _, at, seconds, _, _):
                self._seconds[task] = self._seconds.get(task, 0.0) + seconds
                if task in self._saved:
                    is_last = step == len(self._plan.tasks[task].steps) - 1
                    saved = self._saved[task] if is_last else 0.0
                    self._display.event(StepEnded(task, step, Exited(0), at, 0.0, 0.0, 0, saved))
                    return
            case ("deferred", task):
                self._running.discard(task)
                self._limit = max(1, len(self._running))
                heapq.heappush(self._ready, (-self._weights[task], task))
            case ("task-ended", task, status, is_skipped, _) if task not in self._saved and not is_skipped:
                super()._pass_on(event)
                self._end(task, status)
                return
        super()._pass_on(event)

    def _end(self, task: int, status: int) -> None:
        """Act on the end of a task that ran."""
        self._running.discard(task)
        log = self._logs.pop(task, [])
        has_succeeded = status == 0 and self._core.is_open
        if self._cache is not None:
            self._cache.finish(task, log, seconds=self._seconds.get(task, 0.0), has_succeeded=has_succeeded)
        if status == 0 or self._continues == CONTINUE_ALWAYS:
            self._release(task)
            return
        if self._continues == CONTINUE_NEVER and self._core.is_open:
            for key in sorted(self._missing):
                self._skip(key, None)
            for key in self._running:
                self._driven.end(key, signal.SIGINT, self._grace_s)
        else:
            self._skip_dependents(task)

    def _release(self, task: int) -> None:
        """Dependents of `task` that wait for nothing else are ready."""
        self._missing.pop(task, None)
        for dependent in self._dependents[task]:
            if dependent in self._missing:
                self._missing[dependent] -= 1
                if not self._missing[dependent]:
                    heapq.heappush(self._ready, (-self._weights[dependent], dependent))

    def _skip_dependents(self, failed: int) -> None:
        self._missing.pop(failed, None)
        todo = [failed]
        while todo:
            cause = todo.pop()
            for dependent in self._dependents[cause]:
                if dependent in self._missing:
                    self._skip(dependent, cause)
                    todo.append(dependent)

    def _skip(self, key: int, dependency: int | None) -> None:
        if key not in self._running:
            self._missing.pop(key, None)
            self._driven.skip(key, dependency)

    def _chains(self) -> dict[int, float]:
        """Return for each task how long it and the longest chain of its dependents took in earlier runs."""
        waiting = {task.key: len(self._dependents[task.key]) for task in self._plan.tasks}
        todo = [key for key, count in waiting.items() if not count]
        chains: dict[int, float] = {}
        for key in todo:
            own = self._cache.seconds(key) if self._cache is not None else 0.0
            longest = max((chains[other] for other in self._dependents[key]), default=0.0)
            chains[key] = longest + max(own, _SHORTEST_S)
            for other in self._plan.tasks[key].after:
                waiting[other] -= 1
                if not waiting[other]:
                    todo.append(other)
        return chains
