"""Single tasks of a run of tasks on request of the user: start, stop, and restart.

```text
running ──stop──> ended as stopped ──start──> waiting
running ──restart──> leaving ──its process has ended──> waiting
waiting ──stop──> skipped as stopped
```

A restart runs the task even if the cache has its result. What depends on it waits if it has not started, and otherwise goes on. A
service that starts again has to become ready again.
"""

from __future__ import annotations

import signal

from ..vocabulary.errors import Failed
from ..vocabulary.events import TasksRestarted
from .supervisor import RUN_IS_ENDING
from .task_runner import TaskRunner

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from .. import _native


class SteeredTaskRunner(TaskRunner):
    """One run of tasks with clients."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        """The parameters are those of `TaskRunner`."""
        super().__init__(*arguments, **options)
        self._leaving: set[int] = set()  # tasks that end so that they can run again

    # --- requests

    def restart_tasks(self, keys: Sequence[int]) -> list[int]:
        wanted = self._to_run_again(keys)
        running = [key for key in wanted if key in self._running or key in self._leaving]
        ended = [key for key in wanted if key not in running and key not in self._order.waiting]
        for key in wanted:
            self._forget(key)
        for key in ended:
            self._wait_in_core(key)
        self._order.reopen(ended, held=running)
        leaving = [key for key in running if key not in self._leaving]
        self._leave_for_restart(leaving, signal.SIGTERM, self._grace_s)
        self._start_ready()
        return wanted

    def stop_tasks(self, keys: Sequence[int]) -> list[int]:
        stopped = []
        for key in keys:
            is_waiting = key in self._order.waiting or self._fetching.pop(key, None) is not None
            is_delayed = key in self._services.delayed
            if not (is_waiting or is_delayed or key in self._running or key in self._leaving):
                continue
            stopped.append(key)
            self._stopped.add(key)
            if is_delayed:
                self._services.forget(key)
                self._give_up_restart(key)
            elif key in self._running or key in self._leaving:
                self._end_stopped(key)
            else:
                self._skip(key, None)
            for dependent, cause in self._order.withdraw_dependents(key):
                self._skip(dependent, cause)
        return stopped

    def _forget(self, key: int) -> None:
        """Forget how a task has ended that runs again."""
        self._forced.add(key)
        self._pending.add(key)
        self._failed.discard(key)
        self._ended_services.discard(key)
        self._services.forget(key)
        self._services.give_up(key)
        self._fetched.pop(key, None)
        if self._fetching.pop(key, None) is not None:
            self._order.add(key)

    def _wait_in_core(self, key: int) -> None:
        """Let a task that has ended wait in the core, as if it had not run."""
        record = None
        if self._attempts.number(key) > 1:
            self._attempts.forget(key)
            self._show_attempt(key, 1)
            record = self._encode(self._plan)
        self._core.restart([key], record, signal.SIGTERM, self._grace_s)
        self._display.event(TasksRestarted((key,), ()))
        self._saved.pop(key, None)
        self._seconds.pop(key, None)

    def _leave_for_restart(self, keys: Sequence[int], kill_signal: int, grace_s: float) -> None:
        """End tasks that run, so that they can run again."""
        if not keys:
            return
        for key in keys:
            self._attempts.stop(key)
        self._leaving.update(keys)
        self._core.restart(list(keys), None, kill_signal, grace_s)

    def _unusable(self) -> set[int]:
        """Return the tasks that have to run again if another one needs them, among them services that have ended."""
        ended_services = {key for key in self._state.keys_in("succeeded") if self._policies[key].is_service}
        return super()._unusable() | ended_services

    def _to_run_again(self, keys: Sequence[int]) -> list[int]:
        if self._is_ending:  # after a failure
            raise Failed("run-is-ending", RUN_IS_ENDING)
        return super()._to_run_again(keys)

    # --- events

    def _pass_on(self, event: _native.RunEvent) -> None:
        super()._pass_on(event)
        match event:
            case ("restarted", key) if key in self._leaving:
                self._leaving.discard(key)
                self._stop_running(key)
                if not self._policies[key].is_service:
                    TaskRunner._store(self, key, self._logs.pop(key, []), has_succeeded=False)
                if key in self._stopped:
                    self._skip(key, None)
                else:
                    self._order.add(key)

    def _end(self, task: int, status: int) -> None:
        if task not in self._stopped:
            super()._end(task, status)
            return
        self._services.forget(task)
        if not self._policies[task].is_service:
            self._store(task, self._logs.pop(task, []), has_succeeded=False)
        self._skip_dependents(task)

    def _runs_again(self, task: int, status: int) -> bool:
        return task not in self._stopped and super()._runs_again(task, status)

    def _restarts_later(self, task: int, status: int) -> bool:
        return task not in self._stopped and super()._restarts_later(task, status)
