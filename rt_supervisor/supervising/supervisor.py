"""Drives the native run core by the policy of a run: passes its events to a display, and reruns stale tasks.

The core (`_native.RunCore`) owns processes, streams, signals, grace periods and the schedule. This module decides when
tasks are restarted or the run ends in favour of another plan, carries out what clients of the run request (`control.server`), and
turns errors that stop a run into failures. It prints nothing itself.
"""

from __future__ import annotations

import os
import time

from .. import _native
from ..vocabulary.errors import Failed
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
from ..workers.signals import SIGTERM
from .poll_set import PollSet
from .reach import with_dependents, with_needed
from .run_stops import failure_of
from .watched_run import RunResult, Watch

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Protocol

    from ..control.run_state import RunState
    from ..control.server import ControlServer
    from ..output.display import Display
    from ..plan.model import RunPlan
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
        def end(self, task: int, signal: int, grace_s: float, *, is_stop: bool = False) -> bool: ...
        def skip(self, task: int, dependency: int | None) -> bool: ...
        def write_input(self, task: int, input: bytes) -> int: ...
        def resize(self, task: int, rows: int, columns: int) -> None: ...
        def print_failures(self) -> None: ...
        def close(self) -> None: ...


STOPPED = "stopped"
"""The reason of a script that does not run because the user has stopped it before it started."""

RUN_IS_ENDING = "the run is ending: its tasks do not start again"


class Supervisor:
    """One run of several scripts."""

    def __init__(
        self,
        core: Core,
        display: Display,
        *,
        encode: Callable[[RunPlan], bytes],
        watch: Watch | None = None,
        make_control: Callable[[], ControlServer | None] | None = None,
        grace_s: float = 0.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """With `watch`, stale tasks run again until rt receives a request to end. `encode` returns the record of a plan (`plan.run_record`);
        `clock` counts seconds and never goes back. `make_control` makes the server of the run's clients, once the first scripts run;
        a task that a client stops is killed after `grace_s`.
        """
        self._core = core
        self._encode = encode
        self._display = display
        self._watch = watch
        self._clock = clock
        self._rerun: Rerun | None = None  # with `watch`, once the first scripts run
        self._has_reported_waiting = False
        self._next_plan: RunPlan | None = None
        self._make_control = make_control
        self._control: ControlServer | None = None
        self._grace_s = grace_s
        self._stopped: set[int] = set()  # tasks that the user has stopped, until they are started
        self._is_paused = False
        self._polled = PollSet()

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
            self._polled.close()
        if failed is not None:
            raise failed
        return RunResult(self._core.exit_status, self._core.signal, self._next_plan)

    def _finish_output(self) -> Failed | None:
        """Have the display finish, even if the run failed, and print the list of failures."""
        failed: Failed | None = None
        if self._control is not None:
            self._control.is_replaced = self._next_plan is not None
            self._control.status = 128 + self._core.signal if self._core.signal else self._core.exit_status
        for finish in (self._display.close, self._core.print_failures):
            try:
                finish()
            except _native.RunStopped as stopped:
                failed = failed or failure_of(stopped)
        return failed

    def _loop(self) -> None:
        self._core.begin()
        self._open_control()
        if self._watch is not None:
            self._rerun = self._watch.make_rerun()
        while not self._is_over():
            if self._rerun is not None and self._is_watching:
                self._look_for_changes(self._rerun)
            if self._is_over():
                break  # another plan is to run, and nothing is left to wait for
            for event in self._core.turn(self._timeout_s(), self._descriptor()):
                self._pass_on(event)
            self._display.tick(self._clock())
            self._serve()

    def _is_over(self) -> bool:
        return self._core.is_finished and not self._is_watching

    def _timeout_s(self) -> float | None:
        waits = [] if self._display.interval_ms is None else [self._display.interval_ms / 1000]
        if self._rerun is not None and not self._is_paused and (until := self._rerun.timeout_s) is not None:
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
                if task in self._stopped:  # it was stopped between the end of its process and the next start
                    self._end_stopped(task)
            case ("ended", task, step, code, signal, was_requested, at, seconds, cpu_seconds, peak_bytes):
                is_stopped = task in self._stopped
                outcome = (
                    Signaled(signal, requested=was_requested or is_stopped)
                    if signal
                    else Exited(code, requested=is_stopped and code != 0)
                )
                display.event(StepEnded(task, step, outcome, at, seconds, cpu_seconds, peak_bytes))
            case ("skipped", task, step, because):
                display.event(StepSkipped(task, step, STOPPED if task in self._stopped else because))
            case ("task-ended", task, status, is_skipped, at):
                display.event(TaskEnded(task, status, is_skipped, at, was_stopped=task in self._stopped))
            case ("restarted", task):
                display.event(TasksRestarted((task,), ()))
            case ("interrupted", number):
                display.event(RunInterrupted(number))
            case ("resized",):
                display.resized()

    # --- running again

    @property
    def _is_watching(self) -> bool:
        return self._watch is not None and self._core.is_open

    def _descriptor(self) -> int:
        """Return a descriptor that is readable when there is something to do besides the events of the core, -1 without one."""
        return self._polled.combined(self._descriptors())

    def _descriptors(self) -> list[int]:
        found = [] if self._control is None else [self._control.descriptor]
        changes = None if self._rerun is None or self._is_paused else self._rerun.fileno()
        return found if changes is None else [*found, changes]

    def _look_for_changes(self, rerun: Rerun) -> None:
        """Rerun stale tasks, and report when nothing is left to do but wait."""
        stale = None if self._is_paused else rerun.take(self._core.running)
        if stale is not None:
            self._restart(stale)
        is_idle = self._core.is_finished
        if is_idle and not self._has_reported_waiting:
            self._display.event(RunWaits())
        self._has_reported_waiting = is_idle

    def _restart(self, stale: Stale) -> None:
        watch = self._watch
        assert watch is not None
        if stale.is_other:  # this run ends, and another one begins
            self._next_plan = stale.plan
            self._core.stop(watch.kill_signal, watch.grace_s)
            return
        record = None if stale.plan is None else self._encode(stale.plan)
        wanted = sorted(stale.tasks.difference(self._held()))
        tasks = self._core.restart(wanted, record, watch.kill_signal, watch.grace_s)
        self._display.event(TasksRestarted(tuple(tasks), stale.changed))

    # --- clients

    def _open_control(self) -> None:
        self._control = None if self._make_control is None else self._make_control()
        if self._control is not None:
            from ..output.displays.fan_out import Tee

            self._display = Tee(self._display, self._control)

    def _serve(self) -> None:
        """Carry out what clients have requested."""
        if self._control is not None:
            self._control.act(self)

    @property
    def watching(self) -> str | None:
        """The state of watching: "on" or "paused", None if the run is not watched."""
        return None if self._watch is None else "paused" if self._is_paused else "on"

    def pause_watching(self, is_paused: bool) -> None:
        """Act on changes no longer, or again; those of the pause are acted on at its end. Raises Failed if the run is not watched."""
        if self.watching is None:
            raise Failed("not-watching", "this run does not watch its files: start it with --watch")
        self._is_paused = is_paused

    def write_input(self, key: int, data: bytes) -> int:
        """Pass input to the terminal of a task; see `RunCore.write_input`."""
        return self._core.write_input(key, data)

    def resize(self, key: int, rows: int, columns: int) -> None:
        """Set the size of a task's terminal."""
        self._core.resize(key, rows, columns)

    def stop_run(self) -> None:
        """End the run as SIGTERM does. The second time, what is left is killed."""
        os.kill(os.getpid(), SIGTERM)

    def start_tasks(self, keys: Sequence[int]) -> list[int]:
        """Start those of `keys` that neither run nor wait, as `restart_tasks` does."""
        active = self._state.keys_in("running", "waiting")
        ended = [key for key in keys if key not in active]
        return self.restart_tasks(ended) if ended else []

    def restart_tasks(self, keys: Sequence[int]) -> list[int]:
        """Run tasks again. What they depend on and what was skipped because of them runs again, too, if it has failed, was stopped or
        was skipped. Returns the tasks that run again. Raises Failed if the run is ending.
        """
        wanted = self._to_run_again(keys)
        now = self._core.restart(wanted, None, SIGTERM, self._grace_s)  # the others once their dependencies have run
        self._display.event(TasksRestarted(tuple(now), ()))
        return wanted

    def stop_tasks(self, keys: Sequence[int]) -> list[int]:
        """End tasks, until they are started again. What waits for them is skipped. Returns the tasks that are stopped."""
        state = self._state
        waiting, running = state.keys_in("waiting"), state.keys_in("running")
        stopped = [key for key in keys if key in waiting or key in running]
        self._stopped.update(stopped)
        for key in stopped:
            if key in running:
                self._end_stopped(key)
            else:
                self._core.skip(key, None)
            for dependent in sorted(with_dependents(state.plan, [key], waiting) - {key}):
                self._core.skip(dependent, key)
        return stopped

    def _end_stopped(self, key: int) -> None:
        self._core.end(key, SIGTERM, self._grace_s, is_stop=True)

    def _to_run_again(self, keys: Sequence[int]) -> list[int]:
        """Return `keys` with the tasks that have to run again with them. Raises Failed if the run is ending."""
        if not self._core.is_open:
            raise Failed("run-is-ending", RUN_IS_ENDING)
        state = self._state
        wanted = with_needed(state.plan, keys, self._unusable())
        wanted = with_dependents(state.plan, wanted, set(state.keys_in("skipped")))
        self._stopped -= wanted
        return sorted(wanted)

    def _unusable(self) -> set[int]:
        """Return the tasks that have to run again if another one needs them."""
        return set(self._state.keys_in("failed", "stopped", "skipped"))

    def _held(self) -> set[int]:
        """Return the tasks that no change starts: those that the user has stopped, and those that were skipped because of them."""
        if not self._stopped:
            return set()
        return with_dependents(self._state.plan, self._stopped, set(self._state.keys_in("skipped")))

    @property
    def _state(self) -> RunState:
        assert self._control is not None  # only clients stop tasks
        return self._control.state
