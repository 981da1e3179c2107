"""Drives the native run core by the policy of a run: passes its events to a display, and reruns stale tasks.

The core (`_native.RunCore`) owns processes, streams, signals, grace periods and the schedule. This module decides when
tasks are restarted or the run ends in favour of another plan, and turns errors that stop a run into failures. It prints
nothing itself.
"""

from __future__ import annotations

import time

from .. import _native
from ..vocabulary.events import (
    Exited,
    RunInterrupted,
    RunWaits,
    Signaled,
    StepEnded,
    StepSkipped,
    StepStarted,
    TaskEnded,
    TasksRestarted,
)
from .run_stops import failure_of
from .watched_run import RunResult, Watch

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Protocol

    from ..output.display import Display
    from ..plan.model import RunPlan
    from ..vocabulary.errors import Failed
    from ..vocabulary.events import Event
    from .rerun import Rerun, Stale

    class Core(Protocol):
        """The part of `_native.RunCore` that a policy needs."""

        @property
        def is_finished(self) -> bool: ...
        @property
        def is_open(self) -> bool: ...
        @property
        def running(self) -> list[int]: ...
        @property
        def exit_status(self) -> int: ...
        @property
        def signal(self) -> int | None: ...
        def begin(self) -> None: ...
        def turn(self, timeout_s: float | None, descriptor: int) -> list[_native.RunEvent]: ...
        def restart(self, tasks: list[int], plan: bytes | None, signal: int, grace_s: float) -> list[int]: ...
        def stop(self, signal: int, grace_s: float) -> None: ...
        def print_failures(self) -> None: ...
        def close(self) -> None: ...


class Supervisor:
    """One run of several scripts."""

    def __init__(
        self,
        core: Core,
        display: Display,
        *,
        encode: Callable[[RunPlan], bytes],
        watch: Watch | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """With `watch`, stale tasks run again until rt receives a request to end. `encode` returns the record of a plan (`plan.run_record`);
        `clock` counts seconds and never goes back.
        """
        self._core = core
        self._encode = encode
        self._display = display
        self._watch = watch
        self._clock = clock
        self._rerun: Rerun | None = None  # with `watch`, once the first scripts run
        self._has_told_waiting = False
        self._next_plan: RunPlan | None = None

    def run(self) -> RunResult:
        """Run the plan to its end; nothing of it is left when this returns or raises. Raises Failed."""
        failed: Failed | None = None
        try:
            self._loop()
        except _native.RunStopped as stopped:
            failed = failure_of(stopped)
        finally:
            self._core.close()
            if self._rerun is not None:
                self._rerun.close()
            failed = self._finish_output() or failed
        if failed is not None:
            raise failed
        return RunResult(self._core.exit_status, self._core.signal, self._next_plan)

    def _finish_output(self) -> Failed | None:
        """Have the display finish, even if the run failed, and print the list of failures."""
        failed: Failed | None = None
        for finish in (self._display.close, self._core.print_failures):
            try:
                finish()
            except _native.RunStopped as stopped:
                failed = failed or failure_of(stopped)
        return failed

    def _loop(self) -> None:
        self._core.begin()
        if self._watch is not None:
            self._rerun = self._watch.make_rerun()
        while not self._is_over():
            if self._rerun is not None and self._is_watching:
                self._look_for_changes(self._rerun)
            if self._is_over():
                break  # another plan is to run, and nothing is left to wait for
            for event in self._core.turn(self._timeout_s(), self._changes_descriptor()):
                self._pass_on(event)
            self._display.tick(self._clock())

    def _is_over(self) -> bool:
        return self._core.is_finished and not self._is_watching

    def _timeout_s(self) -> float | None:
        waits = [] if self._display.interval_ms is None else [self._display.interval_ms / 1000]
        if self._rerun is not None and (until := self._rerun.timeout_s) is not None:
            waits.append(until)
        return min(waits, default=None)

    def _pass_on(self, event: _native.RunEvent) -> None:
        display = self._display
        match event:
            case ("output", task, step, stream, block):
                display.write(task, step, stream, block)
            case ("drained", task, step, stream):
                display.drained(task, step, stream)
            case ("started", task, step, pid, at):
                display.event(StepStarted(task, step, pid, at))
            case ("ended", task, step, code, signal, was_requested, at, seconds, cpu_seconds, peak_bytes):
                outcome = Signaled(signal, requested=was_requested) if signal else Exited(code)
                display.event(StepEnded(task, step, outcome, at, seconds, cpu_seconds, peak_bytes))
            case ("skipped", task, step, because):
                display.event(StepSkipped(task, step, because))
            case ("task-ended", task, status, is_skipped, at):
                display.event(TaskEnded(task, status, is_skipped, at))
            case ("restarted", task):
                display.event(TasksRestarted((task,), ()))
            case ("interrupted", number):
                display.event(RunInterrupted(number))
            case ("resized",):
                display.resized()

    def _tell(self, event: Event) -> None:
        self._display.event(event)

    # --- running again

    @property
    def _is_watching(self) -> bool:
        return self._watch is not None and self._core.is_open

    def _changes_descriptor(self) -> int:
        descriptor = None if self._rerun is None else self._rerun.fileno()
        return -1 if descriptor is None else descriptor

    def _look_for_changes(self, rerun: Rerun) -> None:
        """Rerun stale tasks, and report when nothing is left to do but wait."""
        stale = rerun.take(self._core.running)
        if stale is not None:
            self._restart(stale)
        is_idle = self._core.is_finished
        if is_idle and not self._has_told_waiting:
            self._tell(RunWaits())
        self._has_told_waiting = is_idle

    def _restart(self, stale: Stale) -> None:
        watch = self._watch
        assert watch is not None
        if stale.is_other:  # this run ends, and another one begins
            self._next_plan = stale.plan
            self._core.stop(watch.kill_signal, watch.grace_s)
            return
        record = None if stale.plan is None else self._encode(stale.plan)
        tasks = self._core.restart(sorted(stale.tasks), record, watch.kill_signal, watch.grace_s)
        self._tell(TasksRestarted(tuple(tasks), stale.changed))
