"""The cache of a run with traced tasks: what differs for them from tasks with `inputs` and `outputs`.

A traced task gets the key of its result when it ends. Until then, its key is that of the trace that still holds, if there is one. Its
results are only in the local store.
"""

from __future__ import annotations

from .state import TaskState
from .store import Entry
from .task_cache import TaskCache
from .traced_tasks import capture_paths, is_in_the_way, removable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from ..plan.model import RunPlan
    from .keys import Parts
    from .store import Store
    from .task_cache import Received
    from .traced_tasks import TracedTasks


class TracedCache(TaskCache):
    """The cache of a run of which some tasks are `traced`."""

    def __init__(self, *arguments: Any, traced: TracedTasks, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._traced = traced
        self._number_of = {title: number for number, title in enumerate(self._titles)}

    def under_tracer(self, plan: RunPlan) -> RunPlan:
        """Return `plan` with the processes of traced tasks under the tracer. Raises OSError."""
        return self._traced.under_tracer(plan)

    def _parts_of(self, key: int) -> Parts:
        base = super()._parts_of(key)
        if not self._traced.has(key):
            return base
        number = self._chosen.members[key]
        return self._traced.resolve(number, base, self._owned(self._titles[number]))

    def prefetch(self, key: int) -> str:
        return "" if self._traced.has(key) else super().prefetch(key)

    def _obstacle(self, number: int) -> str:
        if not self._traced.has_node(number):
            return super()._obstacle(number)
        # What it reads of tasks that are left out is in its trace.
        return self._lasting_obstacle(number) or self._failed_dependency(number)

    def _lasting_obstacle(self, number: int) -> str:
        return "" if self._traced.has_node(number) else super()._lasting_obstacle(number)

    def _owned(self, name: str) -> set[str]:
        if not self._traced.has_node(self._number_of[name]):
            return super()._owned(name)
        known = self._state.tasks.get(name)
        return removable(self._root, known.outputs) if known is not None else set()

    def _restore(self, name: str, digest: str, entry: Entry, known: TaskState | None, store: Store) -> bool:
        is_traced = self._traced.has_node(self._number_of[name])
        if is_traced and is_in_the_way(self._root, entry.outputs, self._owned(name)):
            return False
        return super()._restore(name, digest, entry, known, store)

    def finish(
        self,
        key: int,
        log: Sequence[tuple[int, int, bytes]],
        *,
        seconds: float,
        has_succeeded: bool,
        received: Received | None = None,
    ) -> str:
        """Store the result of a task that has ended, as `TaskCache.finish`.

        Of a traced task without a result, rt owns nothing: to remove a part of what it wrote could mislead an incremental compiler.
        """
        if not self._traced.has(key):
            return super().finish(key, log, seconds=seconds, has_succeeded=has_succeeded, received=received)
        number, miss = self._chosen.members[key], self._misses[key]
        name = self._titles[number]
        known = self._state.tasks.get(name)
        self._is_changed = True
        self._state.tasks[name] = TaskState(
            "", {}, "", None, known.seconds if known is not None else seconds, has_failed=not has_succeeded
        )
        self._keys.fail(number)  # a result of its dependents would be of no known inputs
        if not has_succeeded:
            return ""
        found = self._traced.collect(self._plan.tasks[key])
        if problem := "its files were not traced" if found is None else found.problem:
            self._note(f"{name}: its result is not stored: {problem}")
        if found is None or problem:
            return ""
        try:
            store = self._target if miss.is_cacheable else None
            outputs = capture_paths(self._root, found.outputs, store)
            if store is not None:
                self._parts[key] = self._traced.remember(number, found)
                self._state.put_details(name, self._parts[key].plain())
        except OSError as error:
            self._note(f"{name}: its result is not stored: {error.strerror}: {error.filename}")
            return ""
        entry = Entry(tuple(log), tuple(output for output, _ in outputs.values()), seconds)
        digest = self._parts[key].key()
        if store is not None:
            self._put(name, digest, entry, None)
        self._remember(name, digest, entry, outputs, is_result=miss.is_cacheable)
        self._keys.contribute(number, self._state.tasks[name].contents)
        return ""

    def close(self) -> None:
        try:
            super().close()
        finally:
            self._traced.close()
