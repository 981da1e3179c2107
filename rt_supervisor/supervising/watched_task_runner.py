"""`--watch` for tasks: runs those again whose inputs have changed, then what depends on them, if that makes a difference.

```text
settled ──its inputs have changed, or it depends on such a task──> waiting ──its dependencies have ended──┬──same key──> settled
   ^                                                                                                     └──another key──> runs
   └──it ends───────────────────────────────────────────────────────────────────────────────────────────────────────────────┘
running, not a service ──its inputs have changed──> leaving ──ended──> waiting
```

A key covers the inputs of a task and what its dependencies have written, by content, so a dependency that writes the same bytes stops
the change. A task that has failed runs again when its key changes. Services run on, unless they are `interruptible` and their key has
changed; rt ends them only with the run.
"""

from __future__ import annotations

from ..tasks.resuming import LeftOut
from ..vocabulary.events import RunWaits, TasksRestarted
from ..vocabulary.record import record
from .steered_task_runner import SteeredTaskRunner
from .task_runner import CONTINUE_ALWAYS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence
    from typing import Any

    from .. import _native
    from ..tasks.task_cache import Hit, TaskCache
    from .task_changes import TaskBatch, TaskChanges

_MOST_SELF_WRITES = 5  # a task that changes the same one of its inputs so often in a row would never stop


@record
class TaskWatch:
    """How tasks are watched. `make_changes` is called once the first tasks run, with the ignored files and folders that they read;
    `kill_signal` asks a stale task to end.

    `writing` are the tasks without `outputs`, with their folders: what appears there while they run is theirs. A run that `is_successor` took
    the place of another one because of a change: more files may have changed before its own were watched.
    """

    make_changes: Callable[[Sequence[str]], TaskChanges]
    kill_signal: int
    grace_s: float
    writing: dict[int, str]
    is_successor: bool


@record
class Settled:
    """How a task has ended whose key was `digest`."""

    digest: str
    has_succeeded: bool


class WatchedTaskRunner(SteeredTaskRunner):
    """A run of tasks that goes on until a signal ends it."""

    def __init__(self, *arguments: Any, cache: TaskCache, watch_tasks: TaskWatch, **options: Any) -> None:
        """The other parameters are those of `TaskRunner`."""
        super().__init__(*arguments, cache=cache, **options)
        self._keys = cache
        self._tasks = watch_tasks
        self._changes: TaskChanges | None = None  # once the first tasks run
        self._digests: dict[int, str] = {}  # the keys of the tasks that run or have run
        self._settled: dict[int, Settled] = {}
        self._replaying: set[int] = set()  # results of the cache that are not shown yet
        self._reopened: set[int] = set()  # replaying tasks that wait again once they are shown
        self._tasks_plan = self._plan  # as it was made, without the numbers of attempts and without tracers
        self._has_changed = False
        self._was_idle = False
        self._ended_early: set[int] = set()  # because another task has failed
        self._self_writes: dict[tuple[int, str], int] = {}
        # Tasks with an input that was changed while they ran: they run again after its event.
        self._outdated: dict[int, str] = {}
        self._stale: dict[int, str] = {}  # tasks that have ended with an old input, with its path ("" if it was added)
        self._doubtful: set[int] = (
            set()
        )  # tasks that run, and of which it is only known at their end whether a change concerns them

    def _loop(self) -> None:
        self._core.begin()
        self._start_ready()
        self._open_control()
        self._changes = self._tasks.make_changes(self._keys.ignored_inputs())
        self._tasks_plan = self._changes.plan
        try:
            if self._tasks.is_successor and (batch := self._changes.look_again()) is not None:
                self._act_on(batch, is_complete=False)
            while self._core.is_open or not self._core.is_finished:
                if self._core.is_open:
                    if not self._is_paused:
                        self._act_on_changes(self._changes)
                    self._start_ready()
                    self._look_whether_idle()
                if self._core.is_open or not self._core.is_finished:
                    self._take_turn()
        finally:
            self._changes.close()

    def _descriptors(self) -> list[int]:
        changes = None if self._changes is None or self._is_paused else self._changes.fileno()
        return super()._descriptors() if changes is None else [*super()._descriptors(), changes]

    def _timeout_s(self) -> float | None:
        waits = [super()._timeout_s(), None if self._changes is None or self._is_paused else self._changes.timeout_s]
        return min((each for each in waits if each is not None), default=None)

    def _look_whether_idle(self) -> None:
        """Report once when nothing is left to do but wait for a change."""
        is_busy = any(not self._policies[key].is_service for key in self._running)
        is_idle = not (is_busy or self._leaving or self._replaying or self._fetching or self._order.waiting)
        if is_idle and not self._was_idle:
            self._keys.save()
            if self._remote is not None:
                self._remote.report()
            self._display.event(RunWaits())
        self._was_idle = is_idle

    # --- changes

    def _act_on_changes(self, changes: TaskChanges) -> None:
        writing = {folder for key, folder in self._tasks.writing.items() if key in self._running}
        batch = changes.take(writing)
        if batch is not None:
            self._act_on(batch)

    def _act_on(self, batch: TaskBatch, *, is_complete: bool = True) -> None:
        """Run again what the changes of a batch concern, and unless the batch `is_complete`, what any other change concerns."""
        if batch.is_other:  # this run ends, and another one begins
            self._display.event(TasksRestarted((), batch.changed))
            self._next_plan = batch.plan
            self._core.stop(self._tasks.kill_signal, self._tasks.grace_s)
            return
        self._replace_plan(batch)
        touched, files = self._read_again(batch.changed, batch.own)
        if not is_complete:
            traced = filter(self._keys.finds_inputs_at_end, self._settled.keys() - self._running)
            touched.update(key for key in traced if self._keys.digest(key) != self._settled[key].digest)
        outdated, self._outdated = self._outdated, {}
        again = outdated.keys() - self._running  # also if the file has the content again that the key says
        if again:
            self._keys.forget(again)
            for key in again:
                self._settled.pop(key, None)
        if touched or again:
            self._run_again(touched | again, sorted({*files, *map(self._keys.absolute, outdated.values())}))

    def _read_again(self, changed: Collection[str], own: Collection[str] = ()) -> tuple[set[int], tuple[str, ...]]:
        """Read the files of the workspace again, of which `changed` have changed and `own` were written by tasks. Return the tasks that have
        to run again, and the changed inputs.
        """
        refreshed = self._keys.refresh(changed, own, self._tasks_plan)
        self._doubtful.update(filter(self._is_judged_later, self._running))
        # The key of a task that waits is unknown until its dependencies have ended.
        for key in (refreshed.absorbed & self._settled.keys()).difference(self._order.waiting):
            self._settled[key] = Settled(self._keys.digest(key), self._settled[key].has_succeeded)
        return {key for key in refreshed.touched if not self._is_judged_later(key)}, refreshed.files

    def _run_again(self, touched: Collection[int], files: Sequence[str]) -> None:
        self._display.event(TasksRestarted((), tuple(files)))
        self._is_ending = False
        self._reopen(touched)

    def _is_judged_later(self, key: int) -> bool:
        """Return whether a task runs of which it is only known at its end whether a change concerns it."""
        return key in self._running and key not in self._leaving and self._keys.finds_inputs_at_end(key)

    def _replace_plan(self, batch: TaskBatch) -> None:
        if batch.plan is not self._tasks_plan:
            self._tasks_plan = batch.plan
            self._plan = self._keys.under_tracer(batch.plan)
            self._core.restart([], self._encode(self._plan), self._tasks.kill_signal, self._tasks.grace_s)

    def _reopen(self, touched: Iterable[int]) -> None:
        """Decide again about tasks and everything that depends on them. Those that run are ended, except services."""
        self._has_changed = True
        held = self._held()
        stale = [key for key in self._order.with_dependents(touched) if key not in held]
        self._left_out = LeftOut(
            self._left_out.unless_changed.difference(stale), self._left_out.always.difference(stale)
        )
        waiting, ending, busy = [], [], []
        for key in stale:
            if key in self._leaving or key in self._replaying:
                busy.append(key)
            elif key in self._running and not self._policies[key].is_service:
                ending.append(key)
            else:
                self._services.give_up(key)
                self._fetching.pop(key, None)
                self._fetched.pop(key, None)
                waiting.append(key)
        self._reopened.update(self._replaying.intersection(busy))
        self._order.reopen(waiting, held=busy)
        self._leave_for_restart(ending, self._tasks.kill_signal, self._tasks.grace_s)

    # --- requests

    @property
    def watching(self) -> str | None:
        return "paused" if self._is_paused else "on"

    def restart_tasks(self, keys: Sequence[int]) -> list[int]:
        """Run tasks again, and then what depends on them, if that makes a difference."""
        self._is_ending = False
        wanted = super().restart_tasks([key for key in keys if key not in self._replaying])
        builds = [key for key in wanted if not self._policies[key].is_service]
        busy = {*wanted, *self._running, *self._leaving, *self._replaying, *self._order.waiting, *self._held()}
        self._order.reopen(key for key in self._order.with_dependents(builds) if key not in busy)
        return wanted

    def _forget(self, key: int) -> None:
        super()._forget(key)
        self._settled.pop(key, None)
        self._ended_early.discard(key)

    # --- decisions

    def _begin(self, key: int) -> None:
        digest = self._keys.digest(key)
        if key in self._running:
            self._review_service(key, digest)
            return
        known = self._settled.get(key)
        if known is not None and known.digest == digest:
            if known.has_succeeded or self._continues == CONTINUE_ALWAYS:
                self._order.release(key)
            else:
                self._order.withdraw_dependents(key)  # they have been skipped
            return
        if self._has_changed:
            self._prepare(key)
        self._digests[key] = digest
        super()._begin(key)

    def _prepare(self, key: int) -> None:
        """Let a task wait in the core, as if it had not run."""
        self._services.give_up(key)
        record = None
        if self._attempts.number(key) > 1:
            self._attempts.forget(key)
            self._show_attempt(key, 1)
            record = self._encode(self._plan)
        self._core.restart([key], record, self._tasks.kill_signal, self._tasks.grace_s)
        self._display.event(TasksRestarted((key,), ()))
        self._saved.pop(key, None)
        self._seconds.pop(key, None)
        self._settled.pop(key, None)

    def _review_service(self, key: int, digest: str) -> None:
        """Decide whether a service that runs starts again."""
        if self._policies[key].is_interruptible and digest != self._digests[key]:
            self._services.forget(key)
            self._leave_for_restart([key], self._tasks.kill_signal, self._tasks.grace_s)
        elif not self._services.is_awaited(key):
            self._order.release(key)

    def _finish(self, key: int, hit: Hit) -> None:
        self._replaying.add(key)
        self._settled[key] = Settled(self._keys.digest_at_end(key, self._digests[key]), has_succeeded=True)
        super()._finish(key, hit)

    def _leave_out(self, key: int, reason: str) -> None:
        self._replaying.add(key)
        super()._leave_out(key, reason)

    # --- ends

    def _pass_on(self, event: _native.RunEvent) -> None:
        super()._pass_on(event)
        match event:
            case ("task-ended", key, _, _, _) if key in self._replaying:
                self._replaying.discard(key)
                if key in self._reopened:
                    self._reopened.discard(key)
                    self._order.add(key)

    def _end(self, task: int, status: int) -> None:
        has_settled = task not in self._stopped and task not in self._ended_early
        if task in self._stopped:
            pass  # its key says nothing about how it would have ended
        elif task in self._ended_early:
            self._ended_early.discard(task)
        else:
            has_succeeded = status == 0 and not self._attempts.has_timed_out(task)
            self._settled[task] = Settled(self._digests[task], has_succeeded)
        super()._end(task, status)
        if has_settled:
            known = self._settled[task]
            self._settled[task] = Settled(self._keys.digest_at_end(task, known.digest), known.has_succeeded)
        is_doubtful = task in self._doubtful
        self._doubtful.discard(task)
        # A file that was added to a folder after the task had listed it: the result is stored, and the task runs again.
        if is_doubtful and has_settled and self._keys.digest(task) != self._settled[task].digest:
            self._stale.setdefault(task, "")

    def _start_ready(self) -> None:
        if self._stale and self._core.is_open:
            self._run_stale_again()
        super()._start_ready()

    def _run_stale_again(self) -> None:
        """Run tasks again whose inputs were changed before they ended: once all events have been handled, because what is touched with them
        may have ended, too.
        """
        stale, self._stale = self._stale, {}
        for key in stale:
            self._settled.pop(key, None)
        # The events of these changes may not have arrived yet, and without them the tasks would be compared with the old files.
        paths = {self._keys.absolute(path) for path in stale.values() if path}
        touched, inputs = self._read_again(paths) if paths else (set(), ())
        self._run_again(touched.union(stale), sorted(paths.union(inputs)))

    def _store(self, task: int, log: Sequence[tuple[int, int, bytes]], *, has_succeeded: bool) -> None:
        seconds = self._seconds.get(task, 0.0)
        changed = self._keys.finish(task, log, seconds=seconds, has_succeeded=has_succeeded)
        self._self_writes = {
            (key, path): count for (key, path), count in self._self_writes.items() if key != task or path == changed
        }
        if not changed:
            return
        is_own = self._keys.may_have_written(task, changed)
        count = self._self_writes[task, changed] = self._self_writes.get((task, changed), 0) + is_own
        if count < _MOST_SELF_WRITES:
            (self._stale if self._keys.finds_inputs_at_end(task) else self._outdated)[task] = changed
        if is_own and count == _MOST_SELF_WRITES and self._changes is not None:
            self._changes.ignore(self._keys.absolute(changed))
            label = self._plan.tasks[task].label
            self._say(
                f'warning: {label} changes its own input {changed}, which is ignored from now on; add it to "outputs"'
            )

    def _skip(self, key: int, dependency: int | None) -> None:
        if key in self._running:  # a service
            self._order.withdraw(key)
            return
        if self._has_changed:
            self._prepare(key)
        super()._skip(key, dependency)

    def _end_everything(self) -> None:
        """End all tasks but services after a failure, and start none until the next change."""
        self._is_ending = True
        for key in self._order.waiting:
            self._skip(key, None)
        for key in self._running - self._leaving - self._ended_early:
            if not self._policies[key].is_service:
                self._ended_early.add(key)
                self._driven.end(key, self._tasks.kill_signal, self._grace_s)

    def _end_services(self) -> None:
        """Leave services running: the next change may need them."""
