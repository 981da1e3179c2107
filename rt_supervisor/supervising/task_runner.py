"""Drives the run core for tasks: decides what starts next, takes results from the cache, and says what a failure means for the others.

```text
waiting ──its dependencies have ended──> ready ──in the cache──> done
                                           └──places are free──> running ──> done | failed
running ──failed, and attempts are left──> running
waiting ──a dependency failed, or nothing may start any more──> skipped
```

A task whose time is over is ended and has failed. A service that restarts after failures waits a little longer each time.

A service with `ready` releases its dependents when it is ready, not when it ends. Unless it was named by the user, it is ended as soon as
all its dependents have ended, which ends services in reverse order of their start.

Of the ready tasks, the one with the longest chain of dependents starts first, by the durations of earlier runs. Keys need the outputs of
dependencies, so the cache is queried only when a task is ready.
"""

from __future__ import annotations

import contextlib
import heapq
import os
import signal

from ..output.drawing.outcomes import cached, duration
from ..tasks.readiness import Readiness
from ..tasks.task_cache import Hit
from ..vocabulary.events import Exited, Signaled, StepEnded, TaskEnded, TaskRetried, TasksRestarted
from ..vocabulary.record import record, replace
from .supervisor import Supervisor
from .task_policies import Backoff, Places, TaskPolicy
from .watched_run import RunResult

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Protocol

    from .. import _native
    from ..output.display import Display
    from ..plan.model import RunPlan
    from ..tasks.resuming import LeftOut, RunHistory
    from ..tasks.task_cache import TaskCache
    from ..vocabulary.errors import Failed
    from .supervisor import Core

    class DrivenCore(Core, Protocol):
        """The part of a driven `_native.RunCore` that schedules."""

        def start(self, task: int) -> bool: ...
        def skip(self, task: int, dependency: int | None) -> bool: ...
        def finish(self, task: int, output: Sequence[tuple[int, int, bytes]], text: bytes) -> bool: ...
        def end(self, task: int, signal: int, grace_s: float) -> bool: ...
        def write(self, descriptor: int, data: bytes) -> None: ...


CONTINUE_NEVER = "never"
CONTINUE_INDEPENDENT = "dependencies-successful"
CONTINUE_ALWAYS = "always"

_SHORTEST_S = 0.001  # of a task whose duration is not known: longer chains still come first


@record
class Service:
    """A persistent task that says when it is `ready`, and the tasks that need it until they have ended.

    One that `is_selected` was named by the user and is not ended by rt.
    """

    ready: Mapping[str, bool | int | str]
    needed_by: frozenset[int]
    is_selected: bool


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
        services: Mapping[int, Service],
        policies: Mapping[int, TaskPolicy],
        pools: Mapping[str, int],
        history: RunHistory,
        left_out: LeftOut,
    ) -> None:
        """`continues` is one of CONTINUE_*; cached results of the tasks in `silent` are shown without their output.

        `policies` has one for each task; `pools` are the sizes of the pools that they name. Successes and durations go to `history`.
        """
        super().__init__(core, display, encode=encode)
        self._driven = core
        self._plan = plan
        self._cache = cache
        self._continues = continues
        self._history = history
        self._left_out = left_out
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
        self._policies = policies
        self._places = Places(plan.concurrency, pools=pools, policies=policies)
        self._attempts: dict[int, int] = {}  # of the tasks that have run more than once
        self._begun_s: dict[int, float] = {}  # when the last attempt at a task started
        self._deadlines: dict[int, float] = {}
        self._timed_out: set[int] = set()
        self._flaky: dict[int, int] = {}  # tasks that succeeded, with the attempt
        self._backoffs: dict[int, Backoff] = {}
        self._restarts: dict[int, float] = {}  # services that have failed, with the time at which they start again
        self._is_ending = False  # a failure ends all tasks
        self._services = services
        self._watched: dict[int, tuple[Readiness, float]] = {}  # services that are not ready, with their deadlines
        self._pending = {task.key for task in plan.tasks}  # tasks that have not ended
        self._wake: tuple[int, int] | None = None  # the pipe of `readiness`
        self._has_failed = False  # in a way that the core does not know of
        self._ended_services: set[int] = set()
        self.hit_count = 0

    def run(self) -> RunResult:
        try:
            result = super().run()
        finally:
            for readiness, _ in self._watched.values():
                readiness.close()
        is_failed = self._has_failed and result.status == 0
        return RunResult(1, result.signal, result.next_plan) if is_failed else result

    def _loop(self) -> None:
        self._core.begin()
        self._start_ready()
        while not self._core.is_finished:
            for event in self._core.turn(self._timeout_s(), -1 if self._wake is None else self._wake[0]):
                self._pass_on(event)
            if self._watched:
                self._look_at_services()
            self._look_at_deadlines()
            self._start_ready()
            self._display.tick(self._clock())
        for event in self._core.turn(0, -1):  # of the tasks whose results were all there
            self._pass_on(event)

    def _start_ready(self) -> None:
        """Decide about ready tasks as long as there are places for them.

        A task that waits for places of the run lets no lighter one pass, so that it gets them; one that waits for its pool does.
        """
        passed = []
        while self._ready and self._core.is_open and self._places.has_room(self._ready[0][1]):
            entry = heapq.heappop(self._ready)
            key = entry[1]
            if not self._places.has_pool_room(key):
                passed.append(entry)
                continue
            decision = None if self._cache is None else self._cache.decide(key)
            if isinstance(decision, Hit):
                self._finish(key, decision)
                continue
            is_cacheable = decision is not None and decision.is_cacheable
            if reason := self._left_out.reason(key, is_cacheable=is_cacheable):
                self._leave_out(key, reason)
                continue
            if self._cache is not None:
                self._cache.begin(key)
            self._logs[key] = []
            if self._start(key) and key in self._services:
                self._watch_service(key)
        for entry in passed:
            heapq.heappush(self._ready, entry)

    def _start(self, key: int) -> bool:
        """Start an attempt at a task. Return whether the core did."""
        if not self._driven.start(key):
            return False
        self._running.add(key)
        self._places.take(key)
        self._begun_s[key] = self._clock()
        timeout_s = self._policies[key].timeout_s
        if timeout_s is not None:
            self._deadlines[key] = self._begun_s[key] + timeout_s
        return True

    def _stop_running(self, key: int) -> None:
        """Record that the process of a task has ended."""
        if key in self._running:
            self._running.discard(key)
            self._places.give_back(key)
        self._deadlines.pop(key, None)

    def _leave_out(self, key: int, reason: str) -> None:
        """Count a task as done that does not run."""
        if self._cache is not None:
            self._cache.leave_out(key)
        self._saved[key] = self._history.seconds(key)
        self._driven.finish(key, (), reason.encode())
        self._release(key)

    def _finish(self, key: int, hit: Hit) -> None:
        self.hit_count += 1
        self._saved[key] = hit.seconds
        self._record(key, None)
        log = () if key in self._silent else hit.log
        self._driven.finish(key, log, cached(hit.seconds).encode())
        self._release(key)

    def _pass_on(self, event: _native.RunEvent) -> None:
        match event:
            case ("output", task, step, stream, block) if task not in self._saved:
                if task in self._services:
                    if task in self._watched:
                        self._watched[task][0].feed(block)
                else:
                    self._logs[task].append((step, stream, block))
            case ("ended", task, step, _, _, _, at, seconds, _, _):
                self._seconds[task] = self._seconds.get(task, 0.0) + seconds
                if task in self._timed_out:
                    self._display.event(_step_ended(event))
                    return
                if task in self._saved:
                    is_last = step == len(self._plan.tasks[task].steps) - 1
                    saved = self._saved[task] if is_last else 0.0
                    self._display.event(StepEnded(task, step, Exited(0), at, 0.0, 0.0, 0, saved))
                    return
            case ("deferred", task):
                self._stop_running(task)
                self._places.narrow()
                heapq.heappush(self._ready, (-self._weights[task], task))
            case ("task-ended", task, status, is_skipped, at) if task not in self._saved and not is_skipped:
                if task in self._timed_out:
                    status = status or 1  # also if it ended with 0 because it was asked to end
                self._stop_running(task)
                if self._runs_again(task, status):
                    self._timed_out.discard(task)
                    self._retry(task, at)
                elif self._restarts_later(task, status):
                    self._restart_later(task, status)
                else:
                    self._display.event(TaskEnded(task, status, False, at))
                    self._end(task, status)
                return
        super()._pass_on(event)

    def _end(self, task: int, status: int) -> None:
        """Act on the end of a task that ran."""
        if task in self._timed_out:
            self._has_failed = True
        elif status == 0 and task in self._attempts:
            self._flaky[task] = self._attempts[task]
        if task in self._watched:
            self._watched.pop(task)[0].close()
            if self._core.is_open:
                self._fail_service(task, "ended before it was ready")
            status = status or 1
        elif task in self._services:
            self._leave(task)
            return
        log = self._logs.pop(task, [])
        has_succeeded = status == 0 and self._core.is_open
        if has_succeeded:
            self._record(task, self._seconds.get(task, 0.0))
        if self._cache is not None:
            self._cache.finish(task, log, seconds=self._seconds.get(task, 0.0), has_succeeded=has_succeeded)
        if status == 0 or self._continues == CONTINUE_ALWAYS:
            self._release(task)
            return
        if self._continues == CONTINUE_NEVER and self._core.is_open:
            self._is_ending = True
            self._give_up_restarts(self._restarts)
            for key in sorted(self._missing):
                self._skip(key, None)
            for key in self._running:
                self._driven.end(key, signal.SIGINT, self._grace_s)
        else:
            self._skip_dependents(task)

    # --- attempts

    def _runs_again(self, task: int, status: int) -> bool:
        is_left = self._attempts.get(task, 1) <= self._policies[task].retries
        return status != 0 and is_left and self._core.is_open and not self._is_ending

    def _retry(self, task: int, at: float) -> None:
        """Start the next attempt at a task in its place. What it printed and wrote before belongs to no result."""
        attempt = self._attempts[task] = self._attempts.get(task, 1) + 1
        tasks = list(self._plan.tasks)
        tasks[task] = replace(tasks[task], attempt=attempt)
        self._plan = replace(self._plan, tasks=tuple(tasks))
        self._core.restart([task], self._encode(self._plan), signal.SIGTERM, self._grace_s)
        self._display.event(TaskRetried(task, attempt, at))
        self._logs[task] = []
        self._seconds.pop(task, None)
        self._start(task)

    def _look_at_deadlines(self) -> None:
        """End tasks whose time is over, and start services whose delay is over."""
        now = self._clock()
        for key in [key for key, deadline in self._deadlines.items() if now >= deadline]:
            del self._deadlines[key]
            if self._core.is_open and self._driven.end(key, signal.SIGTERM, self._grace_s):
                self._timed_out.add(key)
                limit = duration(self._policies[key].timeout_s or 0.0, " ")
                self._say(f"error: {self._name(key)} timed out after {limit}")
        for key in [key for key, moment in self._restarts.items() if now >= moment]:
            del self._restarts[key]
            self._start(key)

    def _finish_output(self) -> Failed | None:
        """Add the list of flaky tasks to the end of the output."""
        failed = super()._finish_output()
        if self._flaky and failed is None:
            count = len(self._flaky)
            self._say(f"warning: {count} flaky task{'s' if count > 1 else ''} failed at first")
            for key, attempt in sorted(self._flaky.items()):
                self._say(f"  {self._plan.tasks[key].label} succeeded at attempt {attempt}")
        return failed

    def _name(self, key: int) -> str:
        attempt = self._attempts.get(key)
        return f"{self._plan.tasks[key].label}{f' (attempt {attempt})' if attempt else ''}"

    def _say(self, line: str) -> None:
        self._driven.write(2, os.fsencode(f"{line}\n"))

    # --- the end of tasks

    def _record(self, task: int, seconds: float | None) -> None:
        with contextlib.suppress(OSError):  # a run does not fail because it cannot be remembered
            self._history.add(task, seconds=seconds)

    def _release(self, task: int) -> None:
        """Dependents of `task` that wait for nothing else are ready."""
        if task not in self._services:
            self._leave(task)
        self._missing.pop(task, None)
        for dependent in self._dependents[task]:
            if dependent in self._missing:
                self._missing[dependent] -= 1
                if not self._missing[dependent]:
                    heapq.heappush(self._ready, (-self._weights[dependent], dependent))

    def _skip_dependents(self, failed: int) -> None:
        self._missing.pop(failed, None)
        self._leave(failed)
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
            self._leave(key)

    # --- services

    def _watch_service(self, key: int) -> None:
        if self._wake is None:
            self._wake = os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK)
        _, write_end = self._wake
        service, task = self._services[key], self._plan.tasks[key]
        readiness = Readiness(
            service.ready,
            folder=task.folder,
            environment=task.steps[-1].environment,
            wake=lambda: _wake(write_end),
        )
        self._watched[key] = (readiness, self._clock() + readiness.timeout_s)

    def _look_at_services(self) -> None:
        """Release the dependents of services that are ready, and give up those whose time is over."""
        if self._wake is not None:
            with contextlib.suppress(BlockingIOError):
                os.read(self._wake[0], 4096)
        for key, (readiness, deadline) in list(self._watched.items()):
            if readiness.is_ready:
                del self._watched[key]
                self._release(key)
                self._end_services()
            elif self._clock() >= deadline and self._core.is_open:
                del self._watched[key]
                readiness.close()
                self._fail_service(key, f"was not ready after {readiness.timeout_s:g} s ({readiness.words})")
                self._skip_dependents(key)
                self._driven.end(key, signal.SIGTERM, self._grace_s)

    def _fail_service(self, key: int, problem: str) -> None:
        self._has_failed = True
        self._say(f"error: the service {self._plan.tasks[key].label} {problem}")

    def _restarts_later(self, key: int, status: int) -> bool:
        is_needed = key not in self._ended_services and not self._is_ending
        return status != 0 and self._policies[key].restarts and is_needed and self._core.is_open

    def _restart_later(self, key: int, status: int) -> None:
        """Start a service again that has failed, after a delay. Meanwhile, what waits until it is ready goes on waiting."""
        now = self._clock()
        delay_s = self._backoffs.setdefault(key, Backoff()).delay_s(now - self._begun_s[key])
        self._core.restart([key], None, signal.SIGTERM, self._grace_s)
        self._display.event(TasksRestarted((key,), ()))
        self._restarts[key] = now + delay_s
        again = f"starts again in {duration(delay_s, ' ')}"
        self._say(f"warning: the service {self._plan.tasks[key].label} failed with status {status} and {again}")

    def _give_up_restarts(self, keys: Iterable[int]) -> None:
        """Leave services that wait for their restart as they are: ended."""
        for key in list(keys):
            self._restarts.pop(key)
            self._driven.finish(key, (), b"")

    def _leave(self, key: int) -> None:
        """Task `key` has ended; end the services that nothing needs any more."""
        self._pending.discard(key)
        self._end_services()

    def _end_services(self) -> None:
        for key, service in self._services.items():
            is_needed = service.is_selected or not self._pending.isdisjoint(service.needed_by)
            if key in self._restarts and not is_needed and self._core.is_open:
                self._ended_services.add(key)
                self._give_up_restarts([key])
            if key in self._running and not is_needed and self._core.is_open and key not in self._ended_services:
                self._ended_services.add(key)
                self._driven.end(key, signal.SIGTERM, self._grace_s)

    def _timeout_s(self) -> float | None:
        moments = [*self._deadlines.values(), *self._restarts.values()]
        waits = [at - self._clock() for at in (*moments, *(deadline for _, deadline in self._watched.values()))]
        inherited = super()._timeout_s()
        return max(0.0, min([*waits, *([] if inherited is None else [inherited])])) if waits else inherited

    # --- order

    def _chains(self) -> dict[int, float]:
        """Return for each task how long it and the longest chain of its dependents took in earlier runs."""
        waiting = {task.key: len(self._dependents[task.key]) for task in self._plan.tasks}
        todo = [key for key, count in waiting.items() if not count]
        chains: dict[int, float] = {}
        for key in todo:
            own = self._history.seconds(key)
            longest = max((chains[other] for other in self._dependents[key]), default=0.0)
            chains[key] = longest + max(own, _SHORTEST_S)
            for other in self._plan.tasks[key].after:
                waiting[other] -= 1
                if not waiting[other]:
                    todo.append(other)
        return chains


def _step_ended(event: _native.RunEvent) -> StepEnded:
    """Return the end of a step that rt has ended because its time was over: a failure, not an interruption."""
    assert event[0] == "ended"
    _, task, step, code, number, _, at, seconds, cpu_seconds, peak_bytes = event
    outcome = Signaled(number) if number else Exited(code)
    return StepEnded(task, step, outcome, at, seconds, cpu_seconds, peak_bytes)


def _wake(write_end: int) -> None:
    with contextlib.suppress(OSError):  # full: the run wakes up anyway; closed: it has ended
        os.write(write_end, b".")
