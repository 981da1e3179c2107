"""Drives the run core for tasks: decides what starts next, takes results from the cache, and says what a failure means for the others.

```text
waiting ──its dependencies have ended──> ready ──in the cache──> done
                                           └──places are free──> running ──> done | failed
running ──failed, and attempts are left──> running
waiting ──a dependency failed, or nothing may start any more──> skipped
```

`task_order` knows what is ready, `attempts` what has to run again or takes too long, `services` which services are ready; this
module acts on it. A service with `ready` releases its dependents when it is ready, not when it ends. Unless it was named by the user, it
is ended as soon as all its dependents have ended, which ends services in reverse order of their start.

Keys need the outputs of dependencies, so the cache is queried only when a task is ready.
"""

from __future__ import annotations

import _signal
import contextlib
import os

from ..output.drawing.outcomes import cached, duration
from ..tasks.task_cache import Hit
from ..vocabulary.errors import Failed
from ..vocabulary.events import Exited, ReadinessChanged, Signaled, StepEnded, TaskEnded, TaskRetried, TasksRestarted
from ..vocabulary.record import replace
from .attempts import Attempts
from .services import Services
from .supervisor import Supervisor
from .task_logs import without_returns
from .task_order import TaskOrder
from .task_policies import SHOWN, SHOWN_AFTER_FAILURE, Places
from .wake_pipe import WakePipe
from .watched_run import RunResult

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Protocol

    from .. import _native
    from ..control.server import ControlServer
    from ..output.display import Display
    from ..plan.model import RunPlan, Task
    from ..tasks.resuming import LeftOut, RunHistory
    from ..tasks.task_cache import TaskCache
    from .services import Service
    from .supervisor import Core
    from .task_policies import TaskPolicy

    class DrivenCore(Core, Protocol):
        """The part of a driven `_native.RunCore` that schedules."""

        @property
        def has_terminals(self) -> bool: ...
        def start(self, task: int, processes: bytes) -> bool: ...
        def mute(self, task: int, until_failure: bool) -> None: ...
        def finish(self, task: int, output: Sequence[tuple[int, int, bytes]], text: bytes) -> bool: ...
        def write(self, descriptor: int, data: bytes) -> None: ...


CONTINUE_NEVER = "never"
CONTINUE_INDEPENDENT = "dependencies-successful"
CONTINUE_ALWAYS = "always"


class TaskRunner(Supervisor):
    """One run of the tasks of a plan."""

    def __init__(
        self,
        core: DrivenCore,
        display: Display,
        plan: RunPlan,
        *,
        encode: Callable[[RunPlan], bytes],
        encode_processes: Callable[[Task], bytes],
        cache: TaskCache | None,
        continues: str,
        silent: frozenset[int],
        grace_s: float,
        services: Mapping[int, Service],
        policies: Mapping[int, TaskPolicy],
        pools: Mapping[str, int],
        history: RunHistory,
        left_out: LeftOut,
        make_control: Callable[[], ControlServer | None] | None = None,
    ) -> None:
        """`continues` is one of CONTINUE_*; cached results of the tasks in `silent` are shown without their output. `encode_processes`
        returns what a task starts, which the record of the plan lacks. `policies` has one for each task, and `pools` the sizes of the
        pools that they name. Successes and durations go to `history`.
        """
        super().__init__(core, display, encode=encode, make_control=make_control, grace_s=grace_s)
        self._driven = core
        self._encode_processes = encode_processes
        self._plan = plan
        self._cache = cache
        self._continues = continues
        self._history = history
        self._left_out = left_out
        self._silent = silent
        self._policies = policies
        self._order = TaskOrder(plan, history.seconds)
        self._places = Places(plan.concurrency, pools=pools, policies=policies)
        self._attempts = Attempts(policies, self._clock)
        self._wakes = WakePipe()
        self._services = Services(services, self._wakes, self._clock)
        self._remote = None if cache is None else cache.remote
        if self._remote is not None:
            self._wakes.open()
            self._remote.wake = self._wakes.wake
        self._fetching: dict[int, str] = {}  # the keys of the tasks whose results are being fetched
        self._fetched: dict[int, str] = {}  # of those that have been fetched, or that the server does not have
        self._running: set[int] = set()
        self._pending = {task.key for task in plan.tasks}  # tasks that have not ended
        self._logs: dict[int, list[tuple[int, int, bytes]]] = {}
        self._seconds: dict[int, float] = {}
        self._saved: dict[int, float] = {}  # of the tasks whose results come from the cache
        self._ended_services: set[int] = set()  # services that rt has ended
        self._is_ending = False  # a failure ends all tasks
        self._failed: set[int] = set()  # tasks that have failed in a way that the core does not know of
        self._forced: set[int] = set()  # tasks that run next time whatever the cache has
        self.hit_count = 0

    def run(self) -> RunResult:
        try:
            result = super().run()
        finally:
            self._services.close()
        is_failed = bool(self._failed) and result.status == 0
        return RunResult(1, result.signal, result.next_plan) if is_failed else result

    def _loop(self) -> None:
        self._core.begin()
        self._start_ready()
        self._open_control()
        while not self._core.is_finished:
            self._take_turn()
        self._finish_uploads()
        for event in self._core.turn(0, -1):  # of the tasks whose results were all there
            self._pass_on(event)

    def _take_turn(self) -> None:
        """Wait until something happens or is due, and act on it."""
        for event in self._core.turn(self._timeout_s(), self._descriptor()):
            self._pass_on(event)
        self._wakes.drain()
        self._look_at_services()
        self._look_at_fetches()
        self._look_at_deadlines()
        self._start_ready()
        self._display.tick(self._clock())
        self._serve()

    def _descriptors(self) -> list[int]:
        return [*super()._descriptors(), self._wakes.descriptor]

    def _finish_uploads(self) -> None:
        """Wait for results that are being sent, unless the run is interrupted."""
        if self._remote is None:
            return
        self._remote.report()
        while self._core.is_open and self._remote.is_busy:
            for event in self._core.turn(self._timeout_s(), self._descriptor()):
                self._pass_on(event)
            self._wakes.drain()
            self._display.tick(self._clock())
            self._serve()

    def restart_tasks(self, keys: Sequence[int]) -> list[int]:
        """Refuse: `steered_task_runner` implements it. Raises Failed."""
        raise Failed("unsupported", "the tasks of this run cannot be started or stopped one by one")

    stop_tasks = restart_tasks

    # --- starts

    def _start_ready(self) -> None:
        """Decide about ready tasks as long as there are places for them.

        A task that waits for places of the run lets no lighter one pass, so that it gets them; one that waits for its pool does.
        """
        while self._core.is_open and (key := self._order.take(self._may_start)) is not None:
            self._begin(key)

    def _look_at_fetches(self) -> None:
        """Let tasks whose results were being fetched be decided about."""
        for key, digest in () if self._remote is None else self._remote.take():
            if self._fetching.get(key) != digest:
                continue  # its inputs have changed since
            del self._fetching[key]
            if self._is_ending:
                self._skip(key, None)
            else:
                self._fetched[key] = digest
                self._order.add(key)

    def _may_start(self, key: int) -> bool | None:
        return self._places.has_pool_room(key) if self._places.has_room(key) else None

    def _begin(self, key: int) -> None:
        """Take the result of a ready task from the cache, leave the task out, or start it. Results of the remote cache come first into
        the local one.
        """
        is_forced = key in self._forced
        may_fetch = not is_forced and key not in self._fetched
        if self._cache is not None and may_fetch and (digest := self._cache.prefetch(key)):
            self._fetching[key] = digest
            return
        self._fetched.pop(key, None)
        self._forced.discard(key)
        decision = None if self._cache is None else self._cache.decide(key, is_forced=is_forced)
        if isinstance(decision, Hit):
            self._finish(key, decision)
            return
        is_cacheable = decision is not None and decision.is_cacheable
        if not is_forced and (reason := self._left_out.reason(key, is_cacheable=is_cacheable)):
            self._leave_out(key, reason)
            return
        if self._cache is not None:
            self._cache.begin(key)
        if not self._policies[key].is_service:  # the output of a service belongs to no result
            self._logs[key] = []
        if self._start(key) and key in self._services:
            self._services.wait_for(self._plan.tasks[key])

    def _start(self, key: int) -> bool:
        """Start an attempt at a task. Return whether the core did."""
        output = self._policies[key].output
        if output != SHOWN:
            self._driven.mute(key, output == SHOWN_AFTER_FAILURE)
        if not self._driven.start(key, self._encode_processes(self._plan.tasks[key])):
            return False
        self._running.add(key)
        self._places.take(key)
        self._attempts.begin(key)
        return True

    def _end_task(self, key: int, number: int, grace_s: float) -> bool:
        """Send signal `number` to a task, which is killed after `grace_s` seconds. Return whether it runs."""
        return self._driven.end(key, number, grace_s)

    def _stop_running(self, key: int) -> None:
        """Record that the process of a task has ended."""
        if key in self._running:
            self._running.discard(key)
            self._places.give_back(key)
        self._attempts.stop(key)

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

    # --- events

    def _pass_on(self, event: _native.RunEvent) -> None:
        match event:
            case ("output", task, step, stream, block) if task not in self._saved:
                self._services.feed(task, block)
                if task in self._logs:
                    self._logs[task].append((step, stream, block))
                if self._policies[task].output != SHOWN:
                    return
            case ("drained", task, _, _) if self._policies[task].output != SHOWN and task not in self._saved:
                return
            case ("ended", task, step, code, number, _, at, seconds, _, _):
                self._seconds[task] = self._seconds.get(task, 0.0) + seconds
                if (code or number) and self._policies[task].output == SHOWN_AFTER_FAILURE and self._core.is_open:
                    self._show_log(task)
                if self._attempts.has_timed_out(task):
                    self._display.event(_step_ended(event))
                    return
                if task in self._saved:
                    is_last = step == len(self._plan.tasks[task].steps) - 1
                    saved = self._saved[task] if is_last else 0.0
                    self._display.event(StepEnded(task, step, Exited(0), at, 0.0, 0.0, 0, saved))
                    return
            case ("started", task, _, pid, at) if self._services.start(task, pid):
                super()._pass_on(event)
                self._display.event(ReadinessChanged(task, False, at))
                return
            case ("deferred", task):
                self._stop_running(task)
                self._places.narrow()
                self._order.add(task)
            case ("task-ended", task, status, is_skipped, at) if task not in self._saved and not is_skipped:
                if self._attempts.has_timed_out(task):
                    status = status or 1  # also if it ended with 0 after the signal
                self._stop_running(task)
                if self._runs_again(task, status):
                    self._retry(task, at)
                elif self._restarts_later(task, status):
                    self._restart_later(task, status)
                else:
                    has_timed_out, was_stopped = self._attempts.has_timed_out(task), task in self._stopped
                    self._display.event(TaskEnded(task, status, False, at, has_timed_out, was_stopped))
                    self._end(task, status)
                return
        super()._pass_on(event)

    def _show_log(self, task: int) -> None:
        """Show what a task has printed whose output is shown only after a failure. If the core prints the run, it has done so."""
        for step, stream, block in self._logs.get(task, ()):
            self._display.write(task, step, stream, block)
        for step in range(len(self._plan.tasks[task].steps)):
            for stream in (1, 2):
                self._display.drained(task, step, stream)

    def _end(self, task: int, status: int) -> None:
        """Act on the end of a task that ran."""
        if self._attempts.has_timed_out(task):
            self._failed.add(task)
        elif status == 0:
            self._attempts.succeed(task)
        if self._services.forget(task):
            if self._core.is_open:
                self._fail_service(task, "ended before it was ready")
            status = status or 1
        elif task in self._services:
            self._leave(task)
            return
        log = self._logs.pop(task, [])
        if self._driven.has_terminals:
            log = without_returns(log)
        has_succeeded = status == 0 and self._core.is_open
        if has_succeeded:
            self._record(task, self._seconds.get(task, 0.0))
        self._store(task, log, has_succeeded=has_succeeded)
        if status == 0 or self._continues == CONTINUE_ALWAYS:
            self._release(task)
        elif self._continues == CONTINUE_NEVER and self._core.is_open:
            self._end_everything()
        else:
            self._skip_dependents(task)

    def _store(self, task: int, log: Sequence[tuple[int, int, bytes]], *, has_succeeded: bool) -> None:
        if self._cache is not None:
            self._cache.finish(task, log, seconds=self._seconds.get(task, 0.0), has_succeeded=has_succeeded)

    def _end_everything(self) -> None:
        """End all tasks after a failure, and start no more."""
        self._is_ending = True
        for key in self._services.delayed:
            self._give_up_restart(key)
        for key in self._order.waiting:
            self._skip(key, None)
        for key in list(self._running):
            self._end_task(key, _signal.SIGINT, self._grace_s)

    # --- attempts

    def _runs_again(self, task: int, status: int) -> bool:
        return status != 0 and self._attempts.is_one_left(task) and self._core.is_open and not self._is_ending

    def _retry(self, task: int, at: float) -> None:
        """Start the next attempt at a task in its place. What it printed and wrote before belongs to no result."""
        attempt = self._attempts.count(task)
        self._show_attempt(task, attempt)
        self._core.restart([task], self._encode(self._plan), _signal.SIGTERM, self._grace_s)
        self._display.event(TaskRetried(task, attempt, at))
        self._logs[task] = []
        self._seconds.pop(task, None)
        self._start(task)

    def _show_attempt(self, task: int, attempt: int) -> None:
        tasks = list(self._plan.tasks)
        tasks[task] = replace(tasks[task], attempt=attempt)
        self._plan = replace(self._plan, tasks=tuple(tasks))

    def _look_at_deadlines(self) -> None:
        """End tasks whose time is over, and start services whose delay is over."""
        for key in self._attempts.take_late():
            if self._core.is_open and self._end_task(key, _signal.SIGTERM, self._grace_s):
                self._attempts.time_out(key)
                limit = duration(self._policies[key].timeout_s or 0.0, " ")
                self._say(f"error: {self._name(key)} timed out after {limit}")
        for key in self._services.take_due():
            self._start(key)

    def _finish_output(self) -> Failed | None:
        """Add the list of flaky tasks to the end of the output."""
        failed = super()._finish_output()
        flaky = self._attempts.flaky
        if flaky and failed is None:
            count = len(flaky)
            self._say(f"warning: {count} flaky task{'s' if count > 1 else ''} failed at first")
            for key, attempt in sorted(flaky.items()):
                self._say(f"  {self._plan.tasks[key].label} succeeded at attempt {attempt}")
        return failed

    def _name(self, key: int) -> str:
        attempt = self._attempts.number(key)
        return f"{self._plan.tasks[key].label}{f' (attempt {attempt})' if attempt > 1 else ''}"

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
        self._order.release(task)

    def _skip_dependents(self, failed: int) -> None:
        self._leave(failed)
        for dependent, cause in self._order.withdraw_dependents(failed):
            self._skip(dependent, cause)

    def _skip(self, key: int, dependency: int | None) -> None:
        self._order.withdraw(key)
        self._driven.skip(key, dependency)
        self._leave(key)

    # --- services

    def _look_at_services(self) -> None:
        """Release the dependents of services that are ready, and give up those whose time is over."""
        ready, late = self._services.take()
        for key in ready:
            self._display.event(ReadinessChanged(key, True, self._clock()))
            self._release(key)
        if ready:
            self._end_services()
        for key, problem in late if self._core.is_open else ():
            self._fail_service(key, problem)
            self._skip_dependents(key)
            self._end_task(key, _signal.SIGTERM, self._grace_s)

    def _fail_service(self, key: int, problem: str) -> None:
        self._failed.add(key)
        self._say(f"error: the service {self._plan.tasks[key].label} {problem}")

    def _restarts_later(self, key: int, status: int) -> bool:
        is_needed = key not in self._ended_services and not self._is_ending
        return status != 0 and self._policies[key].restarts and is_needed and self._core.is_open

    def _restart_later(self, key: int, status: int) -> None:
        """Start a service again that has failed, after a delay. Meanwhile, what waits until it is ready goes on waiting."""
        delay_s = self._services.delay(key, ran_s=self._attempts.seconds(key))
        self._core.restart([key], None, _signal.SIGTERM, self._grace_s)
        self._display.event(TasksRestarted((key,), ()))
        again = f"starts again in {duration(delay_s, ' ')}"
        self._say(f"warning: the service {self._plan.tasks[key].label} failed with status {status} and {again}")

    def _give_up_restart(self, key: int) -> None:
        """Leave a service that waits for its restart as it is: ended."""
        if self._services.give_up(key):
            self._driven.finish(key, (), b"")

    def _leave(self, key: int) -> None:
        """Task `key` has ended; end the services that nothing needs any more."""
        self._pending.discard(key)
        self._end_services()

    def _end_services(self) -> None:
        if not self._services or not self._core.is_open:
            return
        for key in self._services.unneeded(self._pending):
            if key in self._ended_services:
                continue
            if key in self._services.delayed:
                self._ended_services.add(key)
                self._give_up_restart(key)
            elif key in self._running:
                self._ended_services.add(key)
                self._end_task(key, _signal.SIGTERM, self._grace_s)

    def _timeout_s(self) -> float | None:
        now = self._clock()
        waits = [max(0.0, moment - now) for moment in (*self._attempts.moments, *self._services.moments)]
        if (inherited := super()._timeout_s()) is not None:
            waits.append(inherited)
        return min(waits, default=None)


def _step_ended(event: _native.RunEvent) -> StepEnded:
    """Return the end of a step that rt has ended because its time was over: a failure, not an interruption."""
    assert event[0] == "ended"
    _, task, step, code, number, _, at, seconds, cpu_seconds, peak_bytes = event
    outcome = Signaled(number) if number else Exited(code)
    return StepEnded(task, step, outcome, at, seconds, cpu_seconds, peak_bytes)
